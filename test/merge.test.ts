/**
 * Names and values from outside a model mean the same, and are refused with the same words, whichever way they are given: merged into a run, merged
 * into all runs, as overrides of `loadModel`, and by `--set`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  Failure,
  instantiate,
  loadModel,
  type Merge,
  type MergeValue,
  modelica,
  renderDiagnostic,
  type SignalTable,
  type SimulationResult,
  simulate,
} from '../src/index.ts';
import { readResults } from '../src/results/files/formats.ts';
import { folder, run } from './cli/terminal.ts';

const text = `package P
  model Part
    parameter Real k = 1;
    parameter Integer n = 2;
    parameter Real w[2] = {10, 20};
    Real y = k + sum(w), z[n] = fill(k, n), x(start = 1, fixed = true);
  protected
    parameter Real hidden = 1;
  equation
    der(x) = 0;
  end Part;
  record Pair Real a = 1; Real b = 2; end Pair;
  model Whole
    type Kind = enumeration(one, two);
    parameter Real k(min = 0) = 1, v[3] = {1, 2, 3}, m[2, 2] = [1, 2; 3, 4], A[:, size(A, 1)] = [1, 0; 0, 1];
    parameter Integer n = 3, sizes[2] = {1, 2};
    parameter Boolean on = true;
    parameter String name = "steel";
    parameter Kind kind = Kind.one, kinds[2] = {Kind.one, Kind.one};
    parameter Pair pairs[2] = {Pair(1, 2), Pair(3, 4)};
    final parameter Real f = 2;
    constant Real c = 3;
    Part part, r[3], g[2, 2], q[3](n = {1, 2, 3});
    Real T[n](each start = 293, each fixed = true), S[2](each fixed = true), x(final start = 1, fixed = true);
    Real u = 2*time, a[sizes[1]] = fill(1, sizes[1]), p = pairs[2].a, cc = c, kk = if kind == Kind.two then 2 else 1;
  equation
    der(x) = -k*x;
    der(T) = zeros(n);
    der(S) = zeros(2);
  end Whole;
end P;
`;
const home = folder({ 'P.mo': text });
const ways = ['run', 'all runs', 'overrides', '--set'] as const;

interface Outcome {
  readonly table: SignalTable | undefined;
  /** Messages with their hints; errors alone. */
  readonly errors: readonly string[];
}

async function given(
  way: (typeof ways)[number],
  name: string,
  set: string,
  value: MergeValue,
): Promise<Outcome> {
  const merge: Merge = { [name]: value };
  switch (way) {
    case 'run':
      return outcome(() => shared.simulate({ merge }));
    case 'all runs':
      return outcome(() => instantiate(text, { merge }).simulate());
    case 'overrides':
      return outcome(() => simulate(loadModel(text, undefined, { [name]: set })));
    case '--set': {
      const line = ['simulate', 'P.mo', '--set', `${name}=${set}`, '--json', '--output', 'out.json'];
      const { status, json } = await run(line, { cwd: home });
      const errors = json.diagnostics.filter((one: { severity: string }) => one.severity === 'error');
      const table = status === 0 ? readResults(readFileSync(join(home, 'out.json'))) : undefined;
      return { table, errors: errors.map(worded) };
    }
  }
}

const shared = instantiate(text);

async function outcome(make: () => Promise<SimulationResult>): Promise<Outcome> {
  try {
    const { status, table, diagnostics } = await make();
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    return { table: status === 'done' ? table : undefined, errors: errors.map(worded) };
  } catch (problem) {
    if (!(problem instanceof Failure)) throw problem;
    return { table: undefined, errors: problem.diagnostics.map(worded) };
  }
}

const worded = ({ message, hint }: { message: string; hint?: string | undefined }): string =>
  hint ? `${message} | ${hint}` : message;

describe('values', () => {
  test.each<[name: string, set: string, value: MergeValue, expected: Record<string, number>]>([
    ['k', '5', 5, { k: 5 }],
    ['k', '2*v[3]', modelica`2*v[3]`, { k: 6 }],
    ['on', 'false', false, { on: 0 }],
    ['v', '5', 5, { 'v[1]': 5, 'v[3]': 5 }],
    ['v', '{1, 2, 4}', [1, 2, 4], { 'v[1]': 1, 'v[3]': 4 }],
    ['v[2]', '9', 9, { 'v[1]': 1, 'v[2]': 9, 'v[3]': 3 }],
    ['v[2]', '-k', modelica`-k`, { 'v[1]': 1, 'v[2]': -1, 'v[3]': 3 }],
    ['m[2, 1]', '9', 9, { 'm[1,2]': 2, 'm[2,1]': 9, 'm[2,2]': 4 }],
    ['A', '{{7}}', [[7]], { 'A[1,1]': 7 }],
    ['A[1,2]', '7', 7, { 'A[1,1]': 1, 'A[1,2]': 7, 'A[2,2]': 1 }],
    ['n', '4', 4, { 'T[4]': 293 }],
    ['sizes[1]', '2', 2, { 'a[2]': 1 }],
    ['kind', 'two', 'two', { kk: 2 }],
    ['kind', 'Kind.two', 'Kind.two', { kk: 2 }],
    ['kinds[2]', 'two', 'two', { 'kinds[1]': 1, 'kinds[2]': 2 }],
    ['c', '4', 4, { cc: 4 }],
    ['part.k', '2', 2, { 'part.y': 32 }],
    ['part.w[2]', '5', 5, { 'part.y': 16 }],
    ['r.k', '5', 5, { 'r[1].y': 35, 'r[3].y': 35 }],
    ['r.k', '{5, 6, 7}', [5, 6, 7], { 'r[1].y': 35, 'r[3].y': 37 }],
    ['r[2].k', '5', 5, { 'r[1].y': 31, 'r[2].y': 35, 'r[3].y': 31 }],
    ['r[2].k', '5*k', modelica`5*k`, { 'r[1].y': 31, 'r[2].y': 35, 'r[3].y': 31 }],
    ['r[2].w', '{1, 2}', [1, 2], { 'r[1].y': 31, 'r[2].y': 4, 'r[3].y': 31 }],
    ['r[2].w[1]', '5', 5, { 'r[1].y': 31, 'r[2].y': 26, 'r[3].y': 31 }],
    ['r.w[1]', '5', 5, { 'r[1].y': 26, 'r[3].y': 26 }],
    ['r[2].n', '3', 3, { 'r[1].z[2]': 1, 'r[2].z[3]': 1 }],
    ['q[2].n', '5', 5, { 'q[1].z[1]': 1, 'q[2].z[5]': 1 }],
    ['g[2, 1].k', '5', 5, { 'g[1,2].y': 31, 'g[2,1].y': 35, 'g[2,2].y': 31 }],
    ['r[2].x.start', '4', 4, { 'r[1].x': 1, 'r[2].x': 4 }],
    ['r[2].x.init', '4', 4, { 'r[1].x': 1, 'r[2].x': 4 }],
    ['T.start', '9', 9, { 'T[1]': 9, 'T[3]': 9 }],
    ['T[2].start', '9', 9, { 'T[1]': 293, 'T[2]': 9, 'T[3]': 293 }],
    ['S[2].start', '9', 9, { 'S[1]': 0, 'S[2]': 9 }],
    ['S[2].init', '9', 9, { 'S[1]': 0, 'S[2]': 9 }],
    ['u', '3*time', modelica`3*time`, { u: 3 }],
    ['pairs[2].a', '7', 7, { p: 7 }],
    ['pairs[2]', 'P.Pair(7, 8)', modelica`P.Pair(7, 8)`, { p: 7 }],
  ])('%s = %s', async (name, set, value, expected) => {
    for (const way of ways) {
      const { table, errors } = await given(way, name, set, value);
      expect([way, errors]).toEqual([way, []]);
      const found = Object.keys(expected).map((signal) => [signal, table!.value(signal, 1)]);
      expect([way, Object.fromEntries(found)]).toEqual([way, expected]);
    }
  });

  test('of elements do not make a uniform array of components larger', async () => {
    const chain = `model Chain
      model Cell parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = -k*x; end Cell;
      parameter Integer n = 1000; Cell c[n]; end Chain;`;
    const flat = loadModel(chain, undefined, { 'c[3].k': 2, 'c[500].x.start': 5 });
    expect(flat.variables.map(({ name, dims }) => [name, dims])).toEqual([
      ['n', []],
      ['c.k', [1000]],
      ['c.x', [1000]],
    ]);
    const { table } = await simulate(flat, { tolerance: 1e-9 });
    const ends = ['c[2].x', 'c[3].x', 'c[500].x'].map((name) => table.value(name, 1));
    for (const [k, end] of [Math.exp(-1), Math.exp(-2), 5 * Math.exp(-1)].entries())
      expect(ends[k]).toBeCloseTo(end, 7);
  });

  test('of which the last one counts', async () => {
    const set = (overrides: Record<string, string | number>) =>
      simulate(loadModel(text, undefined, overrides)).then(({ table }) =>
        [1, 2, 3].map((k) => table.value(`v[${k}]`, 0)),
      );
    expect(await set({ v: 5, 'v[2]': 9 })).toEqual([5, 9, 5]);
    expect(await set({ 'v[2]': 9, v: 5 })).toEqual([5, 5, 5]);
    expect(await set({ 'v[2]': 9, 'v[3]': 8, 'v[ 2 ]': 7 })).toEqual([1, 7, 8]);
  });

  test('law: elements one by one are the array', async () => {
    const arrays = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), {
      minLength: 3,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(arrays, fc.shuffledSubarray([1, 2, 3], { minLength: 3 }), async (values, order) => {
        const single = Object.fromEntries(order.map((k) => [`v[${k}]`, values[k - 1]!]));
        const parts = Object.fromEntries(order.map((k) => [`r[${k}].k`, values[k - 1]!]));
        const whole = shared.parameters({ v: values, r: { k: values } });
        const flat = instantiate(loadModel(text, undefined, { ...single, ...parts })).parameters();
        const valueIn = (list: typeof whole, name: string) => list.find((one) => one.name === name)?.value;
        for (const name of ['v', 'r.k']) expect(valueIn(flat, name)).toEqual(valueIn(whole, name));
      }),
      { numRuns: 20 },
    );
  });
});

describe('wrong names and values', () => {
  test.each<[name: string, set: string, value: MergeValue, error: string]>([
    ['k', '"two"', 'two', '`k` is Real but is given String.'],
    ['on', '1', 1, '`on` is Boolean but is given Integer.'],
    ['v', '{1, 2}', [1, 2], '`v` has sizes [3] but is given [2].'],
    ['k', '{1, 2}', [1, 2], '`k` is a scalar but is given [2].'],
    ['v[4]', '9', 9, 'There is no `v[4]`: `v` has sizes [3].'],
    ['v[0]', '9', 9, 'There is no `v[0]`: `v` has sizes [3].'],
    ['m[1]', '9', 9, 'There is no `m[1]`: `m` has sizes [2, 2].'],
    ['k[1]', '9', 9, 'There is no `k[1]`: `k` is not an array.'],
    ['part[1].k', '9', 9, 'There is no `part[1]`: `part` is not an array.'],
    ['g[3, 1].k', '9', 9, 'There is no `g[3, 1]`: `g` has sizes [2, 2].'],
    ['r[2].x[1].start', '9', 9, 'There is no `r.x[1]`: `r.x` is not an array.'],
    ['v[2]', '"a"', 'a', '`v[2]` is Real but is given String.'],
    ['v[2]', '{1, 2}', [1, 2], '`v[2]` is a scalar but is given [2].'],
    ['T[2].start', 'true', true, '`start` of `T[2]` is Real but is given Boolean.'],
    [
      'v[2].min',
      '0',
      0,
      '`min` of `v` has no value that the other elements could keep. | Give values for all elements.',
    ],
    [
      'v[k]',
      '9',
      9,
      '`v[k]` is not the name of a parameter or variable. | Names are dotted, with whole numbers as subscripts: `a.b[2].c`.',
    ],
    [
      'v 2',
      '9',
      9,
      '`v 2` is not the name of a parameter or variable. | Names are dotted, with whole numbers as subscripts: `a.b[2].c`.',
    ],
    [
      'A',
      '5',
      5,
      '`A` has 2 dimensions with the sizes of its value, but is given a scalar. | Give it a list of lists.',
    ],
    ['kind', '"three"', 'three', 'There is no literal `three` in `P.Whole.Kind`. | It has one, two.'],
    ['kinds[2]', '"tow"', 'tow', 'There is no literal `tow` in `P.Whole.Kind`. | Did you mean `two`?'],
    ['f', '3', 3, '`f` is final. | Remove the prefix `final` to give it other values.'],
    ['x.start', '3', 3, '`x.start` is final. | Remove the prefix `final` to give it other values.'],
    ['x.init', '3', 3, '`x.init` is final. | Remove the prefix `final` to give it other values.'],
    [
      'r[2].hidden',
      '3',
      3,
      '`r[2].hidden` is protected. | Remove the prefix `protected` to give it other values.',
    ],
    ['x', '3', 3, '`x` is a variable: equations determine it. | Give it a start value: `x.start`.'],
    [
      'part',
      '3',
      3,
      '`part` is a component; it cannot have a value. | Give values for what is in it, by names such as `part.k`.',
    ],
    [
      'r[2]',
      '3',
      3,
      '`r[2]` is a component; it cannot have a value. | Give values for what is in it, by names such as `r.k`.',
    ],
    ['r[2].kk', '3', 3, '`P.Part` has no element `kk` to modify. | Did you mean `k`?'],
    ['prt.k', '3', 3, '`P.Whole` has no element `prt` to modify. | Did you mean `part`?'],
    ['k.foo', '3', 3, '`k` of type `Real` has no attribute `foo`.'],
  ])('%s = %s', async (name, set, value, error) => {
    for (const way of ways)
      expect([way, (await given(way, name, set, value)).errors]).toEqual([way, [error]]);
  });

  test('sizes that do not fit where an array is used are traced to their values', async () => {
    const sum = 'model Sum parameter Real v[:] = {1, 2}, w[:] = {3, 4}; Real x[:] = v + w; end Sum;';
    const { diagnostics } = await instantiate(sum).simulate({ merge: { v: [1] } });
    expect(renderDiagnostic(diagnostics[0]!)).toBe(
      [
        'model.mo:1:68: error: The sides of `+` have different sizes: [1] and [2]. [dimension-mismatch]',
        `  1 | ${sum}`,
        `    | ${' '.repeat(67)}^^^^^`,
        'merge v:1:1: note: `v` has sizes [1] by the value given here',
        '  1 | {1}',
        '    | ^^^',
      ].join('\n'),
    );
  });

  test('a word that may be a text', async () => {
    const { err } = await run(['simulate', 'P.mo', '--set', 'name=copper'], { cwd: home });
    expect(err).toBe(
      [
        '--set name:1:1: error: There is no `copper` in P.Whole. [unknown-name]',
        '  1 | copper',
        '    | ^^^^^^',
        `  hint: If it is a text, write \`--set name='"copper"'\`.`,
        '',
      ].join('\n'),
    );
  });

  test('a word for a text that is spelt like something else', async () => {
    const { err } = await run(['simulate', 'P.mo', '--set', 'name=abc'], { cwd: home });
    expect(err).toContain(`hint: If it is a text, write \`--set name='"abc"'\`.`);
  });

  test('literals of enumerations are given by their names, as start values too', async () => {
    const text = `model E type Phase = enumeration(solid, liquid, gas); Phase p(start = Phase.solid, fixed = true), q[2](each start = Phase.gas, each fixed = true);
      equation when time > 5 then p = Phase.gas; q = {Phase.gas, Phase.solid}; end when; end E;`;
    const { table } = await instantiate(text).simulate({
      merge: { 'p.start': 'liquid', 'q[2].start': 'solid' },
    });
    expect([table.value('p', 1), table.value('q[1]', 1), table.value('q[2]', 1)]).toEqual([2, 3, 1]);
    const { diagnostics } = await instantiate(text).simulate({ merge: { 'p.start': 'liqud' } });
    expect(diagnostics.map(({ message, hint }) => [message, hint])).toEqual([
      ['There is no literal `liqud` in `E.Phase`.', 'Did you mean `liquid`?'],
    ]);
  });

  test('show where the value and the declaration stand', async () => {
    const { err } = await run(['simulate', 'P.mo', '--set', 'v[2]=true'], { cwd: home });
    const { diagnostics } = await shared.simulate({ merge: { 'v[2]': true } });
    const expected = (place: string, file: string): string =>
      [
        `${place}:1:1: error: \`v[2]\` is Real but is given Boolean. [type-mismatch]`,
        '  1 | true',
        '    | ^^^^',
        `${file}:15:36: note: \`v\` is declared here`,
        '  15 |     parameter Real k(min = 0) = 1, v[3] = {1, 2, 3}, m[2, 2] = [1, 2; 3, 4], A[:, size(A, 1)] = [...',
        '     |                                    ^',
        '',
      ].join('\n');
    expect(err).toBe(expected('--set v[2]', 'P.mo'));
    expect(`${renderDiagnostic(diagnostics[0]!)}\n`).toBe(expected('merge v[2]', 'model.mo'));
  });
});
