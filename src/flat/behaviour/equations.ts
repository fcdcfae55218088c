/**
 * Equation sections (Modelica 3.6, chapter 8). Equality of records becomes equality of their members, a for-equation one
 * family, an if-equation keeps its branches with conditions in the model's table, a when-equation becomes a list of
 * actions (`whens.ts`). Connections are handed to `Connections`.
 */
import { sameItems } from '../../collections/lists.ts';
import { remember } from '../../collections/memo.ts';
import { warning } from '../../diagnostic/diagnostic.ts';
import { entityOf } from '../../model/classes/class.ts';
import { isImpure } from '../../model/classes/functions.ts';
import { resolve } from '../../model/classes/lookup.ts';
import type { BehaviourSection, Instance, ObjectInstance } from '../../model/instance.ts';
import { dimsName } from '../../model/value.ts';
import { nodesOf } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type * as ast from '../../syntax/ast.ts';
import { nodesIn } from '../../syntax/walk.ts';
import { Connections } from '../connections/connections.ts';
import {
  builderNames,
  type Context,
  contextOf,
  type FlatBuilder,
  inBranch,
  omit,
  originOf,
  report,
} from '../core/context.ts';
import { type Family, overElements, partsOf } from '../core/families.ts';
import { exprText } from '../core/text.ts';
import { atMost, commonType, isUnknown, leaves, type Simple, typeName, type Value } from '../core/values.ts';
import { assignedCall, builtinOutputs } from '../expressions/calls.ts';
import { eachClock } from '../expressions/clocks.ts';
import { decidedNumber, fixedNumber } from '../expressions/constants.ts';
import { condition, expression } from '../expressions/expressions.ts';
import { graphOperator } from '../expressions/graph.ts';
import { decidedInLoops } from '../expressions/guards.ts';
import { iterate } from '../expressions/iteration.ts';
import { refName } from '../expressions/references.ts';
import { assertion, effect, messageOf } from '../expressions/statements.ts';
import { notFixed } from '../expressions/subscripts.ts';
import type { FlatAction, FlatAssert, FlatEquation, Guard, Literal } from '../flat.ts';
import { algorithmEquation } from './algorithms.ts';
import { pairedEquations } from './paired.ts';
import { whenEquation } from './whens.ts';

/** Where translated equations go. */
export interface Sink {
  readonly equations: FlatEquation[];
  readonly initialEquations: FlatEquation[];
  readonly connections: Connections;
}

/** Translates the sections of all components below a model, itself first. */
export function sections(builder: FlatBuilder, root: ObjectInstance, sink: Sink): void {
  const equations = new FamilySink(builder, sink.equations);
  const initialEquations = new FamilySink(builder, sink.initialEquations);
  for (const object of objectsOf(root)) {
    const own: Sink = { equations: [], initialEquations: [], connections: sink.connections };
    for (const section of object.sections) translateSection(builder, object, section, own);
    const guard = builder.guardOf(object);
    equations.add(object, guarded(guard, own.equations));
    initialEquations.add(object, guarded(guard, own.initialEquations));
  }
  equations.finish();
  initialEquations.finish();
}

/** Takes up equations of components in the order of declaration; those of the elements of uniform arrays become families. */
export class FamilySink {
  /** The families that are open, outermost first, each with its equations so far. */
  private readonly open: { readonly family: Family; readonly body: FlatEquation[] }[] = [];

  constructor(
    private readonly builder: FlatBuilder,
    private readonly out: FlatEquation[],
  ) {}

  add(instance: Instance, equations: readonly FlatEquation[]): void {
    const around = this.builder.families.around(instance);
    let common = 0;
    while (common < around.length && this.open[common]?.family === around[common]) common++;
    this.close(common);
    for (const family of around.slice(common)) this.open.push({ family, body: [] });
    this.current().push(...equations);
  }

  finish(): void {
    this.close(0);
  }

  private close(depth: number): void {
    while (this.open.length > depth) {
      const { family, body } = this.open.pop()!;
      this.current().push(...overElements(this.builder.pool, family, body));
    }
  }

  private current(): FlatEquation[] {
    return this.open.at(-1)?.body ?? this.out;
  }
}

/** Equations that exist only where a guard holds. */
export function guarded(guard: Guard, equations: readonly FlatEquation[]): readonly FlatEquation[] {
  if (equations.length === 0) return equations;
  return guard.reduceRight<readonly FlatEquation[]>((body, { condition, value }) => {
    const { origin } = body[0]!;
    const other = { condition: undefined, body };
    return [
      { kind: 'if', branches: value ? [{ condition, body }] : [{ condition, body: [] }, other], origin },
    ];
  }, equations);
}

/**
 * All objects that stand for themselves (no arrays, no references to inner components), in order of declaration; of a uniform
 * array its template.
 */
export function* objectsOf(root: ObjectInstance): Generator<ObjectInstance> {
  const stack: Instance[] = [root];
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (next.kind !== 'object' || (next.outer && !next.inner)) continue;
    if (next.dims.length === 0) yield next;
    const below = partsOf(next);
    for (let i = below.length - 1; i >= 0; i--) stack.push(below[i]!);
  }
}

function translateSection(
  builder: FlatBuilder,
  object: ObjectInstance,
  { section, scope }: BehaviourSection,
  sink: Sink,
): void {
  const context = contextOf(builder, scope, object.path, section.initial ? 'initial' : 'equation');
  const target = section.initial ? sink.initialEquations : sink.equations;
  if (section.kind === 'algorithm') {
    target.push(...algorithmEquation(section, context));
    return;
  }
  for (const equation of section.equations) {
    target.push(...translateEquation(equation, context, sink.connections));
  }
}

function translateEquation(node: ast.Equation, context: Context, connections: Connections): FlatEquation[] {
  switch (node.kind) {
    case 'equal':
      return equality(node, context);
    case 'connect':
      if (context.place === 'initial')
        return omit('not-allowed', 'A connect cannot stand in an initial equation section.', node, context, {
          hint: 'Connections hold for the whole run: write it in an equation section.',
        });
      connections.connect(node, context);
      return [];
    case 'call':
      return callEquation(node, context, connections);
    case 'if':
      return ifEquation(node, context, connections);
    case 'for':
      return forEquation(node, node.iterators, context, connections);
    case 'when':
      if (context.place === 'initial')
        return omit(
          'not-allowed',
          'A when-equation cannot stand in an initial equation section.',
          node,
          context,
        );
      return whenEquation(node, context);
  }
}

/** The equations of a body that holds no connects. */
export function equationsIn(body: readonly ast.Equation[], context: Context): FlatEquation[] {
  const connections = new Connections(context.builder);
  return body.flatMap((equation) => translateEquation(equation, context, connections));
}

// ---------------------------------------------------------------- equality

function equality(node: ast.SimpleEquation, context: Context): FlatEquation[] {
  if (node.left.kind === 'tuple' && node.right.kind === 'call' && node.left.members.length > 1) {
    return outputEquations(node.left, node.right, node, context);
  }
  const left = expression(node.left, context);
  return equalValues(left, expression(node.right, context), node, context);
}

function equalValues(left: Value, right: Value, node: ast.Node, context: Context): FlatEquation[] {
  const pairs = matched(left, right, node, context);
  const origin = originOf(node, context);
  return pairs.flatMap(([a, b]): FlatEquation[] =>
    a.type === 'Clock'
      ? equalClocks(a, b, node, context)
      : [{ kind: 'equal', left: a.expr, right: b.expr, dims: a.dims, origin }],
  );
}

/** Clocks are the same one by one: an equation of arrays of them would make all of them one. */
function equalClocks(a: Simple, b: Simple, node: ast.Node, context: Context): FlatEquation[] {
  const left = eachClock(a, node, context);
  const right = eachClock(b, node, context);
  if (!left || !right) return [];
  const origin = originOf(node, context);
  return left.map((own, k) => ({ kind: 'equal', left: own, right: right[k]!, dims: [], origin }));
}

/** The leaves of two sides of an equation, checked for equal types and sizes; empty after an error. */
export function matched(left: Value, right: Value, node: ast.Node, context: Context): [Simple, Simple][] {
  if (isUnknown(left) || isUnknown(right)) return [];
  const typesDiffer = (): [Simple, Simple][] => {
    const message = `The sides of the equation have different types: ${typeName(left)} and ${typeName(right)}.`;
    return omit('type-mismatch', message, node, context);
  };
  if (left.kind !== right.kind) return typesDiffer();
  if (!sameItems(left.dims, right.dims)) {
    const message = `The sides of the equation have different sizes: ${dimsName(left.dims)} and ${dimsName(right.dims)}.`;
    return omit('dimension-mismatch', message, node, context);
  }
  const result: [Simple, Simple][] = [];
  const others = new Map(leaves(right).map((leaf) => [leaf.name, leaf.value]));
  for (const { name, value } of leaves(left)) {
    const other = others.get(name);
    if (!other || commonType(value.type, other.type) === undefined) return typesDiffer();
    if (!sameItems(value.dims, other.dims)) {
      const message = `\`${name}\` has different sizes on the two sides: ${dimsName(value.dims)} and ${dimsName(other.dims)}.`;
      return omit('dimension-mismatch', message, node, context);
    }
    if (isWhole(value, other) || isWhole(other, value)) {
      const message = 'An Integer variable cannot take the values of a Real expression.';
      return omit('type-mismatch', message, node, context, {
        hint: 'Round with `integer(…)`, or declare the variable as Real.',
      });
    }
    result.push([value, other]);
  }
  return others.size === result.length ? result : typesDiffer();
}

/** Whether an equation can only mean that an Integer variable gets a Real value. */
function isWhole(target: Simple, value: Simple): boolean {
  return (
    target.type === 'Integer' &&
    target.variability === 'discrete' &&
    target.expr.kind === 'ref' &&
    value.type === 'Real' &&
    value.expr.kind !== 'ref'
  );
}

/** `der(x)` in place of a variable says which unknown is meant, as `x` does. */
const isDerivative = (node: ast.Expression): boolean =>
  node.kind === 'call' && refName(node.callee) === 'der' && node.positional[0]?.kind === 'ref';

/** `(a, , b) = f(x)`. */
function outputEquations(
  { members }: ast.TupleExpression,
  call: ast.Call,
  node: ast.SimpleEquation,
  context: Context,
): FlatEquation[] {
  const other = members.find((member) => member && member.kind !== 'ref' && !isDerivative(member));
  if (other)
    return omit(
      'not-allowed',
      'Outputs of a function are equal to variables, not to expressions.',
      other,
      context,
      {
        hint: 'Write a variable here, and an equation for what it is equal to.',
      },
    );
  const several = builtinOutputs(call, members, context);
  if (several)
    return several.flatMap(({ target, value }) =>
      equalValues(expression(target, context), value, node, context),
    );
  const assigned = assignedCall(call, members, node, context, (member, output) =>
    matched(expression(member, context), output, node, context).map(([target]) => target.expr),
  );
  if (!assigned) return [];
  const { targets: outputs, fn, args } = assigned;
  return [{ kind: 'call', outputs, fn, args, origin: originOf(node, context) }];
}

// ---------------------------------------------------------------- calls that stand alone

function callEquation(node: ast.CallEquation, context: Context, connections: Connections): FlatEquation[] {
  const name = refName(node.call.callee);
  switch (name) {
    case 'assert': {
      const result = assertion(node.call, context);
      if (!result) return [];
      const equation: FlatAssert = { kind: 'assert', ...result, origin: originOf(node, context) };
      return [equation];
    }
    case 'terminate':
      return terminationOf(node, context);
    case 'reinit':
      return omit('bad-call', '`reinit` can stand only inside a when-equation.', node, context, {
        hint: context.ticking
          ? 'Its condition is an event of continuous time, not a clock.'
          : 'Write `when condition then reinit(…); end when;`.',
      });
    default:
      return otherCall(name, node, context, connections);
  }
}

/** `terminate` ends the run where it is reached (section 8.3.8): at once, at a tick, or where the conditions around it hold. */
function terminationOf(node: ast.CallEquation, context: Context): FlatEquation[] {
  if (context.place === 'initial')
    return omit('bad-call', '`terminate` cannot stand in an initial section.', node, context, {
      hint: 'Write `when initial() then terminate(…); end when;`.',
    });
  const message = messageOf(node.call, context);
  if (!message) return [];
  const condition = context.builder.pool.zero;
  return [{ kind: 'assert', condition, message, level: 'end', origin: originOf(node, context) }];
}

function otherCall(
  name: string,
  node: ast.CallEquation,
  context: Context,
  connections: Connections,
): FlatEquation[] {
  const operator = graphOperator(node.call);
  if (operator !== undefined) connections.operator(operator, node.call, context);
  else if (name === 'transition' || name === 'initialState') {
    // Translated by `machines.ts`.
    if (context.place === 'equation') return [];
    report('bad-call', `\`${name}\` cannot stand here.`, node, context, {
      hint: 'Write it in an equation section (not an initial one).',
    });
  } else if (context.place === 'equation' && !context.ticking && isImpureCall(node.call, context)) {
    return calledAtStart(node, context);
  } else {
    const done = effect(node, context);
    if (done) return [{ kind: 'assert', ...done, origin: originOf(node, context) }];
  }
  return [];
}

/** An impure function has no place among equations (section 12.3); where it stands there nevertheless, it is called when the run begins. */
function calledAtStart(node: ast.CallEquation, context: Context): FlatEquation[] {
  const { builder } = context;
  const done = effect(node, { ...context, place: 'when' });
  if (!done) return [];
  const origin = originOf(node, context);
  const message = `The function \`${refName(node.call.callee)}\` is impure: in an equation section it is called once, when the run begins.`;
  const hint = 'Call it in a when-clause or an initial section.';
  builder.diagnostics.push(warning('not-allowed', message, { span: origin.span, hint }));
  const body: FlatAction[] = [{ kind: 'assert', ...done, origin }];
  return [{ kind: 'when', branches: [{ condition: builder.pool.raw('initial', []), body }], origin }];
}

function isImpureCall({ callee }: ast.Call, { scope }: Context): boolean {
  const found = resolve(scope, callee);
  return found.kind === 'class' && isImpure(entityOf(found.class));
}

// ---------------------------------------------------------------- for

function forEquation(
  node: ast.ForEquation,
  iterators: readonly ast.Iterator[],
  context: Context,
  connections: Connections,
): FlatEquation[] {
  const [first, ...rest] = iterators;
  const translate = (inner: Context): FlatEquation[] =>
    rest.length > 0
      ? forEquation(node, rest, inner, connections)
      : node.body.flatMap((equation) => translateEquation(equation, inner, connections));
  const attempt = (): (() => void) => {
    const mark = connections.mark();
    return () => connections.rewind(mark);
  };
  const result = iterate(first!, [rest, node.body], context, translate, needsUnrolling(node.body), attempt);
  if (!result) return [];
  if (result.kind === 'unrolled') return result.bodies.flat();
  const origin = originOf(node, context);
  return result.parts.flatMap(({ iterator, range, body }): FlatEquation[] =>
    body.length === 0 || range.values.length === 0
      ? []
      : [{ kind: 'for', iterator, range: range.expr, body, origin }],
  );
}

/** Conditions have no iterator: what has some is written out one by one, unless branches can be paired or the iterator alone chooses. */
function needsUnrolling(body: readonly ast.Equation[]): boolean {
  return [...nodesIn(body)].some(
    (node) => node.kind === 'when' || (node.kind === 'if' && containsConnect(node)),
  );
}

const containsConnect = (node: ast.IfEquation): boolean =>
  [...nodesIn<ast.Equation>([node])].some(
    (inner) => inner.kind === 'connect' || (inner.kind === 'call' && graphOperator(inner.call) !== undefined),
  );

// ---------------------------------------------------------------- if

type Branch = { readonly condition: number | undefined; readonly body: readonly FlatEquation[] };

function ifEquation(node: ast.IfEquation, context: Context, connections: Connections): FlatEquation[] {
  const { builder } = context;
  if (containsConnect(node)) return decidedBranches(node, context, connections);
  const translate = (equation: ast.Equation): FlatEquation[] =>
    translateEquation(equation, context, connections);
  const paired = pairedEquations(node, context, translate);
  if (paired) return paired;
  const mark = builder.mark();
  const branches: Branch[] = [];
  const denied: Expr[] = [];
  const translated = (body: readonly ast.Equation[], holds?: Expr): FlatEquation[] => {
    const inside = inBranch(context, denied, holds);
    return body.flatMap((equation) => translateEquation(equation, inside, connections));
  };
  let fixed = true;
  for (const { condition: test, body } of node.branches) {
    const value = afterOthers(condition(test, context), denied, context);
    if (isUnknown(value)) return [];
    fixed &&= atMost(value.variability, 'parameter');
    const known = context.loop ? decidedInLoops(value, context) : fixed && decidedNumber(builder, value.expr);
    if (context.loop && known === undefined) return [];
    if (known === 0) continue;
    const equations = translated(body, value.expr);
    branches.push({
      condition: known === 1 ? undefined : conditionNumber(value, test, context),
      body: equations,
    });
    denied.push(value.expr);
    if (known === 1) return finished(node, branches, mark, fixed, context, connections);
  }
  if (node.otherwise) branches.push({ condition: undefined, body: translated(node.otherwise) });
  return finished(node, branches, mark, fixed, context, connections);
}

/** A condition is asked for only where those before it are false: the functions that it calls may fail otherwise. */
function afterOthers(value: Simple, denied: readonly Expr[], { builder: { pool } }: Context): Simple {
  if (!nodesOf(value.expr).some(({ kind }) => kind === 'call')) return value;
  return {
    ...value,
    expr: denied.reduceRight((rest, before) => pool.and(pool.not(before), rest), value.expr),
  };
}

/**
 * An if-equation over parameters may have branches that make no sense for the values that are not chosen (sizes,
 * absent components): then the parameters decide now.
 */
function finished(
  node: ast.IfEquation,
  branches: readonly Branch[],
  mark: readonly [number, number],
  fixed: boolean,
  context: Context,
  connections: Connections,
): FlatEquation[] {
  const { builder } = context;
  if (fixed && builder.diagnostics.length > mark[0]) {
    const again = builder.diagnostics.slice(mark[0]);
    builder.rewind(mark);
    const chosen = decidedBranches(node, context, connections);
    if (builder.diagnostics.length === mark[0]) return chosen;
    builder.rewind(mark);
    builder.diagnostics.push(...again);
    return [];
  }
  if (branches.length === 1 && branches[0]!.condition === undefined) return [...branches[0]!.body];
  if (branches.every((branch) => branch.body.length === 0)) return [];
  return [{ kind: 'if', branches, origin: originOf(node, context) }];
}

/**
 * An if-equation whose branches depend on its parameters by more than their equations (connections, sizes): the parameters
 * decide now; conditions that change at events guard the connections in their branches.
 */
function decidedBranches(node: ast.IfEquation, context: Context, connections: Connections): FlatEquation[] {
  const branches: Branch[] = [];
  const path: Literal[] = [];
  const translated = (body: readonly ast.Equation[], guard: Guard): FlatEquation[] =>
    connections.within(guard, () => body.flatMap((e) => translateEquation(e, context, connections)));
  let otherwise = node.otherwise ?? [];
  for (const { condition: test, body } of node.branches) {
    const value = condition(test, context);
    if (isUnknown(value)) return [];
    if (!atMost(value.variability, 'parameter')) {
      const number = conditionNumber(value, test, context);
      const { conditions } = context.builder;
      conditions[number] = { ...conditions[number]!, connects: true };
      const guard = [...path, { condition: number, value: true }];
      branches.push({ condition: number, body: translated(body, guard) });
      path.push({ condition: number, value: false });
      continue;
    }
    const known = fixedNumber(context.builder, value.expr);
    if (known === undefined) {
      notFixed(value, 'The condition of connections', test, context);
      return [];
    }
    if (!known) continue;
    otherwise = body;
    break;
  }
  const rest = translated(otherwise, path);
  if (branches.length === 0) return rest;
  if (rest.length > 0) branches.push({ condition: undefined, body: rest });
  return branches.some((branch) => branch.body.length > 0)
    ? [{ kind: 'if', branches, origin: originOf(node, context) }]
    : [];
}

/** The number of a condition in the model's table; equal conditions share one. */
function conditionNumber(value: Simple, node: ast.Node, context: Context): number {
  const { builder } = context;
  return remember(builder.conditionOf, value.expr, () => {
    builder.families.demandCommon(value.expr);
    const label = exprText(value.expr, builderNames(builder));
    return builder.conditions.push({ value: value.expr, label, origin: originOf(node, context) }) - 1;
  });
}
