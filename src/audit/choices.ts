/**
 * What can be decided either way. Where both sides of a relation are equal up to the tolerance, stored values do not tell whether the
 * run took it for true; the same goes for `floor` of what is nearly an integer, for left limits, and for the operators of events. Such
 * nodes become numbered *choices* (`Held`), and an equation is asked whether it holds for one of the possibilities.
 */
import { remember } from '../collections/memo.ts';
import { children, leaves, nodesOf, rebuild, walk } from '../symbolic/analyse.ts';
import { arithmetic, isRelation, type RelationOp } from '../symbolic/arithmetic.ts';
import { carried } from '../symbolic/carried.ts';
import type { Apply, Expr, Leaf } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import type { RecordedValues } from './values.ts';

export type AuditChoice =
  | { readonly kind: 'relation'; readonly op: RelationOp; readonly left: Expr; readonly right: Expr }
  | { readonly kind: 'floor' | 'sign'; readonly of: Expr }
  /** The left limit of a scalar. */
  | { readonly kind: 'pre'; readonly scalar: number }
  /** True at some events only; those of `sample` begin at a time and have an interval. */
  | { readonly kind: 'pulse'; readonly ticks?: { readonly start: Expr; readonly interval: Expr } }
  /** True at the end only, or while initial values are found. */
  | { readonly kind: 'terminal' | 'initial' };

/** Operators whose values change at events. */
const causesEvents: ReadonlySet<string> = new Set([
  'lt',
  'le',
  'gt',
  'ge',
  'floor',
  'ceil',
  'idiv',
  'mod',
  'rem',
  'sample',
]);

const sidesOf = (condition: Expr): { readonly left: Expr; readonly right: Expr } | undefined =>
  condition.kind === 'apply' && isRelation(condition.op)
    ? { left: condition.args[0]!, right: condition.args[1]! }
    : undefined;

export class AuditChoices {
  readonly list: AuditChoice[] = [];
  private readonly pool: Pool;
  private readonly rewritten = new Map<Expr, Expr>();
  private readonly known = new Map<string, number>();
  private readonly openLists = new Map<Expr, readonly Leaf[]>();

  constructor(private readonly values: RecordedValues) {
    this.pool = values.flat.pool;
  }

  /** A scalar expression with choices in place of what can be decided either way. */
  rewrite(root: Expr): Expr {
    walk(
      root,
      (node) => this.rewritten.has(node),
      (node) => this.rewritten.set(node, this.replaced(node)),
    );
    return this.rewritten.get(root)!;
  }

  /** The leaves of an expression that may have several values: choices, and variables that change at events only. */
  open(expr: Expr): readonly Leaf[] {
    return remember(this.openLists, expr, () =>
      leaves(expr).filter(
        (leaf) => leaf.kind === 'held' || (leaf.kind === 'ref' && this.values.isDiscrete(leaf.symbol)),
      ),
    );
  }

  /** The choices of an expression, as it was before it was rewritten, that cause events where they change. */
  events(root: Expr): number[] {
    const found = new Set<number>();
    const seen = new Set<Expr>();
    const open = [root];
    for (let node = open.pop(); node; node = open.pop()) {
      if (seen.has(node)) continue;
      seen.add(node);
      if (node.kind === 'apply' && (node.op === 'noEvent' || node.op === 'smooth')) continue;
      open.push(...this.watched(node));
      if (node.kind !== 'apply' || !causesEvents.has(node.op)) continue;
      for (const leaf of leaves(this.rewrite(node))) if (leaf.kind === 'held') found.add(leaf.relation);
    }
    return [...found].filter((number) => ['relation', 'floor', 'pulse'].includes(this.list[number]!.kind));
  }

  /** Where further relations are looked for: the direction of a flow causes no events for the sake of what the flow carries. */
  private watched(node: Expr): readonly Expr[] {
    const flow = node.kind === 'apply' ? carried(this.pool, node, sidesOf) : undefined;
    if (!flow) return children(node);
    const { condition, holds, fails } = flow.choice;
    return [holds, fails, ...children(node).filter((e) => e !== condition && children(e)[0] !== condition)];
  }

  /** The choice itself, as an expression over its operands. */
  operands(choice: AuditChoice): readonly Expr[] {
    if (choice.kind === 'relation') return [choice.left, choice.right];
    return choice.kind === 'floor' || choice.kind === 'sign' ? [choice.of] : [];
  }

  /** Whether a choice follows from its operands, rather than from what happens at events. */
  isComputed(number: number): boolean {
    return this.operands(this.list[number]!).length > 0;
  }

  private replaced(node: Expr): Expr {
    const { pool } = this;
    if (node.kind === 'pre') return this.add({ kind: 'pre', scalar: node.symbol }, `pre ${node.symbol}`);
    const below = children(node).map((child) => this.rewritten.get(child)!);
    if (node.kind !== 'apply') return rebuild(pool, node, below);
    return this.operator(node, below) ?? pool.apply(node.op, ...below);
  }

  private operator({ op, id }: Apply, args: readonly Expr[]): Expr | undefined {
    const { pool } = this;
    const [a, b] = args as [Expr, Expr];
    switch (op) {
      case 'noEvent':
      case 'homotopy':
        return a;
      case 'smooth':
        return b;
      case 'initial':
      case 'terminal':
        return this.add({ kind: op }, op);
      case 'sample':
        return this.add({ kind: 'pulse', ticks: { start: a, interval: b } }, `pulse ${id}`);
      case 'edge':
      case 'change':
        return this.add({ kind: 'pulse' }, `pulse ${id}`);
      case 'lt':
      case 'le':
      case 'gt':
      case 'ge':
        if (this.isExact(a) && this.isExact(b)) return undefined;
        return this.add({ kind: 'relation', op, left: a, right: b }, `${op} ${a.id} ${b.id}`);
      case 'sign':
        return this.isExact(a) ? undefined : this.add({ kind: 'sign', of: a }, `sign ${a.id}`);
      case 'floor':
        return this.floor(a);
      case 'ceil':
        return pool.neg(this.floor(pool.neg(a)));
      case 'idiv':
        return this.isExact(a) && this.isExact(b) ? undefined : this.truncated(pool.div(a, b));
      case 'mod':
        if (this.isExact(a) && this.isExact(b)) return undefined;
        return pool.sub(a, pool.mul(this.floor(pool.div(a, b)), b));
      case 'rem':
        if (this.isExact(a) && this.isExact(b)) return undefined;
        return pool.sub(a, pool.mul(this.truncated(pool.div(a, b)), b));
      default:
        return undefined;
    }
  }

  private floor(of: Expr): Expr {
    if (this.isExact(of)) return this.pool.apply('floor', of);
    return this.add({ kind: 'floor', of }, `floor ${of.id}`);
  }

  private truncated(x: Expr): Expr {
    const { pool } = this;
    const positive = this.add(
      { kind: 'relation', op: 'ge', left: x, right: pool.zero },
      `ge ${x.id} ${pool.zero.id}`,
    );
    return pool.if(positive, this.floor(x), pool.neg(this.floor(pool.neg(x))));
  }

  /** Whether rounding plays no part: integers, Booleans, and what never changes. */
  private isExact(expr: Expr): boolean {
    return nodesOf(expr).every((node) => {
      if (node.kind === 'time' || node.kind === 'call') return false;
      const choice = node.kind === 'held' ? this.list[node.relation]! : undefined;
      const scalar = node.kind === 'ref' ? node.symbol : choice?.kind === 'pre' ? choice.scalar : undefined;
      if (scalar === undefined) return true;
      return this.values.isFixed(scalar) || this.values.variableOf(scalar).type !== 'Real';
    });
  }

  private add(choice: AuditChoice, key: string): Expr {
    const number = remember(this.known, key, () => this.list.push(choice) - 1);
    return this.pool.held(number);
  }
}

/** What a choice can be, beside what it is at the given operands, when these are equal up to `tolerance`. */
export function possibilities(choice: AuditChoice, operands: readonly number[], tolerance: number): number[] {
  const [a = Number.NaN, b = 0] = operands;
  switch (choice.kind) {
    case 'relation':
      return Math.abs(a - b) <= tolerance ? [0, 1] : [arithmetic(choice.op, a, b, 0)!];
    case 'sign':
      return Math.abs(a) <= tolerance ? [-1, 0, 1] : [Math.sign(a)];
    case 'floor': {
      const nearest = Math.round(a);
      return Math.abs(a - nearest) <= tolerance ? [nearest - 1, nearest] : [Math.floor(a)];
    }
    default:
      return [];
  }
}
