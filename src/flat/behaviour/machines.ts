/**
 * State machines (the operators of Modelica 3.6, chapter 17, with models of any kind as states; Elmqvist,
 * Mattsson and Otter 2014). `initialState` and `transition` in an equation section make components states: everything that
 * belongs to a state is guarded by the condition that it is active. Components that transitions connect form one
 * machine, so one class can hold several machines side by side, and states can hold machines. Whether a machine is clocked shows
 * when the clocks of all equations are known (`flat/clocks/partitions.ts`); then it becomes equations (`flat/clocks/automata.ts`).
 */

import { resolve } from '../../model/classes/lookup.ts';
import type { Instance, ObjectInstance } from '../../model/instance.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type * as ast from '../../syntax/ast.ts';
import { blank } from '../core/blank.ts';
import {
  type Context,
  contextOf,
  type FlatBuilder,
  note,
  omit,
  originOf,
  refuse,
  report,
} from '../core/context.ts';
import { atMost, commonType, isUnknown, type Simple, typeName, type Value } from '../core/values.ts';
import { fixedNumber } from '../expressions/constants.ts';
import { condition, expression } from '../expressions/expressions.ts';
import { iterate } from '../expressions/iteration.ts';
import { componentOf, refName, unresolved } from '../expressions/references.ts';
import type { FlatMachine, FlatState, FlatTransition, FlatVariable, Origin } from '../flat.ts';
import { objectsOf } from './equations.ts';

/** One call of `transition` or `initialState`, with the states that it names. */
interface Mention {
  readonly node: ast.CallEquation;
  readonly context: Context;
  readonly states: readonly ObjectInstance[];
}

/** Arguments of `transition` by position, after the two states. */
const parameters = ['condition', 'immediate', 'reset', 'synchronize', 'priority', 'actions'] as const;
type Parameter = (typeof parameters)[number];

/** A machine whose transitions are not translated yet: their conditions may speak of states found later. */
interface Draft extends Pick<FlatMachine, 'initial' | 'guard' | 'origin'> {
  readonly states: readonly ObjectInstance[];
  readonly flat: readonly FlatState[];
  readonly transitions: readonly Mention[];
}

/** Finds all machines and guards their states. Call it when all variables are declared, before anything is translated. */
export function findMachines(builder: FlatBuilder, root: ObjectInstance): Draft[] {
  const drafts: Draft[] = [];
  for (const object of objectsOf(root)) {
    for (const group of machinesOf(mentionsIn(builder, object))) {
      const draft = draftMachine(builder, object, group);
      if (draft) drafts.push(draft);
    }
  }
  return drafts;
}

export function translateMachines(builder: FlatBuilder, drafts: readonly Draft[]): FlatMachine[] {
  return drafts.map(({ states, flat, initial, transitions, guard, origin }) => {
    const translated = transitions.flatMap((mention) => translateTransition(mention, states, flat));
    checkPriorities(builder, translated, flat);
    return { states: flat, initial, transitions: translated, guard, origin };
  });
}

/** All transitions that leave one state must have different priorities (Modelica 3.6, section 17.1). */
function checkPriorities(
  builder: FlatBuilder,
  transitions: readonly FlatTransition[],
  states: readonly FlatState[],
): void {
  const known = new Map<string, FlatTransition>();
  for (const transition of transitions) {
    const { from, to, priority, origin } = transition;
    const key = `${from} ${priority}`;
    const other = known.get(key);
    if (!other) {
      known.set(key, transition);
      continue;
    }
    const rivals = `${states[other.to]!.name} and ${states[to]!.name}`;
    const message = `The transitions from ${states[from]!.name} to ${rivals} have the same priority ${priority}.`;
    builder.reportAt('bad-call', message, {
      span: origin.span,
      hint: 'Say which one fires when both conditions hold: `priority = 2` for the other one.',
      notes: [note('the other transition', other.origin)],
    });
  }
}

// ---------------------------------------------------------------- finding

function mentionsIn(builder: FlatBuilder, object: ObjectInstance): Mention[] {
  const mentions: Mention[] = [];
  for (const { section, scope } of object.sections) {
    if (section.kind !== 'equations' || section.initial) continue;
    collectMentions(section.equations, contextOf(builder, scope, object.path, 'equation'), mentions);
  }
  return mentions;
}

/** Loops are written out, parameters decide; what stands inside `when` is reported where that is translated. */
function collectMentions(body: readonly ast.Equation[], context: Context, mentions: Mention[]): void {
  for (const node of body) {
    if (!mentionsState(node)) continue;
    if (node.kind === 'call') {
      const states = statesOf(node, refName(node.call.callee) === 'transition' ? 2 : 1, context);
      if (states) mentions.push({ node, context, states });
    } else if (node.kind === 'for') {
      const inside = (rest: readonly ast.Iterator[], inner: Context): void => {
        if (rest.length === 0) collectMentions(node.body, inner, mentions);
        else
          iterate(rest[0]!, [rest.slice(1), node.body], inner, (next) => inside(rest.slice(1), next), true);
      };
      inside(node.iterators, context);
    } else if (node.kind === 'if') {
      collectMentions(chosenBranch(node, context), context, mentions);
    }
  }
}

export function mentionsState(node: ast.Equation): boolean {
  switch (node.kind) {
    case 'call':
      return ['transition', 'initialState'].includes(refName(node.call.callee));
    case 'for':
      return node.body.some(mentionsState);
    case 'if':
      return [...node.branches.flatMap((b) => b.body), ...(node.otherwise ?? [])].some(mentionsState);
    default:
      return false;
  }
}

/** The branch of an if-equation around transitions, which parameters must choose. */
function chosenBranch(node: ast.IfEquation, context: Context): readonly ast.Equation[] {
  for (const { condition: test, body } of node.branches) {
    const value = condition(test, context);
    if (isUnknown(value)) return [];
    const known = atMost(value.variability, 'parameter')
      ? fixedNumber(context.builder, value.expr)
      : undefined;
    if (known === undefined) {
      const message = 'Whether a state machine has a transition must be fixed before the run.';
      return omit('variability', message, test, context, {
        hint: 'Write the condition into the transition itself: `transition(from, to, condition and …)`.',
      });
    }
    if (known) return body;
  }
  return node.otherwise ?? [];
}

function statesOf(node: ast.CallEquation, count: number, context: Context): ObjectInstance[] | undefined {
  const args = node.call.positional.slice(0, count);
  if (args.length < count) {
    const what =
      count === 2 ? '`transition` takes two states and a condition' : '`initialState` takes a state';
    return refuse('bad-call', `${what}.`, node, context);
  }
  const states: ObjectInstance[] = [];
  for (const arg of args) {
    const instance = arg.kind === 'ref' ? stateAt(arg, context) : undefined;
    if (instance === 'reported') return undefined;
    if (instance?.kind !== 'object' || instance.dims.length > 0) {
      const message = 'A state of a state machine must be a component of this class.';
      return refuse('type-mismatch', message, arg, context, {
        hint:
          instance?.kind === 'object'
            ? 'This is an array of components: name one of them with a subscript.'
            : 'Declare a component (of any class) and name it here.',
      });
    }
    if (isInside(instance, context)) {
      const message = `\`${instance.path}\` is a part of another component: a state of a state machine must be a component of this class.`;
      return refuse('type-mismatch', message, arg, context, {
        hint: 'Write the transitions of its machine in the class of that component.',
      });
    }
    states.push(instance);
  }
  return states;
}

/** Whether a component stands in another component of the class that names it, and not in that class itself. */
function isInside({ parent }: ObjectInstance, { scope }: Context): boolean {
  const around = parent?.kind === 'object' && parent.dims.length > 0 ? parent.parent : parent;
  return around !== scope.instance;
}

function stateAt(node: ast.ComponentRef, context: Context): ReturnType<typeof componentOf> | 'reported' {
  const resolution = resolve(context.scope, node);
  if (resolution.kind !== 'unknown' && resolution.kind !== 'absent') return componentOf(node, context);
  unresolved(node, resolution, context);
  return 'reported';
}

/** Groups of mentions whose states are connected by transitions. */
function machinesOf(mentions: readonly Mention[]): Mention[][] {
  const groupOf = new Map<ObjectInstance, Mention[]>();
  const groups = new Set<Mention[]>();
  for (const mention of mentions) {
    const joined: Mention[] = [];
    for (const group of new Set(mention.states.map((state) => groupOf.get(state)))) {
      if (!group) continue;
      joined.push(...group);
      groups.delete(group);
    }
    joined.push(mention);
    groups.add(joined);
    for (const { states } of joined) for (const state of states) groupOf.set(state, joined);
  }
  return [...groups];
}

function draftMachine(
  builder: FlatBuilder,
  object: ObjectInstance,
  mentions: readonly Mention[],
): Draft | undefined {
  const states = [...new Set(mentions.flatMap((m) => m.states))];
  const isInitial = (m: Mention) => refName(m.node.call.callee) === 'initialState';
  const initials = mentions.filter(isInitial);
  const { node, context } = mentions[0]!;
  if (initials.length !== 1) {
    const shown = states.slice(0, 6).map((s) => `\`${s.path}\``);
    const names = [...shown, ...(states.length > shown.length ? ['…'] : [])].join(', ');
    const message =
      initials.length === 0
        ? `The state machine of ${names} has no initial state.`
        : `The state machine of ${names} has several initial states.`;
    return refuse('bad-call', message, (initials[1] ?? mentions[0]!).node, context, {
      hint: 'Write `initialState(s);` for exactly one of its states.',
    });
  }
  const guard = builder.guardOf(object);
  const flat = states.map((state) => declareState(builder, state, originOf(node, context)));
  for (const [k, state] of states.entries())
    builder.guards.set(state, [{ condition: flat[k]!.condition, value: true }]);
  builder.exclusive.push(flat.map((s) => s.condition));
  return {
    states,
    flat,
    initial: states.indexOf(initials[0]!.states[0]!),
    transitions: mentions.filter((m) => !isInitial(m)),
    guard,
    origin: originOf(node, context),
  };
}

function declareState(builder: FlatBuilder, state: ObjectInstance, origin: Origin): FlatState {
  const { pool } = builder;
  const active = builder.add(engineVariable(`${state.path}.active`, 'Boolean', origin));
  const entered = builder.add(engineVariable(`${state.path}.entered`, 'Real', origin));
  const number = builder.conditions.length;
  builder.conditions.push({ value: pool.ref(active), label: state.path, activity: true, origin });
  builder.conditionOf.set(pool.ref(active), number);
  const flat: FlatState = {
    name: state.path,
    condition: number,
    active,
    entered,
    outputs: outerOutputs(builder, state),
  };
  builder.states.set(state, flat);
  return flat;
}

/** Symbols of what a state shares with others as `outer output`; what only states inside share is their own. */
function outerOutputs(builder: FlatBuilder, state: ObjectInstance): number[] {
  const shared = new Set<number>();
  for (const object of objectsOf(state)) {
    for (const name of object.outerOutputs ?? []) {
      const variable = object.outers!.get(name)!;
      const symbol = variable.kind === 'variable' ? builder.symbols.get(variable) : undefined;
      if (symbol !== undefined && !isWithin(variable, state)) shared.add(symbol);
    }
  }
  return [...shared];
}

function isWithin(instance: Instance, object: ObjectInstance): boolean {
  for (let at: Instance | undefined = instance; at; at = at.parent) if (at === object) return true;
  return false;
}

function engineVariable(name: string, type: 'Boolean' | 'Real', origin: Origin): FlatVariable {
  const engine = { ...blank, name, type, variability: 'discrete', engine: true, origin } as const;
  return type === 'Boolean'
    ? { ...engine, description: 'The state is active' }
    : { ...engine, unit: 's', description: 'Time at which the state was entered', hidden: true };
}

// ---------------------------------------------------------------- transitions

function translateTransition(
  { node, context, states }: Mention,
  all: readonly ObjectInstance[],
  flat: readonly FlatState[],
): FlatTransition[] {
  const args = argumentsOf(node.call, context);
  const test = args.get('condition');
  if (!test)
    return omit('bad-call', 'This transition has no condition.', node, context, {
      hint: 'Write `transition(from, to, condition);`.',
    });
  const from = all.indexOf(states[0]!);
  const inState: Context = { ...context, state: flat[from]! };
  const when = condition(test, inState);
  const flag = (name: Parameter, otherwise: boolean): boolean => {
    const value = args.get(name);
    if (!value) return otherwise;
    condition(value, context);
    return fixed(value, context) !== 0;
  };
  const priority = args.get('priority');
  return [
    {
      from,
      to: all.indexOf(states[1]!),
      condition: when.expr,
      immediate: flag('immediate', true),
      reset: flag('reset', true),
      synchronize: flag('synchronize', false),
      priority: priority ? priorityOf(priority, context) : 1,
      actions: actionsOf(args.get('actions'), context),
      origin: originOf(node, context),
    },
  ];
}

function priorityOf(node: ast.Expression, context: Context): number {
  const value = fixed(node, context);
  if (Number.isInteger(value) && value >= 1) return value;
  const message = `The priority of a transition is 1, 2, 3 and so on, not ${value}.`;
  report('bad-call', message, node, context, {
    hint: 'The smallest number wins.',
  });
  return 1;
}

function argumentsOf(call: ast.Call, context: Context): Map<Parameter, ast.Expression> {
  const found = new Map<Parameter, ast.Expression>();
  const put = (
    name: string | undefined,
    value: ast.Expression | ast.PartialApplication,
    node: ast.Node,
  ): void => {
    const known = parameters.find((p) => p === name);
    if (!known || value.kind === 'partial' || found.has(known)) {
      const message = `\`transition\` has no ${name ? `argument \`${name}\`` : 'further argument'} here.`;
      report('bad-call', message, node, context, {
        hint: `Its arguments are from, to, ${parameters.join(', ')}.`,
      });
    } else found.set(known, value);
  };
  for (const [k, value] of call.positional.slice(2).entries()) put(parameters[k], value, value);
  for (const { name, value } of call.named) put(name.text, value, name);
  return found;
}

function fixed(node: ast.Expression, context: Context): number {
  const value = scalarExpr(node, context);
  const number = value && fixedNumber(context.builder, value);
  if (number === undefined) {
    const message = 'This argument of `transition` must be fixed before the run.';
    report('variability', message, node, context);
    return 1;
  }
  return number;
}

function scalarExpr(node: ast.Expression, context: Context): Expr | undefined {
  const value = expression(node, context);
  return value.kind === 'simple' && !isUnknown(value) ? value.expr : undefined;
}

/** `actions = {reinit(x, e), …}`. */
function actionsOf(node: ast.Expression | undefined, context: Context): FlatTransition['actions'] {
  if (!node) return [];
  const items = node.kind === 'array' ? node.elements : [node];
  const set = new Set<Expr>();
  return items.flatMap((item) => {
    const isReinit =
      item.kind === 'call' && refName(item.callee) === 'reinit' && item.positional.length === 2;
    const [target, value] = isReinit
      ? item.positional.map((a) => (a.kind === 'partial' ? undefined : expression(a, context)))
      : [];
    if ((target && isUnknown(target)) || (value && isUnknown(value))) return [];
    if (!isScalar(target) || !isScalar(value) || target.expr.kind !== 'ref') {
      const message = 'An action of a transition must be `reinit(variable, value)`.';
      return omit('bad-call', message, item, context);
    }
    if (commonType(target.type, value.type) !== target.type) {
      const message = `A variable of type ${typeName(target)} cannot get a value of type ${typeName(value)}.`;
      return omit('type-mismatch', message, item, context);
    }
    if (set.has(target.expr)) {
      const message = 'Another action of this transition already gives this variable a value.';
      return omit('bad-call', message, item, context, { hint: 'Keep one of them.' });
    }
    set.add(target.expr);
    return [{ target: target.expr, value: value.expr, origin: originOf(item, context) }];
  });
}

function isScalar(value: Value | undefined): value is Simple {
  return value?.kind === 'simple' && value.dims.length === 0;
}
