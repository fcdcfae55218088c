/** The expressions of a guarded model. */
import type { Expr } from '../symbolic/expr.ts';
import type { GuardedModel } from './guarded.ts';

/** All expressions by which something happens or has a value. */
export function eachUse(
  model: Pick<GuardedModel, 'equations' | 'conditions' | 'actions' | 'machines'>,
  use: (expr: Expr) => void,
): void {
  for (const { left, right } of model.equations) {
    use(left);
    use(right);
  }
  for (const { value } of model.conditions) use(value);
  for (const action of model.actions) {
    if (action.fire) use(action.fire);
    if (action.kind === 'reinit') use(action.value);
    if (action.kind === 'assert') use(action.condition);
  }
  for (const { transitions } of model.machines) {
    for (const { condition, actions } of transitions) {
      use(condition);
      for (const { value } of actions) use(value);
    }
  }
}
