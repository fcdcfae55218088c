/** Components that break their contract, and classes that do not fit: each a diagnostic, with the results so far. */
import { describe, expect, it } from 'vitest';
import {
  type BuiltIn,
  check,
  Failure,
  instantiate,
  loadModel,
  renderDiagnostic,
  type Segment,
  simulate,
} from '../../src/index.ts';

const source = `
model Part
  parameter Real k = 2;
  parameter Real v[3] = {1, 2, 3};
  parameter String s = "text";
  input Real u;
  output Real y;
  annotation(__Mutabor(builtIn = "part"));
end Part;
model M
  Part part(u = time);
end M;`;

/** x' = 1, y = x. */
const sound: BuiltIn<undefined> = {
  name: 'part',
  inputs: ['u'],
  outputs: { y: [] },
  allocate: () => undefined,
  begin: (_, segment) => segment.state('x', { start: 0 }),
  stateOutputs(_, { x, y }) {
    y[0] = x[0]!;
  },
  derivatives(_, { dx }) {
    dx[0] = 1;
  },
};

const run = (changes: Partial<BuiltIn>, options = {}) =>
  simulate(loadModel(source, 'M', {}, { builtIns: [{ ...sound, ...changes }] }), options);

const from = (t: number, now: number, value: number) => (now < t ? 1 : value);

describe('a component that breaks its contract', () => {
  it('is told by instance, function, time and place; the results so far are kept', async () => {
    const derivatives: BuiltIn['derivatives'] = (_, { t, dx }) => {
      if (t > 0.5) throw new Error('the table has ended');
      dx[0] = 1;
    };
    const { status, stage, diagnostics, table } = await run({ derivatives });
    expect([status, stage]).toEqual(['failed', 'simulate']);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({ code: 'component', severity: 'error' });
    expect(diagnostics[0]!.message).toMatch(
      /^The built-in component part \("part"\) failed in `derivatives` at time 0\.\d+: the table has ended\.$/,
    );
    const { source: text, start, end } = diagnostics[0]!.span!;
    expect(text.text.slice(start, end)).toBe('part');
    expect(table.value('part.x', 0.1)).toBeCloseTo(0.1, 9);
  });

  const breaches: [string, Partial<BuiltIn>, RegExp][] = [
    [
      'derivatives that come later',
      {
        derivatives: async (_, { dx }) => {
          dx[0] = 1;
        },
      },
      /in `derivatives` at time 0: it is asynchronous, and what it computes would come too late/,
    ],
    [
      'a beginning that comes later, and fails',
      {
        begin: async (_, segment) => {
          segment.state('x', { start: 0 });
          throw new Error('nobody hears of this');
        },
      },
      /in `begin` at time 0: it is asynchronous/,
    ],
    [
      'a direct output that is NaN',
      {
        outputs: { y: ['u'] },
        directOutput: (_, { t, u, y }) => void (y[0] = from(0.5, t, Number.NaN) * u[0]!),
      },
      /in `directOutput` at time 0\.5\d*: it gives the output y, which is not a finite number/,
    ],
    [
      'a derivative that is not written',
      { derivatives: () => {} },
      /in `derivatives` at time 0: it gives the derivative of x, which is not a finite number: .* does not write it/,
    ],
    [
      'a derivative that is not written later on',
      { derivatives: (_, { t, dx }) => void (t < 0.5 && (dx[0] = 1)) },
      /in `derivatives` at time 0\.5\d*: it gives the derivative of x, .* does not write it/,
    ],
    [
      'an output that is never written',
      { stateOutputs: () => {} },
      /in `stateOutputs` at time 0: it gives the output y, .* does not write it/,
    ],
    [
      'an output that is not written later on',
      { stateOutputs: (_, { t, y }) => void (t < 0.5 && (y[0] = 1)) },
      /in `stateOutputs` at time 0\.5\d*: it gives the output y, .* does not write it/,
    ],
    [
      'a direct output that is never written',
      { outputs: { y: ['u'] }, directOutput: () => {} },
      /in `directOutput` at time 0: it gives the output y, .* does not write it/,
    ],
    [
      'a direct output that is not written later on',
      { outputs: { y: ['u'] }, directOutput: (_, { t, y }) => void (t < 0.5 && (y[0] = 1)) },
      /in `directOutput` at time 0\.5\d*: it gives the output y, .* does not write it/,
    ],
    [
      'a stored value that is never written',
      {
        begin(_, segment) {
          segment.state('x', { start: 0 });
          segment.variable('w', { size: 2 });
        },
        variables: (_, { w }) => void (w[0] = 1),
      },
      /in `variables` at time 0: it gives w\[2\], .* does not write it/,
    ],
    [
      'an indicator that is never written',
      {
        begin(_, segment) {
          segment.state('x', { start: 0 });
          segment.indicators(2);
        },
        indicators: (_, { z }) => void (z[0] = 1),
      },
      /in `indicators` at time 0: it gives indicator 1, .* does not write it/,
    ],
    [
      'a memory that comes later',
      { allocate: async () => ({}) },
      /in `allocate` at time 0: it is asynchronous/,
    ],
    [
      'outputs that come later, by something like a promise',
      {
        stateOutputs: ((_: unknown, { y }: { y: Float64Array }) => {
          y[0] = 1;
          // biome-ignore lint/suspicious/noThenProperty: this is the case.
          return { then: (done: () => void) => done() };
        }) as BuiltIn['stateOutputs'],
      },
      /in `stateOutputs` at time 0: it is asynchronous/,
    ],
    [
      'a pattern that comes later',
      { pattern: (async () => ({})) as unknown as BuiltIn['pattern'] },
      /in `pattern` at time 0: it is asynchronous/,
    ],
    [
      'an option that there is not',
      { begin: (_, segment) => void segment.state('x', { start: 0, nominl: 2 } as never) },
      /in `begin` at time 0: there is no option nominl of x; did you mean nominal\?/,
    ],
    [
      'a state without a name',
      { begin: (_, segment) => void segment.state('', { start: 0 }) },
      /in `begin` at time 0: a name of what it declares is not a text/,
    ],
    [
      'a derivative that is NaN',
      { derivatives: (_, { t, dx }) => void (dx[0] = from(0.5, t, Number.NaN)) },
      /in `derivatives` at time 0\.5\d*: it gives the derivative of x, which is not a finite number/,
    ],
    [
      'an output that is infinite',
      { stateOutputs: (_, { t, y }) => void (y[0] = from(0.5, t, Number.POSITIVE_INFINITY)) },
      /in `stateOutputs` at time 0\.5\d*: it gives the output y, which is not a finite number/,
    ],
    [
      'an output that reads an input without saying so',
      { stateOutputs: (_, { u, y }) => void (y[0] = 2 * u[0]!) },
      /in `stateOutputs` at time 0: it gives the output y, which is not a finite number; inputs are not known to it\./,
    ],
    [
      'a stored value that is NaN',
      {
        begin(_, segment) {
          segment.state('x', { start: 0 });
          segment.variable('w', { size: [2, 2] });
        },
        variables: (_, { t, w }) => void w.fill(0).fill(from(0.5, t, Number.NaN), 2, 3),
      },
      /in `variables` at time 0\.5\d*: it gives w\[2,1\], which is not a finite number/,
    ],
    [
      'an indicator that throws',
      {
        begin(_, segment) {
          segment.state('x', { start: 0 });
          segment.indicators(1);
        },
        indicators() {
          throw 'no reason';
        },
      },
      /in `indicators` at time 0: no reason\./,
    ],
    [
      'an indicator that is NaN',
      {
        begin(_, segment) {
          segment.state('x', { start: 0 });
          segment.indicators(2);
        },
        indicators: (_, { t, z }) => void z.fill(1).fill(from(0.5, t, Number.NaN), 1),
      },
      /in `indicators` at time 0\.\d+: it gives indicator 1, which is not a number\./,
    ],
    [
      'a state without an initial value',
      { begin: (_, segment) => segment.state('x', {} as { start: number }) },
      /in `begin` at time 0: the state x has no initial value\./,
    ],
    [
      'an initial value that is NaN',
      { begin: (_, segment) => segment.state('x', { start: Number.NaN }) },
      /in `begin` at time 0: the initial value of x is NaN\./,
    ],
    [
      'a wrong number of initial values',
      { begin: (_, segment) => segment.state('x', { start: [1, 2, 3], size: 2 }) },
      /in `begin` at time 0: the state x has 2 elements, but 3 initial values\./,
    ],
    [
      'a size that is no size',
      { begin: (_, segment) => segment.state('x', { start: 0, size: 1.5 }) },
      /in `begin` at time 0: x cannot have the size \[1\.5\]\./,
    ],
    [
      'a size that no memory holds',
      { begin: (_, segment) => segment.state('x', { start: 0, size: [1e6, 1e6] }) },
      /in `begin` at time 0: x cannot have the size \[1000000, 1000000\]\./,
    ],
    [
      'a name that is declared twice',
      {
        begin(_, segment) {
          segment.state('x', { start: 0 });
          segment.variable('x');
        },
      },
      /in `begin` at time 0: x is declared twice\./,
    ],
    [
      'a name that the class has',
      { begin: (_, segment) => segment.state('y', { start: 0 }) },
      /in `begin` at time 0: y is a variable of its class, and cannot be declared once more\./,
    ],
    [
      'states without derivatives',
      { derivatives: undefined },
      /in `begin` at time 0: it declares states, but has no function `derivatives`\./,
    ],
    [
      'indicators without a function',
      {
        begin(_, segment) {
          segment.state('x', { start: 0 });
          segment.indicators(2);
        },
      },
      /in `begin` at time 0: it declares event indicators, but has no function `indicators`\./,
    ],
    [
      'outputs without a function',
      { stateOutputs: undefined },
      /in `begin` at time 0: it declares outputs on which no input acts directly, but has no function `stateOutputs`\./,
    ],
    [
      'an event in the past',
      { begin: (_, segment) => segment.nextEvent(-1) },
      /in `begin` at time 0: it asks for an event at -1, which is not after 0\./,
    ],
    [
      'an event that sets a state to NaN',
      { event: (_, { point }) => void (point.x[0] = Number.NaN) },
      /in `event` at time 0: it sets x to NaN\./,
    ],
    [
      'a parameter that its class does not have',
      { allocate: (instance) => instance.number('q') },
      /in `allocate` at time 0: there is no parameter q in its class\./,
    ],
    [
      'a parameter that is not a number',
      { allocate: (instance) => instance.number('v') },
      /in `allocate` at time 0: the parameter v is not a number\./,
    ],
    [
      'arrays of wrong sizes',
      {
        arrays: (_, sizes) => {
          const { x, u, y, w, z } = sizes;
          const make = (n: number) => new Float64Array(n);
          return { x: make(x + 1), dx: make(x), u: make(u), y: make(y), w: make(w), z: make(z) };
        },
      },
      /in `arrays` at time 0: x has 2 elements instead of 1\./,
    ],
    [
      'a pattern of wrong size',
      { pattern: () => ({ derivativesByStates: { starts: Int32Array.of(0), rows: new Int32Array(0) } }) },
      /in `pattern` at time 0: derivativesByStates has 0 columns instead of 1\./,
    ],
    [
      'a declaration after its time',
      {
        allocate: () => ({}),
        begin(memory, segment) {
          (memory as { kept: unknown }).kept = segment;
          segment.state('x', { start: 0 });
        },
        event: (memory) => (memory as { kept: { indicators(n: number): void } }).kept.indicators(1),
      },
      /in `event` at time 0: a segment is declared in `begin` only\./,
    ],
  ];
  it.each(breaches)('%s', async (_, changes, message) => {
    const { status, diagnostics } = await run(changes, { method: 'bdf' });
    expect(status).toBe('failed');
    expect(diagnostics.map((d) => d.code)).toEqual(['component']);
    expect(diagnostics[0]!.message).toMatch(message);
  });

  /** Two segments, the second from 0.5 on. */
  const twice = (declare: (segment: Segment, second: boolean) => void): Partial<BuiltIn> => ({
    begin(_, segment) {
      segment.state('x', { start: segment.previous('x') ?? 0, size: [] });
      declare(segment, segment.time > 0);
      if (segment.time === 0) segment.nextEvent(0.5);
    },
    derivatives: (_, { dx }) => dx.fill(1),
    variables: (_, { w }) => w.fill(1),
    event: (_, event) => void (event.due && event.restart()),
  });

  it.each<[string, (segment: Segment, second: boolean) => void, string]>([
    [
      'the unit of a state',
      (segment, second) => segment.state('a', { start: 0, unit: second ? 'km' : 'm' }),
      'the unit of a is "km", but was "m" in a segment before',
    ],
    [
      'the unit of a variable',
      (segment, second) => segment.variable('a', { unit: second ? '' : 's' }),
      'the unit of a is "", but was "s" in a segment before',
    ],
    [
      'the unit of an array that grows',
      (segment, second) =>
        segment.state('a', { start: second ? [1, 2] : [1, 2, 3], unit: second ? 'km' : 'm' }),
      'the unit of a is "km", but was "m" in a segment before',
    ],
    [
      'the unit of what was a state and is a variable',
      (segment, second) =>
        second ? segment.variable('a', { unit: 'km' }) : segment.state('a', { start: 0, unit: 'm' }),
      'the unit of a is "km", but was "m" in a segment before',
    ],
    [
      'the value of a constant',
      (segment, second) => segment.constant('a', { value: second ? 1 : 2 }),
      'the constant a is not what it was in a segment before',
    ],
  ])('%s changes between segments', async (_, declare, message) => {
    const { status, time, diagnostics } = await run(twice(declare));
    expect([status, time]).toEqual(['failed', 0.5]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['component']);
    expect(diagnostics[0]!.message).toContain(message);
  });

  it('is none where segments declare the same again', async () => {
    const declare = (segment: Segment) => {
      segment.state('a', { start: 0, unit: 'm' });
      segment.variable('b', { unit: 's' });
      segment.constant('c', { value: [1, 2], unit: 'kg' });
    };
    const { status, segments, diagnostics } = await run(twice(declare));
    expect([status, segments.length, diagnostics]).toEqual(['done', 2, []]);
  });

  it('where many states and no pattern meet an implicit method', async () => {
    const large: Partial<BuiltIn> = {
      begin: (_, segment) => segment.state('x', { start: 0, size: 20_000 }),
      derivatives: (_, { dx }) => dx.fill(1),
    };
    const { diagnostics } = await run(large, { method: 'bdf', intervals: 1 });
    expect(diagnostics[0]).toMatchObject({ code: 'limit-exceeded' });
    expect(diagnostics[0]!.hint).toContain('`pattern`');
    expect((await run(large, { method: 'rk', intervals: 1 })).status).toBe('done');
  });

  it('parameters come as they are declared', async () => {
    const seen: unknown[] = [];
    const allocate: BuiltIn['allocate'] = (instance) => {
      seen.push(instance.path, instance.number('k'), instance.parameter('v'), instance.parameter('s'));
      seen.push([...instance.numbers('v')], instance.sizes('v'), instance.sizes('k'));
      return undefined;
    };
    const { status } = await run({ allocate });
    expect(status).toBe('done');
    expect(seen).toEqual(['part', 2, [1, 2, 3], 'text', [1, 2, 3], [3], []]);
  });
});

describe('a class that does not fit', () => {
  const problem = (text: string, builtIns: BuiltIn[]) => {
    try {
      loadModel(text, 'M', {}, { builtIns });
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      const { code, message, hint, span } = failure.diagnostics[0]!;
      return { code, message, hint, place: span?.source.text.slice(span.start, span.end) };
    }
    throw new Error('it fits');
  };

  it('names a component that nobody gave', () => {
    expect(problem(source, [{ ...sound, name: 'parts' }])).toEqual({
      code: 'unknown-name',
      message: 'There is no built-in component "part".',
      hint: 'Did you mean "parts"?',
      place: 'builtIn = "part"',
    });
    expect(problem(source, []).hint).toContain('{ builtIns: [ … ] }');
    expect(problem(source, [{ ...sound, name: 'rocket' }]).hint).toBe('Those that were given are "rocket".');
  });

  it('cannot choose between two components of one name', () => {
    expect(problem(source, [sound, { ...sound }])).toMatchObject({
      code: 'duplicate-name',
      message: 'Two different built-in components are named "part".',
    });
    expect(loadModel(source, 'M', {}, { builtIns: [sound, sound] }).components).toHaveLength(1);
  });

  it.each([
    [{ inputs: ['U'] }, 'unknown-name', 'reads U, which its class does not have', 'The class has u.'],
    [{ outputs: { z: [] } }, 'unknown-name', 'determines z, which its class does not have', undefined],
    [{ outputs: { k: [] } }, 'type-mismatch', 'determines k, which is a parameter', undefined],
    [{ inputs: ['s'] }, 'type-mismatch', 'reads s, which is a String', undefined],
    [
      { outputs: { y: ['w'] } },
      'unknown-name',
      'says that w acts on y, but w is none of its inputs',
      undefined,
    ],
  ] as const)('%j', (changes, code, message, hint) => {
    const found = problem(source, [{ ...sound, ...changes } as BuiltIn]);
    expect(found.code).toBe(code);
    expect(found.message).toContain(message);
    expect(found.place).toBe('builtIn = "part"');
    if (hint) expect(found.hint).toBe(hint);
  });

  it('has equations that cannot be read', () => {
    const broken = problem(source, [{ ...sound, equations: 'der(y) = = u;' }]);
    expect(broken.code).toBe('syntax-error');
    expect(problem(source, [{ ...sound, equations: 'der(y) = q;' }]).code).toBe('unknown-name');
  });

  it('has too few equations around it', async () => {
    const text = source.replace('output Real y;', 'output Real y; Real open;');
    const { diagnostics } = await simulate(loadModel(text, 'M', {}, { builtIns: [sound] }));
    expect(diagnostics[0]).toMatchObject({ code: 'unbalanced' });
    expect(diagnostics[0]!.message).toContain('1 equation missing');
  });

  it('is checked without a run', () => {
    const found = check(loadModel(source, 'M', {}, { builtIns: [sound] }));
    expect([found.status, found.diagnostics]).toEqual(['ok', []]);
  });
});

describe('a member that is misspelt', () => {
  const said = (builtIn: object) =>
    instantiate(source, { builtIns: [builtIn as BuiltIn] }).diagnostics.map((problem) =>
      renderDiagnostic(problem),
    );

  it('is told, also in a class', () => {
    const expected = (name: string, meant: string) =>
      [
        `model.mo:8:24: warning: The built-in component "part" has a member \`${name}\`, which nothing calls. [component]`,
        '  8 |   annotation(__Mutabor(builtIn = "part"));',
        '    |                        ^^^^^^^^^^^^^^^^',
        `  hint: Did you mean \`${meant}\`?`,
      ].join('\n');
    expect(said({ ...sound, evnt: () => {} })).toEqual([expected('evnt', 'event')]);
    class Part {
      name = 'part';
      inputs = ['u'];
      outputs = { y: [] };
      own = 3;
      allocate() {}
      begin() {}
      stateOutputs() {}
      indicator() {}
    }
    expect(said(new Part())).toEqual([expected('indicator', 'indicators')]);
  });

  it('is not told where it is something else', () => {
    expect(said({ ...sound, table: [1, 2], derivativesOf: () => {} })).toEqual([]);
  });
});
