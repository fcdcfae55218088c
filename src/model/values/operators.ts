/**
 * Operators and mathematical functions on values (specification 3.6, sections 3.4, 3.7 and 10.6). A result is a value, or a
 * sentence that says why there is none.
 */
import { sameItems } from '../../collections/lists.ts';
import { Failure } from '../../diagnostic/failure.ts';
import { arithmetic as operatorValue } from '../../symbolic/arithmetic.ts';
import type { ArrayOp, ScalarOp } from '../../symbolic/expr.ts';
import { intrinsics, type NumberFunction, numberValue } from '../../symbolic/intrinsics.ts';
import { type Algebra, arrayOperation } from '../../symbolic/operations.ts';
import { ofNothing } from '../../symbolic/operators.ts';
import { slopeOf as operatorSlope } from '../../symbolic/slopes.ts';
import { joined, numberText, usualDigits } from '../../symbolic/text.ts';
import type * as ast from '../../syntax/ast.ts';
import {
  type ArrayValue,
  arrayOf,
  at,
  boolean,
  dimsOf,
  elementsOf,
  integer,
  isNumber,
  product,
  real,
  slopeOf,
  stack,
  string,
  typeName,
  type Value,
} from '../value.ts';

export type Outcome = Value | string;

export function unary(operator: ast.UnaryOperator, operand: Value): Outcome {
  return mapAll([operand], (x) => {
    if (operator === 'not') {
      return x.kind === 'boolean'
        ? boolean(!x.value)
        : `\`not\` needs a Boolean, not a value of type ${typeName(x)}`;
    }
    if (!isNumber(x)) return `\`${operator}\` needs a number, not a value of type ${typeName(x)}`;
    if (operator === '+' || operator === '.+') return x;
    return x.kind === 'real' ? real(0 - x.value, -slopeOf(x)) : integer(0 - x.value);
  });
}

export function binary(operator: ast.BinaryOperator, left: Value, right: Value): Outcome {
  switch (operator) {
    case '+':
    case '-':
      if (!sameItems(dimsOf(left), dimsOf(right))) return sizesDiffer(operator, left, right);
      return mapAll([left, right], (x, y) => arithmetic(operator, x, y));
    case '*':
      return multiply(left, right);
    case '/':
      if (right.kind === 'array') return 'an array cannot be a divisor; use `./`';
      return mapAll([left, right], (x, y) => arithmetic('/', x, y));
    case '^':
      return left.kind === 'array' ? matrixPower(left, right) : arithmetic('^', left, right);
    case '.+':
    case '.-':
    case '.*':
    case './':
    case '.^': {
      const plain = operator.slice(1) as '+' | '-' | '*' | '/' | '^';
      return mapAll([left, right], (x, y) => arithmetic(plain, x, y));
    }
    case 'and':
    case 'or':
      return mapAll([left, right], (x, y) => logical(operator, x, y));
    default:
      return relation(operator, left, right);
  }
}

function arithmetic(operator: '+' | '-' | '*' | '/' | '^', x: Value, y: Value): Outcome {
  if (operator === '+' && x.kind === 'string' && y.kind === 'string')
    return string(joined([x.value, y.value]));
  if (!isNumber(x) || !isNumber(y)) {
    return `\`${operator}\` cannot combine values of types ${typeName(x)} and ${typeName(y)}`;
  }
  const whole = x.kind === 'integer' && y.kind === 'integer';
  const moving = (value: number): Outcome => real(value, slopeAt(operations[operator], [x, y]));
  switch (operator) {
    case '+':
      return whole ? exact(x.value + y.value) : moving(x.value + y.value);
    case '-':
      return whole ? exact(x.value - y.value) : moving(x.value - y.value);
    case '*':
      return whole ? exact(x.value * y.value) : moving(x.value * y.value);
    case '/':
      return y.value === 0 ? 'division by zero' : moving(x.value / y.value);
    case '^': {
      const power = x.value ** y.value;
      return Number.isNaN(power) ? `${x.value} ^ ${y.value} is not a real number` : moving(power);
    }
    default:
      return operator satisfies never;
  }
}

const operations = { '+': 'add', '-': 'sub', '*': 'mul', '/': 'div', '^': 'pow' } as const;

type Numeric = Extract<Value, { kind: 'real' | 'integer' }>;

/** How fast the value of an operator changes. */
function slopeAt(op: ScalarOp, operands: readonly Numeric[]): number {
  const slopes = operands.map(slopeOf);
  if (slopes.every((slope) => slope === 0)) return 0;
  const values = operands.map(({ value }) => value);
  return operatorSlope(op, values, slopes) ?? Number.NaN;
}

/** Integers are doubles, which hold whole numbers up to 2^53. */
const exact = (value: number): Outcome =>
  Number.isSafeInteger(value)
    ? integer(value)
    : `the Integer ${value} is beyond 2^53, the largest that is exact`;

function logical(operator: 'and' | 'or', x: Value, y: Value): Outcome {
  if (x.kind !== 'boolean' || y.kind !== 'boolean') {
    return `\`${operator}\` needs Booleans, not values of types ${typeName(x)} and ${typeName(y)}`;
  }
  return boolean(operator === 'and' ? x.value && y.value : x.value || y.value);
}

type Relation = '<' | '<=' | '>' | '>=' | '==' | '<>';

function relation(operator: Relation, x: Value, y: Value): Outcome {
  const order = compare(x, y);
  if (order === undefined) {
    return `\`${operator}\` cannot compare values of types ${typeName(x)} and ${typeName(y)}`;
  }
  return boolean(relations[operator](order));
}

/** What a relation says of the difference of its sides. */
const relations: Readonly<Record<Relation, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '==': (order) => order === 0,
  '<>': (order) => order !== 0,
};

function compare(x: Value, y: Value): number | undefined {
  if (isNumber(x) && isNumber(y)) return x.value - y.value;
  if (x.kind === 'string' && y.kind === 'string') return x.value < y.value ? -1 : x.value > y.value ? 1 : 0;
  if (x.kind === 'boolean' && y.kind === 'boolean') return Number(x.value) - Number(y.value);
  if (x.kind === 'enumeration' && y.kind === 'enumeration' && x.path === y.path) return x.index - y.index;
  return undefined;
}

function multiply(left: Value, right: Value): Outcome {
  const [a, b] = [dimsOf(left), dimsOf(right)];
  if (a.length === 0 || b.length === 0) return mapAll([left, right], (x, y) => arithmetic('*', x, y));
  if (a.length > 2 || b.length > 2 || a.at(-1) !== b[0]) return sizesDiffer('*', left, right);
  return arrayFunction('*', 'matmul', [left, right]);
}

function matrixPower(base: ArrayValue, exponent: Value): Outcome {
  const [rows, columns] = base.dims;
  if (base.dims.length !== 2 || rows !== columns || exponent.kind !== 'integer' || exponent.value < 0) {
    return '`^` of an array needs a square matrix and an Integer that is not negative';
  }
  let result: Outcome = identity(rows!);
  let square: Outcome = base;
  for (let n = exponent.value; n > 0; n = Math.floor(n / 2)) {
    if (n % 2 === 1) result = multiply(result as Value, square as Value);
    if (typeof result === 'string') return result;
    if (n > 1) square = multiply(square as Value, square as Value);
    if (typeof square === 'string') return square;
  }
  return result;
}

const identity = (n: number): Outcome => arrayFunction('identity', 'identity', [integer(n)]);

const sizesDiffer = (operator: string, left: Value, right: Value): string =>
  `\`${operator}\` cannot combine arrays of sizes [${dimsOf(left).join(', ')}] and [${dimsOf(right).join(', ')}]`;

/** A scalar operation on all elements; scalars meet all elements of arrays. */
function mapAll(values: readonly Value[], apply: (...items: Value[]) => Outcome): Outcome {
  const arrays = values.filter((value) => value.kind === 'array');
  const [first] = arrays;
  if (!first) return apply(...values);
  const other = arrays.find(({ dims }) => !sameItems(dims, first.dims));
  if (other) return sizesDiffer('.', first, other);
  const elements: Value[] = [];
  for (let k = 0; k < first.elements.length; k++) {
    const item = apply(...values.map((value) => (value.kind === 'array' ? value.elements[k]! : value)));
    if (typeof item === 'string') return item;
    elements.push(item);
  }
  return { kind: 'array', dims: first.dims, elements };
}

/** Built-in functions of evaluated arguments; operators that need more than values are left to the evaluator. */
export function callBuiltin(name: string, args: readonly Value[]): Outcome {
  const own = functions[name];
  if (own) return own(args, args[0], args[1]) ?? wrongArguments(name);
  const { numeric, op } = intrinsics.get(name) ?? {};
  if (numeric) {
    if (args.length !== numeric.parameters.length) return wrongArguments(name);
    return mapAll(args, (...items) => numberFunction(name, numeric, items));
  }
  if (op) return args.length > 0 ? arrayFunction(name, op, args) : wrongArguments(name);
  return `\`${name}\` cannot be evaluated before the simulation`;
}

const wrongArguments = (name: string): string => `wrong arguments for \`${name}\``;

function numberFunction(name: string, own: NumberFunction, args: readonly Value[]): Outcome {
  const numbers = args.filter(isNumber);
  const wrong = args.find((arg) => !isNumber(arg));
  if (wrong) return `\`${name}\` needs a number, not a value of type ${typeName(wrong)}`;
  const values = numbers.map(({ value }) => value);
  if (own.divides && values.at(-1) === 0) return 'division by zero';
  const { value, slope } = moved(own, numbers);
  if (!Number.isFinite(value)) return `\`${name}(${values.join(', ')})\` is not a real number`;
  const whole = numbers.every(({ kind }) => kind === 'integer');
  // There is no Integer -0.
  return own.type === 'Integer' || (own.type === 'common' && whole) ? exact(value + 0) : real(value, slope);
}

/** The value of a function of numbers, and how fast it changes. */
function moved(own: NumberFunction, numbers: readonly Numeric[]): { value: number; slope: number } {
  if (numbers.every((number) => slopeOf(number) === 0)) {
    const values = numbers.map(({ value }) => value);
    return { value: numberValue(own, values), slope: 0 };
  }
  const result = own.make<Numeric>(
    {
      const: (value) => real(value),
      apply: (op, ...args) => {
        const values = args.map(({ value }) => value);
        return real(computed(op, values), slopeAt(op, args));
      },
    },
    ...numbers,
  );
  return { value: result.value, slope: slopeOf(result) };
}

const computed = (op: ScalarOp, [a = 0, b = 0, c = 0]: readonly number[]): number =>
  operatorValue(op, a, b, c) ?? Number.NaN;

/** What elements of arrays are computed with. */
const elements: Algebra<Value> = {
  const: (value) => (Number.isInteger(value) ? integer(value) : real(value)),
  apply: (op, x, y) => {
    const outcome =
      op === 'neg' ? unary('-', x!) : isNumber(x!) ? arithmetic(symbols[op]!, x, y!) : 'a number is needed';
    if (typeof outcome === 'string') throw new NoElement(outcome);
    return outcome;
  },
  number: (value, what) => {
    if (isNumber(value)) return value.value;
    throw new NoElement(`${what} is no number`);
  },
};

const symbols: Partial<Record<ScalarOp, '+' | '-' | '*'>> = { add: '+', sub: '-', mul: '*' };

/** Why an element has no value. */
class NoElement extends Error {}

function arrayFunction(name: string, op: ArrayOp, args: readonly Value[]): Outcome {
  try {
    const operands = args.map((arg) => ({ dims: dimsOf(arg), items: elementsOf(arg) }));
    const { dims, items } = arrayOperation(elements, op, operands)!;
    const all = promoted(op === 'linspace' ? [...items, real(0)] : items).slice(0, items.length);
    return dims.length === 0 ? all[0]! : { kind: 'array', dims, elements: all };
  } catch (problem) {
    if (problem instanceof NoElement) return problem.message;
    if (problem instanceof Failure) return `${wrongArguments(name)}: ${problem.message.replace(/\.$/, '')}`;
    throw problem;
  }
}

/** A list with a Real in it is a list of Reals. */
export function promoted(parts: readonly Value[]): readonly Value[] {
  if (!parts.some((part) => part.kind === 'real')) return parts;
  return parts.map((part) => (part.kind === 'integer' ? real(part.value) : part));
}

type Apply = (args: readonly Value[], a: Value | undefined, b: Value | undefined) => Outcome | undefined;

/** Functions whose result depends on the type or the shape of their arguments. */
const functions: Readonly<Record<string, Apply>> = {
  Integer: (_, a) =>
    a && mapAll([a], (x) => (x.kind === 'enumeration' ? integer(x.index) : wrongArguments('Integer'))),
  min: (_, a, b) => extremum('min', a, b),
  max: (_, a, b) => extremum('max', a, b),
  size: (_, a, b) => size(a, b),
  ndims: (_, a) => a && integer(dimsOf(a).length),
  promote: (_, a, b) => {
    if (!a || b?.kind !== 'integer' || b.value < dimsOf(a).length) return undefined;
    return { kind: 'array', dims: padded(dimsOf(a), b.value), elements: elementsOf(a) };
  },
  zeros: (args) => filled(integer(0), args),
  ones: (args) => filled(integer(1), args),
  fill: (args, a) => a && filled(a, args.slice(1)),
  identity: (_, a) =>
    a?.kind === 'integer' && a.value >= 0 && a.value <= 1000 ? identity(a.value) : undefined,
  cat: (args, a) => (a?.kind === 'integer' ? concatenate(a.value, args.slice(1)) : undefined),
  array: (args) => stack(args),
  String: (_, a) => a && formatted(a),
  noEvent: (_, a) => a,
  smooth: (_, _a, b) => b,
  homotopy: (_, a) => a,
  semiLinear: (args) => (args.length === 3 ? mapAll(args, semiLinear) : undefined),
  pure: (_, a) => a,
  initial: () => boolean(false),
};

function semiLinear(x: Value, up: Value, down: Value): Outcome {
  if (!isNumber(x)) return wrongArguments('semiLinear');
  return binary('*', x, x.value >= 0 ? up : down);
}

function formatted(value: Value): Outcome | undefined {
  switch (value.kind) {
    case 'integer':
    case 'boolean':
      return string(String(value.value));
    case 'real':
      return string(numberText(value.value, usualDigits));
    case 'string':
      return value;
    case 'enumeration':
      return string(value.literals[value.index - 1] ?? '');
    default:
      return undefined;
  }
}

function extremum(name: 'min' | 'max', a: Value | undefined, b: Value | undefined): Outcome | undefined {
  if (!a) return undefined;
  const all = b ? [a, b] : elementsOf(a);
  let best: Value | undefined;
  let anyReal = false;
  for (const x of all) {
    if (x.kind === 'array') return undefined;
    anyReal ||= x.kind === 'real';
    const order = best ? compare(x, best) : name === 'min' ? -1 : 1;
    if (order === undefined) return undefined;
    if (name === 'min' ? order < 0 : order > 0) best = x;
  }
  if (!best) return real(ofNothing[name]);
  return anyReal && best.kind === 'integer' ? real(best.value) : best;
}

function size(a: Value | undefined, b: Value | undefined): Outcome | undefined {
  if (!a) return undefined;
  const dims = dimsOf(a);
  if (!b) return { kind: 'array', dims: [dims.length], elements: dims.map(integer) };
  if (b.kind !== 'integer') return undefined;
  const n = dims[b.value - 1];
  return n === undefined
    ? `there is no dimension ${b.value} in an array with ${dims.length} dimensions`
    : integer(n);
}

/** Larger arrays are not made for an evaluation. */
export const LARGEST_VALUE = 1e6;

function filled(value: Value, sizes: readonly Value[]): Outcome | undefined {
  const dims: number[] = [];
  for (const n of sizes) {
    if (n.kind !== 'integer' || n.value < 0) return undefined;
    dims.push(n.value);
  }
  if (product(dims) > LARGEST_VALUE) return tooLarge(dims);
  return value.kind === 'array' ? undefined : arrayOf(dims, () => value);
}

const tooLarge = (dims: readonly number[]): string =>
  `an array of ${product(dims)} elements is too large to evaluate`;

const padded = (dims: readonly number[], n: number): number[] => [
  ...dims,
  ...Array.from({ length: n - dims.length }, () => 1),
];

/** `cat(k, A, B, …)` (section 10.4.2). */
export function concatenate(k: number, parts: readonly Value[]): Outcome {
  const n = Math.max(k, ...parts.map((part) => dimsOf(part).length));
  const all = parts.map((part) => ({ dims: padded(dimsOf(part), n), elements: elementsOf(part) }));
  const first = all[0];
  if (!first) return 'nothing to concatenate';
  for (const { dims } of all) {
    if (dims.some((size, d) => d !== k - 1 && size !== first.dims[d])) {
      return `arrays of sizes [${first.dims.join(', ')}] and [${dims.join(', ')}] cannot be put side by side`;
    }
  }
  const total = all.reduce((sum, { dims }) => sum + dims[k - 1]!, 0);
  const dims = first.dims.map((size, d) => (d === k - 1 ? total : size));
  if (product(dims) > LARGEST_VALUE) return tooLarge(dims);
  const operands = all.map((part): Value => ({ kind: 'array', ...part }));
  return arrayFunction('cat', 'cat', [integer(k), ...operands]);
}

/** One subscript of an access: a position, several, or all. */
export type Index = number | readonly number[] | 'all';

/** `a[i, :, {1, 3}]`: scalar subscripts take dimensions away. */
export function access(value: Value, indices: readonly Index[]): Outcome {
  const dims = dimsOf(value);
  if (indices.length > dims.length) {
    return `${indices.length} subscripts are too many for ${dims.length === 0 ? 'a scalar' : `${dims.length} dimensions`}`;
  }
  if (indices.every((index) => typeof index === 'number')) {
    return at(value, indices as readonly number[]) ?? outside(indices as readonly number[], dims);
  }
  const [index, ...rest] = indices;
  const positions =
    index === 'all'
      ? Array.from({ length: dims[0]! }, (_, i) => i + 1)
      : typeof index === 'number'
        ? [index]
        : (index ?? []);
  const parts: Value[] = [];
  for (const position of positions) {
    const slice = at(value, [position]);
    if (!slice) return outside([position], dims);
    const part = rest.length > 0 ? access(slice, rest) : slice;
    if (typeof part === 'string') return part;
    parts.push(part);
  }
  if (typeof index === 'number') return parts[0]!;
  if (parts.length === 0) {
    const inner = rest.flatMap((own, d) =>
      own === 'all' ? [dims[d + 1]!] : typeof own === 'number' ? [] : [own.length],
    );
    return { kind: 'array', dims: [0, ...inner, ...dims.slice(indices.length)], elements: [] };
  }
  return stack(parts)!;
}

const outside = (index: readonly number[], dims: readonly number[]): string =>
  `the subscript [${index.join(', ')}] is outside the sizes [${dims.join(', ')}]`;
