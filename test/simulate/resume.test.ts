/** Runs that go on where another one ended: beyond its stop time, from a state that was written down, in another translation. */
import { describe, expect, test } from 'vitest';
import {
  type Failure,
  instantiate,
  loadModel,
  readResults,
  type SimulateOptions,
  type SimulationResult,
  simulate,
  stateFromText,
  stateToText,
} from '../../src/index.ts';
import { audited } from '../audited.ts';
import { example } from './notation.ts';

/** The bits of all values, row by row. */
function bits({ table }: SimulationResult): string[] {
  const row = new Float64Array(table.size);
  return Array.from({ length: table.rowCount }, (_, k) => {
    table.row(k, row);
    return Buffer.from(Float64Array.of(table.time[k]!, ...row).buffer).toString('hex');
  });
}

const last = ({ table }: SimulationResult, name: string): number => table.at(name, table.rowCount - 1);

const swing =
  'model Swing parameter Real k = 1; Real x(start = 1, fixed = true), v(start = 0, fixed = true); equation der(x) = v; der(v) = -k*x; annotation(experiment(StopTime = 1)); end Swing;';

describe('beyond the stop time', () => {
  test('closed form, again and again', async () => {
    const model = instantiate(swing);
    await model.simulate({ stopTime: 1, tolerance: 1e-9, resumable: true });
    for (const stopTime of [2.5, 4, 7]) {
      const before = model.lastResult!.time;
      const result = audited(await model.continue({ stopTime, audit: true }));
      expect([result.status, result.table.time[0], result.time]).toEqual(['done', before, stopTime]);
      expect(last(result, 'x')).toBeCloseTo(Math.cos(stopTime), 6);
    }
  });

  test('values of the run stay, and its length is that of the experiment where nothing is said', async () => {
    const model = instantiate(swing);
    await model.simulate({ merge: { k: 4 }, tolerance: 1e-9, resumable: true });
    const result = await model.continue();
    expect(result.time).toBe(2);
    expect(last(result, 'x')).toBeCloseTo(Math.cos(4), 6);
  });

  test.each([
    'HybridAutomaton',
    'BuckConverter',
    'SampledDrive',
    'ClockedMachines',
    'DoublePendulumInSpace',
    'Arm',
    'HeatRod',
    'VaryingStates',
    'DriveTrain',
  ])(
    'the example %s, in memory, from a text and in another translation: bit by bit the same',
    async (name) => {
      const flat = loadModel(example(name));
      const stop = flat.experiment.stopTime!;
      const options: SimulateOptions = { intervals: 20 };
      const model = instantiate(flat);
      const first = await model.simulate({ ...options, stopTime: 0.4 * stop, resumable: true });
      expect(first.status).toBe('done');
      const text = stateToText(first.state!);
      const here = await model.continue({ stopTime: stop });
      expect(here.diagnostics.filter((d) => d.severity === 'error')).toEqual([]);
      expect(here.time).toBe(stop);
      const elsewhere = await simulate(loadModel(example(name)), {
        ...options,
        resume: stateFromText(text),
        stopTime: stop,
      });
      expect(bits(elsewhere)).toEqual(bits(here));
      const whole = await simulate(flat, { ...options, stopTime: stop, tolerance: 1e-9 });
      for (const signal of whole.table.names
        .filter((one) => /\b(x|v|i|T|phi)(\[\d+\])?$/.test(one))
        .slice(0, 5)) {
        const size = whole.table
          .get(signal)
          .reduce((most, value) => Math.max(most, Math.abs(value) || 0), 1e-3);
        expect(Math.abs(last(here, signal) - last(whole, signal)) / size, signal).toBeLessThan(1e-2);
      }
    },
    60_000,
  );

  test('a run with inputs goes on with them', async () => {
    const model = instantiate(
      'model Driven input Real u; Real x(start = 0, fixed = true); equation der(x) = u; end Driven;',
    );
    await model.simulate({ inputs: { time: [0, 1, 3], u: [0, 2, 0] }, stopTime: 1.5, resumable: true });
    const result = await model.continue({ stopTime: 3 });
    expect(last(result, 'x')).toBeCloseTo(3, 9);
  });

  test('what happens at an end does not belong to the state', async () => {
    const model = instantiate(
      'model Ends Real x(start = 1, fixed = true); discrete Integer n(start = 0, fixed = true); equation der(x) = -x; when terminal() then n = pre(n) + 1; reinit(x, 50); end when; end Ends;',
    );
    const first = await model.simulate({ stopTime: 1, tolerance: 1e-9, resumable: true });
    expect([last(first, 'n'), last(first, 'x')]).toEqual([1, 50]);
    const second = await model.continue({ stopTime: 2 });
    expect(second.table.at('x', 0)).toBeCloseTo(Math.exp(-1), 7);
    expect(last(second, 'n')).toBe(1);
  });
});

describe('what cannot go on', () => {
  const problems = async (options: SimulateOptions, text = swing): Promise<string[]> =>
    (await simulate(loadModel(text), options)).diagnostics.map((d) => `${d.code}: ${d.message}`);

  test('is told', async () => {
    const model = instantiate(swing);
    await expect(model.continue()).rejects.toMatchObject({ message: 'There is no run that could go on.' });
    const plain = await model.simulate();
    expect(plain.state).toBe(undefined);
    await expect(model.continue()).rejects.toMatchObject({
      message: 'The last run has no state that another one could go on from.',
    });
    const { state } = await model.simulate({ resumable: true, tolerance: 1e-5 });
    expect(await problems({ resume: state!, tolerance: 1e-9 })).toEqual([
      'bad-option: A run goes on with what it began with: `tolerance` is 0.00001, and cannot become 1e-9.',
    ]);
    expect(await problems({ resume: state!, stopTime: 0.5 })).toEqual([
      'bad-option: The stop time 0.5 lies before 1, where the run goes on.',
    ]);
    expect(await problems({ resume: {} as never })).toEqual([
      'bad-start: What a run is to go on from is no state of a run.',
    ]);
    expect(
      await problems(
        { resume: state! },
        'model Other Real z(start = 1, fixed = true); equation der(z) = -z; end Other;',
      ),
    ).toEqual([
      'bad-start: The state is that of another model, or of other values that shape it: of `Swing`.',
    ]);
    expect(await problems({ resume: state!, from: plain.table })).toEqual([
      'bad-option: A run goes on from a state or from a result, not from both.',
    ]);
    for (const text of ['', '{}', '{"$": "Map"}', 'null'])
      expect(() => stateFromText(text)).toThrow(
        expect.objectContaining({ message: 'The text is no state of a run.' }) as Failure,
      );
  });
});

test('a result with values that an Integer, a Boolean or an enumeration cannot have is refused', async () => {
  const model =
    loadModel(`model M type E = enumeration(a, b); Real x(start = 1, fixed = true); discrete Integer k(start = 3, fixed = true);
    Boolean b(start = false, fixed = true); E e(start = E.a, fixed = true);
    equation der(x) = -x; when sample(0.25, 0.5) then k = pre(k) + 2; b = not pre(b); e = if pre(e) == E.a then E.b else E.a; end when; end M;`);
  const from = (k: number, b: number, e: number) =>
    simulate(model, {
      from: readResults(new TextEncoder().encode(`time,x,k,b,e\n0,1,${k},${b},${e}\n`)),
      stopTime: 1,
    });
  const { table } = await from(5, 1, 2);
  expect(['k', 'b', 'e'].map((name) => table.at(name, table.rowCount - 1))).toEqual([9, 1, 2]);
  for (const [k, b, e, text] of [
    [3.5, 0, 1, 'The result has 3.5 for `k`, which is an Integer.'],
    [3, 0.5, 1, 'The result has 0.5 for `b`, which is a Boolean.'],
    [3, 0, 3, 'The result has 3 for `e`, which is an enumeration with 2 literals.'],
    [3, 0, 1.5, 'The result has 1.5 for `e`, which is an enumeration with 2 literals.'],
  ] as const) {
    const { status, diagnostics } = await from(k, b, e);
    expect([status, ...diagnostics.map(({ message }) => message)]).toEqual(['failed', text]);
  }
});
