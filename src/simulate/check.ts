/** Looking at a model without simulating it: the structure of its initial mode, and the code made from it. */

import { disassemble } from '../code/disassemble.ts';
import { encodeUnit } from '../code/wasm.ts';
import { remember } from '../collections/memo.ts';
import type { Diagnostic, Stage } from '../diagnostic/diagnostic.ts';
import { attempted, Failure, failureOf } from '../diagnostic/failure.ts';
import { requireFlat } from '../flat/core/require.ts';
import type { FlatModel } from '../flat/flat.ts';
import type { GuardedModel } from '../modes/guarded.ts';
import type { Mode } from '../modes/mode.ts';
import type { CompiledMode } from '../program/mode/compiled.ts';
import { parameterWarnings } from '../program/parameters.ts';
import type { Runtime } from '../program/runtime.ts';
import { FloatingWatch } from '../program/values/floating.ts';
import { missingWarnings } from '../symbolic/foreign.ts';
import { asInRun } from './begun.ts';
import { UnseenWatch } from './instant/unseen.ts';
import { journeyOf, type StageReport } from './journey.ts';
import { Engine } from './run/engine.ts';
import { type ModeStructure, structureOf } from './structure.ts';

/** What the structure of the initial mode looks like. */
export interface ModelCheck extends ModeStructure {
  readonly status: 'ok' | 'failed';
  readonly stage?: Stage;
  /** Scalar counts before any elimination. */
  readonly unknowns: number;
  readonly equations: number;
  readonly signature: string;
  /** States of built-in components, as these declare them for the start; `count` of scalars. */
  readonly hidden: readonly { readonly name: string; readonly count: number }[];
  /** Readable text of the generated code. */
  readonly code: () => string;
  /** What each stage made of the model, up to the initial mode. */
  readonly stages: () => readonly StageReport[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Analyses the initial mode, that which start values ask for or, where it is none, that in which a run begins, and compiles it. */
export function check(flat: FlatModel): ModelCheck {
  requireFlat(flat, 'check');
  let counts = { unknowns: 0, equations: 0 };
  const found = attempted(() =>
    asInRun(flat, {}, ({ runtime, bank }, settings, notes) => {
      counts = countsOf(runtime);
      runtime.begin();
      return checkInitialMode(flat, runtime, new Engine(runtime, settings, bank), notes);
    }),
  );
  if (!(found instanceof Failure)) return found;
  const { stage, diagnostics } = found;
  const nothing = {
    signature: '',
    hidden: [],
    states: [],
    index: 0,
    assignments: 0,
    loops: 0,
    systems: [],
    floating: [],
    code: () => '',
    stages: () => [],
  };
  return { status: 'failed', stage, ...counts, ...nothing, diagnostics };
}

function checkInitialMode(
  flat: FlatModel,
  runtime: Runtime,
  engine: Engine,
  notes: readonly Diagnostic[],
): ModelCheck {
  const mode = initialMode(runtime, engine);
  return {
    status: 'ok',
    ...countsOf(runtime, mode.mode),
    signature: mode.mode.signature,
    ...structureOf(runtime, mode.sorted),
    hidden: mode.hiddenStates(),
    code: () => disassemble(encodeUnit(mode.unit, runtime.values.memory), { nameOfSlot: slotNames(runtime) }),
    stages: () => journeyOf(flat, runtime, mode),
    diagnostics: [
      ...notes,
      ...parameterWarnings(runtime.values, runtime.wording),
      ...missingWarnings(runtime.model.functions),
      ...engine.diagnostics,
      ...new FloatingWatch(runtime.values, runtime.wording).warnings(mode.mode, mode.sorted, false),
      ...new UnseenWatch(runtime).warnings(mode.sorted),
    ],
  };
}

function initialMode(runtime: Runtime, engine: Engine): CompiledMode {
  const mode = attempted(() => engine.enterInitialMode());
  if (!(mode instanceof Failure)) return mode;
  if (runtime.model.conditions.length === 0) throw mode;
  // A run may find another mode in place of one that cannot be.
  const failure = failureOf(() => {
    runtime.begin();
    engine.initialise();
  });
  if (failure) throw mode;
  return engine.initialMode!;
}

/** What lies in a slot: variables, their derivatives and left limits. */
function slotNames({ values, wording, model }: Runtime): (slot: number) => string | undefined {
  const { pool } = values;
  const names = new Map<number, string>([[values.slot(pool.time), 'time']]);
  for (const symbol of model.scalars.keys()) {
    for (let order = 0; order < 3; order++) {
      const ref = pool.ref(symbol, order);
      names.set(values.slot(ref), wording.nameOfRef(ref));
    }
  }
  for (const symbol of model.remembered)
    names.set(values.slot(pool.pre(symbol)), `pre(${wording.nameOf(symbol)})`);
  for (const k of model.relations.keys()) names.set(values.slot(pool.held(k)), wording.print(pool.held(k)));
  return (slot) => names.get(slot) ?? values.memory.constantAt(slot)?.toString();
}

/** Scalar counts of a mode, or of the whole model where no mode is known; what lowering added is not counted. */
export function countsOf(
  { model, components }: Runtime,
  mode?: Mode,
): { unknowns: number; equations: number } {
  const { unknowns, equations } = remember(counts, mode ?? model, () => scalarCounts(model, mode));
  const vector = components.live.reduce(
    (sum, { component }) => sum + (component.flat.arrays?.scalars ?? 0),
    0,
  );
  return { unknowns: unknowns + vector, equations: equations + vector };
}

const counts = new WeakMap<Mode | GuardedModel, { readonly unknowns: number; readonly equations: number }>();

function scalarCounts(model: GuardedModel, mode: Mode | undefined): { unknowns: number; equations: number } {
  const declared = (symbol: number) => {
    const { variable } = model.scalars[symbol]!;
    return variable !== undefined && !variable.copy;
  };
  const isUnknown = (symbol: number) =>
    ['continuous', 'discrete'].includes(model.scalars[symbol]!.kind) && declared(symbol);
  const symbols = mode ? mode.variables.map((v) => v.symbol) : [...model.scalars.keys()];
  const equations: readonly { readonly assigns: number | undefined }[] = mode?.equations ?? model.equations;
  // Each copy has one equation that says so, unless the event engine sets it; what is assigned is not counted among the written ones.
  const copies = model.scalars.filter(
    ({ kind, variable }) => variable?.copy && !variable.engine && kind !== 'discrete',
  ).length;
  const written = equations.filter((e) => e.assigns === undefined || declared(e.assigns)).length;
  return { unknowns: symbols.filter(isUnknown).length, equations: written - copies };
}
