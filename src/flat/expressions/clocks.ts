/**
 * Clocks and the operators on them (Modelica 3.6, sections 16.3 to 16.6 and 16.10), as notes for clock inference
 * (`flat/clocks/partitions.ts`). Every clock is a symbol: a declared `Clock` variable, or one that is added for a constructor or an
 * operator. The value of every clock conversion is a variable of its own, so that the equations around it contain
 * nothing but variables that have one clock; the note tells where its value comes from.
 *
 * A clocked variable changes at the ticks of its clock and keeps its value in between. Therefore `previous(v)` is the left
 * limit of v, and the value from the last tick, which most conversions want, is simply that of the variable.
 */
import { nodesOf } from '../../symbolic/analyse.ts';
import { scalarise } from '../../symbolic/arrays.ts';
import type { Expr, Ref } from '../../symbolic/expr.ts';
import type * as ast from '../../syntax/ast.ts';
import { blank } from '../core/blank.ts';
import {
  type Context,
  type FlatBuilder,
  type OperatorRule,
  originOf,
  refuse,
  report,
} from '../core/context.ts';
import {
  atMost,
  isNumeric,
  isUnknown,
  mapLeaves,
  type Simple,
  simple,
  storage,
  typeName,
  type Value,
} from '../core/values.ts';
import {
  type ClockOperator,
  type ClockRelation,
  type ClockSource,
  type FlatVariable,
  type Origin,
  solverMethods,
} from '../flat.ts';
import { rational } from '../rationals.ts';
import { before } from './calculus.ts';
import { type CallArgument, matchArguments, matchSlots } from './calls.ts';
import { fixedNumber, fixedValue, numbers } from './constants.ts';
import { expression } from './expressions.ts';
import { needsValue } from './iteration.ts';
import { stacked } from './references.ts';

/** The clocked operators by name; `sample` only in the form without a start time. */
export const clockOperators: Readonly<Record<ClockOperator, OperatorRule>> = {
  Clock: construct,
  previous,
  hold: (node, context) => plain('hold', node, context),
  noClock: (node, context) => plain('noClock', node, context),
  subSample: (node, context) => scaled('subSample', node, context),
  superSample: (node, context) => scaled('superSample', node, context),
  shiftSample: (node, context) => shifted('shiftSample', node, context),
  backSample: (node, context) => shifted('backSample', node, context),
  interval: (node, context) => property('interval', node, context),
  firstTick: (node, context) => property('firstTick', node, context),
};

/** `sample(u)` and `sample(u, clock)`; undefined for `sample(start, interval)`. */
export function clockedSample(node: ast.Call, context: Context): Value | undefined {
  const { builder } = context;
  const named = node.named.some(({ name }) => name.text === 'clock');
  if (node.positional.length + node.named.length > 1 && !named) {
    const second = node.positional[1];
    if (!second || second.kind === 'partial') return undefined;
    const value = expression(second, context);
    if (isUnknown(value)) return value;
    if (value.kind !== 'simple' || value.type !== 'Clock') return undefined;
  }
  const args = given(node, ['u', 'clock'], 1, 'sample', context);
  if (!args) return builder.unknown;
  const [u, clock] = args;
  if (!u || (clock && isUnknown(clock.value))) return builder.unknown;
  const symbol = clock && clockSymbol(clock, context);
  if (clock && symbol === undefined) return builder.unknown;
  return convert({ kind: 'sample' }, u, symbol, node, context);
}

/** The symbol of a value of type Clock. */
export function clockSymbol({ value, node }: CallArgument, context: Context): number | undefined {
  if (value.kind !== 'simple' || value.type !== 'Clock')
    return refuse('type-mismatch', `A clock is needed here, not ${typeName(value)}.`, node, context);
  if (value.dims.length > 0)
    return refuse('dimension-mismatch', 'This is an array of clocks, not a single one.', node, context);
  return eachClock(value, node, context)?.[0]?.symbol;
}

/** The clocks that a value stands for, row-major: which they are must be known before the run. */
export function eachClock(value: Simple, node: ast.Node, context: Context): Ref[] | undefined {
  const { builder } = context;
  if (needsValue(value.expr, context)) return undefined;
  const elements = scalarise(
    builder.pool,
    {
      functions: [],
      dimsOfSymbol: (symbol) => builder.instances[symbol]?.dims ?? [],
      symbolElement: (symbol) => symbol,
      valueOfElement: (symbol, index) => {
        const known = fixedValue(builder, builder.pool.ref(symbol));
        return known && numbers(known)[index];
      },
      iterators: new Map(),
    },
    value.expr,
  );
  const clocks = elements.filter((element): element is Ref => element.kind === 'ref');
  if (clocks.length === elements.length) return clocks;
  return refuse('variability', 'Subscripts that choose a clock must be known before the run.', node, context);
}

// ---------------------------------------------------------------- constructors

function construct(node: ast.Call, context: Context): Value {
  const { builder } = context;
  const origin = originOf(node, context);
  const names = node.named.map(({ name }) => name.text);
  if (node.positional.length === 0 && names.length === 0) return newClock(builder, undefined, origin);
  const first = node.positional[0] ?? node.named[0]?.value;
  const value = first && first.kind !== 'partial' ? expression(first, context) : builder.unknown;
  if (isUnknown(value)) return builder.unknown;
  if (value.kind !== 'simple' || value.dims.length > 0) return notAClock(node, context);
  if (value.type === 'Clock' || names.includes('solverMethod')) return solverClock(value, node, context);
  if (value.type === 'Boolean') return eventClock(node, context);
  if (value.type === 'Integer' && !names.includes('interval')) return rationalClock(node, context);
  if (value.type === 'Real' && node.positional.length > 1) return notWhole(node, context);
  return isNumeric(value.type) ? realClock(node, context) : notAClock(node, context);
}

function notAClock(node: ast.Call, context: Context): Simple {
  return report('bad-call', 'These arguments do not make a clock.', node, context, {
    hint: 'Write `Clock()`, `Clock(interval)`, `Clock(intervalCounter, resolution)` or `Clock(condition, startInterval)`.',
  });
}

function notWhole(node: ast.Call, context: Context): Simple {
  const message = 'A clock with a resolution counts whole intervals: both arguments must be Integers.';
  return report('bad-call', message, node, context, {
    hint: '`Clock(1, 1000)` ticks every millisecond, and so does `Clock(0.001)`.',
  });
}

/** `Clock(c, solverMethod)`: a clock that ticks like c, and integrates the equations on it (section 16.8). */
function solverClock(value: Simple, node: ast.Call, context: Context): Value {
  const { builder } = context;
  const [clock, method] = given(node, ['c', 'solverMethod'], 2, 'Clock', context) ?? [];
  if (!clock || !method) return builder.unknown;
  if (value.type !== 'Clock') return notAClock(node, context);
  const { type, expr, dims } = method.value as Simple;
  const text = type === 'String' && dims.length === 0 ? fixedValue(builder, expr)?.items[0] : undefined;
  if (typeof text !== 'string')
    return report(
      'type-mismatch',
      'A solver method is a String that is known before the run.',
      method.node,
      context,
    );
  if (text === '') return value;
  // The choice of the simulation: no worse than others on smooth equations.
  const known = text === 'External' ? 'ExplicitRungeKutta4' : solverMethods.find((name) => name === text);
  if (!known)
    return report('unsupported', `The solver method \`${text}\` is not available.`, method.node, context, {
      hint: `Choose one of ${solverMethods.join(', ')}.`,
    });
  const made = convert({ kind: 'shiftSample', shift: rational(0, 1) }, clock, undefined, node, context);
  if (made.kind === 'simple' && made.expr.kind === 'ref') builder.clocks.methods.set(made.expr.symbol, known);
  return made;
}

function eventClock(node: ast.Call, context: Context): Value {
  const { builder } = context;
  const args = given(node, ['condition', 'startInterval'], 1, 'Clock', context);
  if (!args) return builder.unknown;
  const [test, start] = args;
  const startInterval = start ? parameter(start, 'The start interval', context) : builder.pool.zero;
  if (!startInterval) return builder.unknown;
  const origin = originOf(node, context);
  const condition = argumentOf(builder, test!.value as Simple, 'continuous', origin).expr;
  return newClock(builder, { kind: 'event', condition, startInterval }, origin);
}

function rationalClock(node: ast.Call, context: Context): Value {
  const { builder } = context;
  const args = given(node, ['intervalCounter', 'resolution'], 1, 'Clock', context);
  if (!args) return builder.unknown;
  const [counter, resolution] = args;
  const origin = originOf(node, context);
  const parts = resolution ? whole(resolution, 'The resolution', 1, context) : 1;
  if (parts === undefined) return builder.unknown;
  const { pool } = builder;
  const count = counter!.value as Simple;
  if (!atMost(count.variability, 'parameter')) {
    return newClock(builder, { kind: 'varying', interval: pool.div(count.expr, pool.const(parts)) }, origin);
  }
  const n = whole(counter!, 'The interval counter', 0, context);
  if (n === undefined) return builder.unknown;
  return newClock(builder, n === 0 ? undefined : { kind: 'rational', period: rational(n, parts) }, origin);
}

function realClock(node: ast.Call, context: Context): Value {
  const { builder } = context;
  const [interval] = given(node, ['interval'], 1, 'Clock', context) ?? [];
  if (!interval) return builder.unknown;
  const { expr, variability } = interval.value as Simple;
  const kind = atMost(variability, 'parameter') ? 'real' : 'varying';
  const known = variability === 'constant' ? fixedNumber(builder, expr) : undefined;
  if (known !== undefined && !(known > 0)) {
    return report('bad-call', 'The interval of a clock must be positive.', interval.node, context);
  }
  return newClock(builder, { kind, interval: expr }, originOf(node, context));
}

/** The clock itself; without a source it is inferred. */
function newClock(builder: FlatBuilder, source: ClockSource | undefined, origin: Origin): Simple {
  const symbol = builder.add(addedVariable(builder, 'Clock', 'Boolean', [], 'discrete', origin));
  builder.clocks.symbols.add(symbol);
  if (source) builder.clocks.sources.push({ symbol, source, origin });
  return simple(builder.pool.ref(symbol), 'Clock', 'discrete');
}

// ---------------------------------------------------------------- conversions

function previous(node: ast.Call, context: Context): Value {
  const { builder } = context;
  const [u] = given(node, ['u'], 1, 'previous', context) ?? [];
  if (!u) return builder.unknown;
  const origin = originOf(node, context);
  return mapLeaves(u.value, (leaf) => {
    if (atMost(leaf.variability, 'parameter')) return leaf;
    const expr = leaf.type === 'Clock' ? undefined : before(builder, leaf.expr);
    if (!expr) {
      return report('bad-call', '`previous` needs a variable.', u.node, context, {
        hint: 'Give the expression a variable of its own.',
      });
    }
    for (const symbol of symbolsIn(builder, leaf.expr)) {
      if (!builder.clocks.previous.has(symbol)) builder.clocks.previous.set(symbol, origin);
    }
    return { ...leaf, expr, variability: 'discrete' };
  });
}

function plain(kind: 'hold' | 'noClock', node: ast.Call, context: Context): Value {
  const [u] = given(node, ['u'], 1, kind, context) ?? [];
  return u ? convert({ kind }, u, undefined, node, context) : context.builder.unknown;
}

function scaled(kind: 'subSample' | 'superSample', node: ast.Call, context: Context): Value {
  const args = given(node, ['u', 'factor'], 1, kind, context);
  if (!args) return context.builder.unknown;
  const [u, factor] = args;
  const n = factor ? whole(factor, `The factor of \`${kind}\``, 0, context) : 0;
  if (n === undefined) return context.builder.unknown;
  const exact = n === 0 ? undefined : kind === 'subSample' ? rational(n) : rational(1, n);
  return convert({ kind, factor: exact }, u!, undefined, node, context);
}

function shifted(kind: 'shiftSample' | 'backSample', node: ast.Call, context: Context): Value {
  const counter = kind === 'shiftSample' ? 'shiftCounter' : 'backCounter';
  const args = given(node, ['u', counter, 'resolution'], 2, kind, context);
  if (!args) return context.builder.unknown;
  const [u, count, resolution] = args;
  const n = whole(count!, `\`${counter}\``, 0, context);
  const parts = resolution ? whole(resolution, 'The resolution', 1, context) : 1;
  if (n === undefined || parts === undefined) return context.builder.unknown;
  const shift = rational(kind === 'shiftSample' ? n : -n, parts);
  return convert({ kind, shift }, u!, undefined, node, context);
}

function property(kind: 'interval' | 'firstTick', node: ast.Call, context: Context): Value {
  const { builder } = context;
  const args = given(node, ['u'], 0, kind, context);
  if (!args) return builder.unknown;
  const [u] = args;
  if (u?.value.kind === 'simple' && u.value.expr.kind === 'time') return notClocked(kind, u.node, context);
  const type = kind === 'interval' ? 'Real' : 'Boolean';
  const origin = originOf(node, context);
  const result = builder.add(addedVariable(builder, kind, type, [], 'discrete', origin));
  const argument = u?.value.kind === 'simple' ? u.value.expr : undefined;
  builder.clocks.conversions.push({ relation: { kind }, result, argument, clock: undefined, origin });
  return simple(builder.pool.ref(result), type, 'discrete');
}

const notClocked = (kind: string, at: ast.Node, context: Context): Simple =>
  report('clock-conflict', `\`${kind}\` needs a value on a clock, and \`time\` is on none.`, at, context, {
    hint: 'Write `sample(time)`.',
  });

/** A variable for the converted value, for a record one a member. */
function convert(
  relation: ClockRelation,
  { value, node: at }: CallArgument,
  clock: number | undefined,
  node: ast.Call,
  context: Context,
): Value {
  const { builder } = context;
  const { kind } = relation;
  const origin = originOf(node, context);
  return mapLeaves(value, (leaf) => {
    const ofClock = leaf.type === 'Clock';
    if (ofClock && leaf.dims.length > 0) {
      const each = eachClock(leaf, at, context)?.map((expr) =>
        convert(relation, { value: simple(expr, 'Clock', 'discrete'), node: at }, clock, node, context),
      );
      return each && !each.some(isUnknown) ? (stacked(builder, each, leaf.dims) as Simple) : builder.unknown;
    }
    if (ofClock && (kind === 'sample' || kind === 'hold' || kind === 'noClock')) {
      return report('type-mismatch', `\`${kind}\` needs a value, not a clock.`, at, context);
    }
    if ((kind === 'hold' || kind === 'backSample') && !ofClock && !isDeclared(builder, leaf)) {
      return report('bad-call', `\`${kind}\` needs a variable.`, at, context, {
        hint: 'Before the first tick its start value counts: give the expression a variable of its own.',
      });
    }
    if (kind !== 'sample' && leaf.expr.kind === 'time') return notClocked(kind, at, context);
    const outside = kind === 'sample' ? 'continuous' : 'discrete';
    const argument = argumentOf(builder, leaf, outside, origin);
    const result = builder.add(
      addedVariable(builder, kind, storage(leaf.type), leaf.dims, 'discrete', origin, startOf(builder, leaf)),
    );
    builder.clocks.conversions.push({ relation, result, argument: argument.expr, clock, origin });
    if (ofClock) builder.clocks.symbols.add(result);
    return { ...leaf, expr: builder.pool.ref(result), variability: 'discrete' };
  });
}

/** A conversion takes a variable: other expressions get one. */
function argumentOf(
  builder: FlatBuilder,
  leaf: Simple,
  variability: 'discrete' | 'continuous',
  origin: Origin,
): Simple {
  const isTime = leaf.expr.kind === 'time';
  if (isTime || isComponent(leaf)) return leaf;
  const type = storage(leaf.type);
  const own = type === 'Real' ? variability : 'discrete';
  const variable = addedVariable(builder, 'argument', type, leaf.dims, own, origin);
  const expr = builder.pool.ref(builder.add(variable));
  builder.clocks.equations.push({ kind: 'equal', left: expr, right: leaf.expr, dims: leaf.dims, origin });
  return { ...leaf, expr };
}

const isComponent = (leaf: Simple): boolean =>
  atMost(leaf.variability, 'parameter') || (leaf.expr.kind === 'ref' && leaf.expr.order === 0);

/** Whether it has a start value that the model can give: a component expression or a parameter expression (section 16.5.1). */
const isDeclared = ({ instances, added }: FlatBuilder, leaf: Simple): boolean =>
  isComponent(leaf) &&
  !(leaf.expr.kind === 'ref' && added[leaf.expr.symbol - instances.length]?.hidden === true);

/** Before the first tick, a converted value is the start value of what is converted. */
function startOf(builder: FlatBuilder, leaf: Simple): Expr | undefined {
  const symbol = leaf.expr.kind === 'ref' ? leaf.expr.symbol : undefined;
  return symbol === undefined ? undefined : builder.added[symbol - builder.instances.length]?.start;
}

/** A variable that is not declared. */
export function addedVariable(
  builder: FlatBuilder,
  what: string,
  type: FlatVariable['type'],
  dims: readonly number[],
  variability: 'discrete' | 'continuous',
  origin: Origin,
  start?: Expr,
): FlatVariable {
  const name = `$${what}${builder.added.length + 1}`;
  return { ...blank, name, type, dims, variability, start, hidden: true, origin };
}

/** Symbols of variables in an expression that can change during a run. */
export function symbolsIn(builder: FlatBuilder, ...exprs: readonly Expr[]): Set<number> {
  const symbols = new Set<number>();
  for (const node of nodesOf(...exprs)) {
    if ((node.kind === 'ref' || node.kind === 'pre') && !builder.isFixed(node.symbol))
      symbols.add(node.symbol);
  }
  return symbols;
}

// ---------------------------------------------------------------- arguments

/** Arguments of a clocked operator; undefined after an error, or where loops around it have to be written out. */
function given(
  node: ast.Call,
  parameters: readonly string[],
  required: number,
  name: string,
  context: Context,
): readonly (CallArgument | undefined)[] | undefined {
  if (context.place === 'function')
    return refuse('bad-call', `\`${name}\` cannot stand in a function.`, node, context);
  if (!matchSlots(node, parameters, name, context)) return undefined;
  for (let loop = context.loop; loop; loop = loop.outer) loop.unroll = true;
  if (context.loop) return undefined;
  const args = matchArguments(node, parameters, required, name, context);
  if (!args || args.some((arg) => arg && isUnknown(arg.value))) return undefined;
  return args;
}

/** An Integer that is known before the run. */
function whole(
  { value, node }: CallArgument,
  what: string,
  least: number,
  context: Context,
): number | undefined {
  if (value.kind !== 'simple' || value.type !== 'Integer' || value.dims.length > 0)
    return refuse('type-mismatch', `${what} must be an Integer.`, node, context);
  const n = atMost(value.variability, 'parameter') ? fixedNumber(context.builder, value.expr) : undefined;
  if (n === undefined) return refuse('variability', `${what} must be known before the run.`, node, context);
  if (n >= least) return n;
  return refuse('bad-call', `${what} must be at least ${least}, not ${n}.`, node, context);
}

function parameter({ value, node }: CallArgument, what: string, context: Context): Expr | undefined {
  if (value.kind === 'simple' && isNumeric(value.type) && atMost(value.variability, 'parameter'))
    return value.expr;
  return refuse('variability', `${what} must be a parameter expression.`, node, context);
}
