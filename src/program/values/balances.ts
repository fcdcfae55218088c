/**
 * Balances whose coefficients depend on what jumps, looked at with numbers (`structure/jumps/path.ts`). The compiled system integrates them by a
 * fixed rule of quadrature; here the same integral is computed as exactly as is worth it, and the difference becomes a correction, so that
 * der(q(x)) conserves q whatever function it is. A second way between the same values shows whether the balance has a definite
 * meaning at all.
 */
import type { JumpEquations } from '../../structure/jumps/jumps.ts';
import type { BalanceTerm, JumpBalance, Leg, Path } from '../../structure/jumps/path.ts';
import { leaves } from '../../symbolic/analyse.ts';
import type { Expr, Ref } from '../../symbolic/expr.ts';
import type { RunValues } from '../evaluation.ts';

/** Relative errors of an integral. */
const accuracy = 1e-12;
/** Integrals along two ways that differ by less are equal, as are coefficients at two places. */
const agreement = 1e-7;
/** How often an interval is halved, and how many are: numbers with noise, such as differences, have no end. */
const deepest = 40;
const mostParts = 1000;

/** A variable of level 1 in a balance, with the slots of its value and of its left limit. */
interface Mover {
  readonly unknown: Ref;
  readonly slot: number;
  readonly left: number;
}

interface Row {
  readonly balance: JumpBalance;
  /** The sum as the compiled system has it, without its correction. */
  readonly rule: Expr;
  readonly correction: number;
  readonly movers: readonly Mover[];
}

export class Balances {
  private readonly path: Path;
  private readonly rows: readonly Row[];

  constructor(
    private readonly values: RunValues,
    { balances, levelOne, path }: JumpEquations,
  ) {
    this.path = path;
    this.rows = balances.map((balance) => {
      const used = new Set<Expr>(
        balance.terms.flatMap(({ coefficient, amount }) =>
          'jump' in amount ? [...leaves(coefficient), amount.jump.unknown] : leaves(coefficient),
        ),
      );
      const movers = levelOne.flatMap(({ unknown, left }) =>
        used.has(unknown) ? [{ unknown, slot: values.slot(unknown), left: values.slot(left) }] : [],
      );
      return {
        balance,
        rule: path.sum(balance.terms),
        correction: values.slot(balance.correction),
        movers,
      };
    });
  }

  /** No corrections are known. */
  begin(): void {
    for (const { correction } of this.rows) this.values.memory.values[correction] = 0;
  }

  /** Corrects the quadrature for the values that were found; true if another solution is needed. */
  correct(): boolean {
    const { values } = this.values.memory;
    let changed = false;
    for (const row of this.rows) {
      const { integral, size, noise } = this.integrate(row, [row.movers.map((_, k) => k)]);
      const correction = integral - this.values.evaluate(row.rule);
      if (!Number.isFinite(correction)) continue;
      if (Math.abs(correction - values[row.correction]!) > 10 * accuracy * size + noise) changed = true;
      values[row.correction] = correction;
    }
    return changed;
  }

  /** Equations that all ways agree on; pairs of variables go `together`. */
  definite(together: readonly (readonly [Expr, Expr])[]): Set<number> {
    return new Set(this.rows.filter((row) => this.isDefinite(row, together)).map((row) => row.balance.index));
  }

  private isDefinite(row: Row, together: readonly (readonly [Expr, Expr])[]): boolean {
    const straight = this.integrate(row, [row.movers.map((_, k) => k)]);
    const staircase = this.integrate(row, groupsOf(row.movers, together));
    if (!(Math.abs(straight.integral - staircase.integral) <= agreement * straight.size)) return false;
    return row.balance.terms.every((term) => 'jump' in term.amount || this.isConstant(row, term));
  }

  /** Whether the coefficient of an impulse is the same before, on the way and after. */
  private isConstant({ movers }: Row, { coefficient, amount }: BalanceTerm): boolean {
    if (this.amountOf(amount) === 0 || !this.path.varies(coefficient)) return true;
    const [a, b, c] = [0, 0.5, 1].map((s) =>
      this.placed(
        movers,
        () => s,
        () => this.values.evaluate(coefficient),
      ),
    ) as [number, number, number];
    const size = agreement * Math.max(Math.abs(a), Math.abs(c));
    return Math.abs(a - b) <= size && Math.abs(c - b) <= size;
  }

  /** The sum of the terms over the way, of their absolute values, and of errors that noise leaves; one group of variables moves after the other. */
  private integrate(
    row: Row,
    groups: readonly (readonly number[])[],
  ): { integral: number; size: number; noise: number } {
    let [integral, size, noise] = [0, 0, 0];
    for (const leg of ['given', 'others'] as const) {
      const stays = row.movers.map(({ unknown }) => this.path.moves(unknown, leg));
      const moving = groups.map((group) => group.filter((k) => stays[k] === 'moving'));
      const steps = moving.filter((group) => group.length > 0);
      // Impulses act in the first step.
      for (const [n, step] of (steps.length > 0 ? steps : [[]]).entries()) {
        const done = new Set(steps.slice(0, n).flat());
        const terms = row.balance.terms.filter((term) => this.belongs(row, term, leg, step, n === 0));
        const at = (s: number) => (k: number) => {
          if (stays[k] !== 'moving') return stays[k] === 'after' ? 1 : 0;
          if (step.includes(k)) return s;
          return done.has(k) ? 1 : 0;
        };
        for (const term of terms) {
          const amount = this.amountOf(term.amount);
          if (amount === 0) continue;
          const mean = integral01((s) =>
            this.placed(row.movers, at(s), () => this.values.evaluate(term.coefficient)),
          );
          integral += mean.value * amount;
          size += Math.abs(mean.value * amount);
          noise += Math.abs(mean.noise * amount);
        }
      }
    }
    return { integral, size, noise };
  }

  /** Whether a term counts in a step of a leg: its own variable moves there. */
  private belongs(
    { movers }: Row,
    { amount }: BalanceTerm,
    leg: Leg,
    step: readonly number[],
    first: boolean,
  ): boolean {
    if (this.path.legOf(amount) !== leg) return false;
    const own = 'jump' in amount ? movers.findIndex((m) => m.unknown === amount.jump.unknown) : -1;
    return own < 0 ? first : step.includes(own);
  }

  private amountOf(amount: BalanceTerm['amount']): number {
    const { values } = this;
    if ('weight' in amount) return values.get(amount.weight);
    return values.get(amount.jump.unknown) - values.get(amount.jump.left);
  }

  /** Looks at the memory with the variables at shares of their ways. */
  private placed(movers: readonly Mover[], at: (k: number) => number, look: () => number): number {
    const { values } = this.values.memory;
    const after = movers.map(({ slot }) => values[slot]!);
    for (const [k, { slot, left }] of movers.entries()) {
      const before = values[left]!;
      values[slot] = before + at(k) * (after[k]! - before);
    }
    try {
      return look();
    } finally {
      for (const [k, { slot }] of movers.entries()) values[slot] = after[k]!;
    }
  }
}

/** Positions of movers that go together, directly or by way of others. */
function groupsOf(movers: readonly Mover[], together: readonly (readonly [Expr, Expr])[]): number[][] {
  const group = new Map<Expr, Set<Expr>>(movers.map(({ unknown }) => [unknown, new Set([unknown])]));
  for (const pair of together) {
    const joined = new Set(pair.flatMap((unknown) => [...(group.get(unknown) ?? [unknown])]));
    for (const unknown of joined) group.set(unknown, joined);
  }
  return [...new Set(movers.map(({ unknown }) => group.get(unknown)!))].map((own) =>
    movers.flatMap(({ unknown }, k) => (own.has(unknown) ? [k] : [])),
  );
}

/**
 * The integral of a function over [0, 1] by Simpson's rule, halving intervals where it is not accurate enough, and the errors of those that were too many.
 */
function integral01(f: (s: number) => number): { readonly value: number; readonly noise: number } {
  const [f0, f1, f2] = [f(0), f(0.5), f(1)];
  const size = Math.max(Math.abs(f0), Math.abs(f1), Math.abs(f2));
  let [parts, noise] = [0, 0];
  const part = (a: number, fa: number, fm: number, b: number, fb: number, depth: number): number => {
    const [width, middle] = [b - a, (a + b) / 2];
    const [fl, fr] = [f((a + middle) / 2), f((middle + b) / 2)];
    const left = (width / 12) * (fa + 4 * fl + fm);
    const right = (width / 12) * (fm + 4 * fr + fb);
    const error = left + right - (width / 6) * (fa + 4 * fm + fb);
    const isAccurate = !(Math.abs(error) > 15 * accuracy * size * width);
    if (!isAccurate && ++parts > mostParts) noise += Math.abs(error);
    if (isAccurate || depth === 0 || parts > mostParts) return left + right + error / 15;
    return part(a, fa, fl, middle, fm, depth - 1) + part(middle, fm, fr, b, fb, depth - 1);
  };
  return { value: part(0, f0, f1, 1, f2, deepest), noise };
}
