/**
 * Random expressions through everything: parser, evaluation, flattening, events, code. The expected values come from
 * an evaluator of a few lines that knows nothing of the product. Where a value depends on a comparison that is nearly
 * undecided, both answers are right, and the point is passed over.
 */
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { agree, cases, law, literal, patience, succeed, tenths } from './random.ts';

type Real =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'name'; readonly name: 'time' | 'a' | 'b' | 'n' | 'x' }
  | { readonly kind: 'unary'; readonly op: keyof typeof unary; readonly of: Real }
  | { readonly kind: 'binary'; readonly op: keyof typeof binary; readonly of: readonly [Real, Real] }
  | { readonly kind: 'if'; readonly condition: Bool; readonly of: readonly [Real, Real] }
  | { readonly kind: 'reduce'; readonly op: keyof typeof reductions; readonly of: readonly Real[] }
  | { readonly kind: 'scalar'; readonly of: readonly (readonly [Real, Real])[] };

type Bool =
  | { readonly kind: 'compare'; readonly op: '<' | '<=' | '>' | '>='; readonly of: readonly [Real, Real] }
  | { readonly kind: 'logic'; readonly op: 'and' | 'or'; readonly of: readonly [Bool, Bool] }
  | { readonly kind: 'not'; readonly of: Bool };

/** Functions of one argument, total on the real numbers: how they are written and what they are. */
const unary = {
  neg: [(x: string) => `(-${x})`, (x: number) => -x],
  plus: [(x: string) => `(+${x})`, (x: number) => x],
  sin: [(x: string) => `sin(${x})`, Math.sin],
  cos: [(x: string) => `cos(${x})`, Math.cos],
  tanh: [(x: string) => `tanh(${x})`, Math.tanh],
  atan: [(x: string) => `atan(${x})`, Math.atan],
  asin: [(x: string) => `asin(0.9*sin(${x}))`, (x: number) => Math.asin(0.9 * Math.sin(x))],
  exp: [(x: string) => `exp(-abs(${x}))`, (x: number) => Math.exp(-Math.abs(x))],
  sinh: [(x: string) => `sinh(sin(${x}))`, (x: number) => Math.sinh(Math.sin(x))],
  log: [(x: string) => `log(1 + (${x})^2)`, (x: number) => Math.log(1 + x * x)],
  log10: [(x: string) => `log10(2 + cos(${x}))`, (x: number) => Math.log10(2 + Math.cos(x))],
  sqrt: [(x: string) => `sqrt(abs(${x}))`, (x: number) => Math.sqrt(Math.abs(x))],
  abs: [(x: string) => `abs(${x})`, Math.abs],
  square: [(x: string) => `((${x})^2)`, (x: number) => x * x],
  cube: [(x: string) => `((${x})^3)`, (x: number) => x ** 3],
  negated: [(x: string) => `(-(${x})^2)`, (x: number) => -x * x],
  floor: [(x: string) => `floor(${x})`, Math.floor],
  ceil: [(x: string) => `ceil(${x})`, Math.ceil],
  integer: [(x: string) => `integer(${x})`, Math.floor],
  sign: [(x: string) => `sign(${x})`, Math.sign],
  noEvent: [(x: string) => `noEvent(if ${x} > 0 then ${x} else 0)`, (x: number) => Math.max(x, 0)],
  twice: [(x: string) => `twice(${x})`, (x: number) => 2 * x + 1],
  powers: [(x: string) => `powers(${x}, 3)`, (x: number) => 1 + x + x * x + x ** 3],
} as const satisfies Record<string, readonly [(x: string) => string, (x: number) => number]>;

const binary = {
  '+': [infix('+'), (x: number, y: number) => x + y],
  '-': [infix('-'), (x: number, y: number) => x - y],
  '*': [infix('*'), (x: number, y: number) => x * y],
  '/': [(x: string, y: string) => `(${x}/(1 + abs(${y})))`, (x: number, y: number) => x / (1 + Math.abs(y))],
  '^': [
    (x: string, y: string) => `((1 + abs(${x}))^sin(${y}))`,
    (x: number, y: number) => (1 + Math.abs(x)) ** Math.sin(y),
  ],
  min: [(x: string, y: string) => `min(${x}, ${y})`, Math.min],
  max: [(x: string, y: string) => `max(${x}, ${y})`, Math.max],
  atan2: [
    (x: string, y: string) => `atan2(${x}, 1 + abs(${y}))`,
    (x: number, y: number) => Math.atan2(x, 1 + Math.abs(y)),
  ],
  mod: [
    (x: string, y: string) => `mod(${x}, 1 + abs(${y}))`,
    (x: number, y: number) => x - Math.floor(x / (1 + Math.abs(y))) * (1 + Math.abs(y)),
  ],
  rem: [
    (x: string, y: string) => `rem(${x}, 1 + abs(${y}))`,
    (x: number, y: number) => x % (1 + Math.abs(y)),
  ],
  div: [
    (x: string, y: string) => `div(${x}, 1 + abs(${y}))`,
    (x: number, y: number) => Math.trunc(x / (1 + Math.abs(y))),
  ],
  '.*': [(x: string, y: string) => `(${x} .* ${y})`, (x: number, y: number) => x * y],
} as const satisfies Record<
  string,
  readonly [(x: string, y: string) => string, (x: number, y: number) => number]
>;

const reductions = {
  sum: (v: readonly number[]) => v.reduce((x, y) => x + y, 0),
  product: (v: readonly number[]) => v.reduce((x, y) => x * y, 1),
  max: (v: readonly number[]) => Math.max(...v),
  min: (v: readonly number[]) => Math.min(...v),
} as const;

function infix(op: string) {
  return (x: string, y: string) => `(${x} ${op} ${y})`;
}

const names = { a: 0.7, b: -1.3, n: 3 } as const;

// ---------------------------------------------------------------- arbitraries

const { real } = fc.letrec<{ real: Real; bool: Bool }>((tie) => ({
  real: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'real' },
    fc.record({
      kind: fc.constant('name' as const),
      name: fc.constantFrom('time' as const, 'a' as const, 'b' as const, 'n' as const, 'x' as const),
    }),
    fc.record({ kind: fc.constant('number' as const), value: tenths(-3, 3) }),
    fc.record({
      kind: fc.constant('unary' as const),
      op: fc.constantFrom(...(Object.keys(unary) as (keyof typeof unary)[])),
      of: tie('real'),
    }),
    fc.record({
      kind: fc.constant('binary' as const),
      op: fc.constantFrom(...(Object.keys(binary) as (keyof typeof binary)[])),
      of: fc.tuple(tie('real'), tie('real')),
    }),
    fc.record({
      kind: fc.constant('if' as const),
      condition: tie('bool'),
      of: fc.tuple(tie('real'), tie('real')),
    }),
    fc.record({
      kind: fc.constant('reduce' as const),
      op: fc.constantFrom(...(Object.keys(reductions) as (keyof typeof reductions)[])),
      of: fc.array(tie('real'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('scalar' as const),
      of: fc.array(fc.tuple(tie('real'), tie('real')), { minLength: 1, maxLength: 3 }),
    }),
  ),
  bool: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'real' },
    fc.record({
      kind: fc.constant('compare' as const),
      op: fc.constantFrom('<' as const, '<=' as const, '>' as const, '>=' as const),
      of: fc.tuple(tie('real'), tie('real')),
    }),
    fc.record({
      kind: fc.constant('logic' as const),
      op: fc.constantFrom('and' as const, 'or' as const),
      of: fc.tuple(tie('bool'), tie('bool')),
    }),
    fc.record({ kind: fc.constant('not' as const), of: tie('bool') }),
  ),
}));

// ---------------------------------------------------------------- text and values

function write(e: Real): string {
  switch (e.kind) {
    case 'number':
      return literal(e.value);
    case 'name':
      return e.name;
    case 'unary':
      return unary[e.op][0](write(e.of));
    case 'binary':
      return binary[e.op][0](write(e.of[0]), write(e.of[1]));
    case 'if':
      return `(if ${writeBool(e.condition)} then ${write(e.of[0])} else ${write(e.of[1])})`;
    case 'reduce':
      return `${e.op}({${e.of.map(write).join(', ')}})`;
    case 'scalar':
      return `({${e.of.map(([x]) => write(x)).join(', ')}}*{${e.of.map(([, y]) => write(y)).join(', ')}})`;
  }
}

function writeBool(e: Bool): string {
  switch (e.kind) {
    case 'compare':
      return `${write(e.of[0])} ${e.op} ${write(e.of[1])}`;
    case 'logic':
      return `(${writeBool(e.of[0])} ${e.op} ${writeBool(e.of[1])})`;
    case 'not':
      return `not (${writeBool(e.of)})`;
  }
}

/** Values at a point; `margin` is the least distance to a point where the value jumps. */
class Evaluator {
  margin = Number.POSITIVE_INFINITY;
  private readonly time: number;

  constructor(time: number) {
    this.time = time;
  }

  real(e: Real): number {
    switch (e.kind) {
      case 'number':
        return e.value;
      case 'name':
        return e.name === 'time' ? this.time : e.name === 'x' ? Math.sin(3 * this.time) : names[e.name];
      case 'unary': {
        const x = this.real(e.of);
        if (['floor', 'ceil', 'integer'].includes(e.op)) this.near(x - Math.round(x));
        if (e.op === 'sign') this.near(x);
        return unary[e.op][1](x);
      }
      case 'binary': {
        const [x, y] = [this.real(e.of[0]), this.real(e.of[1])];
        if (['mod', 'rem', 'div'].includes(e.op)) {
          const q = x / (1 + Math.abs(y));
          this.near(q - Math.round(q));
        }
        return binary[e.op][1](x, y);
      }
      case 'if': {
        const condition = this.bool(e.condition);
        const [x, y] = [this.real(e.of[0]), this.real(e.of[1])];
        return condition ? x : y;
      }
      case 'reduce':
        return reductions[e.op](e.of.map((x) => this.real(x)));
      case 'scalar':
        return e.of.reduce((sum, [x, y]) => sum + this.real(x) * this.real(y), 0);
    }
  }

  bool(e: Bool): boolean {
    switch (e.kind) {
      case 'compare': {
        const difference = this.real(e.of[0]) - this.real(e.of[1]);
        this.near(difference);
        return e.op === '<' || e.op === '<=' ? difference < 0 : difference > 0;
      }
      case 'logic': {
        const [x, y] = [this.bool(e.of[0]), this.bool(e.of[1])];
        return e.op === 'and' ? x && y : x || y;
      }
      case 'not':
        return !this.bool(e.of);
    }
  }

  private near(distance: number): void {
    this.margin = Math.min(this.margin, Math.abs(distance));
  }
}

const twice = `function twice
  input Real u;
  output Real y;
algorithm
  y := 2*u + 1;
end twice;
`;
const powers = `function powers
  input Real u;
  input Integer n;
  output Real y;
algorithm
  y := 1;
  for k in 1:n loop
    y := y*u + 1;
  end for;
end powers;
`;

/** The functions that a text uses. */
function functions(text: string): string {
  return (text.includes('twice') ? twice : '') + (text.includes('powers') ? powers : '');
}

const models = cases(
  real,
  (e) => `${functions(write(e))}model Expression
  parameter Real a = 0.7, b = a - 2;
  parameter Integer n = 3;
  Real x = sin(3*time);
  Real y = ${write(e)};
end Expression;`,
);

describe('random expressions', () => {
  test(
    'have the values that an independent evaluator gives',
    async () => {
      await law(models, 150, async ({ text, data }) => {
        const { table } = await succeed(text, { intervals: 100 });
        for (const [row, t] of table.time.entries()) {
          const evaluator = new Evaluator(t);
          const expected = evaluator.real(data);
          if (evaluator.margin > 1e-2) agree(table.at('y', row), expected, 1e-9, `y at ${t}`);
        }
      });
    },
    patience,
  );

  test(
    'of parameters are known when the run begins',
    async () => {
      const constants = cases(
        real,
        (e) => `${functions(write(e))}model Constant
  parameter Real a = 0.7, b = a - 2;
  parameter Integer n = 3;
  parameter Real time0 = 0, x = 0;
  parameter Real p = ${write(e).replaceAll('time', 'time0')};
  Real y = p;
end Constant;`,
      );
      await law(constants, 80, async ({ text, data }) => {
        const { table } = await succeed(text, { intervals: 1 });
        const evaluator = new Evaluator(0);
        const expected = evaluator.real(data);
        if (evaluator.margin > 1e-9) agree(table.value('y', 1), expected, 1e-12, 'p');
      });
    },
    patience,
  );
});

// ---------------------------------------------------------------- arrays, three times

/** A vector: how it is written, and its elements where `u` has its value. */
interface Vector {
  readonly text: string;
  readonly items: readonly number[];
}
interface Scalar {
  readonly text: string;
  readonly value: number;
}

/** The value of `u`: that of a parameter, of the input of a function, and of a variable that stays as it is. */
const u = 0.3;

/** The text of what iterators run over, which has to be known before the run. */
const settled = ({ text }: Vector): string => text.replaceAll(/\bu\b/g, literal(u));

const span = (first: number, step: number, last: number): number[] => {
  const items: number[] = [];
  // Whole numbers of tenths, so that the end is where it is written.
  const [a, s, b] = [first, step, last].map((x) => Math.round(10 * x)) as [number, number, number];
  for (let x = a; s > 0 ? x <= b : x >= b; x += s) items.push(x / 10);
  return items;
};
/** The least and the greatest of nothing are the ends of the numbers: kept small, so that they can be computed with. */
const bounded = (x: number): number => Math.max(-100, Math.min(100, x));
const total = (v: readonly number[]): number => v.reduce((x, y) => x + y, 0);

const { number } = fc.letrec<{ vector: Vector; number: Scalar }>((tie) => ({
  vector: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'array' },
    fc
      .tuple(fc.integer({ min: -3, max: 4 }), fc.integer({ min: -3, max: 4 }))
      .map(([a, b]) => ({ text: `(${a}:${b})`, items: span(a, 1, b) })),
    fc
      .tuple(tenths(-1, 1), tenths(-1, 1, { zero: false }), tenths(-1, 1))
      .map(([a, s, b]) => ({ text: `(${a}:${literal(s)}:${b})`, items: span(a, s, b) })),
    fc.array(tie('number'), { minLength: 1, maxLength: 3 }).map((of) => ({
      text: `{${of.map(({ text }) => text).join(', ')}}`,
      items: of.map(({ value }) => value),
    })),
    fc.tuple(tie('number'), fc.integer({ min: 0, max: 3 })).map(([x, n]) => ({
      text: `fill(${x.text}, ${n})`,
      items: new Array<number>(n).fill(x.value),
    })),
    fc.tuple(tie('number'), tie('number'), fc.integer({ min: 2, max: 4 })).map(([x, y, n]) => ({
      text: `linspace(${x.text}, ${y.text}, ${n})`,
      items: Array.from({ length: n }, (_, k) => x.value + (k / (n - 1)) * (y.value - x.value)),
    })),
    fc.tuple(tie('vector'), tie('number')).map(([v, x]) => ({
      text: `{i*${x.text} - i for i in ${settled(v)}}`,
      items: v.items.map((i) => i * x.value - i),
    })),
    fc.tuple(tie('vector'), tie('vector')).map(([v, w]) => ({
      text: `cat(1, ${v.text}, ${w.text})`,
      items: [...v.items, ...w.items],
    })),
    fc.tuple(tie('vector'), tie('number')).map(([v, x]) => ({
      text: `(${x.text}*${v.text})`,
      items: v.items.map((item) => x.value * item),
    })),
    tie('vector').map((v) => ({
      text: `(transpose({${v.text}, -${v.text}})*{3, 1})`,
      items: v.items.map((item) => 2 * item),
    })),
    tie('vector').map((v) => ({ text: `sin(-${v.text})`, items: v.items.map((x) => Math.sin(-x)) })),
    tie('vector').map((v) => ({
      text: `(diagonal(${v.text})*${v.text})`,
      items: v.items.map((item) => item * item),
    })),
  ),
  number: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'array' },
    fc.constant({ text: 'u', value: u }),
    tenths(-2, 2).map((value) => ({ text: literal(value), value })),
    fc
      .tuple(tie('number'), tie('number'))
      .map(([x, y]) => ({ text: `(${x.text} - ${y.text})`, value: x.value - y.value })),
    tie('vector').map((v) => ({ text: `sum(${v.text})`, value: total(v.items) })),
    tie('vector').map((v) => ({
      text: `tanh(product(${v.text}))`,
      value: Math.tanh(v.items.reduce((x, y) => x * y, 1)),
    })),
    tie('vector').map((v) => ({
      text: `max(-100, min(100, min(${v.text})))`,
      value: bounded(v.items.reduce((x, y) => Math.min(x, y), Number.MAX_VALUE)),
    })),
    tie('vector').map((v) => ({
      text: `max(-100, min(100, max(${v.text})))`,
      value: bounded(v.items.reduce((x, y) => Math.max(x, y), -Number.MAX_VALUE)),
    })),
    tie('vector').map((v) => ({ text: `size(${v.text}, 1)`, value: v.items.length })),
    fc.tuple(tie('vector'), tie('number')).map(([v, x]) => ({
      text: `sum(j*j + ${x.text} for j in ${settled(v)})`,
      value: total(v.items.map((j) => j * j + x.value)),
    })),
    fc.tuple(tie('vector'), tie('vector')).map(([v, w]) => ({
      text: `sum(j - 2*k for j in ${settled(v)}, k in ${settled(w)})`,
      value: total(w.items.flatMap((k) => v.items.map((j) => j - 2 * k))),
    })),
    tie('vector').map((v) => ({
      text: `max(-100, min(100, max(abs(j) for j in ${settled(v)})))`,
      value: bounded(v.items.reduce((x, y) => Math.max(x, Math.abs(y)), -Number.MAX_VALUE)),
    })),
    tie('vector').map((v) => ({
      text: `(${v.text}*${v.text})`,
      value: total(v.items.map((item) => item * item)),
    })),
  ),
}));

/** Whether the parameter `p` has the value that is expected, as a size: one, or else two. */
const sizeOf = (p: string, expected: number): string =>
  `(if abs(${p} - ${literal(expected)}) <= ${1e-9 * Math.max(1, Math.abs(expected))} then 1 else 2)`;

const threeTimes = cases(
  number.filter(({ value }) => Math.abs(value) < 1e6),
  ({ text, value }) => `function f
  input Real u;
  output Real y;
algorithm
  y := ${text};
end f;
model Arrays
  parameter Real u = ${u};
  parameter Real p = ${text};
  parameter Real q = f(u);
  Real ofText[${sizeOf('p', value)}] = fill(time, size(ofText, 1));
  Real ofFunction[${sizeOf('q', value)}] = fill(time, size(ofFunction, 1));
  parameter Integer n = ${sizeOf('p', value)};
  parameter Integer m = ${sizeOf('q', value)};
  Real texts = sum(time + k for k in 1:n);
  Real functions = sum(time + k for k in 1:m);
  Compiled compiled;
  model Compiled
    Real u(start = ${u}, fixed = true);
    Real y = ${text};
    Real z = f(u);
  equation
    der(u) = 0;
  end Compiled;
end Arrays;`,
);

describe('random expressions of arrays, some of them empty', () => {
  test(
    'are the same as a size, for the interpreter and compiled',
    async () => {
      await law(threeTimes, 150, async ({ text, data }) => {
        const { table } = await succeed(text, { intervals: 1 });
        const sizes = table.names.filter((name) => name.startsWith('of')).length;
        if (sizes !== 2) throw new Error('a size is computed from another value');
        // With one term each: time + 1.
        agree(table.value('texts', 1), 2, 1e-12, 'the sum over n');
        agree(table.value('functions', 1), 2, 1e-12, 'the sum over m');
        for (const name of ['p', 'q', 'compiled.y', 'compiled.z']) {
          agree(table.value(name, 1), data.value, 1e-9, name);
        }
      });
    },
    patience,
  );
});
