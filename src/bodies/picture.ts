/** What a scene looks like. */

import type { Picture, PicturedArrow, PicturedGeometry } from '../builtin/picture.ts';
import { withPath } from '../names/names.ts';
import type { Scene, SceneForce } from './scene/scene.ts';
import type { Shape } from './shapes/shape.ts';
import { trianglesOf } from './shapes/triangles.ts';
import { norm, scaled, type Vector } from './space.ts';

export function pictureOf({ objects, forces, gravity, camera }: Scene): Picture {
  const up: Vector =
    gravity.kind === 'uniform' && norm(gravity.acceleration) > 0
      ? scaled(-1 / norm(gravity.acceleration), gravity.acceleration)
      : [0, 1, 0];
  return {
    up,
    ...(camera && { camera }),
    shapes: objects.slice(1).map(({ name, shape, look }) => ({
      name,
      position: withPath(name, 'r'),
      angles: withPath(name, 'angles'),
      velocity: withPath(name, 'v'),
      angularVelocity: withPath(name, 'w'),
      geometry: shape && geometryOf(shape),
      color: look.color,
      opacity: 1 - look.transparency,
    })),
    arrows: forces.flatMap((force) => arrowsOf(force, objects)),
  };
}

/** The world stands still, and has no signals. */
function arrowsOf({ part, kind, a, b, resolve }: SceneForce, objects: Scene['objects']): PicturedArrow[] {
  const signal = (object: number, name: string) => withPath(objects[object]!.name, name);
  const own = (name: string) => withPath(part.path, name);
  if (kind === 'PointToPoint') {
    if (a === 0 || b === undefined || b === 0) return [];
    const arrow = (from: number, to: number): PicturedArrow => ({
      name: part.path,
      kind: 'force',
      position: signal(from, 'r'),
      vector: { towards: signal(to, 'r'), signal: own('force') },
    });
    return [arrow(a, b), arrow(b, a)];
  }
  if (a === 0 || (kind !== 'WorldForce' && kind !== 'WorldTorque')) return [];
  const isForce = kind === 'WorldForce';
  return [
    {
      name: part.path,
      kind: isForce ? 'force' : 'torque',
      position: signal(a, 'r'),
      vector: {
        along: resolve === 0 ? undefined : signal(resolve, 'angles'),
        signal: own(isForce ? 'f' : 't'),
      },
    },
  ];
}

function geometryOf(shape: Shape): PicturedGeometry {
  if (shape.kind !== 'text') return trianglesOf(shape);
  return { kind: 'text', text: shape.text, height: shape.height, facing: shape.plane === 'screen' };
}
