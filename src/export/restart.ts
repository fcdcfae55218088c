/**
 * Values after a change of mode as formulas: fifth step, but with the jumps that conservation asks for
 * (`structure/jumps/jumps.ts`) instead of values that are carried over. Left limits are leaves that the caller replaces.
 */
import { remember } from '../collections/memo.ts';
import { Failure } from '../diagnostic/failure.ts';
import type { ModeCollection } from '../simulate/collection.ts';
import { unknownsOf } from '../structure/analysis.ts';
import { followersOf } from '../structure/jumps/follow.ts';
import { jumpEquations, placeEquations } from '../structure/jumps/jumps.ts';
import { isNonzero, type Knowledge } from '../structure/nonzero.ts';
import { type System, sortSystem } from '../structure/sort.ts';
import { leaves, substitute } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import { solveLinear } from './linear.ts';
import { knowledgeOf, type ModeSystem } from './systems.ts';

export class RestartFormulas {
  private readonly lefts = new Map<Ref, Ref>();
  private readonly known = new Map<string, ReadonlyMap<Ref, Expr>>();

  constructor(private readonly collection: ModeCollection) {}

  /** The leaf that stands for the left limit of a variable or derivative. */
  left(ref: Ref): Ref {
    return remember(this.lefts, ref, () => {
      const leaf = this.collection.fresh();
      this.collection.values.set(leaf, this.collection.values.get(ref));
      return leaf;
    });
  }

  /** Replaces the leaves of left limits. */
  resolve(expr: Expr, leftLimit: (ref: Ref) => Expr): Expr {
    const { pool } = this.collection.values;
    const meant = new Map<Expr, Ref>([...this.lefts].map(([ref, leaf]) => [leaf, ref]));
    return substitute(pool, expr, (leaf) => {
      const ref = meant.get(leaf);
      return ref && leftLimit(ref);
    });
  }

  /** The value of each state of a mode on entering it, where the variables in `begun` are new, those in `free` without a start value that is fixed. */
  of(system: ModeSystem, begun: ReadonlySet<number>, free: ReadonlySet<number>): ReadonlyMap<Ref, Expr> {
    const key = `${system.number} ${[...begun].join(' ')}, ${[...free].join(' ')}`;
    return remember(this.known, key, () => this.solve(system, begun, free));
  }

  private solve(system: ModeSystem, begun: ReadonlySet<number>, free: ReadonlySet<number>): Map<Ref, Expr> {
    const { pool } = this.collection.values;
    const { fresh } = this.collection;
    const { sorted } = system;
    const values = new Map<Ref, Expr>();
    let highest = 0;
    for (const { symbol, d } of sorted.variables) {
      if (free.has(symbol)) highest = Math.max(highest, d);
      for (let order = 0; order < d; order++) {
        const ref = pool.ref(symbol, order);
        values.set(ref, this.left(ref));
      }
    }
    for (const ref of system.states) if (!values.has(ref)) values.set(ref, this.left(ref));
    if (sorted.equations.every((e) => e.c === 0)) return values;
    for (let level = highest; level >= 2; level--) {
      const { places, optional } = placeEquations(pool, sorted, free, level, fresh);
      const guesses = new Map<Expr, Expr>(places.map((p) => [p.left, values.get(p.unknown)!]));
      const unknowns = places.map((p) => p.unknown);
      this.solveSystem(system, { equations: [], optional, unknowns }, guesses, values);
    }
    const following = this.follow(system, begun, free, values);
    const alone = new Set([...free].filter((symbol) => !following.has(symbol)));
    const switching = { ...this.collection.switchingIn(sorted), isSwitched: () => false };
    const { levelOne, balances, constraints, open, sides, ...jumps } = jumpEquations(
      pool,
      sorted,
      alone,
      fresh,
      switching,
    );
    // No formula gives the values on the way.
    if (sides.length > 0)
      throw this.refusal(
        system,
        sorted.equations.flatMap(({ index, residuals }) =>
          residuals.some((residual) => leaves(residual).some((leaf) => leaf.kind === 'held')) ? [index] : [],
        ),
      );
    const known = new Map<Expr, Expr>(levelOne.map((l) => [l.left, values.get(l.unknown)!]));
    for (const { correction } of balances) known.set(correction, pool.zero);
    for (const { slack } of constraints) known.set(slack, pool.zero);
    for (const { variable, leaf } of open) known.set(leaf, variable);
    this.solveSystem(system, jumps, known, values);
    return values;
  }

  /** Puts left limits that follow from start values into `values`; gives the symbols of their variables. */
  private follow(
    system: ModeSystem,
    begun: ReadonlySet<number>,
    free: ReadonlySet<number>,
    values: Map<Ref, Expr>,
  ): ReadonlySet<number> {
    const { fresh, values: run } = this.collection;
    const { pool } = run;
    const { sorted } = system;
    const switching = this.collection.switchingIn(sorted);
    const { symbols, blocks } = followersOf(pool, sorted, begun, free, fresh, switching, this.knowledge);
    const insert = (expr: Expr, own: readonly Ref[]) =>
      substitute(pool, expr, (leaf) =>
        leaf.kind === 'ref' && !own.includes(leaf) ? values.get(leaf) : undefined,
      );
    for (const block of blocks) {
      const targets = unknownsOf(block);
      const rows =
        block.kind === 'assign'
          ? [pool.sub(block.unknown, block.value)]
          : [...block.residuals, ...block.inner.map(({ unknown, value }) => pool.sub(unknown, value))];
      const residuals = rows.map((row) => insert(row, targets));
      this.solveBlock(system, residuals, targets, block.equations, values);
    }
    return symbols;
  }

  /** Puts values at which residuals vanish into `values`; what was made of `equations` is named where there are none. */
  private solveBlock(
    system: ModeSystem,
    residuals: readonly Expr[],
    unknowns: readonly Ref[],
    equations: readonly number[],
    values: Map<Expr, Expr>,
  ): void {
    const isPivot = (expr: Expr) => isNonzero(expr, this.knowledge);
    const found = solveLinear(this.collection.values.pool, residuals, unknowns, isPivot);
    if (!found) throw this.refusal(system, equations);
    for (const [k, unknown] of unknowns.entries()) values.set(unknown, found[k]!);
  }

  private get knowledge(): Knowledge {
    return knowledgeOf(this.collection);
  }

  /** Puts the solution into `values`; what is not unknown has its value there or in `known`. */
  private solveSystem(
    mode: ModeSystem,
    { equations, optional = [], unknowns }: System,
    known: ReadonlyMap<Expr, Expr>,
    values: Map<Ref, Expr>,
  ): void {
    const { pool } = this.collection.values;
    const all = [...equations, ...optional];
    const numbered = all.map((equation, index) => ({ ...equation, index }));
    const [needed, others] = [numbered.slice(0, equations.length), numbered.slice(equations.length)];
    const result = sortSystem(pool, { equations: needed, optional: others, unknowns }, this.knowledge);
    if (result.kind === 'singular') throw this.refusal(mode, []);
    const own = new Set<Expr>(unknowns);
    const solved = new Map<Expr, Expr>();
    const insert = (expr: Expr) =>
      substitute(pool, expr, (leaf) => {
        if (leaf.kind !== 'ref') return undefined;
        return solved.get(leaf) ?? known.get(leaf) ?? (own.has(leaf) ? undefined : values.get(leaf));
      });
    for (const block of result.blocks) {
      const rows = block.equations.map((k) => insert(pool.sub(all[k]!.left, all[k]!.right)));
      const own = block.equations.map((k) => all[k]!.index);
      this.solveBlock(mode, rows, unknownsOf(block), own, solved);
    }
    for (const unknown of unknowns) if (values.has(unknown)) values.set(unknown, solved.get(unknown)!);
  }

  private refusal({ mode }: ModeSystem, equations: readonly number[]): Failure {
    const places = equations.filter((index) => this.collection.model.equations[index]);
    const described = places.map((index) => this.collection.wording.describeEquation(index));
    const message = `The values after the change to the mode ${mode.signature} are not the solution of a small linear system.`;
    return Failure.of('translate', 'not-exportable', message, {
      span: described[0]?.span,
      hint: 'Set the values with reinit when the mode changes, and let the constraints be linear.',
      notes: described.slice(0, 8).map(({ text, span }) => ({ message: text, ...(span && { span }) })),
    });
  }
}
