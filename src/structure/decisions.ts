/**
 * What was concluded about structure from values of parameters: that a coefficient can be divided by, which variables are
 * states where constraints have constant coefficients. For other values a conclusion may be another one; then what was
 * built on it (blocks, modes, code) must not be used. Each conclusion can be drawn again, at the values of now.
 */
import type { Expr } from '../symbolic/expr.ts';

interface Decision {
  /** The values it rests on. */
  readonly about: readonly Expr[];
  /** Draws the conclusion again; true where it is the same. */
  readonly holds: () => boolean;
}

export class Decisions {
  private readonly ofExpressions = new Map<Expr, Decision>();
  private readonly others: Decision[] = [];

  /** A conclusion from one expression; the first one stays. */
  note(about: Expr, holds: () => boolean): void {
    if (!this.ofExpressions.has(about)) this.ofExpressions.set(about, { about: [about], holds });
  }

  /** A conclusion from several expressions together. */
  noteAll(about: readonly Expr[], holds: () => boolean): void {
    this.others.push({ about, holds });
  }

  /** What the first conclusion rests on that would be another one now. */
  changed(): readonly Expr[] | undefined {
    for (const { about, holds } of this.ofExpressions.values()) if (!holds()) return about;
    return this.others.find(({ holds }) => !holds())?.about;
  }
}
