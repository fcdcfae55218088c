/**
 * Types that check what is written: a model remembers the names and kinds of its members, so that `with` and `merge` complete
 * them and refuse others. A class of a Modelica library allows every name; its names are checked when the model is translated.
 */
import type { BuiltIn } from '../builtin/component.ts';
import type { ModelValue } from './model.ts';
import type {
  Attributes,
  ChangeSet,
  Experiment,
  Item,
  Items,
  ModelData,
  Redeclared,
  ReservedName,
  Restriction,
  SectionName,
  Shortcut,
  Templates,
  Value,
  Variable,
} from './value.ts';

/** Members by name, and what the reserved names mean. */
export interface Members {
  readonly [name: string]: Item;
}

/** The reserved names of a model. */
export interface Reserved extends Sections {
  /** Connectors are recognised by `flow` and `potential`; all else is a model unless this says otherwise. */
  readonly class?: Restriction;
  /** What is inherited. */
  readonly extends?: ModelData | readonly ModelData[];
  /** Description. */
  readonly info?: string;
  /** Only to be extended. */
  readonly partial?: boolean;
  /** Declarations in Modelica: functions, types, imports, records. */
  readonly declarations?: Templates;
  /** The component that is made by code. */
  readonly builtIn?: BuiltIn;
  readonly experiment?: Experiment;
}

export type Sections = { readonly [Name in SectionName]?: Templates };

/** The members of a model with those that it inherits. */
export type AllMembers<M> = Omit<M, ReservedName> & Inherited<M>;

type Inherited<M> = M extends { readonly extends: infer Base }
  ? Base extends readonly (infer One)[]
    ? Together<MembersIn<One>>
    : MembersIn<Base>
  : unknown;

type MembersIn<Base> = Base extends ModelValue<infer N> ? AllMembers<N> : unknown;

type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** What can be changed in a model: values, attributes and what is inside components, each by its name; `null` takes it away. */
export type ChangesOf<M> = string extends keyof M
  ? Items
  : string extends keyof AllMembers<M>
    ? Items
    : { readonly [Name in keyof AllMembers<M>]?: ChangeOf<AllMembers<M>[Name]> | null } & {
        readonly [Name in SectionName]?: Templates | null;
      };

type ChangeOf<Member> =
  Member extends ModelValue<infer N>
    ? ChangesOf<N> | ChangeSet | ModelData | Redeclared
    : Member extends ModelData
      ? Items | ChangeSet | ModelData | Redeclared
      : Value | Variable | Shortcut | Attributes | ChangeSet | Redeclared;

/** Members of a model that another one was merged into. */
export type Merged<M, N> = Omit<AllMembers<M>, keyof N> & N;
