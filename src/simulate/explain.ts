/** Turns what went wrong at run time into diagnostics that name variables, equations, values and places. */

import type { EvaluationError } from '../code/fault.ts';
import { findFault } from '../code/interpret.ts';
import type { DiagnosticCode } from '../diagnostic/codes.ts';
import { type Diagnostic, error, type Note } from '../diagnostic/diagnostic.ts';
import type { Span } from '../diagnostic/source.ts';
import type { Ref } from '../symbolic/expr.ts';
import type { CompiledMode } from './compiled.ts';
import type { Runtime } from './runtime.ts';
import type { SystemFailure } from './systems.ts';
import type { Accumulation } from './zeno.ts';

const mostNotes = 8;

/** A system of equations that could not be solved: the equations with their residuals, the unknowns with their values. */
export function explainSystem(runtime: Runtime, failure: SystemFailure, code?: DiagnosticCode): Diagnostic {
  const { plan, outcome, residuals } = failure;
  const { block } = plan;
  const time = runtime.get(runtime.pool.time);
  const unknowns = [...block.tears, ...block.inner.map((i) => i.unknown)];
  const values = unknowns.slice(0, mostNotes).map((u) => `${runtime.nameOfRef(u)} = ${runtime.get(u)}`);
  const worst = [...residuals.keys()].sort((a, b) => Math.abs(residuals[b]!) - Math.abs(residuals[a]!));
  const equations: Note[] = block.equations.slice(0, mostNotes).flatMap((index) => {
    if (index >= runtime.model.equations.length) return [];
    const { text, origin } = runtime.describeEquation(index);
    return [{ message: `equation ${text}`, ...(origin.span && { span: origin.span }) }];
  });
  const residualNotes = worst
    .slice(0, mostNotes)
    .map((i) => ({ message: `residual of ${runtime.print(block.residuals[i]!)} = 0 is ${residuals[i]}` }));
  const singular = outcome.kind === 'singular';
  const what = singular
    ? 'is singular'
    : outcome.kind === 'not-finite'
      ? 'cannot be evaluated'
      : 'has no solution near its start values';
  return error(
    code ?? (singular ? 'singular-system' : 'not-converged'),
    `The system of equations for ${listNames(unknowns.map((u) => runtime.nameOfRef(u)))} ${what} at time ${time}.`,
    {
      span: equations[0]?.span,
      hint: singular
        ? 'Some of these unknowns are not determined by the equations at these values.'
        : 'Give better start values to these variables.',
      notes: [...equations, ...residualNotes, { message: `values: ${values.join(', ')}` }],
    },
  );
}

/** Why the equations of a mode could not be evaluated at the point the memory is at. */
export function explainEvaluation(
  runtime: Runtime,
  mode: CompiledMode,
  fault: EvaluationError | undefined,
): Diagnostic {
  const time = runtime.get(runtime.pool.time);
  if (fault) {
    const code = fault.kind === 'loop-limit' || fault.kind === 'recursion' ? 'limit-exceeded' : fault.kind;
    return error(code, `At time ${time}: ${fault.message}`, { span: fault.span });
  }
  const arithmetic = explainArithmetic(runtime, mode);
  if (arithmetic) return arithmetic;
  if (mode.failure) return explainSystem(runtime, mode.failure);
  return error('bad-evaluation', `The equations cannot be evaluated at time ${time}.`);
}

/** Finds the first value that is no number and says why, as "division by zero" with operands. */
function explainArithmetic(runtime: Runtime, mode: CompiledMode): Diagnostic | undefined {
  const time = runtime.get(runtime.pool.time);
  for (let k = 0; k < mode.unit.routines.length; k++) {
    const fault = findFault(mode.unit, k, runtime.memory);
    if (!fault) continue;
    const operands = fault.leaves.map(({ leaf, value }) => `${runtime.print(leaf)} = ${value}`);
    return error('bad-evaluation', `${fault.reason} in ${runtime.print(fault.expr)} at time ${time}.`, {
      span: placeOf(runtime, mode, mode.unit.routines[k]!.body[fault.assignment]!.slot),
      notes: operands.length > 0 ? [{ message: `values: ${operands.join(', ')}` }] : [],
    });
  }
  return undefined;
}

/** The place of the equation that computes what lies in a slot. */
function placeOf(runtime: Runtime, mode: CompiledMode, slot: number): Span | undefined {
  const block = mode.sorted.blocks.find((b) => {
    const unknowns = b.kind === 'assign' ? [b.unknown] : [...b.tears, ...b.inner.map((i) => i.unknown)];
    return unknowns.some((u) => runtime.slot(u) === slot);
  });
  return block && runtime.model.equations[block.equations[0]!]?.origin.span;
}

/** The integrator cannot go on. */
export function explainStep(
  runtime: Runtime,
  time: number,
  state: Ref | undefined,
  value: number | undefined,
): Diagnostic {
  const name = state ? runtime.nameOfRef(state) : 'the states';
  const message = `The integrator cannot go on at time ${time}: its steps would become too small. The state ${name} has the largest error.`;
  return error('step-too-small', message, {
    span: state && runtime.model.scalars[state.symbol]?.variable?.origin.span,
    hint: 'The solution may grow without bound here, or an equation may be discontinuous without an event (noEvent).',
    notes: state ? [{ message: `${name} = ${value}` }] : [],
  });
}

/** Events without end. */
export function explainAccumulation(runtime: Runtime, { kind, time, relation }: Accumulation): Diagnostic {
  const { op, left, right, origin } = runtime.model.relations[relation]!;
  const text = runtime.print(runtime.pool.raw(op, [left, right]));
  if (kind === 'zeno') {
    return error(
      'zeno',
      `Events of ${text} accumulate: infinitely many of them happen before time ${time}.`,
      {
        span: origin.span,
        hint: 'Let the model come to rest: switch to equations without the impact when it becomes small.',
      },
    );
  }
  const message = `Events of ${text} follow each other without end near time ${time}: both sides of the relation push back.`;
  return error('zeno', message, {
    span: origin.span,
    hint: 'Add hysteresis, or model the sliding along the boundary.',
  });
}

/** Values that change in every iteration. */
export function unsettled(runtime: Runtime, where: string, changing: readonly number[]): Diagnostic {
  const time = runtime.get(runtime.pool.time);
  const names = changing.map((symbol) => runtime.nameOf(symbol)).filter((name) => !name.startsWith('$'));
  const what = names.length > 0 ? listNames(names) : 'values';
  return error('event-cycle', `The ${where} at time ${time} does not settle: ${what} change without end.`, {
    span: runtime.model.scalars[changing[0] ?? -1]?.variable?.origin.span,
    hint: 'Two when-clauses or conditions may trigger each other; use pre() or hysteresis to break the cycle.',
  });
}

/** Every mode leads to another one that was tried already. */
export function cycleOfModes(time: number, modes: readonly CompiledMode[]): Diagnostic {
  return error('event-cycle', `No mode is consistent at time ${time}: each one leads to another.`, {
    hint: 'The conditions contradict each other at these values; hysteresis, or a mode for the boundary, resolves it.',
    notes: modes.map((m) => ({ message: `tried the mode: ${m.mode.signature}` })),
  });
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, mostNotes);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
