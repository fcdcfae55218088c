/** The law of the state of a run: an engine that resumes it goes on, bit by bit, as the one does that it was taken from. */
import { deserialize, serialize } from 'node:v8';
import fc from 'fast-check';
import { expect } from 'vitest';
import { Failure } from '../../src/diagnostic/failure.ts';
import { type FlatModel, loadModel, type SimulateOptions } from '../../src/index.ts';
import { Translation } from '../../src/program/translation.ts';
import { Engine, type RunState } from '../../src/simulate/run/engine.ts';
import { driveInputs } from '../../src/simulate/run/inputs.ts';
import { settingsOf } from '../../src/simulate/settings.ts';

/** Calls of `advance` that are compared, and a run that is longer ends there. */
const most = 3000;

/** Bits of all variables after each `advance`, and why the run failed at last. */
type Trace = readonly (BigUint64Array | string)[];

export class Run {
  private readonly translation: Translation;
  private readonly settings;
  private readonly inputs;
  /** The same in another translation, which has seen nothing of this one. */
  readonly elsewhere: () => Run;

  constructor(text: string | FlatModel, options: SimulateOptions = {}, scalars = true) {
    const model = typeof text === 'string' ? loadModel(text) : text;
    this.elsewhere = () => new Run(text, options, scalars);
    this.settings = settingsOf(model.experiment, options);
    const driving = options.inputs && driveInputs(model, this.settings, options, new WeakMap());
    this.inputs = driving?.rows;
    const flat = driving?.flat ?? model;
    const manner = { interpret: false, written: new Set<string>(), scalars };
    this.translation = new Translation(flat, { ...this.settings, ...manner });
    expect(scalars || this.translation.hasArrays).toBe(true);
  }

  /** A run from the beginning or from a state; `look` is given the engine before each `advance`. */
  trace(from?: RunState, look: (engine: Engine, k: number) => void = () => {}): Trace {
    const { runtime, bank, model } = this.translation;
    this.translation.begin(new Map(), model, []);
    const engine = new Engine(runtime, this.settings, bank, this.inputs);
    if (from) engine.resume(from);
    else engine.initialise();
    const { values } = runtime;
    const leaves = [...model.scalars.keys()].flatMap((symbol) => [
      values.pool.ref(symbol),
      values.pool.ref(symbol, 1),
    ]);
    const hidden = () =>
      runtime.components.live.flatMap(({ point }) => [...point.x, ...point.dx, ...point.w, ...point.z]);
    const bits = () =>
      new BigUint64Array(
        Float64Array.from([engine.time, ...leaves.map((leaf) => values.get(leaf)), ...hidden()], (v) => v)
          .buffer,
      );
    const found: (BigUint64Array | string)[] = [];
    for (let k = 0; k < most; k++) {
      look(engine, k);
      try {
        if (!engine.advance()) break;
        found.push(bits());
      } catch (problem) {
        if (!(problem instanceof Failure)) throw problem;
        return [...found, problem.diagnostics[0]!.message];
      }
    }
    return found;
  }
}

/** States taken at random from a run, which does not notice; all that follows from each of them is what followed there. */
export function expectContinued(run: Run, count = 4): void {
  const whole = run.trace();
  expect(whole.length).toBeGreaterThan(0);
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat({ max: whole.length - 1 }), { minLength: 1, maxLength: count }),
      (places) => expectSame(run, whole, places),
    ),
    { numRuns: 1 },
  );
}

/** As `expectContinued`, with states just before and just after built-in components begin segments of their own; there must be so many of these. */
export function expectContinuedAtRestarts(run: Run, count: number): void {
  const after: number[] = [];
  let restarts = 0;
  const whole = run.trace(undefined, ({ counters }, k) => {
    if (k > 0 && counters.restarts > restarts) after.push(k);
    restarts = counters.restarts;
  });
  expect(after.length).toBe(count);
  expect(whole.at(-1)).not.toBeTypeOf('string');
  expectSame(
    run,
    whole,
    after.flatMap((k) => [k - 1, k]),
  );
}

function expectSame(run: Run, whole: Trace, places: readonly number[]): void {
  const states = new Map<number, RunState>();
  const again = run.trace(undefined, (engine, k) => {
    if (places.includes(k)) states.set(k, engine.state());
  });
  expectEqual(again, whole);
  for (const [k, state] of states) {
    const written: RunState = deserialize(serialize(state));
    expectEqual(run.trace(written).slice(0, whole.length - k), whole.slice(k, k + most));
    expectEqual(
      run
        .elsewhere()
        .trace(written)
        .slice(0, whole.length - k),
      whole.slice(k, k + most),
    );
  }
}

/** `toEqual` takes longer for the bits of a run than the run: it sees only the place where traces part. */
function expectEqual(found: Trace, wanted: Trace): void {
  const length = Math.max(found.length, wanted.length);
  for (let k = 0; k < length; k++) {
    const [a, b] = [found[k], wanted[k]];
    const isSame =
      typeof a === 'object' && typeof b === 'object' ? Buffer.compare(bytes(a), bytes(b)) === 0 : a === b;
    if (!isSame) expect({ advance: k, values: a }).toEqual({ advance: k, values: b });
  }
}

const bytes = ({ buffer }: BigUint64Array): Uint8Array => new Uint8Array(buffer);
