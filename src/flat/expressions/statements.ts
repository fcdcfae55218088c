/**
 * Statements of functions and algorithm sections (Modelica 3.6, chapter 11), and the calls that stand for themselves both
 * there and among equations: `assert` and `terminate`.
 */
import { sameItems } from '../../collections/lists.ts';
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts';
import { dimsName } from '../../model/value.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { FunctionStatement, Statement } from '../../symbolic/function.ts';
import type * as ast from '../../syntax/ast.ts';
import { everyNode, nodesIn } from '../../syntax/walk.ts';
import { type Context, omit, refuse, report, reportSize, spanOf, withLocal } from '../core/context.ts';
import { atMost, isUnknown, leaves, type Simple, simple, typeName, type Value } from '../core/values.ts';
import type { FlatAssert } from '../flat.ts';
import { assignable } from './bindings.ts';
import { assignedCall, builtinOutputs, matchArguments, outputsOf } from './calls.ts';
import { fixedNumber, fixedValue, numbers } from './constants.ts';
import { condition, expression, rangeEnds, rangeType } from './expressions.ts';
import { doneOutput } from './functions.ts';
import { refuseConnection } from './graph.ts';
import { type Decide, guarded } from './guards.ts';
import { countedRange, type IteratedRange, isOfRows, mayRunOver, rowsOf } from './iteration.ts';
import { reference, refName } from './references.ts';
import { assignedTogether } from './together.ts';

/** What the statements mean that do not occur in functions: `when`, and calls other than assertions that end the run. */
export type Others<Other> = (node: ast.WhenStatement | ast.CallStatement, context: Context) => Other[];

/** The statements of a function. */
export function functionBody(body: readonly ast.Statement[], context: Context): FunctionStatement[] {
  return statements<FunctionStatement>(body, context, (node, inner) => {
    if (node.kind === 'when') report('bad-call', 'A function cannot contain a when-statement.', node, inner);
    else if (refName(node.call.callee) === 'assert') warnUnchecked(node, inner);
    else return effectStatement(node, inner);
    return [];
  });
}

/** A call for what the function does, `f(x);`. */
function effectStatement(node: ast.CallStatement, context: Context): FunctionStatement[] {
  if (refuseConnection(node, 'an algorithm', context)) return [];
  const outputs = outputsOf(node.call, 0, node, context);
  if (!outputs) return [];
  return [
    { kind: 'multiassign', targets: [], fn: outputs.fn, args: outputs.args, span: spanOf(node, context) },
  ];
}

/** The same outside of functions: an assertion that it was done, so that it is done where assertions are checked. */
export function effect(node: ast.CallStatement | ast.CallEquation, context: Context): Assertion | undefined {
  const { builder } = context;
  const { pool, functions } = builder;
  const outputs = outputsOf(node.call, 0, node, context);
  if (!outputs) return undefined;
  const message = pool.text(`\`${refName(node.call.callee)}\` could not be called.`);
  const done = (fn: number): Assertion => ({
    condition: pool.call(fn, outputs.args, 0),
    message,
    level: 'error',
  });
  if (outputs.count === 0) return done(outputs.fn);
  const { name, locals, inputs, impure, span } = functions[outputs.fn]!;
  const args = Array.from({ length: inputs }, (_, k) => pool.local(k));
  const body: FunctionStatement[] = [{ kind: 'multiassign', targets: [], fn: outputs.fn, args, span }];
  const all = [...locals.slice(0, inputs), doneOutput(builder)];
  const alone = { name, locals: all, inputs, outputs: 1, body, ...(impure && { impure }), span };
  return done(functions.push(alone) - 1);
}

export function statements<Other>(
  body: readonly ast.Statement[],
  context: Context,
  others: Others<Other>,
): Statement<Other>[] {
  return body.flatMap((statement) => translate(statement, context, others));
}

function translate<Other>(node: ast.Statement, context: Context, others: Others<Other>): Statement<Other>[] {
  switch (node.kind) {
    case 'assign':
      return assign(node, context);
    case 'multiassign':
      return multiassign(node, context);
    case 'call':
      return refName(node.call.callee) === 'assert'
        ? assertStatement(node, context, others)
        : others(node, context);
    case 'if':
      return ifStatement(node, context, others);
    case 'for':
      return forStatement(node, node.iterators, context, others);
    case 'while': {
      const test = condition(node.condition, context);
      const body = statements(node.body, { ...context, looping: true }, others);
      return [{ kind: 'while', condition: test.expr, body }];
    }
    case 'when':
      return others(node, context);
    case 'break':
      if (context.looping) return [{ kind: 'break' }];
      return omit('bad-call', '`break` can stand only inside a loop.', node, context);
    case 'return':
      if (context.place === 'function') return [{ kind: 'return' }];
      return omit('bad-call', '`return` can stand only in a function.', node, context, {
        hint: 'Put the statements that follow into an `if`.',
      });
  }
}

/** Branches whose conditions are constant are decided: a function is translated for known sizes. */
function ifStatement<Other>(
  node: ast.IfStatement,
  context: Context,
  others: Others<Other>,
): Statement<Other>[] {
  const translate = (decide: Decide, tests: Simple[]): Statement<Other>[] => {
    const branches: { condition: Expr | undefined; body: Statement<Other>[] }[] = [];
    for (const branch of node.branches) {
      const test = condition(branch.condition, context);
      tests.push(test);
      const known = decide(test);
      if (known === 0) continue;
      const body = statements(branch.body, context, others);
      branches.push({ condition: known === 1 ? undefined : test.expr, body });
      if (known === 1) return joined(branches);
    }
    if (node.otherwise) {
      branches.push({ condition: undefined, body: statements(node.otherwise, context, others) });
    }
    return joined(branches);
  };
  return guarded(context, translate) ?? [];
}

function joined<Other>(
  branches: readonly { condition: Expr | undefined; body: Statement<Other>[] }[],
): Statement<Other>[] {
  const [first] = branches;
  if (!first) return [];
  return first.condition === undefined ? [...first.body] : [{ kind: 'if', branches }];
}

function assign(node: ast.AssignStatement, context: Context): FunctionStatement[] {
  const target = reference(node.target, context);
  const pairs = assignedPairs(target, expression(node.value, context), node, context);
  const span = spanOf(node, context);
  const targets = pairs.length > 1 ? leaves(target).map(({ value }) => value) : [];
  const together = assignedTogether(
    targets,
    pairs.map(([, value]) => value),
    context,
    span,
  );
  if (together) return [together];
  return pairs.map(([left, right]) => ({ kind: 'assign', target: left, value: right, span }));
}

/** Targets with the values they get, field by field; empty after an error. */
function assignedPairs(target: Value, value: Value, node: ast.Node, context: Context): [Expr, Expr][] {
  if (isUnknown(target) || isUnknown(value)) return [];
  const wrong = (): [Expr, Expr][] => {
    const message = `${typeName(value)} cannot be assigned to ${typeName(target)}.`;
    return omit('type-mismatch', message, node, context);
  };
  if (!sameItems(target.dims, value.dims)) {
    const message = `Sizes differ in the assignment: ${dimsName(target.dims)} and ${dimsName(value.dims)}.`;
    const changes = target.dims.length === value.dims.length && isFlexible(node, context);
    const tell = changes ? reportSize : report;
    tell('dimension-mismatch', message, node, context);
    return [];
  }
  const values = new Map(leaves(value).map((leaf) => [leaf.name, leaf.value]));
  const result: [Expr, Expr][] = [];
  for (const { name, value: left } of leaves(target)) {
    const right = values.get(name);
    if (!right || !assignable(left.type, right.type)) return wrong();
    if (left.expr.kind !== 'local' && left.expr.kind !== 'ref')
      return omit('bad-binding', 'This cannot be assigned to.', node, context);
    if (left.expr.kind === 'ref' && isGiven(left.expr.symbol, node, context)) return [];
    result.push([left.expr, right.expr]);
  }
  return values.size === result.length ? result : wrong();
}

/** Whether a variable of a model has its value from elsewhere, which is said: no algorithm assigns to it (sections 4.4.4 and 11.2.1). */
function isGiven(symbol: number, node: ast.Node, context: Context): boolean {
  const instance = context.builder.instances[symbol];
  if (!instance) return false;
  const { path, variability, causality } = instance;
  const isFixed = variability === 'constant' || variability === 'parameter';
  let owner = instance.parent;
  while (owner?.kind === 'object' && /(connector|record)$/.test(owner.restriction)) owner = owner.parent;
  const isInput = causality === 'input' && owner === context.scope.instance;
  if (isFixed ? context.place === 'initial' && variability === 'parameter' : !isInput) return false;
  const what = isFixed ? variability : 'input';
  const hint = isFixed
    ? `Declare it without \`${variability}\`, or give it this value where it is declared.`
    : 'Its value comes from outside: assign to another variable.';
  const message = `\`${path}\` is ${what === 'input' ? 'an' : 'a'} ${what}: an algorithm cannot assign to it.`;
  report('bad-binding', message, node, context, { hint });
  return true;
}

/** Whether what is assigned is the whole of a variable whose size may change. */
function isFlexible(node: ast.Node, { flexible }: Context): boolean {
  const { kind, target, targets } = node as Partial<ast.AssignStatement> & Partial<ast.MultiAssignStatement>;
  const all = kind === 'assign' ? [target] : (targets ?? []);
  return all.some((one) => {
    const [part, ...rest] = one?.parts ?? [];
    return part && rest.length === 0 && part.subscripts.length === 0 && flexible?.has(part.name);
  });
}

function multiassign(node: ast.MultiAssignStatement, context: Context): FunctionStatement[] {
  const several = builtinOutputs(node.call, node.targets, context);
  if (several)
    return several.flatMap(({ target, value }) =>
      assignedPairs(reference(target, context), value, node, context).map(
        ([left, right]): FunctionStatement => ({
          kind: 'assign',
          target: left,
          value: right,
          span: spanOf(node, context),
        }),
      ),
    );
  const assigned = assignedCall(node.call, node.targets, node, context, (target, output) =>
    assignedPairs(reference(target, context), output, node, context).map(([left]) => left),
  );
  return assigned ? [{ kind: 'multiassign', ...assigned, span: spanOf(node, context) }] : [];
}

function assertStatement<Other>(
  node: ast.CallStatement,
  context: Context,
  others: Others<Other>,
): Statement<Other>[] {
  const result = assertion(node.call, context);
  if (!result) return [];
  if (result.level === 'warning') return others(node, context);
  return [
    { kind: 'assert', condition: result.condition, message: result.message, span: spanOf(node, context) },
  ];
}

/** Told once, however often the function is translated. */
export function warnUnchecked(node: ast.CallStatement, context: Context): void {
  const span = spanOf(node, context);
  const isTold = ({ code, span: other }: Diagnostic): boolean =>
    code === 'unsupported' && other?.source === span.source && other.start === span.start;
  if (context.builder.diagnostics.some(isTold)) return;
  const message =
    'Assertions of functions and initial algorithms are not checked where their level is `warning`.';
  const hint =
    'Assert it in an equation or algorithm section of the model; or leave the level out, then a violation ends the run.';
  context.builder.diagnostics.push(warning('unsupported', message, { span, hint }));
}

/** Loops of functions run at run time: their bounds need not be known. */
function forStatement<Other>(
  node: ast.ForStatement,
  iterators: readonly ast.Iterator[],
  context: Context,
  others: Others<Other>,
): Statement<Other>[] {
  const [first, ...rest] = iterators;
  const counted = countedRange(first!, [rest, node.body], context);
  const range: LoopRange | undefined =
    counted ?? (first!.range && loopRange(first!.range, node.body, context));
  if (!range) return [];
  const again = (inner: Context): Statement<Other>[] =>
    rest.length > 0 ? forStatement(node, rest, inner, others) : statements(node.body, inner, others);
  const name = first!.name.text;
  const { builder } = context;
  if (range.type === 'String') return overTexts(node, name, range.expr, context, again);
  const mark = builder.mark();
  const iterator = builder.iterator(name);
  const rows = range.row;
  const turn = builder.pool.iter(iterator);
  const value = rows ? rows(turn) : simple(turn, range.type, 'continuous');
  const turns = [...(context.turns ?? []), turn];
  const body = again(withLocal({ ...context, looping: true, turns }, name, value));
  const loop: Statement<Other>[] = [{ kind: 'for', iterator, range: range.expr, body }];
  const problems = builder.diagnostics.slice(mark[0]);
  const values = problems.length > 0 && !endsEarly(node.body) ? knownValues(context, range.expr) : undefined;
  if (!values) return loop;
  // Sizes inside may depend on the iterator: the body is written once for each of its values.
  builder.rewind(mark);
  const written = values.flatMap((at) => {
    const own = builder.pool.const(at);
    const inner = { ...context, turns: [...(context.turns ?? []), own] };
    return again(withLocal(inner, name, rows ? rows(own) : simple(own, range.type, 'constant')));
  });
  if (builder.diagnostics.length === mark[0]) return written;
  builder.rewind(mark);
  builder.diagnostics.push(...problems);
  return loop;
}

/** A loop over Strings is written out. */
function overTexts<Other>(
  node: ast.ForStatement,
  name: string,
  range: Expr,
  context: Context,
  body: (inner: Context) => Statement<Other>[],
): Statement<Other>[] {
  const texts = fixedValue(context.builder, range)?.items;
  if (!texts || endsEarly(node.body)) {
    const message = 'A loop over Strings must have fixed ones, and no `break`.';
    return omit('unsupported', message, node, context);
  }
  return texts.flatMap((text) =>
    body(withLocal(context, name, simple(context.builder.pool.text(String(text)), 'String', 'constant'))),
  );
}

/** More values than this are not written out. */
const mostWritten = 1000;

/** The values of the range of a loop, where they do not depend on inputs of a function or on variables. */
function knownValues({ builder }: Context, range: Expr): readonly number[] | undefined {
  const data = fixedValue(builder, range);
  const values = data && numbers(data);
  return values && values.length <= mostWritten ? values : undefined;
}

/** Whether a `break` of the loop itself may end it. */
const endsEarly = (body: readonly ast.Statement[]): boolean =>
  body.some((statement) => {
    if (statement.kind === 'break') return true;
    if (statement.kind !== 'if') return false;
    return [...statement.branches.map((branch) => branch.body), statement.otherwise ?? []].some(endsEarly);
  });

type LoopRange = Pick<IteratedRange, 'expr' | 'type' | 'row'>;

function loopRange(
  node: ast.Expression,
  body: readonly ast.Statement[],
  context: Context,
): LoopRange | undefined {
  if (node.kind !== 'range') {
    const value = expression(node, context);
    if (isUnknown(value)) return undefined;
    if (isOfRows(value)) {
      const isAllowed = context.place === 'function' || mayRunOver(value, node, context);
      return isAllowed && isKept(node, body, context) ? rowsOf(context.builder, value) : undefined;
    }
    if (value.kind === 'record' || value.dims.length !== 1)
      return refuse('type-mismatch', `A loop cannot run over ${typeName(value)}.`, node, context, {
        hint: 'It runs over a vector or over the values of a type.',
      });
    // Of values that change, each turn looks up its own: it is known how many there are, so that relations in the loop cause events.
    const isLookedUp =
      atSection(context) && value.type !== 'String' && !atMost(value.variability, 'parameter');
    if (isLookedUp && !changeOf(node, body)) return rowsOf(context.builder, value);
    return { expr: value.expr, type: value.type };
  }
  const bounds = rangeEnds(node, context);
  if (bounds.some(isUnknown)) return undefined;
  const type = rangeType(bounds, node);
  const wrong = bounds.find((b) => b.dims.length > 0) ?? (type === undefined ? bounds[0] : undefined);
  if (wrong || !type)
    return refuse('type-mismatch', `A bound of the loop is ${typeName(wrong!)}.`, node, context);
  return { expr: context.builder.pool.apply('range', ...bounds.map(({ expr }) => expr)), type };
}

/** Whether statements are those of an algorithm section, which are carried out again and again. */
const atSection = ({ place }: Context): boolean => place !== 'function' && place !== 'initial';

/** Rows are looked up in every turn: what the loop runs over must stay what it was before. */
function isKept(range: ast.Expression, body: readonly ast.Statement[], context: Context): boolean {
  const changed = changeOf(range, body);
  if (!changed) return true;
  report('unsupported', 'A loop over rows cannot change what it runs over.', changed, context, {
    hint: 'Copy the array to another variable before the loop.',
  });
  return false;
}

/** The statement of a loop that changes what it runs over. */
function changeOf(range: ast.Expression, body: readonly ast.Statement[]): ast.Statement | undefined {
  const named = new Set<string>();
  for (const node of everyNode(range)) if (node.kind === 'ref') named.add(node.parts[0]!.name);
  for (const node of nodesIn(body)) {
    const targets = node.kind === 'assign' ? [node.target] : node.kind === 'multiassign' ? node.targets : [];
    if (targets.some((target) => target && named.has(target.parts[0]!.name))) return node;
  }
  return undefined;
}

// ---------------------------------------------------------------- assert and terminate

type Assertion = Omit<FlatAssert, 'kind' | 'origin'>;

export function assertion(node: ast.Call, context: Context): Assertion | undefined {
  const args = matchArguments(node, ['condition', 'message', 'level'], 2, 'assert', context);
  const [test, message, level] = args ?? [];
  if (!test || !message || isUnknown(test.value) || isUnknown(message.value)) return undefined;
  if (test.value.kind !== 'simple' || test.value.type !== 'Boolean' || test.value.dims.length > 0) {
    const problem = `\`assert\` needs a Boolean, not ${typeName(test.value)}.`;
    return refuse('type-mismatch', problem, test.node, context);
  }
  if (message.value.kind !== 'simple' || message.value.type !== 'String') {
    const problem = 'The message of `assert` must be a String.';
    return refuse('type-mismatch', problem, message.node, context);
  }
  const severity = level ? severityOf(level.value, level.node, context) : 'error';
  return severity && { condition: test.value.expr, message: message.value.expr, level: severity };
}

/** The level of an assertion is fixed before the run (section 8.3.7). */
function severityOf(level: Value, node: ast.Node, context: Context): Assertion['level'] | undefined {
  if (isUnknown(level)) return undefined;
  if (level.kind !== 'simple' || typeof level.type !== 'object' || level.type.path !== 'AssertionLevel') {
    const problem = `The level of \`assert\` must be an AssertionLevel, not ${typeName(level)}.`;
    const hint = 'Write `AssertionLevel.warning` or `AssertionLevel.error`.';
    return refuse('type-mismatch', problem, node, context, { hint });
  }
  if (!atMost(level.variability, 'parameter') && context.place !== 'function')
    return refuse('variability', 'The level of `assert` must be a parameter expression.', node, context);
  const number = fixedNumber(context.builder, level.expr);
  return number !== undefined && level.type.literals[number - 1] === 'warning' ? 'warning' : 'error';
}

/** The message of `terminate(message)`. */
export function messageOf(node: ast.Call, context: Context): Expr | undefined {
  const value = matchArguments(node, ['message'], 1, 'terminate', context)?.[0]?.value;
  if (!value || isUnknown(value)) return undefined;
  if (value.kind === 'simple' && value.type === 'String') return value.expr;
  return refuse('type-mismatch', 'The message of `terminate` must be a String.', node, context);
}
