/**
 * What a text with one structure cannot do: search for a mode that agrees with its own conditions. A condition that depends on
 * variables which the mode itself determines (the current of an ideal diode) only proposes a mode; in a run of the
 * model, modes are tried until one lasts, and those that do not last leave no trace. In the text every mode is entered for
 * good. That is the same as long as no change makes values jump; otherwise the model is refused.
 */
import { type Diagnostic, error, warning } from '../diagnostic/diagnostic.ts';
import { Failure } from '../diagnostic/failure.ts';
import type { GuardedModel } from '../modes/guarded.ts';
import type { ModeCollection } from '../simulate/collection.ts';
import { leaves } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';

/** Warns of conditions that feed back, and throws a `Failure` where they meet jumps. */
export function refuseFeedback({ model, wording, modes, free }: ModeCollection): Diagnostic[] {
  const sorted = modes.flatMap((m) => m.analysis.sorted ?? []);
  const isState = (symbol: number) => sorted.every((s) => s.states.includes(model.pool.ref(symbol)));
  const jumping = sorted.some((s) => s.equations.some((e) => e.c > 0));
  const diagnostics = free.flatMap((k) => {
    const { value, label, origin } = model.conditions[k]!;
    const causes = continuousCauses(model, value).filter((symbol) => !isState(symbol));
    if (causes.length === 0) return [];
    const names = causes.slice(0, 3).map((symbol) => wording.nameOf(symbol));
    const because = `The condition ${label} depends on ${names.join(', ')}, which the mode itself determines`;
    const { span } = origin;
    if (!jumping) {
      const message = `${because}: another tool has to find a consistent mode by its event iteration.`;
      return [warning('not-exportable', message, { span })];
    }
    const message = `${because}: a consistent mode has to be searched for, and values jump when modes change.`;
    const hint =
      'Let a state machine or a when-equation decide about the mode, or simulate the model with Mutabor.';
    return [error('not-exportable', message, { span, hint })];
  });
  if (jumping && diagnostics.length > 0) throw new Failure('translate', diagnostics);
  return diagnostics;
}

/** Continuous variables that decide about a condition at once: through relations and equations of discrete variables, but not through memory. */
function continuousCauses(model: GuardedModel, condition: Expr): number[] {
  const causes = new Set<number>();
  const seen = new Set<Expr>();
  const stack: Expr[] = [condition];
  for (let expr = stack.pop(); expr; expr = stack.pop()) {
    for (const leaf of leaves(expr)) {
      if (seen.has(leaf)) continue;
      seen.add(leaf);
      if (leaf.kind === 'held')
        stack.push(model.relations[leaf.relation]!.left, model.relations[leaf.relation]!.right);
      if (leaf.kind !== 'ref') continue;
      if (model.scalars[leaf.symbol]!.kind === 'continuous') causes.add(leaf.symbol);
      for (const { assigns, right } of model.equations) {
        if (assigns !== leaf.symbol) continue;
        const remembers = leaves(right).some((l) => l.kind === 'pre' && l.symbol === assigns);
        if (!remembers) stack.push(right);
      }
    }
  }
  return [...causes];
}
