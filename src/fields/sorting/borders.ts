/**
 * Loops that are cut at borders. The equations of a cell hold for all cells, but at the borders of a chain or a grid they determine
 * something else than inside: `a.Q = G*(a.T - T)` gives the flow where the neighbour's temperature is known, and the temperature where the flow is
 * zero. So where nothing else is found, loops are cut such that all turns of a part touch elements that the same equations touch:
 *
 *     chain:  1 | 2 … n-1 | n          ring:  1 | 2 … n          grid: four corners, four sides, the inside
 */

import { remember } from '../../collections/memo.ts';
import { rollUpSet } from '../../flat/core/loops.ts';
import { nodesOf } from '../../symbolic/analyse.ts';
import type { Expr, Ref } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';
import { type Affine, affineOf, constantIndex, counter, isAccess, isReduction } from '../elements/affine.ts';
import { eachElement, type FieldNode } from '../elements/nodes.ts';
import { composed } from './order.ts';

/** More parts of one equation than this are no pattern. */
const mostParts = 32;

/** By node: its parts, or the node itself where its turns are all alike. Undefined where that holds for all of them. */
export function cutAtBorders(
  pool: Pool,
  nodes: readonly FieldNode[],
  sizeOf: (symbol: number) => number | undefined,
): (readonly FieldNode[])[] | undefined {
  const touched = new Touched(sizeOf);
  const accesses = nodes.map(accessesOf);
  for (const [k, list] of accesses.entries()) for (const access of list ?? []) touched.add(access, nodes[k]!);
  let isCut = false;
  const parts = nodes.map((node, k): readonly FieldNode[] => {
    const own = accesses[k];
    if (!own || node.scalar || node.extents.length === 0) return [node];
    const found = partsOf(pool, node, touched.turnsOf(own, node));
    isCut ||= found.length > 1;
    return found.map((part) => aligned(pool, part));
  });
  return isCut ? parts : undefined;
}

/** The accesses of a node; undefined where it sums up over loops of its own, or speaks of values before events. */
function accessesOf({ left, right }: FieldNode): readonly Ref[] | undefined {
  const found = new Set<Ref>();
  for (const side of [left, right])
    for (const node of nodesOf(side)) {
      if (isReduction(node) || node.kind === 'pre') return undefined;
      if (isAccess(node)) found.add(node);
    }
  return [...found];
}

/** Which elements are touched by the same accesses. */
class Touched {
  /** By symbol and element: the number of the set of accesses that touch it. */
  private readonly sets = new Map<number, Int32Array>();
  private count = 1;

  constructor(private readonly sizeOf: (symbol: number) => number | undefined) {}

  add(access: Ref, { extents }: FieldNode): void {
    const size = this.sizeOf(access.symbol);
    if (size === undefined) return;
    const sets = remember(this.sets, access.symbol, () => new Int32Array(size));
    const isMet = new Uint8Array(size);
    const larger = new Map<number, number>();
    eachElement(access, extents, (element) => {
      if (isMet[element]) return;
      isMet[element] = 1;
      sets[element] = remember(larger, sets[element]!, () => this.count++);
    });
  }

  /** By turn of a node: a number that is the same where the turn touches elements of the same sets. */
  turnsOf(accesses: readonly Ref[], { extents }: FieldNode): Int32Array {
    const kinds = new Int32Array(extents.reduce((turns, n) => turns * n, 1));
    for (const access of accesses) {
      const sets = this.sets.get(access.symbol);
      if (!sets) continue;
      const known = new Map<number, number>();
      eachElement(access, extents, (element, turn) => {
        const key = kinds[turn]! * this.count + sets[element]!;
        kinds[turn] = remember(known, key, () => known.size);
      });
    }
    return kinds;
  }
}

/** The parts of a node whose turns have the same kind. */
function partsOf(pool: Pool, node: FieldNode, kinds: Int32Array): readonly FieldNode[] {
  const { extents } = node;
  const turns = new Map<number, number[]>();
  const counts = extents.map(() => 0);
  for (const kind of kinds) {
    remember(turns, kind, () => []).push(...counts);
    if (turns.size > mostParts) return [node];
    for (let k = extents.length - 1; k >= 0 && ++counts[k]! === extents[k]!; k--) counts[k] = 0;
  }
  if (turns.size === 1) return [node];
  const rolls = [...turns.values()].flatMap((list) => rollUpSet(list, extents.length));
  if (rolls.length > mostParts) return [node];
  return rolls.map(({ first, loops }) => {
    const nested = loops.length > 0 ? loops : [{ count: 1, step: first.map(() => 0) }];
    const counters = first.map((base, k) => ({ base, strides: nested.map(({ step }) => step[k]!) }));
    const counts = nested.map(({ count }) => count);
    return rewritten(pool, node, counts, counters);
  });
}

/** Loops in loops with the one outermost that moves farthest, and as few as possible, so that those of the same elements are the same. */
function aligned(pool: Pool, node: FieldNode): FieldNode {
  const { extents } = node;
  const access = accessesOf(node)?.find((one) => new Set(stridesOf(one, extents)).size === extents.length);
  if (!access || extents.length < 2) return node;
  const strides = stridesOf(access, extents);
  const order = [...extents.keys()].sort((a, b) => strides[b]! - strides[a]!);
  const counters = extents.map((_, k) => counter(order.indexOf(k)));
  const counts = order.map((k) => extents[k]!);
  return collapsed(pool, rewritten(pool, node, counts, counters));
}

/** A loop that goes on where the one inside it ends is the same loop. */
function collapsed(pool: Pool, node: FieldNode): FieldNode {
  const { extents } = node;
  const isIndexed = [node.left, node.right].some((side) => nodesOf(side).some(({ kind }) => kind === 'iter'));
  if (isIndexed) return node;
  const all = accessesOf(node)!.map((access) => affineOf(access).strides);
  const goesOn = (k: number): boolean =>
    all.every((strides) => (strides[k] ?? 0) === (strides[k + 1] ?? 0) * extents[k + 1]!);
  for (let k = 0; k + 1 < extents.length; k++) {
    if (!goesOn(k)) continue;
    // What the outer loop would add, the inner one reaches by going on.
    const counters = extents.map((_, m) => (m === k ? constantIndex(0) : counter(m > k ? m - 1 : m)));
    const joined = extents.flatMap((n, m) => (m === k ? [] : m === k + 1 ? [n * extents[k]!] : [n]));
    return collapsed(pool, rewritten(pool, node, joined, counters));
  }
  return node;
}

function rewritten(
  pool: Pool,
  node: FieldNode,
  extents: readonly number[],
  counters: readonly Affine[],
): FieldNode {
  const side = (expr: Expr): Expr => composed(pool, expr, counters);
  return { ...node, extents, left: side(node.left), right: side(node.right) };
}

const stridesOf = (access: Ref, extents: readonly number[]): number[] =>
  extents.map((_, k) => Math.abs(affineOf(access).strides[k] ?? 0));
