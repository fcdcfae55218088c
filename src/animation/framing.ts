/** Where a camera stands so that all is in view. */
import type { Camera, Triple } from './animation.ts';
import type { Scene } from './scene.ts';
import { unit } from './turning.ts';
import { centreOf, cornersOfBox, type Extent, radiusOf } from './view.ts';

/** 40 degrees. */
export const FIELD_OF_VIEW = (40 * Math.PI) / 180;
/** Room around what is seen. */
const MARGIN = 1.12;
/** A depth below this share of the width is flat. */
const FLAT = 0.35;

/** Pictures that are narrower, as width by height, see more above and below of what a given camera shows. */
const NARROW = 1.2;

/** The camera of a scene, for pictures of a certain width by height, of which a share at the top is covered. */
export function framed({ camera, home }: Scene, aspect: number, covered = 0): Required<Camera> {
  if (camera) {
    const { fieldOfView = FIELD_OF_VIEW } = camera;
    const wider = Math.max(1, NARROW / aspect);
    return { ...camera, fieldOfView: 2 * Math.atan(wider * Math.tan(fieldOfView / 2)) };
  }
  const target = centreOf(home);
  const away = viewpoint(home);
  const distance = distanceFor(home, away, aspect, 1 - covered);
  const position = target.map((value, k) => value + distance * away[k]!) as unknown as Triple;
  return { position, target, fieldOfView: FIELD_OF_VIEW };
}

/** From the side and above; what moves in a plane is seen nearly from the front. */
function viewpoint({ low, high }: Extent): Triple {
  const [width, depth] = [high[0] - low[0], high[2] - low[2]];
  if (depth < FLAT * width) return unit([0.35, 0.3, 1]);
  if (width < FLAT * depth) return unit([1, 0.3, 0.35]);
  return unit([0.75, 0.5, 1]);
}

/** The least distance from which all corners are in view, in a share of the height. */
function distanceFor(extent: Extent, away: Triple, aspect: number, share: number): number {
  const half = Math.tan(FIELD_OF_VIEW / 2) / MARGIN;
  const [vertical, horizontal] = [half * share, half * aspect];
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
