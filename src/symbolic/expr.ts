/**
 * Expressions: the one representation that flattening, structural analysis and code generation share.
 * Nodes are hash-consed by a `Pool`: within one pool, structurally equal expressions are the same object, so
 * equality is identity and every analysis can be memoised on `id`. Nodes are immutable.
 *
 * Values are Real, Integer (exact in a double), Boolean (0 or 1) or String (in a run a number that stands for the text, see `strings.ts`). Arrays occur before
 * `arrays.ts` scalarises them; everything from `structure/` on sees scalars alone.
 */

export type Expr = Const | Text | Time | Ref | Pre | Held | Local | Iter | Apply | Call;

interface Base {
  /** Unique in its pool; children have smaller ids than parents. */
  readonly id: number;
  /** What `leaves` in `analyse.ts` found: on the way of every analysis, so that it lies here and not in a map. */
  leaves?: readonly Leaf[];
}

/** What an expression's value depends on, beside constants. */
export type Leaf = Time | Ref | Pre | Held | Local;

/** A number; Booleans are 0 and 1. */
export interface Const extends Base {
  readonly kind: 'const';
  readonly value: number;
}

export interface Text extends Base {
  readonly kind: 'text';
  readonly value: string;
}

export interface Time extends Base {
  readonly kind: 'time';
}

/** The `order`-th time derivative of a variable; `subscripts` only before scalarising (empty: the whole symbol). */
export interface Ref extends Base {
  readonly kind: 'ref';
  readonly symbol: number;
  readonly order: number;
  readonly subscripts: readonly Expr[];
}

/** The left limit of a discrete-time variable. */
export interface Pre extends Base {
  readonly kind: 'pre';
  readonly symbol: number;
  readonly subscripts: readonly Expr[];
}

/** The Boolean of a relation, held constant between events; an index into the table of relations. */
export interface Held extends Base {
  readonly kind: 'held';
  readonly relation: number;
}

/** A variable of the function whose body this is; an index into its `locals`. */
export interface Local extends Base {
  readonly kind: 'local';
  readonly index: number;
  readonly subscripts: readonly Expr[];
}

/** The index of a for-family, array comprehension or reduction; numbers are unique in a model. */
export interface Iter extends Base {
  readonly kind: 'iter';
  readonly iterator: number;
}

/** Application of a built-in operator or function. */
export interface Apply extends Base {
  readonly kind: 'apply';
  readonly op: Op;
  readonly args: readonly Expr[];
}

/** Result number `output` (from 0) of a user function; `fn` indexes the model's functions. */
export interface Call extends Base {
  readonly kind: 'call';
  readonly fn: number;
  readonly args: readonly Expr[];
  readonly output: number;
}

/**
 * Built-in operators on scalars. `if` has three arguments. Relations and logical operators give Booleans.
 * `noEvent` and `smooth` mark how relations below them are treated; `pool.held` replaces relations that cause events.
 * Texts: `string` is number, minimumLength, leftJustified, significantDigits; `pad` is text, minimumLength, leftJustified; `format` is number and
 * text; `order` is -1, 0 or 1, as the first of two texts comes before, at or after the second. `exact` is an Integer result of arithmetic, and no number where it is beyond what doubles hold exactly.
 */
export type ScalarOp =
  | 'add'
  | 'sub'
  | 'mul'
  | 'div'
  | 'neg'
  | 'pow'
  | 'sin'
  | 'cos'
  | 'tan'
  | 'asin'
  | 'acos'
  | 'atan'
  | 'atan2'
  | 'sinh'
  | 'cosh'
  | 'tanh'
  | 'exp'
  | 'log'
  | 'log10'
  | 'sqrt'
  | 'abs'
  | 'sign'
  | 'min'
  | 'max'
  | 'floor'
  | 'ceil'
  | 'idiv'
  | 'mod'
  | 'rem'
  | 'lt'
  | 'le'
  | 'gt'
  | 'ge'
  | 'eq'
  | 'ne'
  | 'and'
  | 'or'
  | 'not'
  | 'if'
  | 'exact'
  | 'noEvent'
  | 'smooth'
  | 'homotopy'
  | 'initial'
  | 'terminal'
  | 'sample'
  | 'edge'
  | 'change'
  | 'der'
  | 'string'
  | 'concat'
  | 'pad'
  | 'format'
  | 'order';

/**
 * Operators on arrays, resolved by `arrays.ts`. Elementwise use of a scalar operator needs no other name:
 * `add` of two vectors is elementwise, `mul` of a scalar and an array scales. `array` builds its arguments into one
 * more leading dimension; `range` is first, step, last; `comprehension` is value, (iterator, range)…;
 * `colon` stands for a whole dimension in subscripts; `size` is array, dimension.
 */
export type ArrayOp =
  | 'array'
  | 'range'
  | 'colon'
  | 'comprehension'
  | 'size'
  | 'ndims'
  | 'matmul'
  | 'transpose'
  | 'sum'
  | 'product'
  | 'minOf'
  | 'maxOf'
  | 'sumOver'
  | 'productOver'
  | 'minOver'
  | 'maxOver'
  | 'fill'
  | 'identity'
  | 'diagonal'
  | 'linspace'
  | 'cat'
  | 'cross'
  | 'skew'
  | 'outerProduct'
  | 'symmetric'
  | 'scalar'
  | 'vector'
  | 'matrix'
  | 'promote'
  | 'subscript';

export type Op = ScalarOp | ArrayOp;
