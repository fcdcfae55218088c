/**
 * The instance tree: a model with all classes resolved, modifications merged, conditional components decided and
 * array sizes known. `flat/` turns it into equations. Expressions are still syntax, paired with the scope in
 * which their names are looked up.
 */
import type { Source, Span } from '../diagnostic/source.ts';
import type * as ast from '../syntax/ast.ts';

/** A class where it was declared. */
export interface ClassNode {
  readonly definition: ast.ClassDef;
  /** Fully qualified, `A.B.C`. */
  readonly path: string;
  readonly parent: ClassNode | undefined;
}

/**
 * Where names are looked up: first the members of `instance` (all inherited ones included), then outwards through the
 * classes that lexically enclose `lexical` (imports and package constants included). `iterators` of enclosing
 * for-equations are added by `flat/`.
 */
export interface Scope {
  readonly instance: Instance | undefined;
  readonly lexical: ClassNode;
  /** Where the text stands, if not where the class does: values that are given from outside. */
  readonly source?: Source;
}

/** A modifier's or declaration's expression with its scope. */
export interface Bound {
  readonly value: ast.Expression;
  readonly scope: Scope;
  /** Where it was written. */
  readonly span: Span;
  /** Subscripts to apply to the value: a modifier on an array of components was distributed to this element. */
  readonly subscripts: readonly (number | ElementNumber)[];
  /** `each`, or a scalar that holds for all elements of an array variable. */
  readonly each: boolean;
  /** Declared `final`: nothing outside may change it. */
  readonly final?: true;
  /** Given from outside the text: by which name, and whether in place of a value that the text gives. */
  readonly outside?: { readonly name: string; readonly replaces: boolean };
  /** Values of single elements in place of those that the value has; later ones count. */
  readonly elements?: readonly ElementBound[];
}

/** A value for one element of an array variable, or for a variable in one element of a uniform array of components. */
export interface ElementBound {
  /** Numbers of the element of the variable itself (from 1); none for the whole variable. */
  readonly index: readonly number[];
  /** It holds where elements of uniform arrays have these numbers. */
  readonly where: readonly { readonly at: ElementNumber; readonly is: number }[];
  readonly value: Bound;
}

/** The number that an element of a uniform array of components has in one of the dimensions of the array (from 0). */
export interface ElementNumber {
  readonly array: ObjectInstance;
  readonly dimension: number;
}

export type InstanceVariability = 'constant' | 'parameter' | 'discrete' | 'continuous';

export type Instance = VariableInstance | ObjectInstance;

/** The path of a member. */
export const joined = (path: string, name: string): string => (path ? `${path}.${name}` : name);

/** What objects and variables have in common. */
export interface InstanceBase {
  /** Last part of the path with its subscripts: `c[2]`; empty for the root. */
  readonly name: string;
  /** `a.b[2].c`; empty for the root. For constants of packages the qualified name. */
  readonly path: string;
  readonly parent: Instance | undefined;
  readonly variability: InstanceVariability;
  readonly causality: 'input' | 'output' | undefined;
  readonly connection: 'flow' | 'stream' | undefined;
  readonly inner: boolean;
  readonly outer: boolean;
  readonly protected: boolean;
  readonly final: boolean;
  /** Declared with a condition: it can be modified and connected, nothing else. */
  readonly conditional: boolean;
  readonly description: string;
  readonly annotation: ast.Annotation | undefined;
  /** The declaration in the source. */
  readonly span: Span;
}

/**
 * What the elements of a dimension are counted by: Integers, or the values of the type that is given for its size. `undefined` where the size
 * comes from a value.
 */
export type IndexType = 'Integer' | 'Boolean' | Enumeration | undefined;

/** An enumeration: its qualified name and the names of its literals. */
export interface Enumeration {
  readonly path: string;
  readonly literals: readonly string[];
}

/** A variable of a predefined type or enumeration, scalar or array as one. */
export interface VariableInstance extends InstanceBase {
  readonly kind: 'variable';
  readonly type: 'Real' | 'Integer' | 'Boolean' | 'String' | 'enumeration' | 'Clock';
  readonly enumeration: Enumeration | undefined;
  /** Evaluated sizes, outermost first, declaration and type together. */
  readonly dims: readonly number[];
  readonly indexTypes: readonly IndexType[];
  /** A size follows from a parameter or from a value: another run may have another one. */
  readonly resizable: boolean;
  /** `start`, `fixed`, `unit`, `min`, …: merged, outermost modifier wins. */
  readonly attributes: ReadonlyMap<string, Bound>;
  /** Its values are differences, as `absoluteValue = false` says of it or of its type. */
  readonly difference: boolean;
  readonly binding: Bound | undefined;
  /** The function `equalityConstraint` of its type, where it has one: it has more elements than degrees of freedom. */
  readonly constraint?: ClassNode;
  /** True where instantiation needed the value (sizes, conditions): later changes need a new instantiation. */
  structural: boolean;
}

/** A component of a class, or an array of such components. */
export interface ObjectInstance extends InstanceBase {
  readonly kind: 'object';
  readonly class: ClassNode;
  readonly restriction: ast.Restriction;
  /** Sizes of an array of components; empty for a single one. Then `elements` holds them in row-major order. */
  readonly dims: readonly number[];
  readonly indexTypes: readonly IndexType[];
  /** For an array: a size follows from a parameter, another run may have another one. */
  readonly resizable: boolean;
  /** Whoever asks a uniform array for its elements makes them: the array is written out and uniform no longer. */
  readonly elements: readonly ObjectInstance[];
  /**
   * What stands for every element of a uniform array of components: elements that differ in their numbers alone are
   * instantiated once. Values that were distributed to the elements have an `ElementNumber` as subscript. It has the
   * name and the path of the array.
   */
  readonly template?: ObjectInstance | undefined;
  /**
   * For components that were declared one by one and are taken for a uniform array: their names, in the order of declaration. Each of them is a
   * member of the object around them, and means this array until it is written out.
   */
  readonly names?: readonly string[] | undefined;
  /** Members in order of declaration, inherited ones first; empty for an array (its elements have them). */
  readonly members: ReadonlyMap<string, Instance>;
  /** What stands for the elements of an empty array of components, so that names in it still resolve. */
  readonly prototype?: ObjectInstance;
  /** Names declared `outer` here and the `inner` component each stands for; they are not among the members. */
  readonly outers?: ReadonlyMap<string, Instance>;
  /** Which of these are declared `outer output`: the equations of this object determine them. */
  readonly outerOutputs?: ReadonlySet<string>;
  /** The instance of scopes for text in this object; none where it holds the constants of a class. */
  readonly scope: ObjectInstance | undefined;
  /** A member, also of an object that is not complete yet. */
  find(name: string): Instance | 'absent' | undefined;
  /** Makes the elements of a uniform array one by one, because they turn out to differ. */
  writeOut(): void;
  /** Conditional components that are absent: connections to them vanish, other uses are errors. */
  readonly absent: ReadonlySet<string>;
  /** What an expandable connector declares and no connect names: it is not present. */
  readonly potential: ReadonlyMap<string, Instance>;
  /** Makes a member of an expandable connector present: what it declares, otherwise one like another, with these sizes. */
  augment(name: string, like: Instance, dims: readonly number[]): void;
  /**
   * A declaration equation of a record as a whole (`R r = f(x)`). Where a member has a binding of its own, that one
   * was given further outside and wins. An array of records has it on its elements, with subscripts.
   */
  readonly binding: Bound | undefined;
  /** Equation and algorithm sections, inherited ones first. */
  readonly sections: readonly BehaviourSection[];
}

export interface BehaviourSection {
  readonly section: ast.EquationSection | ast.AlgorithmSection;
  readonly scope: Scope;
}

/** What a name means. */
export type Resolution =
  /**
   * A component of the model; `parts` pairs every part of the reference with the instance it reaches, whatever the
   * subscripts of the part. Beyond an array of components, the members of its template or of its first element (or of
   * its prototype) stand for those of all elements.
   */
  | {
      readonly kind: 'component';
      readonly parts: readonly { readonly part: ast.RefPart; readonly instance: Instance }[];
    }
  /** A constant of a package, instantiated on demand. */
  | { readonly kind: 'constant'; readonly instance: Instance; readonly subscripts: readonly ast.Subscript[] }
  /** A class; `instance` is the component in which it was found (`world.gravity`), if any. */
  | { readonly kind: 'class'; readonly class: ClassNode; readonly instance?: ObjectInstance }
  | {
      readonly kind: 'literal';
      readonly enumeration: string;
      readonly literals: readonly string[];
      readonly index: number;
    }
  /** A predefined name: `time`, `der`, `sin`, `Real`, … */
  | { readonly kind: 'builtin'; readonly name: string }
  /** A conditional component that is absent, or what an expandable connector declares and no connect names. */
  | { readonly kind: 'absent'; readonly path: string; readonly expandable?: boolean }
  /**
   * Not found: which part failed, where it was looked for, the nearest known name, and for a component its class and the names that it
   * has. `reason` says why a name that exists cannot be used; `'failed'` means that its own problems are already reported.
   */
  | {
      readonly kind: 'unknown';
      readonly part: number;
      readonly within: string;
      readonly nearest: string | undefined;
      readonly known?: readonly string[];
      readonly class?: ClassNode;
      readonly reason?: string;
      /** What to do about that. */
      readonly hint?: string;
    };
