/**
 * What conditions over parameters and iterators guard. `if k > 0 then x[k] else 0` has no subscript 0, whatever k is: what a condition excludes is
 * not translated. As long as all branches make sense, conditions over parameters stay what they are, and parameters can be others in the next run;
 * where a branch makes no sense by itself, its condition decides while the model is flattened, and parameters in it become structural.
 */
import { append } from '../../collections/groups.ts';
import { leaves, nodesOf } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { Context, FlatBuilder, Loop } from '../core/context.ts';
import { atMost, type Simple } from '../core/values.ts';
import { decidedNumber, fixedNumber, numberAt } from './constants.ts';
import { needsValue } from './iteration.ts';

/** The value of a condition, where it is known. */
export type Decide = (test: Simple) => number | undefined;

/**
 * Translates conditions and what they guard. First only what holds for all values of parameters decides; where that ends with errors, all
 * that is fixed decides. Undefined where loops around it have to be unrolled for that.
 */
export function guarded<T>(
  context: Context,
  translate: (decide: Decide, tests: Simple[]) => T,
): T | undefined {
  const { builder } = context;
  if (builder.deciding) return decidedNow(context, translate);
  const mark = builder.mark();
  const { unsure } = builder;
  const tests: Simple[] = [];
  const first = translate((test) => {
    // What a condition excludes has a say in clocks.
    const decided = isFixed(test) && !builder.verbatim ? decidedNumber(builder, test.expr) : undefined;
    if (decided !== undefined) builder.isShortened = true;
    return decided;
  }, tests);
  if (builder.unsure > unsure) for (const test of tests) decideParameters(builder, test);
  if (builder.diagnostics.length === mark[0] || !tests.some(isFixed)) return first;
  const problems = builder.diagnostics.slice(mark[0]);
  builder.rewind(mark);
  builder.deciding = true;
  const again = decidedNow(context, translate);
  builder.deciding = false;
  if (builder.diagnostics.length === mark[0]) return again;
  builder.rewind(mark);
  builder.diagnostics.push(...problems);
  return first;
}

/** As `guarded`, where all that is fixed decides; so do conditions inside, so that nested ones are not tried again and again. */
function decidedNow<T>(context: Context, translate: (decide: Decide, tests: Simple[]) => T): T | undefined {
  let waits = false;
  const result = translate((test) => {
    if (!isFixed(test)) return undefined;
    const known = fixedNumber(context.builder, test.expr);
    if (known === undefined) waits = needsValue(test.expr, context) || waits;
    return known;
  }, []);
  return waits ? undefined : result;
}

const isFixed = (test: Simple): boolean => atMost(test.variability, 'parameter');

/** Makes the parameters of a condition that may guard subscripts structural; of one that changes during a run those that can be compared with subscripts. */
export function decideParameters(builder: FlatBuilder, test: Simple): void {
  for (const leaf of leaves(test.expr)) {
    if (leaf.kind !== 'ref') continue;
    if (isFixed(test) || builder.instances[leaf.symbol]?.type !== 'Real') fixedNumber(builder, leaf);
  }
}

/** More parts than this are written out one by one. */
const mostParts = 64;

/**
 * The value of a condition for all values of the iterators around it. Where one iterator decides, that loop is given its parts, and parameters
 * that it is compared with become structural; where more does, all loops are unrolled: undefined in both cases.
 */
export function decidedInLoops(test: Simple, context: Context): number | undefined {
  const iterators = new Set(
    nodesOf(test.expr).flatMap((node) => (node.kind === 'iter' ? [node.iterator] : [])),
  );
  const value = isFixed(test) && iterators.size === 0 ? decidedNumber(context.builder, test.expr) : undefined;
  if (value !== undefined) return value;
  const [only] = iterators;
  let loop = context.loop;
  while (loop && loop.iterator !== only) loop = loop.outer;
  if (loop && isFixed(test) && iterators.size === 1) {
    const parts = partsOf(context.builder, test.expr, loop);
    if (parts?.size === 1) return [...parts.keys()][0];
    const all = [...(parts?.values() ?? [])].flat().sort(([a], [b]) => a! - b!);
    if (all.length > 0 && all.length <= mostParts) {
      loop.parts = all;
      return undefined;
    }
  }
  for (let each: Loop | undefined = context.loop; each; each = each.outer) each.unroll = true;
  return undefined;
}

/** By the value of a condition: the values of an iterator for which it has it, in groups with equal steps; undefined where it has none. */
function partsOf(
  builder: FlatBuilder,
  expr: Expr,
  { iterator, values }: Loop,
): Map<number, number[][]> | undefined {
  const chosen = new Map<number, number[]>();
  for (const at of values) {
    const value = numberAt(builder, expr, (k) => (k === iterator ? at : undefined));
    if (value === undefined) return undefined;
    append(chosen, value, at);
  }
  return new Map([...chosen].map(([value, list]) => [value, runs(list)]));
}

/** Values in groups with equal steps. */
function runs(values: readonly number[]): number[][] {
  const found: number[][] = [];
  for (const value of values) {
    const last = found.at(-1);
    if (last && (last.length === 1 || value - last.at(-1)! === last[1]! - last[0]!)) last.push(value);
    else found.push([value]);
  }
  return found;
}
