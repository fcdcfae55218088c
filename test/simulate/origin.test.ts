/** Runs that begin with a row of a result: they go on as the one run would that was not cut. */
import { describe, expect, test } from 'vitest';
import { loadModel, type SimulateOptions, type SimulationResult, simulate } from '../../src/index.ts';
import {
  fromArrays,
  readArrow,
  readCsv,
  readJson,
  readMat,
  type SignalTable,
  toArrow,
  toCsv,
  toJson,
  toMat,
} from '../../src/results.ts';
import { audited } from '../audited.ts';
import { example } from './notation.ts';

const tolerance = 1e-9;

/** A run in two parts, and the same in one. */
async function parts(
  text: string,
  cut: number,
  stop: number,
  through: (table: SignalTable) => SignalTable = (table) => table,
  options: SimulateOptions = {},
) {
  const model = loadModel(text);
  const first = await simulate(model, { ...options, stopTime: cut, tolerance });
  const second = audited(
    await simulate(model, { ...options, from: through(first.table), stopTime: stop, tolerance, audit: true }),
  );
  const whole = await simulate(model, { ...options, stopTime: stop, tolerance });
  expect(second.diagnostics.filter((d) => d.severity === 'error')).toEqual([]);
  expect(second.table.time[0]).toBe(cut);
  return { first, second, whole };
}

const last = ({ table }: SimulationResult, name: string): number => table.at(name, table.rowCount - 1);

function same(a: SimulationResult, b: SimulationResult, share = 1e-6): void {
  for (const name of a.table.names) {
    const [x, y] = [last(a, name), last(b, name)];
    if (Number.isNaN(x) && Number.isNaN(y)) continue;
    const size = a.table.get(name).reduce((most, value) => Math.max(most, Math.abs(value) || 0), 1e-3);
    expect(Math.abs(x - y), `${name}: ${x}, ${y}`).toBeLessThanOrEqual(share * size);
  }
}

describe('values', () => {
  test('closed form: a swing goes on', async () => {
    const { second } = await parts(
      'model Swing Real x(start = 1, fixed = true), v(start = 0, fixed = true); equation der(x) = v; der(v) = -x; end Swing;',
      1,
      4,
    );
    expect(last(second, 'x')).toBeCloseTo(Math.cos(4), 7);
    expect(last(second, 'v')).toBeCloseTo(-Math.sin(4), 7);
    expect(second.diagnostics).toEqual([]);
  });

  test.each([
    'IdealClutch',
    'BouncingBall',
    'HybridAutomaton',
    'MergedAutomaton',
    'Recipient',
    'ChargeSharing',
    'SampledDrive',
    'ClockedMachines',
    'StickSlip',
    'BuckConverter',
    'VaryingStates',
    'BreakingPendulum',
    'Tanks',
    'TwoMachines',
  ])('the example %s', async (name) => {
    const stop = loadModel(example(name)).experiment.stopTime!;
    for (const cut of [0.37, 0.73]) {
      const { second, whole } = await parts(example(name), cut * stop, stop);
      same(whole, second);
    }
  });

  test('initial equations and when initial() belong to the first run', async () => {
    const { second } = await parts(
      `model Once Real x; discrete Integer n(start = 0, fixed = true); discrete Real seen(start = 0, fixed = true);
        initial equation x = 5; equation der(x) = -x; when initial() then n = pre(n) + 1; end when;
        when x < 1 then seen = time; end when; end Once;`,
      1,
      3,
    );
    expect(last(second, 'x')).toBeCloseTo(5 * Math.exp(-3), 7);
    expect(last(second, 'n')).toBe(1);
    expect(last(second, 'seen')).toBeCloseTo(Math.log(5), 6);
  });

  test('what happened at the time of the row does not happen again', async () => {
    const text = `model Ticks discrete Integer n(start = 0, fixed = true), m(start = 0, fixed = true), k(start = 0, fixed = true);
      equation when sample(0, 0.25) then n = pre(n) + 1; end when;
      when time >= 1 then m = pre(m) + 1; end when;
      when Clock(1, 10) then k = previous(k) + 1; end when; end Ticks;`;
    const { second, whole } = await parts(text, 1, 2);
    expect([last(whole, 'n'), last(whole, 'm'), last(whole, 'k')]).toEqual([9, 1, 21]);
    expect([last(second, 'n'), last(second, 'm'), last(second, 'k')]).toEqual([9, 1, 21]);
    // A clock ticks since the first run began, wherever that was cut.
    const cut = await parts(text, 1.05, 2);
    expect(last(cut.second, 'k')).toBe(21);
  });

  test.each([
    ['that rounded values of time decide', 'mod(time, 1) < 0.5', 1.3, 5],
    ['that rounded states decide', 'x - floor(x) < 0.5', 1.3, 5],
    ['at the instant at which it happens, by a strict relation of time', 'time > 0.5', 0.5, 1],
    ['that a pulse of integers decides', 'rem(integer(4*time), 4) < 2', 2.25, 5],
  ])('a change is counted once, %s', async (_, condition, cut, count) => {
    const text = `model Counted
        Real x(start = 0, fixed = true), y;
        Boolean on = ${condition};
        Integer changes(start = 0, fixed = true);
      equation
        der(x) = 1;
        if on then y = x; end if;
        when {on, not on} then
          changes = pre(changes) + 1;
        end when;
      end Counted;`;
    const { second } = await parts(text, cut, 2.6);
    expect(last(second, 'changes')).toBe(count);
  });

  test('parameters that initial equations determined keep their values', async () => {
    const { second } = await parts(
      'model Fitted parameter Real p(fixed = false); Real x(start = 2, fixed = true); initial equation der(x) = 6; equation der(x) = p*x; end Fitted;',
      0.1,
      0.2,
    );
    expect(last(second, 'p')).toBeCloseTo(3, 9);
    expect(last(second, 'x')).toBeCloseTo(2 * Math.exp(0.6), 7);
  });

  test('one of several solutions is the one that was followed', async () => {
    const { second } = await parts(
      'model Branch Real x(start = 1, fixed = true), y(start = -1); equation der(x) = 1; y^2 = x; end Branch;',
      1,
      2,
    );
    expect(last(second, 'y')).toBeCloseTo(-Math.sqrt(3), 8);
  });

  test('inputs follow their table, or keep what they were', async () => {
    const text =
      'model Driven input Real u; Real x(start = 0, fixed = true); equation der(x) = u; end Driven;';
    const inputs = { time: [0, 4], u: [0, 4] };
    const { second } = await parts(text, 1, 3, undefined, { inputs });
    expect(last(second, 'x')).toBeCloseTo(4.5, 7);
    const first = await simulate(loadModel(text), { inputs, stopTime: 2 });
    const kept = await simulate(loadModel(text), { from: first.table, stopTime: 3 });
    expect(last(kept, 'x')).toBeCloseTo(2 + 2, 6);
    expect(kept.diagnostics).toEqual([]);
  });
});

describe('files', () => {
  const formats: Record<string, (table: SignalTable) => SignalTable> = {
    csv: (table) => readCsv(toCsv(table)),
    mat: (table) => readMat(toMat(table)),
    arrow: (table) => readArrow(toArrow(table)),
    json: (table) => readJson(toJson(table)),
  };

  test.each(Object.keys(formats))('%s', async (format) => {
    for (const name of ['HybridAutomaton', 'IdealClutch', 'House']) {
      const stop = loadModel(example(name)).experiment.stopTime!;
      const { second, whole } = await parts(example(name), 0.4 * stop, stop, formats[format]!);
      same(whole, second);
    }
  });

  test('states that arrays have in loops', async () => {
    const { second, whole } = await parts(example('HeatRod'), 8, 20, formats.csv!);
    for (const name of whole.table.names.filter((text) => /^T\[/.test(text)))
      expect(last(second, name)).toBeCloseTo(last(whole, name), 5);
  });
});

describe('rows', () => {
  const model = loadModel(
    'model Decay parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = -k*x; annotation(experiment(StopTime = 2)); end Decay;',
  );

  test('by time, and how long the run takes', async () => {
    const { table } = await simulate(model, { tolerance });
    const again = await simulate(model, { from: table, fromTime: 1, tolerance });
    expect([again.table.time[0], again.time]).toEqual([1, 2]);
    expect(last(again, 'x')).toBeCloseTo(Math.exp(-2), 7);
    const on = await simulate(model, { from: table, tolerance });
    expect([on.table.time[0], on.time]).toEqual([2, 4]);
    expect(last(on, 'x')).toBeCloseTo(Math.exp(-4), 7);
    const elsewhere = await simulate(model, { from: table, startTime: 10, stopTime: 11, tolerance });
    expect(last(elsewhere, 'x')).toBeCloseTo(Math.exp(-3), 7);
    const between = await simulate(model, { from: table, fromTime: 1.001, stopTime: 2, tolerance });
    expect(between.table.time[0]).toBe(1);
    expect(between.diagnostics.map((d) => d.message)).toEqual([
      'The result has no row at 1.001 s; the run begins with the one before it, at 1 s.',
    ]);
  });

  const problems = async (options: SimulateOptions, from = model): Promise<string[]> => {
    const result = await simulate(from, { stopTime: 5, ...options });
    return result.diagnostics.map((d) => `${d.severity} ${d.code}: ${d.message}`);
  };

  test('what is wrong', async () => {
    const { table } = await simulate(model);
    expect(await problems({ from: table, fromTime: 3 })).toEqual([
      'error bad-start: The result has no values at 3 s: it goes from 0 s to 2 s.',
    ]);
    expect(await problems({ from: table, fromTime: -1 })).toEqual([
      'error bad-start: The result has no values at -1 s: it goes from 0 s to 2 s.',
    ]);
    expect(await problems({ fromTime: 3 })).toEqual([
      'error bad-option: The option `fromTime` says which row of a result a run begins with, but there is none.',
    ]);
    expect(await problems({ from: { table } as never })).toEqual([
      'error bad-start: A run can begin with a `SignalTable`, not with an object.',
    ]);
    expect(await problems({ from: fromArrays({ time: [0], z: [3] }) })).toEqual([
      'error bad-start: The result has no variable of the model.',
    ]);
    expect(await problems({ from: fromArrays({ time: [], x: [] }) })).toEqual([
      'error bad-start: The result has no rows, so that no run can begin with it.',
    ]);
    expect(
      await problems(
        { from: fromArrays({ time: [0], x: [3] }, { units: { x: 'm' } }) },
        loadModel('model Long Real x(unit = "km", start = 0, fixed = true); equation der(x) = 0; end Long;'),
      ),
    ).toEqual(['error bad-start: The result has `x` in m, the model in km.']);
    expect(await problems({ from: table, stopTime: 1 })).toEqual([
      'error bad-option: The stop time 1 lies before the start time 2.',
    ]);
  });

  test('what is missing, and what is other', async () => {
    const { table } = await simulate(model);
    expect(
      await problems(
        { from: table },
        loadModel(
          'model More parameter Real k = 2; Real x(start = 1, fixed = true), y(start = 4, fixed = true); equation der(x) = -k*x; der(y) = 0; end More;',
        ),
      ),
    ).toEqual([
      'warning bad-start: The result does not have `y`; start values are used.',
      'info bad-start: Parameters are others than in the result: k = 2 (in the result 1).',
    ]);
  });

  test('components that remember more than a result holds', async () => {
    const late = loadModel(
      'model Late Real x(start = 1, fixed = true), y; equation der(x) = -y; y = delay(x, 0.5); end Late;',
    );
    const { table } = await simulate(late);
    expect(await problems({ from: table }, late)).toEqual([
      `error bad-start: The built-in component 'delay 1' ("delay") remembers more than a result holds: no run can begin with one.`,
    ]);
    const { diagnostics } = await simulate(late, { from: table, stopTime: 2 });
    expect(diagnostics[0]!.hint).toContain('with `resumable: true` a run gives its `state`');
  });

  test('a file with few variables: aliases stand for states', async () => {
    const tied = loadModel(
      'model Tied Real x(start = 1, fixed = true), y; equation der(x) = -x; y = -x; end Tied;',
    );
    const result = await simulate(tied, {
      from: fromArrays({ time: [0, 1], y: [-1, -0.5] }),
      stopTime: 2,
      tolerance,
    });
    expect(last(result, 'x')).toBeCloseTo(0.5 * Math.exp(-1), 7);
    expect(result.diagnostics).toEqual([]);
  });
});
