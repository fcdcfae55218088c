/**
 * Types that check what is written: a model remembers the names and kinds of its members, so that `with` and `merge` complete
 * them and refuse others. A class of a Modelica library allows every name; its names are checked when the model is translated.
 */
import type { BuiltIn } from '../builtin/component.ts';
import type { ModelValue } from './model.ts';
import type { Template } from './template.ts';
import type {
  Attributes,
  ChangeSet,
  Experiment,
  Items,
  Literal,
  ModelData,
  Quantity,
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
export type Members = Items;

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
  /** Whether components of it are translated once, however few there are, or never. */
  readonly uniform?: boolean;
  /** Declarations in Modelica: functions, types, imports, records. */
  readonly declarations?: Templates;
  /** The component that is made by code. */
  readonly builtIn?: BuiltIn;
  readonly experiment?: Experiment;
}

export type Sections = { readonly [Name in SectionName]?: Templates };

/** The members of a model with those that it inherits; any name where some are declared in Modelica. */
export type AllMembers<M> = Omit<M, ReservedName> & Inherited<M> & Declared<M>;

type Declared<M> = M extends { readonly declarations: Templates } ? Members : unknown;

type Inherited<M> = M extends { readonly extends: infer Base }
  ? Base extends readonly (infer One)[]
    ? Together<MembersIn<One>>
    : MembersIn<Base>
  : unknown;

type MembersIn<Base> = Base extends ModelValue<infer N> ? AllMembers<N> : unknown;

type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/**
 * What can be changed in a model: values, attributes and what is inside components, each by its name; `null` takes it away. `Other` are
 * changes after which nobody knows what is inside.
 */
export type ChangesOf<M, Other = never> = string extends keyof M
  ? Items
  : string extends keyof AllMembers<M>
    ? Items
    : { readonly [Name in keyof AllMembers<M>]?: ChangeOf<AllMembers<M>[Name], Other> | null } & {
        readonly [Name in SectionName]?: Templates | null;
      };

type ChangeOf<Member, Other> =
  Member extends ModelValue<infer N>
    ? ChangesOf<N, Other> | ModelData | Other
    : Member extends Taking<infer Given>
      ? Given | Value | Variable | Attributes | ChangeSet | Redeclared
      : Member extends ModelData
        ? Items | ChangeSet | ModelData | Redeclared
        : Value | Variable | Shortcut | Attributes | ChangeSet | Redeclared;

declare const given: unique symbol;

/** A member of a class of a library that takes these values, or lists of them in an array of components. */
export interface Taking<Given> {
  readonly [given]: Given;
}

/** Changes that may redeclare components, and the members of a model after them: what is inside components may be anything. */
export type Redeclaring<M> = ChangesOf<M, ChangeSet | Redeclared> | ChangeSet;
export type Opened<M> = {
  readonly [Name in keyof AllMembers<M>]: AllMembers<M>[Name] extends ModelData
    ? ModelValue
    : AllMembers<M>[Name];
};

/** Whether something, or something in the changes of an inherited component, is redeclared. */
export type IsRedeclared<Item> = Item extends Redeclared
  ? true
  : Item extends Shortcut | Quantity | Template | Literal
    ? false
    : { [Name in Exclude<keyof Item, keyof ModelValue>]: IsRedeclared<Item[Name]> }[Exclude<
        keyof Item,
        keyof ModelValue
      >];

/** Members of a model that another one was merged into. */
export type Merged<M, N> = Omit<AllMembers<M>, keyof N> & N;
