/**
 * When-equations (Modelica 3.6, section 8.3.5) as branches of actions. An if-equation inside assigns each variable the
 * value of the branch that holds, or leaves it as it was; for-equations are written out.
 */
import { sameItems } from '../../collections/lists.ts';
import { resolve } from '../../model/classes/lookup.ts';
import type { Instance, ObjectInstance } from '../../model/instance.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type * as ast from '../../syntax/ast.ts';
import { nodesIn } from '../../syntax/walk.ts';
import { type Context, contextOf, type FlatBuilder, omit, originOf, report } from '../core/context.ts';
import { partsOf } from '../core/families.ts';
import { isUnknown, type Simple, typeName, type Value } from '../core/values.ts';
import { outputsOf } from '../expressions/calls.ts';
import { clockSymbol, symbolsIn } from '../expressions/clocks.ts';
import { condition, expression, simpleExpression } from '../expressions/expressions.ts';
import { refuseConnection } from '../expressions/graph.ts';
import { guarded } from '../expressions/guards.ts';
import { iterate } from '../expressions/iteration.ts';
import { refName } from '../expressions/references.ts';
import { assertion, effect, messageOf } from '../expressions/statements.ts';
import type { FlatAction, FlatEquation, Origin } from '../flat.ts';
import { equationsIn, matched, objectsOf } from './equations.ts';

export function whenEquation(node: ast.WhenEquation, context: Context): FlatEquation[] {
  const inner: Context = { ...context, place: 'when' };
  if (context.place === 'when') return omit('not-allowed', 'When-equations cannot be nested.', node, context);
  const branches: { condition: Expr; body: FlatAction[] }[] = [];
  for (const branch of node.branches) {
    const test = whenCondition(branch.condition, context);
    if (test.type === 'Clock') return clockedWhen(node, test, context);
    const body = actions(branch.body, inner);
    refuseTwice(body, inner);
    if (!isUnknown(test)) branches.push({ condition: test.expr, body });
  }
  return branches.length > 0 ? [{ kind: 'when', branches, origin: originOf(node, context) }] : [];
}

/** `when clock then`: equations of any form, on that clock (16.6). */
function clockedWhen(node: ast.WhenEquation, clock: Simple, context: Context): FlatEquation[] {
  if (node.branches.length > 1) {
    const message = 'A when-equation with a clock has no `elsewhen`.';
    return omit('bad-call', message, node.branches[1]!.condition, context);
  }
  const { condition: test, body } = node.branches[0]!;
  const symbol = clockSymbol({ value: clock, node: test }, context);
  if (symbol === undefined) return [];
  const nested = body.find((equation) => equation.kind === 'when');
  if (nested) return omit('not-allowed', 'When-equations cannot be nested.', nested, context);
  for (const inside of nodesIn(body)) if (refuseConnection(inside, '`when`', context)) return [];
  const equations = equationsIn(body, { ...context, ticking: true });
  for (const equation of equations) context.builder.clocks.clockOf.set(equation, symbol);
  return equations;
}

/** A Boolean, or a vector of Booleans any of which may become true. */
export function whenCondition(node: ast.Expression, context: Context): Simple {
  const value = simpleExpression(node, context);
  if (isUnknown(value) || (value.type === 'Boolean' && value.dims.length <= 1)) return value;
  if (value.type === 'Clock' && value.dims.length === 0) return value;
  const message = `The condition of \`when\` must be Boolean, not ${typeName(value)}.`;
  return report('type-mismatch', message, node, context);
}

function actions(body: readonly ast.Equation[], context: Context): FlatAction[] {
  return body.flatMap((equation) => action(equation, context));
}

/** A branch determines each variable once. */
function refuseTwice(body: readonly FlatAction[], { builder }: Context): void {
  const seen = new Map<number, Expr[]>();
  for (const { target, origin } of body.filter((one) => one.kind === 'assign')) {
    for (const one of leavesOf(target)) {
      if (one.kind !== 'ref') continue;
      const { symbol, subscripts } = one;
      const others = seen.get(symbol) ?? [];
      const isTwice = others.some((other) => other === one || subscripts.length === 0 || isWhole(other));
      if (isTwice) {
        const message = `\`${builder.instances[symbol]!.path}\` is determined twice in one branch of \`when\`.`;
        builder.reportAt('not-allowed', message, {
          span: origin.span,
          hint: 'Remove one of the two equations.',
        });
        return;
      }
      seen.set(symbol, [...others, one]);
    }
  }
}

const isWhole = (expr: Expr): boolean => expr.kind === 'ref' && expr.subscripts.length === 0;

/** The variables to which an assignment to an array of them writes. */
const leavesOf = (expr: Expr): readonly Expr[] =>
  expr.kind === 'apply' ? expr.args.flatMap(leavesOf) : [expr];

function action(node: ast.Equation, context: Context): FlatAction[] {
  switch (node.kind) {
    case 'equal':
      return assignment(node, context);
    case 'call':
      return callAction(node, context);
    case 'if':
      return ifActions(node, context);
    case 'for':
      return forActions(node, node.iterators, context);
    case 'when':
      return omit('not-allowed', 'When-equations cannot be nested.', node, context);
    case 'connect':
      refuseConnection(node, '`when`', context);
      return [];
  }
}

function assignment(node: ast.SimpleEquation, context: Context): FlatAction[] {
  const origin = originOf(node, context);
  for (const target of targetsOf(node.left)) refuseInside(target, context);
  if (node.left.kind === 'tuple' && node.right.kind === 'call' && node.left.members.length > 1) {
    return outputAssignments(node.left, node.right, node, context);
  }
  const target = expression(node.left, context);
  return assignments(target, expression(node.right, context), node, origin, context);
}

function assignments(
  target: Value,
  value: Value,
  node: ast.SimpleEquation,
  origin: Origin,
  context: Context,
): FlatAction[] {
  const result: FlatAction[] = [];
  for (const [left, right] of matched(target, value, node, context)) {
    if (moves(left.expr, context.builder)) {
      const message = 'The subscripts of a variable that a when-equation assigns must not change in a run.';
      return omit('variability', message, node.left, context, {
        hint: 'Assign all elements, `for i in 1:n loop x[i] = if i == k then … else pre(x[i]); end for`, or write an algorithm section.',
      });
    }
    if (!isAssignable(left.expr)) {
      const message = 'Inside `when` the left side must be a variable.';
      return omit('bad-binding', message, node.left, context, {
        hint: 'Write `variable = expression`.',
      });
    }
    if (left.variability === 'parameter' || left.variability === 'constant') {
      const message = `Inside \`when\` the left side must be a variable: this is a ${left.variability}, which does not change at events.`;
      return omit('bad-binding', message, node.left, context, {
        hint: 'Declare it without `parameter` or `constant`, with a start value.',
      });
    }
    result.push({ kind: 'assign', target: left.expr, value: right.expr, origin });
  }
  return result;
}

/** Whether it is an element of an array that is another one from time to time. */
const moves = (expr: Expr, builder: FlatBuilder): boolean =>
  expr.kind === 'ref' && symbolsIn(builder, ...expr.subscripts).size > 0;

/** Whether an assignment can write it: a variable, or an array of them. */
function isAssignable(expr: Expr): boolean {
  if (expr.kind === 'apply') return expr.op === 'array' && expr.args.every(isAssignable);
  return expr.kind === 'ref' && expr.order === 0;
}

function outputAssignments(
  { members }: ast.TupleExpression,
  call: ast.Call,
  node: ast.SimpleEquation,
  context: Context,
): FlatAction[] {
  const { values } = outputsOf(call, members.length, node, context) ?? { values: [] };
  const origin = originOf(node, context);
  return values.flatMap(({ value }, k) => {
    const member = members[k];
    return member ? assignments(expression(member, context), value, node, origin, context) : [];
  });
}

function callAction(node: ast.CallEquation, context: Context): FlatAction[] {
  const origin = originOf(node, context);
  const name = refName(node.call.callee);
  switch (name) {
    case 'assert': {
      const result = assertion(node.call, context);
      return result ? [{ kind: 'assert', ...result, origin }] : [];
    }
    case 'terminate': {
      const message = messageOf(node.call, context);
      return message ? [{ kind: 'terminate', message, origin }] : [];
    }
    case 'reinit':
      return reinit(node, context, origin);
    case 'transition':
    case 'initialState':
      return omit('bad-call', `\`${name}\` cannot stand inside \`when\`.`, node, context, {
        hint: 'Write it in the equation section itself.',
      });
    default: {
      const done = refuseConnection(node, '`when`', context) ? undefined : effect(node, context);
      return done ? [{ kind: 'assert', ...done, origin }] : [];
    }
  }
}

function reinit(node: ast.CallEquation, context: Context, origin: Origin): FlatAction[] {
  const [x, e] = node.call.positional;
  if (!x || !e || x.kind === 'partial' || e.kind === 'partial' || node.call.positional.length !== 2)
    return omit('bad-call', '`reinit` takes a variable and its new value.', node, context, {
      hint: 'Call it as `reinit(x, value)`.',
    });
  const target = simpleExpression(x, context);
  const value = simpleExpression(e, context);
  if (isUnknown(target) || isUnknown(value)) return [];
  if (moves(target.expr, context.builder))
    return omit(
      'variability',
      'The subscripts of a variable in `reinit` must not change in a run.',
      x,
      context,
      {
        hint: 'Give all elements their values: `for i in 1:n loop reinit(x[i], if i == k then … else x[i]); end for`.',
      },
    );
  if (!isAssignable(target.expr) || target.type !== 'Real' || target.variability !== 'continuous')
    return omit('bad-call', '`reinit` needs a continuous Real variable.', x, context, {
      hint: 'Only states, variables whose derivative appears in the model, can be given new values.',
    });
  if (!sameItems(target.dims, value.dims) || (value.type !== 'Real' && value.type !== 'Integer')) {
    const message = `The new value is ${typeName(value)}, the variable ${typeName(target)}.`;
    return omit('type-mismatch', message, e, context);
  }
  return [{ kind: 'reinit', target: target.expr, value: value.expr, origin }];
}

function forActions(
  node: ast.ForEquation,
  iterators: readonly ast.Iterator[],
  context: Context,
): FlatAction[] {
  const [first, ...rest] = iterators;
  const translate = (inner: Context): FlatAction[] =>
    rest.length > 0 ? forActions(node, rest, inner) : actions(node.body, inner);
  const result = iterate(first!, [rest, node.body], context, translate, true);
  return result?.kind === 'unrolled' ? result.bodies.flat() : [];
}

// ---------------------------------------------------------------- if inside when

function ifActions(node: ast.IfEquation, context: Context): FlatAction[] {
  const { builder } = context;
  const branches = guarded(context, (decide, met) => {
    const tests: Expr[] = [];
    const bodies: FlatAction[][] = [];
    let otherwise = node.otherwise ?? [];
    for (const branch of node.branches) {
      const test = condition(branch.condition, context);
      if (isUnknown(test)) return undefined;
      met.push(test);
      const known = decide(test);
      if (known === 0) continue;
      if (known === 1) {
        otherwise = branch.body;
        break;
      }
      tests.push(test.expr);
      bodies.push(actions(branch.body, context));
    }
    bodies.push(actions(otherwise, context));
    return { tests, bodies };
  });
  if (!branches) return [];
  const { tests, bodies } = branches;
  const result = mergedAssignments(builder, tests, bodies);
  for (const [k, body] of bodies.entries()) {
    const holds = inForce(builder, tests, k);
    for (const other of body) if (other.kind !== 'assign') result.push(onlyWhere(builder, other, holds));
  }
  return result;
}

/** The condition under which branch `k` is in force. */
function inForce(builder: FlatBuilder, tests: readonly Expr[], k: number): Expr {
  const { pool } = builder;
  let holds: Expr = tests[k] ?? pool.one;
  for (let i = k - 1; i >= 0; i--) holds = pool.and(pool.not(tests[i]!), holds);
  return holds;
}

function onlyWhere(
  builder: FlatBuilder,
  action: Exclude<FlatAction, { kind: 'assign' }>,
  holds: Expr,
): FlatAction {
  const { pool } = builder;
  if (action.kind === 'assert') {
    return { ...action, condition: pool.apply('or', pool.not(holds), action.condition) };
  }
  return { ...action, when: action.when ? pool.and(holds, action.when) : holds };
}

/** One assignment a variable: the value of the branch in force, the left limit where that branch has none. */
function mergedAssignments(
  builder: FlatBuilder,
  tests: readonly Expr[],
  bodies: readonly (readonly FlatAction[])[],
): FlatAction[] {
  const { pool } = builder;
  const targets = new Map<Expr, Origin>();
  const values = bodies.map((body) => {
    const own = new Map<Expr, Expr>();
    for (const one of body) {
      if (one.kind !== 'assign') continue;
      own.set(one.target, one.value);
      if (!targets.has(one.target)) targets.set(one.target, one.origin);
    }
    return own;
  });
  const result: FlatAction[] = [];
  for (const [target, origin] of targets) {
    const kept = target.kind === 'ref' ? pool.pre(target.symbol, target.subscripts) : target;
    let value = values[values.length - 1]!.get(target) ?? kept;
    for (let k = tests.length - 1; k >= 0; k--)
      value = pool.if(tests[k]!, values[k]!.get(target) ?? kept, value);
    result.push({ kind: 'assign', target, value, origin });
  }
  return result;
}

// ---------------------------------------------------------------- which variables are discrete

/** Finds the Real variables that when-clauses assign, before anything is translated. */
export function findAssigned(builder: FlatBuilder, root: ObjectInstance): void {
  for (const object of objectsOf(root)) {
    for (const { section, scope } of object.sections) {
      if (section.initial) continue;
      const context = contextOf(builder, scope, object.path, 'when');
      const targets = section.kind === 'equations' ? inEquations(section) : inStatements(section);
      for (const target of targets) {
        if (section.kind === 'algorithm') refuseInside(target, context);
        markAssigned(target, context);
      }
    }
  }
}

function inEquations({ equations }: ast.EquationSection): ast.ComponentRef[] {
  const whens = [...nodesIn(equations)].filter(({ kind }) => kind === 'when');
  return [...nodesIn(whens)].flatMap((node) => (node.kind === 'equal' ? targetsOf(node.left) : []));
}

function inStatements({ statements }: ast.AlgorithmSection): ast.ComponentRef[] {
  const whens = statements.filter(({ kind }) => kind === 'when');
  return [...nodesIn(whens)].flatMap((node) => {
    if (node.kind === 'assign') return [node.target];
    return node.kind === 'multiassign' ? node.targets.flatMap((target) => target ?? []) : [];
  });
}

function targetsOf(node: ast.Expression): ast.ComponentRef[] {
  if (node.kind === 'ref') return [node];
  if (node.kind === 'tuple') return node.members.flatMap((member) => (member ? targetsOf(member) : []));
  return node.kind === 'array' ? node.elements.flatMap(targetsOf) : [];
}

/** Variables of a component are not assigned by whens outside of it: each class has its own equations (section 4.4.4). */
function refuseInside(node: ast.ComponentRef, context: Context): void {
  const resolution = resolve(context.scope, node);
  const { instance: around } = context.scope;
  if (resolution.kind !== 'component') return;
  if (around?.kind === 'object' && around.outers?.has(node.parts[0]!.name)) return;
  const component = resolution.parts.find(
    ({ instance }) => instance.kind === 'object' && /^(model|block)$/.test(instance.restriction),
  );
  if (!component) return;
  const { path } = component.instance;
  const message = `\`${refName(node)}\` is a variable of the component \`${path}\`, which a when-clause outside of it cannot assign.`;
  const hint = `Assign it in the class of \`${path}\`, or assign a variable here and connect or equate the two.`;
  report('not-allowed', message, node, context, { hint });
}

/** Marks a variable, all members of a record, and the same variable in all elements of a component array. */
function markAssigned(node: ast.ComponentRef, context: Context): void {
  const { builder } = context;
  const resolution = resolve(context.scope, node);
  if (resolution.kind !== 'component') return;
  for (const { instance } of resolution.parts)
    if (instance.kind === 'object' && instance.names) builder.families.various.add(instance);
  let items: Instance[] = [resolution.parts[0]!.instance];
  for (let k = 1; k < node.parts.length; k++) {
    const name = node.parts[k]!.name;
    items = items.flatMap((item) => {
      if (item.kind !== 'object') return [];
      const single = item.dims.length > 0 ? partsOf(item) : [item];
      return single.flatMap((one) =>
        one.kind === 'object' ? (one.outers?.get(name) ?? one.members.get(name) ?? []) : [],
      );
    });
  }
  for (let next = items.pop(); next; next = items.pop()) {
    if (next.kind === 'variable') builder.assigned.add(next);
    else items.push(...partsOf(next));
  }
}
