/**
 * Bends and steps that cause no events, in equations that a mode differentiates: below `noEvent`, and in functions. While a solution only passes
 * through them that is what the user asked for; but an equation that is differentiated c times needs c - 1 continuous derivatives, or velocities jump where
 * no event is, and nobody learns of it. So the user is told, once for each equation, unless the pieces are seen to fit, or `smooth`, the annotation
 * `smoothOrder` or a given derivative promise that they do (`choosing.ts`: functions).
 */
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts';
import { bendOf, bent } from '../../modes/kinks.ts';
import type { Runtime } from '../../program/runtime.ts';
import type { SortedMode } from '../../structure/analysis.ts';
import { children, leaves, nodesOf, substitute } from '../../symbolic/analyse.ts';
import { isRelation } from '../../symbolic/arithmetic.ts';
import { partial } from '../../symbolic/differentiate.ts';
import type { Expr } from '../../symbolic/expr.ts';
import { inlined } from '../../symbolic/inline.ts';
import { solveFor } from '../../symbolic/solve.ts';
import { Choosing, isSmooth, stepping } from './choosing.ts';

/** Pieces that differ by less fit. */
const fitting = 1e-9;

export class UnseenWatch {
  /** Bends that cause events where equations are differentiated, as they stand in equations, and with their relations. */
  private readonly kinks: ReadonlyMap<Expr, Expr>;
  /** Equations that were looked at, and how often these were differentiated at most. */
  private readonly seen = new Map<number, number>();
  private readonly told = new Set<number>();
  /** Modes that were looked at. */
  private readonly known = new WeakSet<SortedMode>();
  private readonly choosing: Choosing;

  constructor(private readonly runtime: Runtime) {
    this.kinks = new Map(runtime.model.kinks.map((kink) => [kink.smooth, kink.bent]));
    this.choosing = new Choosing(runtime.values.pool, runtime.code.functions);
  }

  /** Warnings about equations of a mode that were not told of before. */
  warnings(sorted: SortedMode): Diagnostic[] {
    if (this.known.has(sorted)) return [];
    this.known.add(sorted);
    return sorted.equations.flatMap(({ index, c }) => {
      if (c <= (this.seen.get(index) ?? 0) || this.told.has(index)) return [];
      this.seen.set(index, c);
      const { left, right } = this.runtime.model.equations[index]!;
      const found = this.unseen(left, c - 1) ?? this.unseen(right, c - 1);
      if (!found) return [];
      this.told.add(index);
      return [this.describe(index, found, c - 1)];
    });
  }

  /** What may not have as many continuous derivatives as the order says. */
  private unseen(root: Expr, order: number): Expr | undefined {
    const { promised, functions } = this.runtime.model;
    const { pool } = this.runtime.values;
    const stack = [root];
    const met = new Set<Expr>(stack);
    for (let next = stack.pop(); next; next = stack.pop()) {
      if ((promised.get(next) ?? -1) >= order || isSmooth(next, order)) continue;
      const node = this.kinks.get(next) ?? next;
      if (node.kind === 'apply' && this.varies(node) && this.isUnseen(node, order)) return node;
      if (node.kind === 'call' && this.varies(node)) {
        const fn = functions[node.fn]!;
        const isPromised = this.choosing.promised(node.fn) >= order;
        const formula = fn.external || isPromised ? undefined : inlined(pool, fn, node);
        if (
          formula
            ? this.unseen(formula, order)
            : this.choosing.mayBreak(node, order, (arg) => this.varies(arg))
        )
          return node;
      }
      for (const child of node.kind === 'call' ? this.choosing.relevant(node) : children(node)) {
        if (met.has(child)) continue;
        met.add(child);
        stack.push(child);
      }
    }
    return undefined;
  }

  private isUnseen(node: Expr & { kind: 'apply' }, order: number): boolean {
    const { pool } = this.runtime.values;
    if (stepping.has(node.op)) return true;
    if (node.op === 'if') {
      const [condition, then, otherwise] = node.args as [Expr, Expr, Expr];
      const relation = condition.kind === 'apply' && condition.op === 'not' ? condition.args[0]! : condition;
      if (!nodesOf(condition).some((inner) => this.isQuiet(inner))) return false;
      if (relation.kind !== 'apply' || !isRelation(relation.op)) return true;
      return !this.fits(relation.args[0]!, relation.args[1]!, pool.sub(then, otherwise), order);
    }
    const bend = bendOf(pool, node.op, node.args);
    if (!bend || order === 0) return false;
    const pieces = bent(pool, node.op, node.args, pool.held(0));
    if (pieces.kind !== 'apply' || pieces.op !== 'if') return false;
    return !this.fits(bend.left, bend.right, pool.sub(pieces.args[1]!, pieces.args[2]!), order);
  }

  /** A relation that causes no event. */
  private isQuiet(node: Expr): boolean {
    return node.kind === 'apply' && isRelation(node.op) && this.varies(node);
  }

  /** Whether two pieces, and their derivatives, are equal where they meet. */
  private fits(left: Expr, right: Expr, difference: Expr, order: number): boolean {
    const { pool } = this.runtime.values;
    for (const leaf of [...leaves(left), ...leaves(right)]) {
      if (!this.isVarying(leaf)) continue;
      const meeting = solveFor(pool, left, right, leaf)?.value;
      if (!meeting) continue;
      let derivative: Expr | undefined = difference;
      for (let k = 0; derivative && k <= order; k++) {
        const there: Expr = substitute(pool, derivative, (other) => (other === leaf ? meeting : undefined));
        if (this.varies(there) || !(Math.abs(this.runtime.values.evaluate(there)) <= fitting)) return false;
        derivative = partial(pool, derivative, leaf, this.runtime.code.calls).value;
      }
      return derivative !== undefined;
    }
    return false;
  }

  private varies(expr: Expr): boolean {
    return leaves(expr).some((leaf) => this.isVarying(leaf));
  }

  private isVarying(leaf: Expr): boolean {
    if (leaf.kind === 'time') return true;
    if (leaf.kind !== 'ref') return false;
    const { kind } = this.runtime.model.scalars[leaf.symbol]!;
    return kind === 'continuous' || kind === 'input' || kind === 'external';
  }

  private describe(index: number, found: Expr, order: number): Diagnostic {
    const { runtime } = this;
    const { text, span } = runtime.wording.describeEquation(index);
    const message = `The equation ${text} is differentiated, and ${runtime.wording.print(found)} may have a ${order === 0 ? 'step' : 'bend'} that causes no event: values that should jump there would do so without an impulse.`;
    return warning('unseen-bend', message, {
      span,
      hint: `Choose between the pieces in an equation and without noEvent; or promise that they fit, with smooth(${order}, …) or annotation(smoothOrder = ${order}) of a function.`,
    });
  }
}
