/** Turns what went wrong at run time into diagnostics that name variables, equations, values and places. */
import { findFault } from '../code/interpret.ts';
import type { Routine } from '../code/unit.ts';
import type { DiagnosticCode } from '../diagnostic/codes.ts';
import { type Diagnostic, error, type Note } from '../diagnostic/diagnostic.ts';
import { leaves } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Runtime } from './runtime.ts';
import type { SystemFailure } from './systems.ts';

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
  const what = singular ? 'is singular' : outcome.kind === 'not-finite' ? 'cannot be evaluated' : 'has no solution near its start values';
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

/** Finds the first value that is no number and says why, as "division by zero" with operands. */
export function explainFault(runtime: Runtime, routines: readonly Routine[], code: DiagnosticCode = 'bad-evaluation'): Diagnostic | undefined {
  const unit = { routines, functions: runtime.functions, slotOf: runtime.memory.slotOf };
  const time = runtime.get(runtime.pool.time);
  for (let k = 0; k < routines.length; k++) {
    const fault = findFault(unit, k, runtime.memory);
    if (!fault) continue;
    const operands = leaves(fault.expr).map((leaf) => `${nameOfLeaf(runtime, leaf)} = ${runtime.get(leaf)}`);
    return error(code, `${fault.reason} in ${runtime.print(fault.expr)} at time ${time}.`, {
      span: equationOf(runtime, fault.expr),
      notes: operands.length > 0 ? [{ message: `values: ${operands.join(', ')}` }] : [],
    });
  }
  return undefined;
}

/** The place of an equation that contains the expression, where one does. */
function equationOf(runtime: Runtime, expr: Expr) {
  const wanted = new Set(leaves(expr));
  const holds = runtime.model.equations.find((e) => {
    const present = new Set([...leaves(e.left), ...leaves(e.right)]);
    return [...wanted].every((leaf) => present.has(leaf));
  });
  return holds?.origin.span;
}

function nameOfLeaf(runtime: Runtime, leaf: Expr): string {
  return runtime.print(leaf);
}

export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, mostNotes);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
