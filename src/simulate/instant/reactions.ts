/**
 * How built-in components take part in an instant. When the equations have settled, every component is told; what it changes (values of its
 * states, a new segment) lets the equations settle again, and it is told once more, until no component changes anything.
 */
import { remember } from '../../collections/memo.ts';
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts';
import { Failure } from '../../diagnostic/failure.ts';
import type { ActiveComponent, Components } from '../../program/components/components.ts';
import type { LiveComponent } from '../../program/components/running.ts';
import type { Impulse } from '../types.ts';
import type { Present } from './current.ts';

/** Impulses below this share of the largest one of an instant are rounding. */
const negligible = 1e-12;
/** Rounds in which components must come to rest. */
const mostRounds = 100;

/** What of components has changed its sign: which indicators of which segment of theirs. */
export type Crossings = ReadonlyMap<
  LiveComponent,
  { readonly segment: number; readonly indicators: readonly number[] }
>;

/** Indicators in the numbering of the mode that has these parts, by component: an instant may lead to another mode. */
export function crossingsIn(parts: readonly ActiveComponent[], indicators: readonly number[]): Crossings {
  return new Map(
    parts.map(({ live, firstIndicator }) => {
      const own = indicators.map((k) => k - firstIndicator);
      const { length } = live.point.z;
      return [live, { segment: live.segments, indicators: own.filter((k) => k >= 0 && k < length) }];
    }),
  );
}

const nothing: Crossings = new Map();

export class Reactions {
  /** Whether a component ended the run. */
  terminated = false;

  /** Impulses of the instant, by the names of variables: each round may add to them. */
  private readonly struck = new Map<string, { weight: number; readonly unit: string | undefined }>();

  /** Impulses of the equations since components were last told, by symbol. */
  private readonly weights = new Map<number, number>();

  /** By component: of each of its inputs the variable that it is, -1 where it is none. */
  private readonly inputs = new Map<number, Int32Array>();

  constructor(
    private readonly components: Components,
    private readonly present: Present,
    private readonly diagnostics: Diagnostic[],
    private readonly impulses: Impulse[],
  ) {}

  /** The next time at which a component of the mode in force wants an event. */
  get nextTime(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { live } of this.present.mode.parts) next = Math.min(next, live.nextTime);
    return next;
  }

  /**
   * Lets all components react; `settle` lets the equations settle. Gives how many segments were begun.
   */
  run(crossed: Crossings, settle: () => void): number {
    if (this.components.live.length === 0) return 0;
    this.struck.clear();
    const restarts = this.rounds(crossed, settle);
    const { time } = this.present;
    const largest = Math.max(0, ...[...this.struck.values()].map(({ weight }) => Math.abs(weight)));
    for (const [variable, { weight, unit }] of this.struck)
      if (Math.abs(weight) > negligible * largest)
        this.impulses.push({ time, variable, weight, ...(unit !== undefined && { unit }) });
    return restarts;
  }

  /** Takes note of an impulse of the equations. */
  note(symbol: number, weight: number): void {
    if (this.components.live.length > 0) this.weights.set(symbol, (this.weights.get(symbol) ?? 0) + weight);
  }

  private impulsesOf({ live: { component }, index }: ActiveComponent): Float64Array {
    const { inputs } = component;
    const impulses = new Float64Array(inputs.length);
    if (this.weights.size === 0) return impulses;
    const symbols = remember(this.inputs, index, () =>
      Int32Array.from(inputs, (leaf) => (leaf.kind === 'ref' && leaf.order === 0 ? leaf.symbol : -1)),
    );
    for (let k = 0; k < symbols.length; k++) impulses[k] = this.weights.get(symbols[k]!) ?? 0;
    return impulses;
  }

  private rounds(crossed: Crossings, settle: () => void): number {
    let restarts = 0;
    let since = crossed;
    for (let round = 0; ; round++) {
      const reacted: ActiveComponent[] = [];
      for (const part of this.present.mode.parts) {
        const outcome = this.react(part, since);
        if (outcome !== 'nothing') reacted.push(part);
        if (outcome === 'restart') restarts++;
        if (outcome === 'advanced') round = 0;
      }
      since = nothing;
      this.weights.clear();
      if (reacted.length === 0 || this.terminated) return restarts;
      if (round === mostRounds) {
        // Scalar relations on the verge of changing come to rest.
        for (const { live } of reacted)
          if (live.component.flat.arrays) this.components.refuse(live.component.flat);
        throw this.cycle(reacted);
      }
      this.present.known = 'nothing';
      settle();
    }
  }

  private react(part: ActiveComponent, crossed: Crossings): 'nothing' | 'changed' | 'advanced' | 'restart' {
    const { live, index } = part;
    part.readInputs();
    const own = crossed.get(live);
    const indicators = own?.segment === live.segments ? own.indicators : [];
    const { restart, changed, advanced, terminated, impulses, remarks } = live.event(
      indicators,
      this.impulsesOf(part),
    );
    for (const { name, weight, unit } of impulses)
      remember(this.struck, name, () => ({ weight: 0, unit })).weight += weight;
    this.diagnostics.push(...remarks);
    if (terminated !== undefined) this.terminate(part, terminated);
    if (restart) {
      // What is stored is handed over to the next segment, too.
      live.variablesNow();
      this.components.restart(index);
      return 'restart';
    }
    if (!changed) return 'nothing';
    if (!this.components.showOutputs(index, this.present.time))
      throw this.present.evaluationFailure('simulate');
    return advanced ? 'advanced' : 'changed';
  }

  private terminate({ live }: ActiveComponent, message: string): void {
    const { span } = live.component.flat.origin;
    const text = `${live.title} ended the simulation at time ${this.present.time}: ${message}`;
    this.diagnostics.push(warning('terminated', text, { span }));
    this.terminated = true;
  }

  private cycle(parts: readonly ActiveComponent[]): Failure {
    const explained = this.components.explain({ kind: 'endless', time: this.present.time });
    if (explained) return new Failure('simulate', [explained]);
    const message = `Events at time ${this.present.time} come to no end: after ${mostRounds} rounds there are still changes.`;
    return Failure.of('simulate', 'event-cycle', message, {
      span: parts[0]!.live.component.flat.origin.span,
      notes: parts.map(({ live }) => ({
        message: `${live.title} changes its states, or asks for a restart, each time`,
      })),
      hint: 'A component should ask for a restart only where its structure differs from what it declared last.',
    });
  }
}
