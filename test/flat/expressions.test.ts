import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { equations, firstRight, flattened, inModel, modelOf, problems, SyntaxProblem } from './notation.ts';

/** The value of an expression of type Real with the given declarations before it. */
const value = (text: string, declarations = '', type = 'Real'): number[] =>
  firstRight(modelOf(inModel(`${type} y = ${text}; ${declarations}`)));

/** The right side of `y = text` as it is printed. */
const printed = (text: string, declarations = '', type = 'Real'): string =>
  equations(inModel(`${declarations} ${type} y; equation y = ${text};`))[0]!.slice(4, -1);

describe('operators', () => {
  test.each([
    ['7/2', [3.5]],
    ['2^3^1', undefined],
    ['2^(-1)', [0.5]],
    ['-2^2', [-4]],
    ['1 - 2 - 3', [-4]],
    ['if 1 < 2 then 3 else 4', [3]],
    ['if false then 1 elseif true then 2 else 3', [2]],
    ['abs(-3) + sign(-2.5)', [2]],
    ['div(-7, 2)', [-3]],
    ['mod(-7, 3)', [2]],
    ['rem(-7, 3)', [-1]],
    ['floor(-1.5) + ceil(-1.5)', [-3]],
    ['integer(2.7)', [2]],
    ['min(3, 2.5) + max({1, 4, 2})', [6.5]],
    ['atan2(0, -1)', [Math.PI]],
    ['sum({1, 2, 3})*product({2, 5})', [60]],
    ['sum(i^2 for i in 1:4)', [30]],
    ['sum(i*j for i in 1:2, j in 1:3)', [18]],
    ['max(i*(5 - i) for i in 1:4)', [6]],
    ['product(i for i in {2, 3, 7})', [42]],
    ['sum({i + 0.5 for i in 1:2:7})', [18]],
    ['{1, 2, 3}*{4, 5, 6}', [32]],
    ['ndims([1, 2; 3, 4]) + size([1, 2, 3], 2)', [5]],
    ['scalar({{7}})', [7]],
    ['smooth(0, if 2 > 1 then 5 else 6)', [5]],
    ['noEvent(if 2 > 1 then 5 else 6)', [5]],
    ['homotopy(actual = 3, simplified = 1)', [3]],
    ['semiLinear(-2, 3, 5)', [-10]],
    ['(1.5)', [1.5]],
  ])('%s', (text, expected) => {
    if (expected) expect(value(text as string)).toEqual(expected);
    else expect(() => modelOf(inModel(`Real y = ${text};`))).toThrow();
  });

  test.each([
    ['Real[2]', '{1, 2} + {3, 4}', [4, 6]],
    ['Real[2]', '{1, 2} .* {3, 4}', [3, 8]],
    ['Real[2]', '{1, 2} ./ {4, 4}', [0.25, 0.5]],
    ['Real[2]', '{3, 2} .^ 2', [9, 4]],
    ['Real[2]', '1 .- {3, 2}', [-2, -1]],
    ['Real[2]', '2*{3, 4}/4', [1.5, 2]],
    ['Real[2]', '0*{3, 4}', [0, 0]],
    ['Real[2]', '[1, 2; 3, 4]*{5, 6}', [17, 39]],
    ['Real[2]', '{5, 6}*[1, 2; 3, 4]', [23, 34]],
    ['Real[2, 2]', '[1, 2; 3, 4]*[0, 1; 1, 0]', [2, 1, 4, 3]],
    ['Real[2, 2]', '[1, 1; 0, 1]^3', [1, 3, 0, 1]],
    ['Real[2, 2]', 'transpose([1, 2; 3, 4])', [1, 3, 2, 4]],
    ['Real[2, 2]', 'identity(2) + ones(2, 2)', [2, 1, 1, 2]],
    ['Real[2, 2]', 'diagonal({3, 4})', [3, 0, 0, 4]],
    ['Real[3]', 'linspace(0, 1, 3)', [0, 0.5, 1]],
    ['Real[3]', 'cross({1, 0, 0}, {0, 1, 0})', [0, 0, 1]],
    ['Real[3]', 'cat(1, {1}, {2, 3})', [1, 2, 3]],
    ['Real[2, 3]', '[{1, 2}, [3, 4; 5, 6]]', [1, 3, 4, 2, 5, 6]],
    ['Real[2, 2]', 'outerProduct({1, 2}, {3, 4})', [3, 4, 6, 8]],
    ['Real[2, 2]', 'fill(7, 2, 2)', [7, 7, 7, 7]],
    ['Real[3]', 'sqrt({1, 4, 9})', [1, 2, 3]],
    // Several iterators: the last one is the outermost dimension (10.4.1).
    ['Real[3, 2]', '{10*i + j for i in 1:2, j in 1:3}', [11, 21, 12, 22, 13, 23]],
    ['Real[3]', 'zeros(3)', [0, 0, 0]],
    ['Real[2]', 'array(4, 5)', [4, 5]],
    ['Real[2]', 'array(i^2 for i in 2:3)', [4, 9]],
    ['Real[4]', 'vector([1; 2; 3; 4])', [1, 2, 3, 4]],
    ['Real[1, 2]', '[1, 2]', [1, 2]],
    ['Real[3, 3]', 'skew({1, 2, 3})', [0, -3, 2, 3, 0, -1, -2, 1, 0]],
  ])('%s %s', (type, text, expected) => {
    expect(value(text, '', type)).toEqual(expected);
  });

  test('subscripts choose elements, slices and whole dimensions', () => {
    const a = 'parameter Real A[2, 3] = [1, 2, 3; 4, 5, 6]; parameter Integer k = 2;';
    expect(printed('A[2, 3]', a)).toBe('A[2, 3]');
    expect(printed('A[end, end - 1]', a)).toBe('A[2, 2]');
    expect(printed('A[k, 1]', a)).toBe('A[2, 1]');
    expect(printed('A[:, 1]', a, 'Real[2]')).toBe('A[:, 1]');
    expect(printed('A[2]', a, 'Real[3]')).toBe('A[2, :]');
    expect(printed('A[1, 2:3]', a, 'Real[2]')).toBe('A[1, 2:3]');
    expect(printed('A[1, {3, 1}]', a, 'Real[2]')).toBe('A[1, {3, 1}]');
  });

  test('Booleans choose elements where dimensions are declared with them', () => {
    expect(printed('x[false] + 10*x[true]', 'parameter Real x[Boolean] = {1, 2};')).toBe('x[1] + 10*x[2]');
    expect(printed('x[2, true]', 'parameter Real x[2, Boolean] = {{1, 2}, {3, 4}};')).toBe('x[2, 2]');
    const nested = 'type T = Real[3]; parameter T x[Boolean] = {{1, 2, 3}, {4, 5, 6}};';
    expect(printed('x[true, 1]', nested)).toBe('x[2, 1]');
    expect(printed('x[true]', 'parameter Real x[:] = {1, 2};')).toBe('x[2]');
  });

  test('enumerations are numbers from 1 and keep their type', () => {
    const type = 'type E = enumeration(red, green, blue);';
    expect(value('Integer(E.blue)', type)).toEqual([3]);
    expect(value('if E.red < E.green then 1 else 2', type)).toEqual([1]);
    expect(problems(inModel(`${type} Real y = E.red;`))).toEqual([
      'type-mismatch 2:50 `y` is Real but is given M.E.',
    ]);
  });

  test('a long sum does not exhaust the stack', () => {
    const terms = Array.from({ length: 1900 }, (_, i) => `${i}`).join(' + ');
    expect(value(terms)).toEqual([(1899 * 1900) / 2]);
  });

  test('a parameter that decides sizes becomes structural, others do not', () => {
    const model = modelOf(
      inModel('parameter Integer n = 2; parameter Integer m = 3; Real y = sum(ones(n)) + m;'),
    );
    expect(model.variables.map((v) => [v.name, v.structural])).toEqual([
      ['n', true],
      ['m', false],
      ['y', false],
    ]);
  });
});

describe('wrong expressions', () => {
  test.each([
    ['Real y = 1 + true;', 'type-mismatch 2:10 `+` needs numbers, not Integer and Boolean.'],
    ['Real y = not 1;', 'type-mismatch 2:14 `not` needs a Boolean, not Integer.'],
    ['Boolean y = 1 and true;', 'type-mismatch 2:13 `and` needs Booleans, not Integer and Boolean.'],
    ['Boolean y = 1 < true;', 'type-mismatch 2:13 Cannot compare Integer with Boolean.'],
    ['Integer y = 1.5;', 'type-mismatch 2:13 `y` is Integer but is given Real.'],
    ['Real y = "a";', 'type-mismatch 2:10 `y` is Real but is given String.'],
    ['Real y = if 1 then 2 else 3;', 'type-mismatch 2:13 A condition must be Boolean, not Integer.'],
    [
      'Real y = if time > 1 then 2 else false;',
      'type-mismatch 2:10 The branches have different types: Integer and Boolean.',
    ],
    ['Real y[2] = {1, 2, 3};', 'dimension-mismatch 2:13 `y` has sizes [2] but is given [3].'],
    [
      'Real y[2] = {1, 2} + {1, 2, 3};',
      'dimension-mismatch 2:13 The sides of `+` have different sizes: [2] and [3].',
    ],
    [
      'Real y[2] = {1, 2} + 1;',
      'dimension-mismatch 2:13 The sides of `+` have different sizes: [2] and scalar. | Use `.+` to combine an array with a scalar.',
    ],
    [
      'Real y[2] = [1, 2; 3, 4]*{1, 2, 3};',
      'dimension-mismatch 2:13 The sides of `*` have different sizes: [2, 2] and [3]. | Use `.*` for a product element by element.',
    ],
    [
      'Real y[2] = 1/{1, 2};',
      'dimension-mismatch 2:13 Cannot divide by an array (Integer[2]). | Use `./` to divide element by element.',
    ],
    [
      'Real y = {1, {2}};',
      'dimension-mismatch 2:10 The elements of an array have different sizes: scalar and [1].',
    ],
    [
      'Real y[2] = {1, true};',
      'type-mismatch 2:13 The elements of an array have different types: Integer and Boolean.',
    ],
    [
      'Real x[3]; Real y = x[4];',
      'bad-subscript 2:23 Subscript 4 of `x` is outside: the dimension goes from 1 to 3.',
    ],
    [
      'Real x[3]; Real y = x[0];',
      'bad-subscript 2:23 Subscript 0 of `x` is outside: the dimension goes from 1 to 3.',
    ],
    [
      'Real x[3]; Real y[2] = x[3:4];',
      'bad-subscript 2:26 Subscript 4 of `x` is outside: the dimension goes from 1 to 3.',
    ],
    ['Real x[3]; Real y = x[1, 2];', 'bad-subscript 2:21 `x` has 1 dimension but gets 2 subscripts.'],
    ['Real x; Real y = x[1];', 'bad-subscript 2:18 `x` is a scalar but gets 1 subscripts.'],
    [
      'Real x[3]; Real y = x[time > 0.5];',
      'type-mismatch 2:23 A subscript of `x` must be an Integer, not a Boolean. | A Boolean chooses one of two elements, of an array that is declared with `[Boolean]`.',
    ],
    [
      'Real x[2]; Real y = x[time > 0.5];',
      'type-mismatch 2:23 A subscript of `x` must be an Integer, not a Boolean. | A Boolean chooses one of two elements, of an array that is declared with `[Boolean]`.',
    ],
    [
      'record R Real v; end R; R r[2]; Real y = r[true].v;',
      'type-mismatch 2:44 A subscript of `r` must be an Integer, not a Boolean. | A Boolean chooses one of two elements, of an array that is declared with `[Boolean]`.',
    ],
    [
      'type E = enumeration(a, b); Real x[E]; Real y = x[true];',
      'type-mismatch 2:51 A subscript of `x` must be a value of `M.E`, not a Boolean. | A Boolean chooses one of two elements, of an array that is declared with `[Boolean]`.',
    ],
    ['Real x; Real y = homotopy(x, Clock(1, 10));', 'type-mismatch'],
    ['Real x[3]; Real y = x[1.5];', 'type-mismatch 2:23 A subscript of `x` must be an Integer.'],
    ['Real speed; Real y = sped;', 'unknown-name 2:22 There is no `sped` in M. | Did you mean `speed`?'],
    ['Real y = sinn(1);', 'unknown-name 2:10 There is no function `sinn`. | Did you mean `sin`?'],
    ['Real y = sin(1, 2);', 'bad-call 2:17 `sin` takes 1 argument but is given 2. | Call it as `sin(x)`.'],
    ['Real y = sin();', 'bad-call 2:10 The call of `sin` lacks its argument `x`. | Call it as `sin(x)`.'],
    [
      'Real y = homotopy(1, simple = 2);',
      'bad-call 2:22 `homotopy` has no argument `simple`. | Call it as `homotopy(actual, simplified)`.',
    ],
    ['Real y = sin("a");', 'type-mismatch 2:14 `sin` needs a number, not String.'],
    ['Real x; Real y = sum(x[i] for i in 1:n);', 'unknown-name 2:38 There is no `n` in M.'],
    [
      'Real y = sum(i for i in 1:time);',
      'variability 2:25 The bound of a range must be known before the simulation starts. | Use constants and parameters only.',
    ],
    [
      'Integer k = integer(time); Real y[2] = ones(k);',
      'variability 2:45 A size in `ones` must be known before the simulation starts. | Use constants and parameters only.',
    ],
    ['Real y = sin;', 'type-mismatch 2:10 `sin` is not a value. | Call it with its arguments: `sin(…)`.'],
    [
      'Real x; Real y = pre(x);',
      'variability 2:22 `pre` of a continuous-time variable can stand only inside `when`. | In equations on a clock the value at the tick before is `previous(…)`.',
    ],
    ['Boolean b = time > 1; Real y = der(b);', 'type-mismatch 2:36 `der` needs a Real, not Boolean.'],
    [
      'discrete Real d; Real y = der(d); equation when time > 1 then d = 2; end when;',
      'variability 2:31 A discrete-time variable has no derivative. | It changes at events only; `der` needs a continuous-time variable.',
    ],
    [
      'parameter Real p = time;',
      'variability 2:20 `p` is a parameter, but its value changes during simulation. | Use constants and parameters only, or declare it without `parameter`.',
    ],
    [
      'parameter Real p = 1; constant Real c = p;',
      'variability 2:41 `c` is a constant, but its value depends on parameters. | Use constants only, or declare it as a `parameter`.',
    ],
    [
      'discrete Real d = if time > 1 then 1 else 2;',
      'variability 2:19 `d` is declared `discrete`: a declaration cannot give it a value. | Assign it in a when-clause, or declare it without `discrete`.',
    ],
    [
      'model A discrete Real d; end A; A a; equation when time > 1 then a.d = 2; end when;',
      'not-allowed 2:66 `a.d` is a variable of the component `a`, which a when-clause outside of it cannot assign. | Assign it in the class of `a`, or assign a variable here and connect or equate the two.',
    ],
    [
      'block A input Real d; end A; A a; algorithm when time > 1 then a.d := 2; end when;',
      'not-allowed 2:64 `a.d` is a variable of the component `a`, which a when-clause outside of it cannot assign. | Assign it in the class of `a`, or assign a variable here and connect or equate the two.',
    ],
    [
      'parameter Real p = q; parameter Real q = p;',
      'cyclic-definition 2:16 The value of `p` is defined in terms of itself: `p` → `q` → `p`. | Give one of them a value that does not depend on the others.',
    ],
    ['parameter Integer n = n + 1; Real x[n];', 'cyclic-definition'],
    ['Real y = sample(0, 0) ;', 'bad-call 2:20 The interval of `sample` must be positive.'],
  ])('%s', (body, expected) => {
    const found = problems(inModel(body));
    if (/^[a-z-]+$/.test(expected)) expect(found[0]).toMatch(new RegExp(`^${expected} `));
    else expect(found).toContain(expected);
  });

  test('one mistake gives one message', () => {
    expect(problems(inModel('Real y = 1 + 2*sin(nothing) + 3; Real z = 1;'))).toEqual([
      'unknown-name 2:20 There is no `nothing` in M.',
    ]);
  });
});

// ---------------------------------------------------------------- laws

interface Sample {
  readonly text: string;
  readonly value: number;
}

const values = { a: 1.25, b: -0.75, c: 3, v: [2, -1, 0.5] };
const leaf: fc.Arbitrary<Sample> = fc.oneof(
  fc.integer({ min: 0, max: 9 }).map((n) => ({ text: `${n}`, value: n })),
  fc.constantFrom('a', 'b', 'c').map((name) => ({ text: name, value: values[name as 'a'] })),
  fc.integer({ min: 1, max: 3 }).map((k) => ({ text: `v[${k}]`, value: values.v[k - 1]! })),
);

/** Random scalar expressions with the value that plain arithmetic gives them. */
const { sample } = fc.letrec<{ sample: Sample }>((tie) => {
  const one = tie('sample') as fc.Arbitrary<Sample>;
  const two = fc.tuple(one, one);
  const build = (sign: string, rule: (x: number, y: number) => number) =>
    two.map(([x, y]) => ({ text: `(${x.text}) ${sign} (${y.text})`, value: rule(x.value, y.value) }));
  const apply = (name: string, rule: (x: number) => number) =>
    one.map((x) => ({ text: `${name}(${x.text})`, value: rule(x.value) }));
  return {
    sample: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      leaf,
      build('+', (x, y) => x + y),
      build('-', (x, y) => x - y),
      build('*', (x, y) => x * y),
      build('/', (x, y) => x / y),
      apply('-', (x) => -x),
      apply('sin', Math.sin),
      apply('exp', Math.exp),
      apply('abs', Math.abs),
      apply('floor', Math.floor),
      two.map(([x, y]) => ({
        text: `(if (${x.text}) < (${y.text}) then (${x.text}) else 2*(${y.text}))`,
        value: x.value < y.value ? x.value : 2 * y.value,
      })),
      two.map(([x, y]) => ({ text: `max(${x.text}, ${y.text})`, value: Math.max(x.value, y.value) })),
      two.map(([x, y]) => ({ text: `sum({${x.text}, ${y.text}})`, value: x.value + y.value })),
      two.map(([x, y]) => ({ text: `({${x.text}, 1}*{2, ${y.text}})`, value: 2 * x.value + y.value })),
      one.map((x) => ({ text: `sum(i*(${x.text}) for i in 1:3)`, value: 6 * x.value })),
    ),
  };
});

const close = (x: number, y: number): boolean =>
  Object.is(x, y) || x === y || Math.abs(x - y) <= 1e-9 * Math.max(1, Math.abs(x), Math.abs(y));

test('random expressions have the value of plain arithmetic', () => {
  fc.assert(
    fc.property(sample, ({ text, value: expected }) => {
      fc.pre(Number.isFinite(expected) && Math.abs(expected) < 1e9);
      const body = `Real y = ${text}; parameter Real a; parameter Real b; parameter Real c; parameter Real v[3];`;
      const [actual] = firstRight(modelOf(inModel(body)), values);
      return close(actual!, expected);
    }),
    { numRuns: 300 },
  );
});

test('deeply nested expressions are no problem', () => {
  const nest = (open: string, close: string, n: number): string => `${open.repeat(n)}1${close.repeat(n)}`;
  expect(value(nest('-(', ')', 200))).toEqual([1]);
  expect(value(nest('if time > 1 then 3 else ', '', 200), '').length).toBe(1);
  expect(value(nest('sum({', '})', 100))).toEqual([1]);
});

test('whatever the expression, flattening ends with a model or with messages', () => {
  const word = fc.constantFrom(
    'a',
    'v',
    '{',
    '}',
    '(',
    ')',
    '1',
    '2.5',
    '+',
    '*',
    ',',
    'sin',
    'sum',
    '[',
    ']',
    ':',
    'if',
    'then',
    'else',
    'true',
    '<',
    'end',
    'size',
    'der',
    'time',
  );
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 9 }), (words) => {
      const body = `Real y; Real a; Real v[3]; equation y = ${words.join(' ')};`;
      let outcome: ReturnType<typeof flattened>;
      try {
        outcome = flattened(inModel(body));
      } catch (problem) {
        if (problem instanceof SyntaxProblem) return true;
        throw problem;
      }
      return outcome.model !== undefined || outcome.diagnostics.length > 0;
    }),
    { numRuns: 400 },
  );
});
