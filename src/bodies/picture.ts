/** What a scene looks like. */

import type { Picture, PicturedGeometry } from '../builtin/picture.ts';
import { withPath } from '../names/names.ts';
import type { Scene } from './scene/scene.ts';
import type { Shape } from './shapes/shape.ts';
import { trianglesOf } from './shapes/triangles.ts';
import { norm, scaled, type Vector } from './space.ts';

export function pictureOf({ objects, gravity, camera }: Scene): Picture {
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
      geometry: shape && geometryOf(shape),
      color: look.color,
      opacity: 1 - look.transparency,
    })),
  };
}

function geometryOf(shape: Shape): PicturedGeometry {
  if (shape.kind !== 'text') return trianglesOf(shape);
  return { kind: 'text', text: shape.text, height: shape.height, facing: shape.plane === 'screen' };
}
