/**
 * The syntax tree of Modelica 3.6 (specification, Appendix A). Nodes are plain immutable objects; `start` and
 * `end` are offsets into the text of the `StoredDefinition` (or class) they belong to, end exclusive.
 * The order of the text is kept, so that a printer can give it back. Bodies of classes in large texts are built when they are asked
 * for (`lazy.ts`).
 */
import type { Source } from '../diagnostic/source.ts';

export interface Node {
  readonly start: number;
  readonly end: number;
}

/** An identifier as written; quoted identifiers keep their quotes. */
export interface Ident extends Node {
  readonly text: string;
}

/** A dotted name, `.A.B` when `global`. */
export interface Name extends Node {
  readonly global: boolean;
  readonly parts: readonly Ident[];
}

/** A comment of the text (`//` or `/* *\/`), with its delimiters. */
export interface Trivia extends Node {
  readonly text: string;
}

export interface StoredDefinition extends Node {
  readonly source: Source;
  /** `undefined` without a within clause; a name without parts for `within ;`. */
  readonly within: Name | undefined;
  readonly classes: readonly ClassDef[];
  readonly comments: readonly Trivia[];
}

// ---------------------------------------------------------------- classes

export type Restriction =
  | 'class'
  | 'model'
  | 'block'
  | 'record'
  | 'operator record'
  | 'connector'
  | 'expandable connector'
  | 'type'
  | 'package'
  | 'function'
  | 'operator function'
  | 'operator';

export interface ClassDef extends Node {
  readonly kind: 'class';
  readonly source: Source;
  readonly name: Ident;
  readonly restriction: Restriction;
  /** `model extends A`: the class refines the inherited one of its name. */
  readonly refining: boolean;
  readonly encapsulated: boolean;
  readonly partial: boolean;
  /** `pure` or `impure` before `function`. */
  readonly purity: 'pure' | 'impure' | undefined;
  readonly prefixes: ElementPrefixes;
  readonly body: ClassBody;
  readonly constrainedBy: ConstrainedBy | undefined;
}

export interface ElementPrefixes {
  readonly redeclare: boolean;
  readonly final: boolean;
  readonly inner: boolean;
  readonly outer: boolean;
  readonly replaceable: boolean;
  /** Only on elements of a modification. */
  readonly each: boolean;
}

export interface ConstrainedBy extends Commented {
  readonly name: Name;
  readonly modification: ClassModification | undefined;
}

export type ClassBody = LongBody | ShortBody | EnumerationBody | DerivativeBody;

export interface LongBody extends Node {
  readonly kind: 'long';
  /** What a `refining` class changes: `class extends Name(modification)`. */
  readonly classExtends: { readonly modification: ClassModification | undefined } | undefined;
  readonly description: StringComment | undefined;
  readonly sections: readonly Section[];
  readonly external: External | undefined;
  readonly annotation: Annotation | undefined;
}

export interface ShortBody extends Commented {
  readonly kind: 'short';
  readonly basePrefix: 'input' | 'output' | undefined;
  readonly base: Name;
  readonly subscripts: readonly Subscript[];
  readonly modification: ClassModification | undefined;
}

export interface EnumerationBody extends Commented {
  readonly kind: 'enumeration';
  /** `undefined` for `enumeration(:)`. */
  readonly literals: readonly EnumerationLiteral[] | undefined;
}

export interface EnumerationLiteral extends Commented {
  readonly name: Ident;
}

/** `function f = der(g, x, y)`. */
export interface DerivativeBody extends Commented {
  readonly kind: 'der';
  readonly base: Name;
  readonly variables: readonly Ident[];
}

export type Section = ElementSection | EquationSection | AlgorithmSection;

/** Declarations; `visibility` is undefined for the leading part without a keyword (which is public). */
export interface ElementSection extends Node {
  readonly kind: 'elements';
  readonly visibility: 'public' | 'protected' | undefined;
  readonly elements: readonly Element[];
}

export interface EquationSection extends Node {
  readonly kind: 'equations';
  readonly initial: boolean;
  readonly equations: readonly Equation[];
}

export interface AlgorithmSection extends Node {
  readonly kind: 'algorithm';
  readonly initial: boolean;
  readonly statements: readonly Statement[];
}

export interface External extends Node {
  readonly language: StringLiteral | undefined;
  readonly result: ComponentRef | undefined;
  readonly functionName: Ident | undefined;
  readonly arguments: readonly Expression[];
  readonly annotation: Annotation | undefined;
}

// ---------------------------------------------------------------- elements

export type Element = ImportClause | ExtendsClause | ClassDef | ComponentClause;

export interface ImportClause extends Commented {
  readonly kind: 'import';
  readonly name: Name;
  /** `import A = B.C`: 'A'. */
  readonly alias: Ident | undefined;
  /** `import B.*`. */
  readonly wildcard: boolean;
  /** `import B.{C, D}`. */
  readonly selection: readonly Ident[] | undefined;
}

export interface ExtendsClause extends Node {
  readonly kind: 'extends';
  readonly base: Name;
  readonly modification: ClassModification | undefined;
  readonly annotation: Annotation | undefined;
}

export interface ComponentClause extends Node {
  readonly kind: 'component';
  readonly prefixes: ElementPrefixes;
  readonly connection: 'flow' | 'stream' | undefined;
  readonly variability: 'constant' | 'parameter' | 'discrete' | undefined;
  readonly causality: 'input' | 'output' | undefined;
  readonly type: Name;
  readonly subscripts: readonly Subscript[];
  readonly declarations: readonly Declaration[];
  readonly constrainedBy: ConstrainedBy | undefined;
}

export interface Declaration extends Commented {
  readonly name: Ident;
  readonly subscripts: readonly Subscript[];
  readonly modification: Modification | undefined;
  /** `Real x if c`. */
  readonly condition: Expression | undefined;
}

export interface Comment {
  readonly description: StringComment | undefined;
  readonly annotation: Annotation | undefined;
}

/** What a comment may end. */
export interface Commented extends Node {
  readonly comment: Comment;
}

/** `"a" + "b"`: the parts of a description, unescaped and joined in `value`. */
export interface StringComment extends Node {
  readonly value: string;
  readonly parts: readonly StringLiteral[];
}

export interface Annotation extends Node {
  readonly modification: ClassModification;
}

// ---------------------------------------------------------------- modifications

/** What may follow a name: `(…)`, `= e`, `(…) = e`, `:= e`, or `= break`. */
export interface Modification extends Node {
  readonly arguments: ClassModification | undefined;
  readonly value: Expression | 'break' | undefined;
  /** True for the deprecated `:=`. */
  readonly assignment: boolean;
}

export interface ClassModification extends Node {
  readonly arguments: readonly Argument[];
}

export type Argument = ElementModification | Redeclaration | InheritanceBreak;

export interface ElementModification extends Node {
  readonly kind: 'modify';
  readonly each: boolean;
  readonly final: boolean;
  readonly name: Name;
  readonly modification: Modification | undefined;
  readonly description: StringComment | undefined;
}

/** `redeclare …` or `replaceable …` inside a modification; the prefixes are on the element. */
export interface Redeclaration extends Node {
  readonly kind: 'redeclare';
  readonly element: ClassDef | ComponentClause;
}

/** Selective model extension (Modelica 3.6): `break x` or `break connect(a, b)`. */
export interface InheritanceBreak extends Node {
  readonly kind: 'break';
  readonly target: Ident | ConnectEquation;
}

// ---------------------------------------------------------------- equations and statements

export type Equation =
  | SimpleEquation
  | ConnectEquation
  | CallEquation
  | IfEquation
  | ForEquation
  | WhenEquation;

export interface SimpleEquation extends Commented {
  readonly kind: 'equal';
  readonly left: Expression;
  readonly right: Expression;
}

export interface ConnectEquation extends Commented {
  readonly kind: 'connect';
  readonly left: ComponentRef;
  readonly right: ComponentRef;
}

/** `assert(…)`, `reinit(…)`, `transition(…)`, `Connections.root(…)`, … */
export interface CallEquation extends Commented {
  readonly kind: 'call';
  readonly call: Call;
}

export type IfEquation = If<Equation>;
export type ForEquation = For<Equation>;
export type WhenEquation = When<Equation>;

/** What holds, or is done, where a condition does. */
export interface Branch<Item> {
  readonly condition: Expression;
  readonly body: readonly Item[];
}

/** `if` around equations or statements. */
interface If<Item> extends Commented {
  readonly kind: 'if';
  /** `if`, `elseif`, … in order. */
  readonly branches: readonly Branch<Item>[];
  readonly otherwise: readonly Item[] | undefined;
}

interface For<Item> extends Commented {
  readonly kind: 'for';
  readonly iterators: readonly Iterator[];
  readonly body: readonly Item[];
}

interface When<Item> extends Commented {
  readonly kind: 'when';
  readonly branches: readonly Branch<Item>[];
}

export interface Iterator extends Node {
  readonly name: Ident;
  /** Undefined where the range follows from the use (`for i loop x[i] = …`). */
  readonly range: Expression | undefined;
}

export type Statement =
  | AssignStatement
  | MultiAssignStatement
  | CallStatement
  | IfStatement
  | ForStatement
  | WhileStatement
  | WhenStatement
  | JumpStatement;

export interface AssignStatement extends Commented {
  readonly kind: 'assign';
  readonly target: ComponentRef;
  readonly value: Expression;
}

/** `(a, , c) := f(x)`; holes are undefined. */
export interface MultiAssignStatement extends Commented {
  readonly kind: 'multiassign';
  readonly targets: readonly (ComponentRef | undefined)[];
  readonly call: Call;
}

export type CallStatement = CallEquation;
export type IfStatement = If<Statement>;
export type ForStatement = For<Statement>;
export type WhenStatement = When<Statement>;

export interface WhileStatement extends Commented, Branch<Statement> {
  readonly kind: 'while';
}

export interface JumpStatement extends Commented {
  readonly kind: 'break' | 'return';
}

// ---------------------------------------------------------------- expressions

export type Expression =
  | NumberLiteral
  | StringLiteral
  | BooleanLiteral
  | EndExpression
  | ComponentRef
  | Call
  | Unary
  | Binary
  | IfExpression
  | RangeExpression
  | ArrayExpression
  | MatrixExpression
  | Comprehension
  | IndexExpression
  | TupleExpression;

export interface NumberLiteral extends Node {
  readonly kind: 'number';
  readonly value: number;
  /** True for UNSIGNED-INTEGER, false for UNSIGNED-REAL. */
  readonly integer: boolean;
  /** As written, so that printing loses nothing. */
  readonly text: string;
}

export interface StringLiteral extends Node {
  readonly kind: 'string';
  /** Unescaped. */
  readonly value: string;
  /** As written, with its quotes. */
  readonly text: string;
}

export interface BooleanLiteral extends Node {
  readonly kind: 'boolean';
  readonly value: boolean;
}

/** `end` inside a subscript. */
export interface EndExpression extends Node {
  readonly kind: 'end';
}

/** `.a.b[1, :].c`. `time`, `initial` etc. are ordinary names. */
export interface ComponentRef extends Node {
  readonly kind: 'ref';
  readonly global: boolean;
  readonly parts: readonly RefPart[];
  /** Stands in no text: it may name what texts from outside cannot. */
  readonly made?: true;
}

export interface RefPart extends Node {
  readonly name: string;
  readonly subscripts: readonly Subscript[];
}

/** An expression, or `:` alone. */
export type Subscript = Expression | Colon;

export interface Colon extends Node {
  readonly kind: 'colon';
}

/** `f(a, b = c)`; also `der(x)`, `pure(…)`, and `initial()` with no arguments. */
export interface Call extends Node {
  readonly kind: 'call';
  readonly callee: ComponentRef;
  readonly positional: readonly (Expression | PartialApplication)[];
  readonly named: readonly NamedArgument[];
  /** `sum(e for i in r)`: then `positional` holds `e` alone. */
  readonly iterators: readonly Iterator[] | undefined;
}

export interface NamedArgument extends Node {
  readonly name: Ident;
  readonly value: Expression | PartialApplication;
}

/** `function f(a = 1)` as an argument. */
export interface PartialApplication extends Node {
  readonly kind: 'partial';
  readonly function: Name;
  readonly arguments: readonly NamedArgument[];
}

export type UnaryOperator = '+' | '-' | '.+' | '.-' | 'not';

export interface Unary extends Node {
  readonly kind: 'unary';
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '^'
  | '.+'
  | '.-'
  | '.*'
  | './'
  | '.^'
  | '<'
  | '<='
  | '>'
  | '>='
  | '=='
  | '<>'
  | 'and'
  | 'or';

export interface Binary extends Node {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export interface IfExpression extends Node {
  readonly kind: 'if';
  readonly branches: readonly { readonly condition: Expression; readonly value: Expression }[];
  readonly otherwise: Expression;
}

export interface RangeExpression extends Node {
  readonly kind: 'range';
  readonly first: Expression;
  readonly step: Expression | undefined;
  readonly last: Expression;
}

/** `{a, b}`. */
export interface ArrayExpression extends Node {
  readonly kind: 'array';
  readonly elements: readonly Expression[];
}

/** `[a, b; c, d]`. */
export interface MatrixExpression extends Node {
  readonly kind: 'matrix';
  readonly rows: readonly (readonly Expression[])[];
}

/** `{e for i in r, j in s}`. */
export interface Comprehension extends Node {
  readonly kind: 'comprehension';
  readonly value: Expression;
  readonly iterators: readonly Iterator[];
}

/** `(e)[i]`: elements of what is no name. */
export interface IndexExpression extends Node {
  readonly kind: 'index';
  readonly array: Expression;
  readonly subscripts: readonly Subscript[];
}

/** `(a, , b)`: the left side of a call equation, or a parenthesised expression with one member. */
export interface TupleExpression extends Node {
  readonly kind: 'tuple';
  readonly members: readonly (Expression | undefined)[];
}
