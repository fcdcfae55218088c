/** A simulator for tests of the command line: knows one model, remembers what it was asked. */
import type { Core } from '../../src/cli/core.ts';
import { error, type Stage, warning } from '../../src/diagnostic/diagnostic.ts';
import { Failure } from '../../src/diagnostic/failure.ts';
import type { FlatModel } from '../../src/flat/flat.ts';
import { loadModel } from '../../src/index.ts';
import type { Override } from '../../src/model/instances/outside.ts';
import { TableBuilder } from '../../src/results/table/builder.ts';
import type { SimulateOptions } from '../../src/simulate/settings.ts';
import type { SimulationResult, Status } from '../../src/simulate/types.ts';
import { Pool } from '../../src/symbolic/pool.ts';
import { constant, signal } from '../results/signals.ts';

export interface Fake extends Core {
  readonly asked: { name?: string; overrides?: readonly Override[]; options?: SimulateOptions };
}

export interface FakeOptions {
  readonly status?: Status;
  readonly experiment?: FlatModel['experiment'];
  /** Thrown by `simulate`. */
  readonly failure?: Stage;
  readonly during?: (options: SimulateOptions) => void;
}

export function fake({ status = 'done', experiment = {}, failure, during }: FakeOptions = {}): Fake {
  const asked: Fake['asked'] = {};
  return {
    asked,
    translate(_, name, overrides) {
      Object.assign(asked, { name, overrides });
      return { model: flatModel(name, experiment), diagnostics: [warning('no-value', 'take care')] };
    },
    async simulate(model, options = {}) {
      asked.options = options;
      during?.(options);
      if (failure) throw new Failure(failure, [error('not-converged', 'does not converge')]);
      return result(model.name, options.signal?.aborted ? 'stopped' : status, options);
    },
    linearize: () => Promise.reject(new Failure('initialise', [])),
    steadyState: () => Promise.reject(new Failure('initialise', [])),
    instantiate: () => ({ parameters: () => [], variables: () => [] }),
    check: () => ({
      status: 'ok',
      unknowns: 7,
      equations: 7,
      signature: 'closed=false',
      states: ['x', 'y'],
      hidden: [],
      index: 1,
      assignments: 2,
      loops: 0,
      floating: [],
      systems: [{ unknowns: ['a', 'b', 'c'], iterated: 1, linear: false }],
      code: () => '(module)',
      stages: () => [],
      diagnostics: [],
    }),
    exportModelica: () => ({ text: 'model M\nend M;\n', diagnostics: [] }),
    modeEquations: () => undefined,
    surveyModes: () => ({
      status: 'ok',
      modes: [],
      conditions: [],
      machines: [],
      clocks: [],
      components: [],
      combinations: 1,
      complete: true,
      diagnostics: [],
    }),
  };
}

const signals = loadModel(
  'model Signals parameter Real p = 3; Real x = time, y = time; protected Real secret = time; end Signals;',
);

function flatModel(name: string, experiment: FlatModel['experiment']): FlatModel {
  return {
    name,
    description: '',
    pool: new Pool(),
    variables: signals.variables,
    equations: [],
    initialEquations: [],
    functions: [],
    conditions: [],
    machines: [],
    clocks: [],
    components: [],
    experiment,
  };
}

/** x jumps at 0.5 when the mode changes; y ends there; p is a parameter. */
function result(
  model: string,
  status: Status,
  { startTime = 0, stopTime = 1 }: SimulateOptions,
): SimulationResult {
  const builder = new TableBuilder([
    constant('p', 3),
    signal('x', undefined, { role: 'state', unit: 'm' }),
    signal('y', undefined, { role: 'state' }),
    signal('secret', undefined, { hidden: true }),
  ]);
  const middle = (startTime + stopTime) / 2;
  builder.beginSegment('closed=false', [true, true, true]);
  builder.append(startTime, Float64Array.of(1, 2, 0));
  builder.append(middle, Float64Array.of(1.5, 3, 0));
  builder.beginSegment('closed=true', [true, false, true]);
  builder.append(middle, Float64Array.of(4, 0, 0));
  builder.append(stopTime, Float64Array.of(5, 0, 0));
  const impulses = [{ time: middle, variable: 'x', weight: 0.25 }];
  return {
    model,
    status,
    ...(status === 'failed' && { stage: 'simulate' as const }),
    time: stopTime,
    table: builder.finish({ model, impulses }),
    modes: [
      { signature: 'closed=false', from: startTime, to: middle, states: ['x', 'y'], index: 1 },
      { signature: 'closed=true', from: middle, to: stopTime, states: ['x'], index: 2 },
    ],
    segments: [],
    stepsAtRows: [],
    pictures: [],
    visuals: [],
    impulses,
    statistics: {
      translateMs: 1,
      compileMs: 2,
      simulateMs: 3,
      steps: 10,
      evaluations: 20,
      jacobians: 3,
      events: 1,
      modeChanges: 1,
      restarts: 0,
      restartMs: 0,
      knownChanges: 0,
      knownChangeMs: 0,
      newChangeMs: 4,
      translations: 1,
      modesCompiled: 2,
      states: ['x', 'y'],
      unknowns: 7,
      equations: 7,
    },
    diagnostics: status === 'failed' ? [error('step-too-small', 'stuck')] : [],
  };
}
