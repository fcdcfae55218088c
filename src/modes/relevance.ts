/**
 * Where conditions matter. A guard is a path from outer states and branches to inner ones, so a condition matters in an equation
 * where everything before it in the guard holds; one inside a conditional expression matters where the equation exists. A
 * condition that matters nowhere in a mode is no part of it.
 */
import { remember } from '../collections/memo.ts';
import type { Guard } from '../flat/flat.ts';
import { children, fold, reachable } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { GuardedModel } from './guarded.ts';

/** Whether a condition chooses between equations that exist: one inside a state or branch that is not active does not. */
export function isRelevant(model: GuardedModel, condition: number, values: readonly boolean[]): boolean {
  return matters(usesOf(model)[condition]!, values);
}

const matters = (uses: readonly Guard[], values: readonly boolean[]): boolean =>
  uses === always || uses.some((guard) => guardHolds(guard, values));

const always: readonly Guard[] = [[]];
const usesOfModels = new WeakMap<GuardedModel, readonly (readonly Guard[])[]>();

/** By condition: the guards under which its value matters, any of them. */
const usesOf = (model: GuardedModel): readonly (readonly Guard[])[] =>
  remember(usesOfModels, model, () => usesIn(model));

function usesIn(model: GuardedModel): readonly (readonly Guard[])[] {
  const found = model.conditions.map(() => new Map<string, Guard>());
  const note = (k: number, guard: Guard): void => {
    found[k]!.set(guard.map((l) => (l.value ? l.condition : -1 - l.condition)).join(), guard);
  };
  const numbers = new Map(model.conditions.map((c, k) => [c.value, k]));
  for (const { guard, left, right } of [...model.equations, ...model.initialEquations]) {
    for (const [i, { condition }] of guard.entries()) note(condition, guard.slice(0, i));
    for (const side of [left, right]) {
      if (!containsConditional(side)) continue;
      reachable(side, (e) => {
        const k = e.kind === 'apply' && e.op === 'if' ? numbers.get(e.args[0]!) : undefined;
        if (k !== undefined) note(k, guard);
        return false;
      });
    }
  }
  for (const { guard } of model.actions)
    for (const [i, { condition }] of guard.entries()) note(condition, guard.slice(0, i));
  for (const [k, { machine }] of model.conditions.entries()) if (machine) note(k, machine);
  return found.map((guards) => {
    const list = [...guards.values()];
    return list.length === 0 || list.some((guard) => guard.length === 0) ? always : list;
  });
}

export function guardHolds(guard: Guard, values: readonly boolean[]): boolean {
  for (let k = 0; k < guard.length; k++) if (values[guard[k]!.condition] !== guard[k]!.value) return false;
  return true;
}

const conditionals = new WeakMap<Expr, boolean>();

/** Whether an expression contains a conditional one. */
export function containsConditional(root: Expr): boolean {
  return fold(root, conditionals, (node) => {
    const is = node.kind === 'apply' && node.op === 'if';
    return is || children(node).some((child) => conditionals.get(child)!);
  });
}
