/**
 * The built-in functions and operators of Modelica (Modelica 3.7, sections 3.7, 3.8, 10.3, 16 and 17): one row a name. All who need to know
 * them take names, sizes, types and values from here: lookup, sizes and values before there is a flat model, translation, models in
 * TypeScript.
 *
 * A function of numbers needs this row alone where operators that exist make it up: `make` gives its expression and its value.
 */
import { arithmetic } from './arithmetic.ts';
import type { ArrayOp, ScalarOp } from './expr.ts';
import type { Algebra } from './operations.ts';
import { elementary } from './operators.ts';

type Sizes = readonly number[];

export interface Intrinsic {
  /** The type of a result; `same` is that of the argument that is passed on, whatever it is. */
  readonly type?: 'Boolean' | 'Clock' | 'same';
  /** The argument whose sizes the result has, or the sizes by those of the arguments. Others need values. */
  readonly sizes?: number | ((sizes: (k: number) => Sizes | undefined) => Sizes | undefined);
  /** How many dimensions the result has, by the number of arguments, where sizes need values. */
  readonly rank?: (count: number) => number;
  /** It speaks of time or events, and cannot stand in a function. */
  readonly timed?: true;
  /** A function of numbers, for arrays element by element. */
  readonly numeric?: NumberFunction;
  /** An operator on arrays whose arguments are values. */
  readonly op?: ArrayOp;
}

export interface NumberFunction {
  readonly parameters: readonly string[];
  /** `common`: Integer where all arguments are. */
  readonly type: 'Real' | 'Integer' | 'common';
  /** It is piecewise constant: its value changes at events. */
  readonly stepped: boolean;
  /** Its last argument must not be zero. */
  readonly divides: boolean;
  readonly make: <E>(algebra: Pick<Algebra<E>, 'const' | 'apply'>, ...args: E[]) => E;
}

/** A function that is an operator. */
const operator =
  (op: ScalarOp): NumberFunction['make'] =>
  (algebra, ...args) =>
    algebra.apply(op, ...args);

/** Scalars go with every element of an array. */
const ofFirstArray: Intrinsic['sizes'] = (sizes) => {
  const first = sizes(0);
  return first?.length === 0 ? (sizes(1) ?? first) : first;
};

function numeric(
  parameters: string,
  type: NumberFunction['type'],
  make: ScalarOp | NumberFunction['make'],
  { stepped = false, divides = false } = {},
): Intrinsic {
  const own = typeof make === 'string' ? operator(make) : make;
  return {
    sizes: ofFirstArray,
    numeric: { parameters: parameters.split(' '), type, stepped, divides, make: own },
  };
}

/** Rows that say the same of several names. */
const each = (names: string, row: Intrinsic): Record<string, Intrinsic> =>
  Object.fromEntries(names.split(' ').map((name) => [name, row]));

const scalar: Intrinsic['sizes'] = () => [];
const stepped = { stepped: true };

const realFunctions: readonly ScalarOp[] = [...elementary, 'sqrt'];

const rows: Readonly<Record<string, Intrinsic>> = {
  ...Object.fromEntries(realFunctions.map((op) => [op, numeric(op === 'atan2' ? 'y x' : 'x', 'Real', op)])),
  abs: numeric('v', 'common', 'abs'),
  sign: numeric('v', 'Integer', 'sign', stepped),
  floor: numeric('x', 'Real', 'floor', stepped),
  ceil: numeric('x', 'Real', 'ceil', stepped),
  integer: numeric('x', 'Integer', 'floor', stepped),
  div: numeric('x y', 'common', 'idiv', { stepped: true, divides: true }),
  mod: numeric('x y', 'common', 'mod', { divides: true }),
  rem: numeric('x y', 'common', 'rem', { divides: true }),

  sum: { sizes: scalar, op: 'sum' },
  product: { sizes: scalar, op: 'product' },
  scalar: { sizes: scalar, op: 'scalar' },
  vector: {
    sizes: (sizes) => sizes(0) && [sizes(0)!.reduce((n, k) => n * k, 1)],
    rank: () => 1,
    op: 'vector',
  },
  matrix: { rank: () => 2, op: 'matrix' },
  diagonal: { rank: () => 2, op: 'diagonal' },
  transpose: {
    sizes: (sizes) => {
      const [rows = undefined, columns = undefined, ...rest] = sizes(0) ?? [];
      return rows === undefined || columns === undefined ? undefined : [columns, rows, ...rest];
    },
    rank: () => 2,
    op: 'transpose',
  },
  outerProduct: { rank: () => 2, op: 'outerProduct' },
  symmetric: { sizes: 0, op: 'symmetric' },
  cross: { sizes: () => [3], op: 'cross' },
  skew: { sizes: () => [3, 3], op: 'skew' },
  linspace: { rank: () => 1, op: 'linspace' },
  identity: { rank: () => 2 },
  ...each('zeros ones', { rank: (count) => count }),
  fill: { rank: (count) => count - 1 },
  ...each('ndims String Integer time', { sizes: scalar }),
  ...each('min max size cat promote array', {}),

  ...each('noEvent noClock', { type: 'same', sizes: 0 }),
  ...each('homotopy pure', { sizes: 0 }),
  smooth: { sizes: 1 },
  ...each('pre previous hold', { type: 'same', sizes: 0, timed: true }),
  ...each('subSample superSample', { type: 'same', sizes: 0 }),
  ...each('shiftSample backSample', { sizes: 0 }),
  der: { sizes: 0, timed: true },
  ...each('initial terminal edge change', { type: 'Boolean', sizes: scalar, timed: true }),
  sample: { sizes: 0, timed: true },
  ...each('activeState firstTick', { type: 'Boolean' }),
  ...each('reinit delay spatialDistribution', { timed: true }),
  Clock: { type: 'Clock' },
  ...each('assert terminate connect semiLinear inStream actualStream cardinality', {}),
  ...each(
    'getInstanceName rooted interval transition initialState ticksInState timeInState loadResource',
    {},
  ),
  ...each('Connections.branch Connections.root Connections.potentialRoot Connections.isRoot', {}),
  ...each('Connections.rooted Connections.uniqueRoot Connections.uniqueRootIndices', {}),
};

/** All of them by name, `time` included. Dotted names are operators of the scope `Connections`. */
export const intrinsics: ReadonlyMap<string, Intrinsic> = new Map(Object.entries(rows));

/** The value of a function of numbers. */
export const numberValue = ({ make }: NumberFunction, args: readonly number[]): number =>
  make(numbers, ...args);

const numbers: Pick<Algebra<number>, 'const' | 'apply'> = {
  const: (value) => value,
  apply: (op, a, b = 0, c = 0) => arithmetic(op, a!, b, c) ?? Number.NaN,
};
