/**
 * What a text with one structure knows nothing of: jumps while the mode stays. A constraint between states is differentiated in a
 * text; where something in it steps at an event (a discrete variable, a conditional expression), the states have to jump to where it holds
 * again, and what drives them there is an impulse. A run of the model computes both (`program/values/restart.ts`); of the text, neither.
 */
import { type Diagnostic, diagnostic } from '../diagnostic/diagnostic.ts';
import type { GuardedModel } from '../modes/guarded.ts';
import type { ModeCollection } from '../simulate/survey.ts';
import { leaves } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';

/** Tells of differentiated equations that step, once each: an error where the text would be wrong in every tool. */
export function stepsIn({ runtime, modes }: ModeCollection, severity: 'error' | 'warning'): Diagnostic[] {
  const found = new Map<number, Diagnostic>();
  for (const { mode, analysis } of modes) {
    for (const { index, residuals, c } of analysis.sorted?.equations ?? []) {
      if (c === 0 || found.has(index)) continue;
      const step = leaves(residuals[0]!).find(
        (leaf) => runtime.switches(leaf) && !isKept(runtime.model, leaf),
      );
      if (!step) continue;
      const where = mode.signature && modes.length > 1 ? ` in the mode ${mode.signature}` : '';
      const message = `${runtime.print(step)} changes at events${where}, in an equation between states: these jump, which a text for other tools cannot say.`;
      const span = runtime.model.equations[index]?.origin.span;
      const hint =
        'Give what steps a state of its own, such as `T*der(y) = u - y`, or let the step be a change of mode.';
      found.set(index, diagnostic(severity, 'not-exportable', message, { span, hint }));
    }
  }
  return [...found.values()];
}

/** Whether a variable keeps the value that it had when its mode was entered: `x = pre(x)`. */
function isKept({ equations }: GuardedModel, leaf: Expr): boolean {
  if (leaf.kind !== 'ref' && leaf.kind !== 'pre') return false;
  const { symbol } = leaf;
  const own = equations.filter(({ assigns }) => assigns === symbol);
  return own.length > 0 && own.every(({ right }) => right.kind === 'pre' && right.symbol === symbol);
}
