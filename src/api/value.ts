/**
 * What models are made of, as plain immutable data (after Modia, where a model is a hierarchical collection of name/value pairs):
 *
 *     Model        a definition, and changes of what it defines: `Resistor` and `Resistor.with({ R: 5 })` share their definition
 *     Definition   members by name, equations, and the models that it extends; or the name of a class written in Modelica
 *     Member       a variable with its attributes, or a component, which is a model once more
 *     Change       what a modifier says about a name: a value, and changes of what is inside (attributes are inside a variable)
 *
 * A definition becomes a Modelica class, a component an instance of it with a modifier (`write.ts`). So an expression means what it
 * means in Modelica: in a definition it sees the members of the definition, in a change those of the model around.
 */

import type { BuiltIn } from '../builtin/component.ts';
import type { Literal } from '../names/literals.ts';
import type { Template } from './template.ts';

// ---------------------------------------------------------------- values

/** A number with its unit; it is converted to the unit of the variable that it is given to. */
export class Quantity {
  constructor(
    readonly value: NumberOrArray,
    readonly unit: string,
  ) {}
}

export type NumberOrArray = number | readonly NumberOrArray[];

/** A value that is known: JavaScript strings are strings of the model, arrays of arrays are matrices. */
export type { Literal };

/** A value of a variable or attribute: known, or an expression. */
export type Value = Literal | Quantity | Template;

// ---------------------------------------------------------------- variables

export type StateSelect = 'never' | 'avoid' | 'default' | 'prefer' | 'always';

/** The size of a dimension: a number, an expression as text or template, or `':'` where the value decides. */
export type Dimension = number | string | Template;

/** Attributes of a variable. `null` takes an attribute away when it is merged. */
export interface Attributes {
  /** `Real`, `Integer`, `Boolean`, `String`, `Clock`, or the name of a class; otherwise it follows from the values. */
  readonly type?: string | null;
  /** The value of a parameter; of a variable, its declaration equation. */
  readonly value?: Value | null;
  /** A guess for the initial value. */
  readonly start?: Value | null;
  /** The initial value: `start` that is `fixed`. */
  readonly init?: Value | null;
  readonly fixed?: boolean | Template | null;
  readonly min?: Value | null;
  readonly max?: Value | null;
  readonly nominal?: Value | null;
  readonly unit?: string | null;
  readonly displayUnit?: string | null;
  readonly quantity?: string | null;
  readonly stateSelect?: StateSelect | null;
  /** Description. */
  readonly info?: string | null;
  /** Sizes of an array; otherwise those of the value. */
  readonly size?: Dimension | readonly Dimension[] | null;
  /** It exists only if this parameter expression is true. */
  readonly if?: boolean | Template | null;
  readonly parameter?: boolean | null;
  readonly constant?: boolean | null;
  readonly discrete?: boolean | null;
  readonly input?: boolean | null;
  readonly output?: boolean | null;
  /** Equal in all connectors that are connected. */
  readonly potential?: boolean | null;
  /** Sums to zero over all connectors that are connected. */
  readonly flow?: boolean | null;
  readonly stream?: boolean | null;
  readonly inner?: boolean | null;
  readonly outer?: boolean | null;
  readonly final?: boolean | null;
  readonly protected?: boolean | null;
  readonly hideResult?: boolean | null;
}

/** A variable: `Var`, `Par`, and what they were merged to. */
export class Variable {
  readonly attributes: Attributes;

  constructor(attributes: Attributes) {
    this.attributes = Object.freeze({ ...attributes });
  }
}

/** `flow` alone is a variable, `flow({ unit: 'A' })` one with more attributes. */
export interface Shortcut {
  (attributes: Attributes): Variable;
  readonly variable: Variable;
}

// ---------------------------------------------------------------- models

/** What a component may have beside its model. */
export interface ComponentAttributes {
  /** Sizes of an array of components. */
  readonly size?: Dimension | readonly Dimension[];
  readonly if?: boolean | Template;
  readonly inner?: boolean;
  readonly outer?: boolean;
  readonly final?: boolean;
  readonly protected?: boolean;
  readonly info?: string;
  /** The value of a record. */
  readonly value?: Template;
}

export type Member = VariableMember | ComponentMember;

export interface VariableMember {
  readonly kind: 'variable';
  readonly attributes: Attributes;
}

export interface ComponentMember extends Modified {
  readonly kind: 'component';
  readonly attributes: ComponentAttributes;
}

/** A definition with changes: what a component is an instance of, and what is inherited. */
export interface Modified {
  readonly definition: Definition;
  readonly changes: Changes;
}

/** The data of a model; `model.ts` gives it its methods. */
export class ModelData implements Modified {
  constructor(
    readonly definition: Definition,
    readonly changes: Changes,
    /** Attributes of the component that it becomes: an array of models, for example. */
    readonly attributes: ComponentAttributes = {},
  ) {}
}

export type Definition = Written | Named;

/** A class of a Modelica library. */
export interface Named {
  readonly kind: 'named';
  readonly name: string;
  /** All names that it has with what they are (`declared.ts`), where that is known here. */
  readonly members?: Readonly<Record<string, string>> | undefined;
}

export type Restriction = 'model' | 'block' | 'connector' | 'record';

/** Sections of equations and statements, in the order in which they are written. */
export const sectionNames = [
  'initialEquations',
  'equations',
  'connections',
  'initialAlgorithm',
  'algorithm',
] as const;
export type SectionName = (typeof sectionNames)[number];

export interface Written {
  readonly kind: 'written';
  /** How messages and Modelica text call it; without one, a name is made from where it is used. */
  readonly name: string | undefined;
  readonly restriction: Restriction | undefined;
  readonly info: string | undefined;
  readonly partial: boolean;
  readonly uniform: boolean | undefined;
  readonly extends: readonly Modified[];
  readonly members: ReadonlyMap<string, Member>;
  /** Declarations written in Modelica: functions, types, imports, records. */
  readonly declarations: readonly Template[];
  readonly sections: Readonly<Record<SectionName, readonly Template[]>>;
  readonly builtIn: BuiltIn | undefined;
  readonly experiment: Experiment | undefined;
}

/** A definition with nothing in it. */
export const emptyDefinition: Written = {
  kind: 'written',
  name: undefined,
  restriction: undefined,
  info: undefined,
  partial: false,
  uniform: undefined,
  extends: [],
  members: new Map(),
  declarations: [],
  sections: sections(() => []),
  builtIn: undefined,
  experiment: undefined,
};

/** All sections, each made by its name. */
export function sections(make: (name: SectionName) => readonly Template[]): Written['sections'] {
  const made = sectionNames.map((name) => [name, make(name)]);
  return Object.fromEntries(made) as Written['sections'];
}

/** How a model is simulated if nothing else is said. */
export interface Experiment {
  readonly startTime?: number;
  readonly stopTime?: number;
  readonly tolerance?: number;
  /** Time between two points of the result. */
  readonly interval?: number;
}

// ---------------------------------------------------------------- changes

/** Changes by name. */
export type Changes = ReadonlyMap<string, Change>;

export interface Change {
  readonly value: Value | undefined;
  readonly inside: Changes;
  /** What takes the place of something that is `replaceable` in Modelica; `inside` are changes of it. */
  readonly replacement?: Replacement | undefined;
  /** A member of the model around that is named: its name becomes the value when the model around is made. */
  readonly member?: ModelData | undefined;
}

/** A component by its class, or a class of a kind. */
export interface Replacement {
  readonly definition: Definition;
  readonly kind: ClassKind | undefined;
}

/** Kinds of classes that can be replaceable. */
export const classKinds = ['model', 'block', 'package', 'record', 'connector', 'function', 'type'] as const;
export type ClassKind = (typeof classKinds)[number];

export const noChanges: Changes = new Map();

/** Objects in objects beyond this depth are taken for a circle. */
export const DEEPEST = 100;

// ---------------------------------------------------------------- what users write

/** A model, component or variable that takes the place of another one instead of being merged with it. */
export class Redeclared {
  constructor(
    readonly item: ModelData | Variable,
    /** Set where a class of a Modelica library is replaced, instead of a component. */
    readonly kind?: ClassKind,
  ) {}
}

/** Changes of a model, as `Map` makes them; a plain object says the same. */
export class ChangeSet {
  readonly items: Items;

  constructor(items: Items) {
    this.items = Object.freeze({ ...items });
  }
}

export interface Items {
  readonly [name: string]: Item;
}

/** Templates of a section, lists of them included. */
export type Templates = Template | readonly Templates[];

/** What can be said of a name. */
export type Item =
  | Value
  | Variable
  | Shortcut
  | ModelData
  | Redeclared
  | ChangeSet
  | Items
  | Attributes
  | Templates
  | readonly ModelData[]
  | BuiltIn
  | Experiment
  | null
  | undefined;

/** Names that mean something else than a member. */
export const reservedNames = [
  'class',
  'extends',
  'info',
  'partial',
  'uniform',
  'declarations',
  ...sectionNames,
  'builtIn',
  'experiment',
] as const;
export type ReservedName = (typeof reservedNames)[number];

export const isReserved = (name: string): name is ReservedName =>
  (reservedNames as readonly string[]).includes(name);

/** Names with values: those of a plain object, or of changes as a value; undefined for anything else. */
export function itemsOf(item: unknown): Items | undefined {
  if (item instanceof ChangeSet) return item.items;
  return isPlain(item) ? item : undefined;
}

/** Whether something is an object without a class of its own. */
export function isPlain(item: unknown): item is Items {
  if (typeof item !== 'object' || item === null) return false;
  const prototype: unknown = Object.getPrototypeOf(item);
  return prototype === Object.prototype || prototype === null;
}
