/**
 * Watches that a run makes headway. Near a singularity an integrator can take steps that are accepted but so small that the
 * run would never end; the number of steps that would still be needed at the present pace tells. So it does with events, which may
 * accumulate, too (`solve/zeno.ts`).
 */
import { Failure } from '../../diagnostic/failure.ts';
import type { ActiveComponent } from '../../program/components/components.ts';
import { explainAccumulation, explainDense, explainEvents } from '../../program/explain.ts';
import type { Runtime } from '../../program/runtime.ts';
import { ZenoWatch } from '../../solve/zeno.ts';
import type { EventIteration } from '../instant/iteration.ts';
import type { Relations } from '../instant/relations.ts';
import type { Settings } from '../settings.ts';

/** Steps, or events, between two looks, and more of them than anybody can wait for. */
const limits = {
  steps: { window: 50_000, most: 1e9 },
  events: { window: 100_000, most: 2e8 },
} as const;

/** So many steps that lead on by less than this share of the run are slow. */
const fewSteps = 100;
const slowShare = 1e-6;

export class PaceWatch {
  /** What was counted, and since when, as a value. */
  now: { count: number; from: number; recent: number; recentFrom: number };

  constructor(
    private readonly run: Pick<Settings, 'startTime' | 'stopTime'>,
    private readonly what: keyof typeof limits,
  ) {
    this.now = { count: 0, from: run.startTime, recent: 0, recentFrom: run.startTime };
  }

  /** Steps until something is looked at. */
  get left(): number {
    return Math.min(fewSteps - this.now.recent, limits[this.what].window - this.now.count);
  }

  /** So many steps ended at which nothing is looked at. */
  pass(steps: number): void {
    this.now.recent += steps;
    this.now.count += steps;
  }

  /** A step ended at `time`; whether the last ones were so slow that it is worth to look for the reason. */
  isSlow(time: number): boolean {
    if (++this.now.recent < fewSteps) return false;
    const slow = time - this.now.recentFrom < slowShare * (this.run.stopTime - this.run.startTime);
    this.now.recent = 0;
    this.now.recentFrom = time;
    return slow;
  }

  /** A step ended, or an event was, at `time`; gives how many would follow to the end of the run where that is hopeless. */
  step(time: number): number | undefined {
    const { window, most } = limits[this.what];
    if (++this.now.count < window) return undefined;
    const needed = ((this.run.stopTime - time) / (time - this.now.from)) * this.now.count;
    this.now.count = 0;
    this.now.from = time;
    return needed > most ? needed : undefined;
  }
}

/** Watches that events come to an end. */
export class EventWatch {
  readonly zeno: ZenoWatch;
  readonly pace: PaceWatch;

  constructor(
    private readonly runtime: Runtime,
    private readonly relations: Relations,
    private readonly iteration: EventIteration,
    settings: Settings,
  ) {
    this.zeno = new ZenoWatch(settings.stopTime - settings.startTime);
    this.pace = new PaceWatch(settings, 'events');
  }

  /** An event was at a time; a failure where so many would follow that the run has no end. */
  check(crossed: readonly number[], parts: readonly ActiveComponent[], time: number): void {
    const needed = this.pace.step(time);
    if (needed === undefined) return;
    const relation = crossed[0] ?? this.relations.nextOfTime(time);
    const [first] = [...parts].sort((a, b) => a.live.nextTime - b.live.nextTime);
    const cause =
      relation ?? (first && first.live.nextTime < Infinity ? first.live.component.flat : undefined);
    throw new Failure('simulate', [explainEvents(this.runtime, time, needed, cause)]);
  }

  /** Relations changed at a time; those that are `timed` do so by the time alone, and are not pushed back. */
  note(crossed: readonly number[], timed: ReadonlySet<number>, time: number): void {
    for (const relation of crossed) {
      const isPushedBack = () => !timed.has(relation) && this.iteration.isPushedBack(relation);
      const found = this.zeno.note(relation, this.relations.held(relation), time, isPushedBack);
      if (found) throw new Failure('simulate', [explainAccumulation(this.runtime, found)]);
      const dense = this.zeno.dense(relation, time);
      if (dense) this.iteration.diagnostics.push(explainDense(this.runtime, dense));
    }
  }

  /** Relations of array elements: where they come to no end, scalars tell, or slide. They have numbers after all other relations. */
  noteArrays(parts: readonly ActiveComponent[], changed: readonly number[], time: number): void {
    const { length } = this.runtime.model.relations;
    for (const { live, firstIndicator } of parts) {
      if (!live.component.flat.arrays) continue;
      for (const i of changed) {
        const k = i - firstIndicator;
        if (k < 0 || k >= live.point.z.length) continue;
        if (this.zeno.note(length + k, live.point.z[k]! > 0, time, () => true))
          this.runtime.components.refuse(live.component.flat);
      }
    }
  }
}
