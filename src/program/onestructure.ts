/**
 * Simulation as tools do it that know one structure alone: whatever would need a second one is refused. Conditional
 * expressions never become structural then; where their branches contain different unknowns of a system, the system is solved
 * with all of them.
 */
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts';
import { Failure } from '../diagnostic/failure.ts';
import type { GuardedModel } from '../modes/guarded.ts';

/** Throws a `Failure` that names everything in a model that changes its structure. */
export function requireOneStructure(model: GuardedModel): void {
  const machines = model.machines.map(({ states, origin }) => {
    const names = states.map((s) => s.name).join(', ');
    return refusal(`The state machine of ${names} changes the structure of the equations`, origin.span);
  });
  const conditions = model.conditions
    .filter((c) => c.structural && !c.constant && c.machine === undefined)
    .map(({ label, origin }) =>
      refusal(`The condition ${label} chooses between equations of different structure`, origin.span),
    );
  const diagnostics = [...machines, ...conditions];
  if (diagnostics.length > 0) throw new Failure('translate', diagnostics);
}

function refusal(what: string, span: Diagnostic['span']): Diagnostic {
  return error('multi-mode', `${what}, but only one structure is allowed.`, {
    span,
    hint: 'Leave out the option `singleMode`, or simulate the text that `exportModelica` gives of the model.',
    commandHint:
      'Leave out --single-mode, or simulate what `mutabor export --as modelica` writes of the model.',
  });
}
