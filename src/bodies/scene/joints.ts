/** Joints as sequences of simple motions: about one axis, along one axis, or about a point. */
import type { JointKind } from '../dynamics/tree.ts';
import { cardan, type Quaternion, quaternionOf, type Vector } from '../space.ts';

export interface JointStep {
  readonly kind: Exclude<JointKind, 'free'>;
  /** Of unit length; in the frame before the motion. */
  readonly axis: Vector;
  /** Metres for each radian. */
  readonly pitch: number;
  /** Coordinates and speeds at the start. */
  readonly q: readonly number[];
  readonly v: readonly number[];
  /** Variables of the class that show coordinates and speeds; elements from `element` on. */
  readonly shown: { readonly q: string | undefined; readonly v: string; readonly element: number };
}

/** Values of the parameters of a joint. */
export interface JointValues {
  number(name: string): number;
  numbers(name: string): readonly number[];
  /** Start values of a variable that shows coordinates or speeds, where they are given. */
  start(name: string): readonly number[] | undefined;
  direction(name: string): Vector;
  angles(name: string): Vector;
}

export function stepsOf(kind: string, values: JointValues): JointStep[] {
  const turn = (axis: Vector, q: number, v: number, pitch = 0, element = 0): JointStep => ({
    kind: pitch === 0 ? 'revolute' : 'screw',
    axis,
    pitch,
    q: [values.start('phi')?.[element] ?? q],
    v: [values.start('w')?.[element] ?? v],
    shown: { q: 'phi', v: 'w', element },
  });
  const slide = (axis: Vector, q: number, v: number, element = 0): JointStep => ({
    kind: 'prismatic',
    axis,
    pitch: 0,
    q: [values.start('s')?.[element] ?? q],
    v: [values.start('v')?.[element] ?? v],
    shown: { q: 's', v: 'v', element },
  });
  switch (kind) {
    case 'Revolute':
    case 'RevoluteWithFlange':
      return [turn(values.direction('axis'), values.number('phi0'), values.number('w0'))];
    case 'Screw':
      return [
        turn(values.direction('axis'), values.number('phi0'), values.number('w0'), values.number('pitch')),
      ];
    case 'Prismatic':
    case 'PrismaticWithFlange':
      return [slide(values.direction('axis'), values.number('s0'), values.number('v0'))];
    case 'Cylindrical': {
      const axis = values.direction('axis');
      return [
        slide(axis, values.number('s0'), values.number('v0')),
        turn(axis, values.number('phi0'), values.number('w0')),
      ];
    }
    case 'Universal': {
      const [q, v] = [values.numbers('phi0'), values.numbers('w0')];
      return [
        turn(values.direction('axis1'), q[0]!, v[0]!),
        turn(values.direction('axis2'), q[1]!, v[1]!, 0, 1),
      ];
    }
    case 'Planar': {
      const normal = values.direction('normal');
      const [x, y] = directionsIn(normal);
      const [q, v] = [values.numbers('s0'), values.numbers('v0')];
      return [
        slide(x, q[0]!, v[0]!),
        slide(y, q[1]!, v[1]!, 1),
        turn(normal, values.number('phi0'), values.number('w0')),
      ];
    }
    case 'Spherical': {
      const q: Quaternion = quaternionOf(cardan(values.angles('rotation')));
      const shown = { q: undefined, v: 'w', element: 0 };
      return [
        {
          kind: 'spherical',
          axis: [0, 0, 1],
          pitch: 0,
          q,
          v: values.start('w') ?? values.numbers('w0'),
          shown,
        },
      ];
    }
    default:
      return [];
  }
}

/** Two directions in a plane: for the normals x, y, z they are (y, z), (z, x), (x, y). */
export function directionsIn(normal: Vector): readonly [Vector, Vector] {
  const [x, y, z] = normal;
  const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  const first: Vector = az >= ax && az >= ay ? [1, 0, 0] : ax >= ay ? [0, 1, 0] : [0, 0, 1];
  const along = first[0] * x + first[1] * y + first[2] * z;
  const rest: Vector = [first[0] - along * x, first[1] - along * y, first[2] - along * z];
  const length = Math.hypot(...rest);
  const u: Vector = [rest[0] / length, rest[1] / length, rest[2] / length];
  return [u, [y * u[2] - z * u[1], z * u[0] - x * u[2], x * u[1] - y * u[0]]];
}
