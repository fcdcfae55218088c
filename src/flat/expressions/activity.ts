/** The operators that ask for the states of machines: `activeState`, `timeInState`, `ticksInState` (chapter 17). */

import { remember } from '../../collections/memo.ts';
import type { Instance } from '../../model/instance.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, type OperatorRule, originOf, refuse, report } from '../core/context.ts';
import { simple } from '../core/values.ts';
import type { FlatState } from '../flat.ts';
import { addedVariable } from './clocks.ts';
import { componentOf } from './references.ts';

export const stateOperators: { readonly [name: string]: OperatorRule } = {
  activeState: (node, context) => {
    const [arg] = node.positional;
    const single = node.positional.length === 1 && node.named.length === 0;
    const instance = single && arg?.kind === 'ref' ? componentOf(arg, context) : undefined;
    const state = instance?.kind === 'object' ? context.builder.states.get(instance) : undefined;
    if (!state) {
      return report('bad-call', '`activeState` takes a state of a state machine.', node, context, {
        hint: 'A component is a state where `initialState` or `transition` names it.',
      });
    }
    return simple(activity(instance as Instance, context), 'Boolean', 'discrete');
  },
  timeInState: (node, context) => {
    const { pool, unknown } = context.builder;
    const state = stateAround('timeInState', node, context);
    return state ? simple(pool.sub(pool.time, pool.ref(state.entered)), 'Real', 'continuous') : unknown;
  },
  ticksInState: (node, context) => {
    const { builder } = context;
    const state = stateAround('ticksInState', node, context);
    if (!state) return builder.unknown;
    const symbol = remember(builder.ticks, state, () => {
      const variable = addedVariable(builder, '', 'Integer', [], 'discrete', originOf(node, context));
      return builder.add({ ...variable, name: `${state.name}.ticks` });
    });
    return simple(builder.pool.ref(symbol), 'Integer', 'discrete');
  },
};

/** Whether a state is active, and so are the states around it, unless the text stands in them and exists only then. */
function activity(instance: Instance, { builder, scope, active: known }: Context): Expr {
  const { pool, states } = builder;
  const around = new Set<Instance>();
  for (let at = scope.instance; at; at = at.parent) around.add(at);
  let active: Expr = pool.one;
  for (let at: Instance | undefined = instance; at; at = at.parent) {
    const state = at.kind === 'object' && (at === instance || !around.has(at)) ? states.get(at) : undefined;
    const own = state && pool.ref(state.active);
    if (own && (at === instance || !known?.has(own))) active = pool.and(own, active);
  }
  return active;
}

/** The state that a transition leaves, or that holds the text. */
function stateAround(name: string, node: ast.Call, context: Context): FlatState | undefined {
  if (context.state && node.positional.length === 0) return context.state;
  for (let at: Instance | undefined = context.scope.instance; at; at = at.parent) {
    const state = at.kind === 'object' ? context.builder.states.get(at) : undefined;
    if (state && node.positional.length === 0) return state;
  }
  const message = `\`${name}()\` can stand only in a state machine: in the condition of a transition, or in a state.`;
  return refuse('bad-call', message, node, context);
}
