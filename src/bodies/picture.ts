/** What a scene looks like. */

import type {
  Picture,
  PicturedArrow,
  PicturedGeometry,
  PicturedLink,
  PicturedShape,
} from '../builtin/picture.ts';
import { withPath } from '../names/names.ts';
import type { Scene, SceneForce, SceneObject } from './scene/scene.ts';
import type { Shape } from './shapes/shape.ts';
import { trianglesOf } from './shapes/triangles.ts';
import { norm, scaled, type Vector } from './space.ts';

export function pictureOf({ objects, forces, touches, gravity, camera }: Scene): Picture {
  const falls = gravity.kind === 'uniform' && norm(gravity.acceleration) > 0;
  const up: Vector = falls ? scaled(-1 / norm(gravity.acceleration), gravity.acceleration) : [0, 1, 0];
  return {
    up,
    ground: falls,
    ...(camera && { camera }),
    shapes: objects.slice(1).map(shapeOf),
    links: forces.flatMap((force) => linkOf(force, objects) ?? []),
    arrows: [
      ...forces.flatMap((force) => arrowsOf(force, objects)),
      ...touches.map(
        ({ part: { path } }): PicturedArrow => ({
          name: path,
          kind: 'force',
          position: withPath(path, 'r'),
          normal: withPath(path, 'n'),
          vector: { along: undefined, signal: withPath(path, 'f') },
        }),
      ),
    ],
  };
}

function shapeOf({ name, shape, look }: SceneObject): PicturedShape {
  let geometry: PicturedGeometry | undefined;
  return {
    name,
    position: withPath(name, 'r'),
    angles: withPath(name, 'angles'),
    velocity: withPath(name, 'v'),
    angularVelocity: withPath(name, 'w'),
    // Triangles are many: they are formed where somebody looks at them.
    get geometry() {
      geometry ??= shape && geometryOf(shape);
      return geometry;
    },
    color: look.color,
    opacity: 1 - look.transparency,
  };
}

/** The world stands still, and has no signals. */
const placeOf = (object: number, objects: Scene['objects']): string | undefined =>
  object === 0 ? undefined : withPath(objects[object]!.name, 'r');

function linkOf({ part, kind, a, b }: SceneForce, objects: Scene['objects']): PicturedLink | undefined {
  if (kind !== 'PointToPoint' || b === undefined) return undefined;
  const [from, to] = [placeOf(a, objects), placeOf(b, objects)];
  return { name: part.path, from, to, rest: withPath(part.path, 'length0') };
}

function arrowsOf({ part, kind, a, b, resolve }: SceneForce, objects: Scene['objects']): PicturedArrow[] {
  const signal = (object: number, name: string) => withPath(objects[object]!.name, name);
  const own = (name: string) => withPath(part.path, name);
  if (kind === 'PointToPoint') {
    const arrow = (from: number, to: number): PicturedArrow[] => {
      const position = placeOf(from, objects);
      const vector = { towards: placeOf(to, objects), signal: own('force') };
      return position === undefined ? [] : [{ name: part.path, kind: 'force', position, vector }];
    };
    return b === undefined ? [] : [...arrow(a, b), ...arrow(b, a)];
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
