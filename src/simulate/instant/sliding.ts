/**
 * When sliding begins and ends (`modes/sliding.ts`). It begins at an event after which the solution would cross the surface again at
 * once: the side that it came from pushes towards the surface, and so does the one that it came to. It ends when the share of one side
 * reaches its bound: then the other side alone holds, and no longer pushes back.
 */

import type { Slide } from '../../modes/guarded.ts';
import { isRelevant } from '../../modes/relevance.ts';
import type { CompiledMode } from '../../program/mode/compiled.ts';
import type { Runtime } from '../../program/runtime.ts';
import type { Relations } from './relations.ts';

/** Shares that lie outside of 0 to 1 by less are rounding. */
const rounding = 1e-9;

export class Sliding {
  /** Surfaces that were left at this instant. */
  private readonly ended = new Set<Slide>();

  constructor(
    private readonly runtime: Runtime,
    private readonly relations: Relations,
  ) {}

  /** Ends what reached its bound; gives the relations that have taken the value of their side. */
  begin(crossed: readonly number[]): readonly number[] {
    this.ended.clear();
    return this.active().flatMap((slide) => {
      const over = crossed.includes(slide.over);
      return over || crossed.includes(slide.under) ? this.end(slide, over) : [];
    });
  }

  /**
   * Looks at the values that an instant led to. Gives undefined where all is well; otherwise something begins or ends, and the
   * relations that are given keep the values that they have now.
   */
  review(
    mode: CompiledMode,
    crossed: readonly number[],
    slopeOf: (relation: number) => number | undefined,
  ): readonly number[] | undefined {
    for (const slide of this.active()) {
      if (!isRelevant(this.runtime.model, slide.condition, mode.conditions)) {
        // The state that it belongs to was left.
        this.runtime.values.setVariable(slide.flag, 0);
        continue;
      }
      const share = this.shareOf(slide);
      if (share < -rounding || share > 1 + rounding) return this.end(slide, share > 1);
      this.relations.update(slide.under, share);
      this.relations.update(slide.over, share - 1);
    }
    for (const slide of this.runtime.model.slides) {
      if (this.isActive(slide) || this.ended.has(slide)) continue;
      const relation = slide.relations.find((r) => crossed.includes(r.relation))?.relation;
      if (relation === undefined) continue;
      const slope = slopeOf(relation);
      if (slope === undefined || slope * this.relations.side(relation) >= 0) continue;
      this.runtime.values.setVariable(slide.flag, 1);
      this.runtime.values.setVariable(slide.share, 0.5);
      return [];
    }
    return undefined;
  }

  private end(slide: Slide, over: boolean): readonly number[] {
    this.ended.add(slide);
    this.runtime.values.setVariable(slide.flag, 0);
    for (const { relation, above } of slide.relations) this.relations.set(relation, above === over);
    return slide.relations.map((r) => r.relation);
  }

  private active(): Slide[] {
    return this.runtime.model.slides.filter((slide) => this.isActive(slide));
  }

  private isActive({ flag }: Slide): boolean {
    return this.runtime.values.getVariable(flag) !== 0;
  }

  /** Where both sides come to the same, any share does. */
  private shareOf({ share, difference }: Slide): number {
    const value = this.runtime.values.getVariable(share);
    if (!difference) return value;
    const whole = this.runtime.values.evaluate(difference);
    return whole === 0 ? 0.5 : value / whole;
  }
}
