/**
 * Base-partitions and the ticks of their clocks (Modelica 3.6, sections 16.3.1 and 16.7.5): sub-partitions that conversions
 * relate have clocks that are exact fractions of one unit. Clocks that are given are followed along the conversions to the
 * others; where two ways lead to different clocks, the model is wrong.
 */
import { append } from '../../collections/groups.ts';
import { remember } from '../../collections/memo.ts';
import { warning } from '../../diagnostic/diagnostic.ts';
import { substitute } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import { builderNames, type FlatBuilder, note } from '../core/context.ts';
import { exprText } from '../core/text.ts';
import { before } from '../expressions/calculus.ts';
import { addedVariable, symbolsIn } from '../expressions/clocks.ts';
import type {
  ClockBase,
  ClockSource,
  Conversion,
  FlatClock,
  FlatEquation,
  Fraction,
  Origin,
} from '../flat.ts';
import {
  equal,
  isBelow,
  isInteger,
  minus,
  one,
  over,
  plus,
  type Rational,
  rationalText,
  times,
  zero,
} from '../rationals.ts';
import type { Units } from './subpartitions.ts';

/** A clock in the units of its base, and where it was found. */
interface Timing {
  readonly period: Rational;
  readonly offset: Rational;
  readonly origin: Origin;
  readonly label: string;
}

/** A clock with what `interval()` is at its first tick. */
export interface ResolvedClock extends FlatClock {
  readonly firstInterval: Expr;
}

interface Edge {
  readonly conversion: Conversion;
  /** Roots of the sub-partitions of argument and result. */
  readonly from: number;
  readonly to: number;
}

const clockHint =
  'Give one of them a clock, for example with `sample(u, Clock(1, 10))` or `when Clock(1, 10) then`.';

/** Sub-partitions (by root) that conversions relate. */
interface Base {
  readonly roots: number[];
  readonly edges: Edge[];
}

/** Finds the clocks of clocked sub-partitions; problems are reported. */
export class BaseClocks {
  readonly clocks: ResolvedClock[] = [];
  /** Index of the clock, by root. */
  readonly clockOf = new Map<number, number>();

  constructor(
    private readonly builder: FlatBuilder,
    private readonly units: Units,
    clocked: ReadonlySet<number>,
  ) {
    for (const base of this.related(clocked)) this.resolveBase(base);
  }

  /** Clocked sub-partitions that conversions relate. */
  private related(clocked: ReadonlySet<number>): Base[] {
    const groups = new Map<number, Base>();
    for (const root of clocked) groups.set(root, { roots: [root], edges: [] });
    for (const conversion of this.units.conversions) {
      const { kind } = conversion.relation;
      if (kind === 'sample' || kind === 'hold' || kind === 'interval' || kind === 'firstTick') continue;
      const argument = conversion.argument && [...symbolsIn(this.builder, conversion.argument)][0];
      if (argument === undefined) continue;
      const edge = { conversion, from: this.units.find(argument), to: this.units.find(conversion.result) };
      const ends = [groups.get(edge.to)!, groups.get(edge.from)!];
      const [other, group] = ends.sort((a, b) => a.roots.length - b.roots.length) as [Base, Base];
      if (other !== group) {
        group.roots.push(...other.roots);
        group.edges.push(...other.edges);
        for (const root of other.roots) groups.set(root, group);
      }
      group.edges.push(edge);
    }
    return [...new Set(groups.values())];
  }

  private resolveBase({ roots, edges }: Base): void {
    const members = new Set(roots);
    const sources = this.builder.clocks.sources
      .map(({ symbol, source, origin }) => ({ root: this.units.find(symbol), source, origin }))
      .filter(({ root }) => members.has(root));
    if (sources.length === 0) {
      if (roots.some((root) => this.units.used.has(root))) this.defaultClock(roots, edges);
      return;
    }
    const base = this.baseOf(sources);
    if (!base) return;
    const timings = new Map<number, Timing>();
    for (const { root, source, origin } of sources) {
      const period = source.kind === 'rational' ? source.period : one;
      const timing = { period, offset: zero, origin, label: this.labelOf(source) };
      if (!this.settle(root, timing, timings)) return;
    }
    if (!this.propagate(edges, timings)) return;
    this.finish(roots, base, timings, this.firstInterval(sources[0]!.source));
  }

  /** Without any clock, the fastest equations tick once a second (16.3.1). */
  private defaultClock(roots: readonly number[], edges: readonly Edge[]): void {
    const { builder } = this;
    const origin = this.placeOf(roots);
    const timings = new Map<number, Timing>();
    timings.set(roots[0]!, { period: one, offset: zero, origin, label: 'the default clock' });
    if (!this.propagate(edges, timings)) return;
    const fastest = [...timings.values()].reduce((p, { period }) => (isBelow(period, p) ? period : p), one);
    for (const [root, { period, offset, ...rest }] of timings)
      timings.set(root, { period: over(period, fastest), offset: over(offset, fastest), ...rest });
    builder.diagnostics.push(
      warning('clock-conflict', `No clock is given for ${this.listOf(roots)}: they tick every second.`, {
        span: origin.span,
        hint: clockHint,
      }),
    );
    this.finish(roots, { kind: 'periodic', unit: builder.pool.one }, timings, builder.pool.zero);
  }

  /** Makes the clocks whose ticks are known. */
  private finish(
    roots: readonly number[],
    base: ClockBase,
    timings: ReadonlyMap<number, Timing>,
    firstInterval: Expr,
  ): void {
    for (const root of roots) {
      const timing = timings.get(root);
      if (!timing) {
        if (this.units.used.has(root)) this.notInferred([root]);
        continue;
      }
      const clock = this.flatClock(base, timing);
      if (!clock) return;
      if (!this.units.used.has(root)) continue;
      this.clockOf.set(root, this.clocks.length);
      this.clocks.push({ ...clock, firstInterval });
    }
  }

  /** The one base of a partition (16.3.1). */
  private baseOf(
    sources: readonly { readonly source: ClockSource; readonly origin: Origin }[],
  ): ClockBase | undefined {
    const { pool } = this.builder;
    const [first] = sources;
    const other = sources.find(
      (s) => s !== first && (s.source.kind !== 'rational' || first!.source.kind !== 'rational'),
    );
    if (other) {
      this.conflict(
        `${this.labelOf(first!.source)} and ${this.labelOf(other.source)} are different clocks, but equations or conversions connect them.`,
        first!.origin,
        other.origin,
        'Only clocks of the form `Clock(intervalCounter, resolution)` can be related; otherwise use one clock in both places.',
      );
      return undefined;
    }
    const { source } = first!;
    switch (source.kind) {
      case 'rational':
        return { kind: 'periodic', unit: pool.one };
      case 'real':
        return { kind: 'periodic', unit: source.interval };
      case 'event':
        return { kind: 'event', condition: source.condition };
      case 'varying':
        return { kind: 'varying', interval: source.interval };
    }
  }

  private firstInterval(source: ClockSource): Expr {
    if (source.kind === 'event') return source.startInterval;
    return source.kind === 'varying' ? leftLimit(this.builder, source.interval) : this.builder.pool.zero;
  }

  private labelOf(source: ClockSource): string {
    switch (source.kind) {
      case 'rational':
        return `Clock(${source.period.numerator}, ${source.period.denominator})`;
      case 'real':
      case 'varying':
        return `Clock(${exprText(source.interval, builderNames(this.builder))})`;
      case 'event':
        return 'an event clock';
    }
  }

  /** Follows the conversions from clocks that are known to the others. */
  private propagate(edges: readonly Edge[], timings: Map<number, Timing>): boolean {
    const edgesOf = new Map<number, Edge[]>();
    for (const edge of edges) for (const root of new Set([edge.from, edge.to])) append(edgesOf, root, edge);
    const queue = [...timings.keys()];
    for (let k = 0; k < queue.length; k++) {
      for (const edge of edgesOf.get(queue[k]!) ?? []) {
        const forward = edge.from === queue[k];
        const next = forward ? edge.to : edge.from;
        const timing = related(timings.get(queue[k]!)!, edge.conversion, forward);
        if (!timing) continue;
        const known = timings.has(next);
        if (!this.settle(next, timing, timings)) return false;
        if (!known) queue.push(next);
      }
    }
    return edges.every((edge) => this.checkInferred(edge, timings));
  }

  private settle(root: number, timing: Timing, timings: Map<number, Timing>): boolean {
    const known = timings.get(root);
    if (!known) {
      timings.set(root, timing);
      return true;
    }
    if (equal(known.period, timing.period) && equal(known.offset, timing.offset)) return true;
    const text = ({ period, offset }: Timing) =>
      `${rationalText(period)}${offset.numerator === 0n ? '' : ` (first after ${rationalText(offset)})`}`;
    this.conflict(
      `Equations on this clock would have two different clocks: ${timing.label} with the interval ${text(timing)}, and ${known.label} with ${text(known)}.`,
      timing.origin,
      known.origin,
      'Convert between them with `subSample`, `superSample` or `shiftSample`.',
    );
    return false;
  }

  /** A factor that is to be inferred must come out as a whole number. */
  private checkInferred({ conversion, from, to }: Edge, timings: ReadonlyMap<number, Timing>): boolean {
    const { relation, origin } = conversion;
    if ((relation.kind !== 'subSample' && relation.kind !== 'superSample') || relation.factor) return true;
    const [argument, result] = [timings.get(from), timings.get(to)];
    if (!argument || !result) return true;
    const ratio = over(result.period, argument.period);
    const factor = relation.kind === 'subSample' ? ratio : over(one, ratio);
    if (isInteger(factor) && equal(argument.offset, result.offset)) return true;
    this.conflict(
      `The factor of \`${relation.kind}\` would have to be ${rationalText(factor)}: the intervals are ${rationalText(argument.period)} and ${rationalText(result.period)}.`,
      origin,
      result.origin,
      'The slower interval must be a whole multiple of the faster one, and both must begin together.',
    );
    return false;
  }

  private conflict(message: string, at: Origin, other: Origin, hint: string): void {
    this.builder.reportAt('clock-conflict', message, {
      span: at.span,
      hint,
      notes: [note('the other clock', other)],
    });
  }

  private notInferred(roots: readonly number[]): void {
    this.builder.reportAt('clock-conflict', `No clock can be inferred for ${this.listOf(roots)}.`, {
      span: this.placeOf(roots).span,
      hint: `${clockHint.slice(0, -1)}; or write the factor of the \`subSample\` or \`superSample\` that leads to them.`,
    });
  }

  /** The equations of sub-partitions, by the names of their variables. */
  private listOf(roots: readonly number[]): string {
    const names = builderNames(this.builder);
    const members = new Set(roots);
    const variables = [...this.units.parent.keys()].filter(
      (s) =>
        members.has(this.units.find(s)) && !names.variable(s).startsWith('$') && !this.builder.isFixed(s),
    );
    const list = variables.slice(0, 8).map((s) => `\`${names.variable(s)}\``);
    if (list.length === 0) return 'these values';
    return `the equations of ${list.join(', ')}${variables.length > 8 ? ', …' : ''}`;
  }

  private placeOf(roots: readonly number[]): Origin {
    const members = new Set(roots);
    const unit = this.units.all.find(({ symbols }) =>
      [...symbols].some((s) => members.has(this.units.find(s))),
    );
    const conversion = this.units.conversions.find(({ result }) => members.has(this.units.find(result)));
    return unit?.origin ?? conversion?.origin ?? { span: undefined, component: '' };
  }

  private flatClock(base: ClockBase, { period, offset, origin, label }: Timing): FlatClock | undefined {
    const problem = (message: string, hint: string): undefined => {
      this.builder.reportAt('clock-conflict', message, { span: origin.span, hint });
    };
    if (offset.numerator < 0n) {
      return problem(
        `This clock would tick ${rationalText(minus(zero, offset))} before its base clock begins.`,
        'Shift the clock by at least as much with `shiftSample` before `backSample`.',
      );
    }
    if (base.kind !== 'periodic' && !(isInteger(period) && isInteger(offset))) {
      return problem(
        `The ticks of ${label} cannot be divided: this clock would have the interval ${rationalText(period)} and begin at ${rationalText(offset)}.`,
        'Clocks that are not periodic can be sub-sampled and shifted by whole ticks only.',
      );
    }
    const fractions = [period, offset].map(({ numerator, denominator }): Fraction | undefined => {
      const fits =
        numerator <= BigInt(Number.MAX_SAFE_INTEGER) && denominator <= BigInt(Number.MAX_SAFE_INTEGER);
      return fits ? [Number(numerator), Number(denominator)] : undefined;
    });
    if (!fractions[0] || !fractions[1]) {
      return problem('The factors of this clock are too large.', 'Use smaller factors and resolutions.');
    }
    return { label, base, period: fractions[0], offset: fractions[1], origin };
  }
}

/** The clock on the other side of a conversion; undefined where it is not determined by this one. */
function related(
  { period, offset, label }: Timing,
  { relation, origin }: Conversion,
  forward: boolean,
): Timing | undefined {
  switch (relation.kind) {
    case 'subSample':
    case 'superSample': {
      if (!relation.factor) return undefined;
      const factor = forward ? relation.factor : over(one, relation.factor);
      return { period: times(period, factor), offset, origin, label };
    }
    case 'shiftSample':
    case 'backSample': {
      const by = times(relation.shift, period);
      return { period, offset: forward ? plus(offset, by) : minus(offset, by), origin, label };
    }
    default:
      return undefined;
  }
}
/** The value just before an instant. */
export const leftLimit = (builder: FlatBuilder, expr: Expr): Expr =>
  before(builder, expr) ??
  substitute(builder.pool, expr, (leaf) => (leaf.kind === 'ref' ? before(builder, leaf) : undefined));
/** Variables that clocks need for `firstTick` and `interval`: whether they have ticked, and when. */
export class TickVariables {
  readonly clockOf = new Map<number, number>();
  private readonly ticked = new Map<number, Expr>();
  private readonly instants = new Map<number, Expr>();

  constructor(
    private readonly builder: FlatBuilder,
    private readonly clocks: readonly ResolvedClock[],
    private readonly put: (clock: number, equation: FlatEquation) => void,
  ) {}

  /** Whether the clock has ticked before. */
  before(clock: number): Expr {
    return this.remembered(this.ticked, clock, 'ticked', 'Boolean', this.builder.pool.one);
  }

  /** Seconds since the tick before. */
  interval(clock: number): Expr {
    const { pool } = this.builder;
    const { base, period, firstInterval } = this.clocks[clock]!;
    if (base.kind === 'periodic') return pool.mul(pool.const(period[0] / period[1]), base.unit);
    const last = this.remembered(this.instants, clock, 'tickTime', 'Real', pool.time);
    return pool.if(this.before(clock), pool.sub(pool.time, last), firstInterval);
  }

  private remembered(
    known: Map<number, Expr>,
    clock: number,
    what: string,
    type: 'Boolean' | 'Real',
    value: Expr,
  ): Expr {
    return remember(known, clock, () => {
      const { builder } = this;
      const { origin } = this.clocks[clock]!;
      const symbol = builder.add(addedVariable(builder, what, type, [], 'discrete', origin));
      this.clockOf.set(symbol, clock);
      this.put(clock, { kind: 'equal', left: builder.pool.ref(symbol), right: value, dims: [], origin });
      return builder.pool.pre(symbol);
    });
  }
}
