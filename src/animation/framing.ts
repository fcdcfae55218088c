/** Where a camera stands so that all is in view. */
import type { Camera, Triple } from './animation.ts';
import { cornersOfBox, type Extent, type Scene } from './scene.ts';
import { unit } from './turning.ts';

/** 40 degrees. */
export const FIELD_OF_VIEW = (40 * Math.PI) / 180;
/** Room around what is seen. */
const MARGIN = 1.12;
/** A depth below this share of the width is flat. */
const FLAT = 0.35;

/** The camera of a scene, for pictures of a certain width by height. */
export function framed({ camera, extent }: Scene, aspect: number): Required<Camera> {
  if (camera) return { fieldOfView: FIELD_OF_VIEW, ...camera };
  const target = centreOf(extent);
  const away = viewpoint(extent);
  const distance = distanceFor(extent, away, aspect);
  const position = target.map((value, k) => value + distance * away[k]!) as unknown as Triple;
  return { position, target, fieldOfView: FIELD_OF_VIEW };
}

export const centreOf = ({ low, high }: Extent): Triple => [
  (low[0] + high[0]) / 2,
  (low[1] + high[1]) / 2,
  (low[2] + high[2]) / 2,
];

export const radiusOf = ({ low, high }: Extent): number =>
  Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / 2 || 0.5;

/** From the side and above; what moves in a plane is seen nearly from the front. */
function viewpoint({ low, high }: Extent): Triple {
  const [width, depth] = [high[0] - low[0], high[2] - low[2]];
  if (depth < FLAT * width) return unit([0.35, 0.3, 1]);
  if (width < FLAT * depth) return unit([1, 0.3, 0.35]);
  return unit([0.75, 0.5, 1]);
}

/** The least distance from which all corners are in view. */
function distanceFor(extent: Extent, away: Triple, aspect: number): number {
  const vertical = Math.tan(FIELD_OF_VIEW / 2) / MARGIN;
  const horizontal = vertical * aspect;
  const right = unit([away[2], 0, -away[0]] as const);
  const up: Triple = [away[1] * right[2], away[2] * right[0] - away[0] * right[2], -away[1] * right[0]];
  const centre = centreOf(extent);
  const distances = cornersOfBox(extent).map((corner) => {
    const from = corner.map((value, k) => value - centre[k]!);
    const along = (direction: Triple): number =>
      direction.reduce((sum, value, k) => sum + value * from[k]!, 0);
    return along(away) + Math.max(Math.abs(along(right)) / horizontal, Math.abs(along(up)) / vertical);
  });
  return Math.max(...distances, radiusOf(extent) * 0.2);
}
