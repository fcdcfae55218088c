/**
 * Relations of elements that cause events (compare `modes/events.ts`): `T[i] > Tm` in a loop is as many relations as the loop has turns.
 * They keep their values between events. Each is two arrays of the field's own:
 *
 *     held        0 or 1 by turn; stands in the equation in place of the relation
 *     indicator   left - right by turn: there is an event where an element changes its sign
 *
 * An array has one element for each turn of those loops that the relation depends on.
 */
import { remember } from '../../collections/memo.ts';
import { isLinearIn, nodesOf } from '../../symbolic/analyse.ts';
import { isRelation, type RelationOp } from '../../symbolic/arithmetic.ts';
import type { Expr, Ref } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';
import { sizeOf } from '../../symbolic/shape.ts';
import {
  type Affine,
  accessTo,
  affineOf,
  constantIndex,
  counter,
  isAccess,
  isReduction,
  Unfit,
  withArguments,
} from '../elements/affine.ts';
import { causesEvents, type FieldWatch, silences } from '../elements/events.ts';
import { type FieldNode, reductionExtents, referencesIn } from '../elements/nodes.ts';
import type { Match } from './match.ts';
import { composed } from './order.ts';

/** A relation in all turns of its loops. */
export interface ElementRelation {
  readonly op: RelationOp;
  /** Symbols of its arrays. */
  readonly held: number;
  readonly indicator: number;
  readonly size: number;
  /** How the indicator is computed. */
  readonly match: Match;
}

export class ElementRelations {
  /** By operator, sides and loops. */
  private readonly known = new Map<string, ElementRelation>();
  private readonly byHeld = new Map<number, ElementRelation>();

  /** Where they are not `allowed`, equations with relations do not fit. */
  constructor(
    private readonly pool: Pool,
    private readonly watch: FieldWatch,
    private readonly allowed: boolean,
    private readonly addHidden: (dims: readonly number[]) => number,
  ) {}

  /** A node with held values in place of relations; throws `Unfit` where something else causes events. */
  hold(node: FieldNode): FieldNode {
    const side = (expr: Expr): Expr => this.rewrite(expr, true, node.extents, node);
    return { ...node, left: side(node.left), right: side(node.right) };
  }

  /** The relations whose held values some matches read. */
  readBy(matches: readonly Match[]): ElementRelation[] {
    const found = new Set<ElementRelation>();
    const open = [...matches];
    for (const { value } of open)
      for (const { symbol } of referencesIn(value)) {
        const relation = this.byHeld.get(symbol);
        if (!relation || found.has(relation)) continue;
        found.add(relation);
        open.push(relation.match);
      }
    return [...found];
  }

  private rewrite(expr: Expr, loud: boolean, extents: readonly number[], node: FieldNode): Expr {
    const { pool, watch } = this;
    if (!watch.acts(expr, loud) || !watch.varies(expr)) return expr;
    const inner = loud && !silences(expr);
    const below = isReduction(expr) ? [...extents, ...reductionExtents(expr)] : extents;
    const rewritten = (arg: Expr): Expr => this.rewrite(arg, inner, below, node);
    if (expr.kind !== 'apply' && expr.kind !== 'call') return expr;
    const isEvent = loud && causesEvents(expr) && watch.isContinuous(expr);
    if (expr.kind === 'call' || !isEvent) return withArguments(pool, expr, rewritten);
    const [left, right] = expr.args.map(rewritten) as [Expr, Expr];
    if (!this.allowed || !isRelation(expr.op)) throw new Unfit('it causes events');
    return this.held(expr.op, left, right, extents, node);
  }

  /** The access to the held values of a relation. */
  private held(op: RelationOp, left: Expr, right: Expr, extents: readonly number[], node: FieldNode): Ref {
    const { pool } = this;
    const value = pool.sub(left, right);
    if (referencesIn(value).some(({ order }) => order > 0)) throw new Unfit('derivatives cause events');
    // Of scalars it is known when they change (`program/mode/watchlist.ts`).
    if (!isLinearIn(value, new Set([pool.time]))) throw new Unfit('functions of time cause events');
    const depths = depthsOf(value, extents);
    const own = depths.map((depth) => extents[depth]!);
    const key = `${op} ${left.id} ${right.id} ${depths} ${own}`;
    const relation = remember(this.known, key, () => this.relation(op, value, depths, own, node));
    this.byHeld.set(relation.held, relation);
    return accessTo(pool, relation.held, 0, turnOf(depths, own));
  }

  private relation(
    op: RelationOp,
    value: Expr,
    depths: readonly number[],
    own: readonly number[],
    node: FieldNode,
  ): ElementRelation {
    const { pool } = this;
    const size = sizeOf(own);
    const held = this.addHidden([size]);
    const indicator = this.addHidden([size]);
    const counters: Affine[] = [];
    depths.forEach((depth, k) => {
      counters[depth] = counter(k);
    });
    for (let depth = 0; depth < counters.length; depth++) counters[depth] ??= constantIndex(0);
    const moved = composed(pool, value, counters);
    const positions = own.map((_, k) => k);
    const target = accessTo(pool, indicator, 0, turnOf(positions, own));
    const match: Match = {
      node: { ...node, extents: own, left: target, right: moved, scalar: false },
      target,
      value: moved,
    };
    return { op, held, indicator, size, match };
  }
}

/** The number of a turn of these loops, counted row by row. */
function turnOf(depths: readonly number[], extents: readonly number[]): Affine {
  const strides: number[] = [];
  let stride = 1;
  for (let k = depths.length - 1; k >= 0; k--) {
    strides[depths[k]!] = stride;
    stride *= extents[k]!;
  }
  return { base: 0, strides: Array.from(strides, (s) => s ?? 0) };
}

/** The loops that a value depends on. Loops of reductions in it are counted on from all loops around it, which then stay. */
function depthsOf(value: Expr, extents: readonly number[]): number[] {
  const nodes = nodesOf(value);
  if (nodes.some(isReduction)) return [...extents.keys()];
  const used = nodes.flatMap((node) => {
    if (node.kind === 'iter') return [node.iterator];
    return isAccess(node) ? affineOf(node).strides.flatMap((stride, k) => (stride === 0 ? [] : [k])) : [];
  });
  return [...new Set(used)].sort((a, b) => a - b);
}
