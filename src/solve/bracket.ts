/**
 * A solution of f(x) = 0 in one unknown, where Newton's method finds none from the start value: the function may be flat there, as the temperature of a fluid is below its triple point and in
 * its two-phase region. Going outwards from the start value in steps that grow, the first change of sign is bisected. A function may jump there: what is found is a guess.
 */
import { pulse } from '../diagnostic/pulse.ts';

/** The first step outwards, as a share of the size of x, and how steps grow. */
const firstStep = 1e-3;
const growth = 3;
const mostSteps = 24;
/** The width of the bracket, as a share of x, at which Newton's method takes over. */
const narrow = 1e-9;
const mostHalvings = 100;

interface Point {
  readonly x: number;
  readonly f: number;
}

/** `f` gives NaN where it cannot be evaluated; `size` is a typical size of x. Undefined where no sign changes. */
export function bracketed(f: (x: number) => number, start: number, size: number): number | undefined {
  const at = (x: number): Point => ({ x, f: f(x) });
  const first = at(start);
  const last = [first, first];
  for (let k = 0, step = firstStep * size; k < mostSteps; k++, step *= growth) {
    for (const [side, direction] of [1, -1].entries()) {
      pulse();
      const next = at(start + direction * step);
      const found = changes(last[side]!, next) ? halved(at, last[side]!, next) : undefined;
      if (found !== undefined) return found;
      if (!Number.isNaN(next.f)) last[side] = next;
    }
  }
  return undefined;
}

const changes = (a: Point, b: Point): boolean => a.f <= 0 !== b.f <= 0 && Number.isFinite(a.f - b.f);

function halved(at: (x: number) => Point, from: Point, to: Point): number | undefined {
  let [a, b] = [from, to];
  for (let n = 0; n < mostHalvings; n++) {
    const middle = at((a.x + b.x) / 2);
    if (!Number.isFinite(middle.f)) return undefined;
    if (changes(a, middle)) b = middle;
    else a = middle;
    if (Math.abs(b.x - a.x) <= narrow * Math.max(Math.abs(a.x), Math.abs(b.x))) break;
  }
  return Math.abs(a.f) < Math.abs(b.f) ? a.x : b.x;
}
