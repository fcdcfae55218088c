/** Evaluation of constant and parameter expressions; arithmetic is compared with an evaluation by JavaScript. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantiate } from '../../src/model/instances/instantiate.ts';
import type { Value } from '../../src/model/value.ts';
import { evaluate } from '../../src/model/values/evaluate.ts';
import { expression, lines, load } from './notation.ts';

const declarations = `
  parameter Integer n = 3;
  parameter Real v[3] = {1, 2, 4};
  parameter Real m[2, 3] = {{1, 2, 3}, {4, 5, 6}};
  parameter Boolean b = n > 2;
  parameter String s = "abc";
  parameter E e = E.two;
  R r = R(y = 2);
  parameter R rs[2](x = {1, 2}, each y = 5);
  Real u[4];
  parameter Real unset;
  parameter Real round = about;
  parameter Real about = round + 1;`;

const text = `
type E = enumeration(one, two, three);
record R parameter Real x = 1; parameter Real y; end R;
function sumTo input Integer n; output Integer y = 0; algorithm for i in 1:n loop y := y + i; end for; end sumTo;
function fib input Integer n; output Integer y; algorithm
  if n < 2 then y := n; return; end if; y := fib(n - 1) + fib(n - 2); end fib;
function gcd input Integer a; input Integer b; output Integer y; protected Integer t; Integer c = b; algorithm
  y := a; while c > 0 loop t := mod(y, c); y := c; c := t; end while; end gcd;
function two input Real u; output Real p; output Real q; algorithm p := u + 1; q := u * 2; end two;
function useTwo input Real u; output Real y; protected Real a; Real b; algorithm (a, b) := two(u); y := a * b; end useTwo;
function squares input Integer n; output Real y[n]; algorithm for i in 1:n loop y[i] := i ^ 2; end for; end squares;
function rotated input Real m[:, :]; output Real y[size(m, 2), size(m, 1)]; algorithm
  for i in 1:size(m, 1), j in 1:size(m, 2) loop y[j, i] := m[i, j]; end for; end rotated;
function endless output Real y; algorithm y := 0; while true loop y := y + 1; end while; end endless;
function deep input Integer n; output Integer y; algorithm y := deep(n + 1); end deep;
function checked input Real u; output Real y; algorithm assert(u > 0, "u must be positive"); y := u; end checked;
function built input Real x; output Real y; external "builtin" y = cos(x); end built;
function inC input Real x; output Real y; external "C"; end inC;
function made input Real x; output R y; algorithm y.x := x; y.y := 2 * x; end made;
model M ${declarations} end M;`;

const library = load(text);
const root = instantiate(library, 'M').root!;
const run = (source: string) => evaluate({ instance: root, lexical: root.class }, expression(source));

/** A value as plain JavaScript. */
function plain(value: Value | undefined): unknown {
  if (!value) return undefined;
  switch (value.kind) {
    case 'array': {
      const build = (dims: readonly number[], from: number): unknown => {
        if (dims.length === 0) return plain(value.elements[from]);
        const step = dims.slice(1).reduce((product, size) => product * size, 1);
        return Array.from({ length: dims[0]! }, (_, k) => build(dims.slice(1), from + k * step));
      };
      return build(value.dims, 0);
    }
    case 'record':
      return Object.fromEntries([...value.fields].map(([name, field]) => [name, plain(field)]));
    case 'enumeration':
      return value.literals[value.index - 1];
    default:
      return value.value;
  }
}

const result = (source: string): unknown => {
  const { value, diagnostics } = run(source);
  if (!value) throw new Error(lines(diagnostics).join('\n'));
  return plain(value);
};

const problem = (source: string): string[] => {
  const { value, diagnostics } = run(source);
  expect(value).toBeUndefined();
  return lines(diagnostics);
};

describe('values', () => {
  it.each<[string, unknown]>([
    ['1 + 2 * 3', 7],
    ['7 / 2', 3.5],
    ['2 ^ 10', 1024],
    ['-2 ^ 2', -4],
    ['div(-7, 2)', -3],
    ['mod(-7, 2)', 1],
    ['rem(-7, 2)', -1],
    ['mod(7.5, 2)', 1.5],
    ['integer(-2.5)', -3],
    ['floor(2.7)', 2],
    ['ceil(2.1)', 3],
    ['abs(-3)', 3],
    ['sign(-0.5)', -1],
    ['sqrt(16)', 4],
    ['max(2, 3)', 3],
    ['min({4, 2, 8})', 2],
    ['max(1, 2.5)', 2.5],
    ['"a" + "b"', 'ab'],
    ['true and not false', true],
    ['false and 1 / 0 > 0', false],
    ['1 < 2 or 1 / 0 > 0', true],
    ['"a" < "b"', true],
    ['E.one < E.two', true],
    ['if n > 2 then 1 elseif n > 1 then 2 else 3', 1],
    ['1:3', [1, 2, 3]],
    ['1:2:6', [1, 3, 5]],
    ['3:-1:1', [3, 2, 1]],
    ['0:0.1:0.3', [0, 0.1, 0.2, 0.30000000000000004]],
    ['2:1', []],
    ['E.one:E.two', ['one', 'two']],
    ['{1, 2} + {3, 4}', [4, 6]],
    ['{1, 2} * {3, 4}', 11],
    ['{{1, 2}, {3, 4}} * {5, 6}', [17, 39]],
    ['{5, 6} * {{1, 2}, {3, 4}}', [23, 34]],
    [
      '[1, 2; 3, 4] * [0, 1; 1, 0]',
      [
        [2, 1],
        [4, 3],
      ],
    ],
    [
      '[1, 1; 0, 1] ^ 5',
      [
        [1, 5],
        [0, 1],
      ],
    ],
    ['{1, 2} .* {3, 4}', [3, 8]],
    ['2 * {1, 2}', [2, 4]],
    ['{1, 2} / 2', [0.5, 1]],
    ['-{1, 2}', [-1, -2]],
    [
      '[{1, 2}, {3, 4}]',
      [
        [1, 3],
        [2, 4],
      ],
    ],
    [
      'transpose(m)',
      [
        [1, 4],
        [2, 5],
        [3, 6],
      ],
    ],
    [
      'identity(2)',
      [
        [1, 0],
        [0, 1],
      ],
    ],
    [
      'diagonal({1, 2})',
      [
        [1, 0],
        [0, 2],
      ],
    ],
    ['zeros(2, 1)', [[0], [0]]],
    ['fill("x", 2)', ['x', 'x']],
    ['linspace(0, 1, 3)', [0, 0.5, 1]],
    ['cat(1, {1}, {2, 3})', [1, 2, 3]],
    [
      'cat(2, [1; 2], [3; 4])',
      [
        [1, 3],
        [2, 4],
      ],
    ],
    ['cross({1, 0, 0}, {0, 1, 0})', [0, 0, 1]],
    ['sum(i ^ 2 for i in 1:3)', 14],
    ['array(1, 2)', [1, 2]],
    ['array(2 * i for i in 1:2)', [2, 4]],
    ['max(i * (4 - i) for i in 0:4)', 4],
    [
      '{i * j for i in 1:2, j in 1:3}',
      [
        [1, 2],
        [2, 4],
        [3, 6],
      ],
    ],
    ['{k for k in E}', ['one', 'two', 'three']],
    ['sum(v)', 7],
    ['product(v)', 8],
    ['size(m)', [2, 3]],
    ['size(m, 2)', 3],
    ['size(u, 1)', 4],
    ['ndims(m)', 2],
    ['v[2]', 2],
    ['v[end]', 4],
    ['v[2:end]', [2, 4]],
    ['m[2, :]', [4, 5, 6]],
    ['m[:, 1]', [1, 4]],
    ['m[{2, 1}, 2]', [5, 2]],
    ['Integer(e)', 2],
    ['E(3)', 'three'],
    ['String(n)', '3'],
    ['r.y', 2],
    ['r', { x: 1, y: 2 }],
    ['rs.x', [1, 2]],
    ['rs[2].x', 2],
    ['R(3, 4)', { x: 3, y: 4 }],
  ])('%s', (source, expected) => {
    expect(result(source)).toEqual(expected);
  });

  it('distinguishes Integer and Real', () => {
    expect(run('2 * 3').value).toEqual({ kind: 'integer', value: 6 });
    expect(run('6 / 3').value).toEqual({ kind: 'real', value: 2 });
    expect(run('2 ^ 2').value).toEqual({ kind: 'real', value: 4 });
    expect(run('{1, 2.0}').value).toMatchObject({ elements: [{ kind: 'real' }, { kind: 'real' }] });
    expect(run('zeros(0, 3)').value).toEqual({ kind: 'array', dims: [0, 3], elements: [] });
  });

  it('long sums need no deep call stack', () => {
    const source = Array.from({ length: 1900 }, () => '1').join(' + ');
    expect(result(source)).toBe(1900);
    expect(result(`size(u + ${Array.from({ length: 1900 }, () => 'u').join(' + ')}, 1)`)).toBe(4);
  });

  it('uses given locals before the scope', () => {
    const scope = { instance: root, lexical: root.class };
    const locals = new Map<string, Value>([['n', { kind: 'integer', value: 40 }]]);
    expect(evaluate(scope, expression('n + 2'), locals).value).toEqual({
      kind: 'integer',
      value: 42,
    });
  });
});

describe('functions', () => {
  it.each<[string, unknown]>([
    ['sumTo(100)', 5050],
    ['fib(15)', 610],
    ['gcd(1071, 462)', 21],
    ['gcd(b = 462, a = 1071)', 21],
    ['useTwo(3)', 24],
    ['squares(4)', [1, 4, 9, 16]],
    [
      'rotated(m)',
      [
        [1, 4],
        [2, 5],
        [3, 6],
      ],
    ],
    ['built(0)', 1],
    ['made(3)', { x: 3, y: 6 }],
    ['checked(2)', 2],
  ])('%s', (source, expected) => {
    expect(result(source)).toEqual(expected);
  });

  it('have limits', () => {
    expect(problem('endless()')).toEqual([
      expect.stringContaining(
        'limit-exceeded The evaluation of this expression takes more than two million steps.',
      ),
    ]);
    expect(problem('deep(1)')).toEqual([
      expect.stringContaining('limit-exceeded The evaluation of this expression is nested too deeply.'),
    ]);
  });

  it('report assertions, missing and unknown arguments', () => {
    expect(problem('checked(-1)')).toEqual([expect.stringContaining('assertion u must be positive')]);
    expect(problem('gcd(1)')).toEqual(['1:1 bad-call `gcd` needs the argument `b`.']);
    expect(problem('gcd(1, 2, 3)')).toEqual(['1:1 bad-call `gcd` takes 2 arguments.']);
    expect(problem('gcd(1, c = 2)')).toEqual([
      expect.stringContaining('bad-call `gcd` has no argument `c`.'),
    ]);
    expect(problem('gcd(1, a = 2)')).toEqual([
      expect.stringContaining('bad-call The argument `a` is given twice.'),
    ]);
    expect(problem('inC(1)')).toEqual([
      expect.stringContaining('missing-external The external function `inC` has no implementation `inC`.'),
    ]);
    expect(problem('M(1)')).toEqual([expect.stringContaining('bad-call `M` is a model, not a function.')]);
  });
});

describe('mistakes', () => {
  it.each([
    ['1 / 0', 'bad-evaluation Division by zero.'],
    ['sqrt(-1)', 'bad-evaluation `sqrt(-1)` is not a real number.'],
    ['1 + true', 'bad-evaluation `+` cannot combine values of types Integer and Boolean.'],
    ['not 1', 'bad-evaluation `not` needs a Boolean, not a value of type Integer.'],
    ['{1, 2} + {1, 2, 3}', 'bad-evaluation `+` cannot combine arrays of sizes [2] and [3].'],
    ['{1, {2}}', 'dimension-mismatch The parts of an array differ in size.'],
    ['if 1 then 2 else 3', 'type-mismatch A condition must be Boolean, not Integer.'],
    ['v[4]', 'bad-subscript The subscript [4] is outside the sizes [3].'],
    ['v[0]', 'bad-subscript The subscript [0] is outside the sizes [3].'],
    ['v[1, 1]', 'bad-subscript 2 subscripts are too many for 1 dimensions.'],
    ['n[1]', 'bad-subscript 1 subscripts are too many for a scalar.'],
    ['u[1]', 'variability `u` is not a parameter, so its value is not known here.'],
    ['time', 'variability `time` has no value before the simulation.'],
    ['unset', 'no-value The parameter `unset` has no value, but it is needed here.'],
    ['round', 'cyclic-definition The value of `round` depends on itself.'],
    ['nn', 'unknown-name `nn` is not declared in `M`.'],
    ['1:0:2', 'bad-evaluation The step of a range is zero.'],
    ['1:100000000', 'limit-exceeded A range of 100000000 values is too long.'],
    ['zeros(10000000)', 'bad-evaluation An array of 10000000 elements is too large to evaluate.'],
    ['E(4)', 'bad-call `E` needs an Integer from 1 to 3.'],
    ['M', 'type-mismatch `M` is a class, not a value.'],
  ])('%s', (source, expected) => {
    expect(problem(source)).toEqual([expect.stringContaining(expected)]);
  });

  it('can be repeated after a failure', () => {
    expect(problem('about')).toEqual([expect.stringContaining('cyclic-definition')]);
    expect(problem('about')).toEqual([expect.stringContaining('cyclic-definition')]);
  });
});

describe('laws', () => {
  /** A random expression with what JavaScript makes of it. */
  interface Sample {
    readonly text: string;
    readonly value: number;
    /** True where Modelica's result is an Integer. */
    readonly whole: boolean;
    /** True where a divisor on the way is zero. */
    readonly fails: boolean;
  }
  const literal: fc.Arbitrary<Sample> = fc.oneof(
    fc
      .integer({ min: 0, max: 50 })
      .map((value) => ({ text: String(value), value, whole: true, fails: false })),
    fc
      .integer({ min: 1, max: 400 })
      .map((k) => ({ text: (k / 8).toFixed(3), value: k / 8, whole: false, fails: false })),
  );
  const calculate = (operator: '+' | '-' | '*' | '/', a: number, b: number): number =>
    operator === '+' ? a + b : operator === '-' ? a - b : operator === '*' ? a * b : a / b;
  const operators = fc.constantFrom<'+' | '-' | '*' | '/'>('+', '-', '*', '/');
  const sample = fc.letrec<{ any: Sample }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 5 },
      literal,
      fc.tuple(tie('any'), tie('any'), operators).map(([a, b, operator]) => ({
        text: `(${a.text} ${operator} ${b.text})`,
        value: calculate(operator, a.value, b.value),
        whole: a.whole && b.whole && operator !== '/',
        fails: a.fails || b.fails || (operator === '/' && b.value === 0),
      })),
      tie('any').map((a) => ({ ...a, text: `(-${a.text})`, value: 0 - a.value })),
      tie('any').map((a) => ({ ...a, text: `abs(${a.text})`, value: Math.abs(a.value) })),
      fc.tuple(tie('any'), tie('any'), tie('any')).map(([a, b, c]) => {
        const taken = a.value < b.value ? c : b;
        const text = `(if ${a.text} < ${b.text} then ${c.text} else ${b.text})`;
        return { ...taken, text, fails: a.fails || b.fails || taken.fails };
      }),
    ),
  })).any;

  it('random arithmetic agrees with JavaScript and fails for zero divisors alone', () => {
    fc.assert(
      fc.property(sample, ({ text: source, value, whole, fails }) => {
        const { value: outcome, diagnostics } = run(source);
        expect(outcome).toEqual(fails ? undefined : { kind: whole ? 'integer' : 'real', value });
        expect(diagnostics.map((d) => d.message)).toEqual(fails ? ['Division by zero.'] : []);
      }),
      { numRuns: 400 },
    );
  });

  it('a = div(a, b) * b + rem(a, b) and a = floor(a / b) * b + mod(a, b)', () => {
    const number = fc.integer({ min: -1000, max: 1000 });
    fc.assert(
      fc.property(
        number,
        number.filter((b) => b !== 0),
        (a, b) => {
          expect(result(`div(${a}, ${b}) * (${b}) + rem(${a}, ${b})`)).toBe(a);
          expect(result(`integer(floor((${a}) / (${b}))) * (${b}) + mod(${a}, ${b})`)).toBe(a);
        },
      ),
    );
  });

  it('a transposed product is the product of the transposed in reverse', () => {
    const matrix = (rows: number, columns: number) =>
      fc.array(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: columns, maxLength: columns }), {
        minLength: rows,
        maxLength: rows,
      });
    const written = (values: number[][]) => `{${values.map((row) => `{${row.join(', ')}}`).join(', ')}}`;
    fc.assert(
      fc.property(matrix(2, 3), matrix(3, 2), (a, b) => {
        const [x, y] = [written(a), written(b)];
        expect(result(`transpose(${x} * ${y})`)).toEqual(result(`transpose(${y}) * transpose(${x})`));
      }),
      { numRuns: 30 },
    );
  });
});
