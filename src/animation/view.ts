/**
 * What is in view where no camera is given. As a rule that is all that ever happens; but a part that is thrown away should not make a dot of the arm that threw it, and where everything
 * flies away the picture goes with it.
 */
import type { Triple } from './animation.ts';

export interface Extent {
  readonly low: Triple;
  readonly high: Triple;
}

export interface View {
  /** Of all that is visible at any time. */
  readonly extent: Extent;
  /** Of what should be seen at the start. */
  readonly home: Extent;
  /** The object that the picture goes with. */
  readonly follow: number | undefined;
}

/** Where an object is at some times; undefined where it is not visible. */
export type Trace = readonly (Extent | undefined)[];

/** An object may leave the picture for this share of the time, if the rest is seen from three quarters of the distance, or less. */
const [LEAVING, CLOSER] = [0.2, 0.75] as const;
/** What is so many times the size of all objects away for half of the time has flown away. */
const AWAY = 4;

export function viewOf(traces: readonly Trace[]): View {
  const known = traces.map((trace) => trace.filter((one) => one !== undefined));
  const extent = boxOf(known.flat());
  const start = boxOf(known.flatMap(([first]) => first ?? []));
  const follow = flown(known, start);
  if (follow !== undefined) return { extent, home: start, follow };
  const staying = boxOf(known.flatMap(stayed));
  const home = radiusOf(staying) < CLOSER * radiusOf(extent) ? staying : extent;
  return { extent, home, follow };
}

/** Where all objects fly away, the one that gets farthest. */
function flown(traces: readonly (readonly Extent[])[], start: Extent): number | undefined {
  const [size, centre] = [radiusOf(start), centreOf(start)];
  const distances = traces.map((trace) => trace.map((one) => distance(centreOf(one), centre)));
  const some = distances.filter((own) => own.length > 0);
  const isGone = (own: readonly number[]): boolean =>
    own.filter((away) => away > AWAY * size).length > own.length / 2;
  if (some.length === 0 || !some.every(isGone)) return undefined;
  const farthest = distances.map((own) => own.at(-1) ?? 0);
  return farthest.indexOf(Math.max(...farthest));
}

/** Without the times at which it is farthest from where it mostly is. */
function stayed(trace: readonly Extent[]): readonly Extent[] {
  const centres = trace.map(centreOf);
  const middle = [0, 1, 2].map((k) => {
    const sorted = centres.map((centre) => centre[k]!).sort((a, b) => a - b);
    return sorted[sorted.length >> 1]!;
  }) as unknown as Triple;
  const order = trace.map((own, i) => ({ own, away: distance(centres[i]!, middle) }));
  order.sort((a, b) => a.away - b.away);
  return order.slice(0, Math.ceil((1 - LEAVING) * order.length)).map(({ own }) => own);
}

const distance = (a: Triple, b: Triple): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

export const centreOf = ({ low, high }: Extent): Triple => [
  (low[0] + high[0]) / 2,
  (low[1] + high[1]) / 2,
  (low[2] + high[2]) / 2,
];

export const radiusOf = ({ low, high }: Extent): number => distance(low, high) / 2 || 0.5;

export const cornersOfBox = ({ low, high }: Extent): Triple[] =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((n) => [
    (n & 1 ? high : low)[0],
    (n & 2 ? high : low)[1],
    (n & 4 ? high : low)[2],
  ]);

/** The box about boxes; where there are none, a metre about the origin. */
export function boxOf(boxes: readonly Extent[]): Extent {
  const box = new Box();
  for (const { low, high } of boxes) {
    box.add(low);
    box.add(high);
  }
  return box.extent ?? { low: [-0.5, -0.5, -0.5], high: [0.5, 0.5, 0.5] };
}

/** Grows about points. */
export class Box {
  private readonly low = [0, 0, 0].fill(Number.POSITIVE_INFINITY) as [number, number, number];
  private readonly high = [0, 0, 0].fill(Number.NEGATIVE_INFINITY) as [number, number, number];

  add(point: ArrayLike<number>): void {
    for (let k = 0; k < 3; k++) {
      this.low[k] = Math.min(this.low[k]!, point[k]!);
      this.high[k] = Math.max(this.high[k]!, point[k]!);
    }
  }

  /** Undefined without points. */
  get extent(): Extent | undefined {
    return this.low[0] <= this.high[0] ? { low: this.low, high: this.high } : undefined;
  }
}
