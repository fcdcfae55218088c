/**
 * What bodies that joints with flanges move have struck. Their impulses were found without what is behind the flanges, which answers next (`BodyEvents.kick`); that is what is left of
 * the same impact, so until then points hold together as they did in it, whatever forces want: they do not part, and stick, or slide in the directions in which they rubbed.
 */
import type { Encounter } from './encounter.ts';
import { direct } from './friction.ts';
import { type Meeting, type Moved, REACHED } from './meeting.ts';
import type { RigidPairs } from './pairs.ts';

export function keepStruck(
  pairs: RigidPairs,
  { flanged }: Moved,
  encounter: Encounter,
  near: readonly Meeting[],
  impulses: Float64Array,
): void {
  let isKept = false;
  for (const [p, { pair, touch, known, a, b }] of near.entries()) {
    if (!flanged.has(a) && !flanged.has(b)) continue;
    const points = known.map((_, i) => encounter.firsts[p]! + i);
    const struck = points.filter((k) => impulses[3 * k]! > 0);
    if (struck.length === 0) continue;
    isKept = true;
    pair.patch.take(known.map((point, i) => ({ ...point, presses: struck.includes(points[i]!) })));
    pair.touch = touch;
    touch.renew();
    const { friction } = pair.law;
    const rubs = (k: number) =>
      Math.hypot(impulses[3 * k + 1]!, impulses[3 * k + 2]!) >= (1 - REACHED) * friction * impulses[3 * k]!;
    touch.hold = friction === 0 ? 'smooth' : struck.every(rubs) ? 'start' : 'stick';
    pairs.place(pair);
    for (const [at, k] of struck.entries()) {
      for (let c = 0; c < 3; c++) e[c] = -encounter.along(k, impulses[3 * k + 1]!, impulses[3 * k + 2]!, c);
      direct(touch, at, e, pairs.rotation);
    }
  }
  if (!isKept) return;
  // What slides beside it keeps its direction, too: the answer is found from what the model was told before.
  for (const { touch } of pairs.touching())
    if (touch!.hold === 'slide' && touch!.pinned < 0) touch!.hold = 'start';
  pairs.install();
}

const e = new Float64Array(3);
