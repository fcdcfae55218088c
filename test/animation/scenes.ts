/** Small notation for animations in tests. */
import fc from 'fast-check';
import type { AnimatedNode, Animation, Triangles, Triple } from '../../src/animation/animation.ts';

/** A box about the origin, each side with its own normals. */
export function box(width: number, height: number, depth: number): Triangles {
  const positions: number[] = [];
  const normals: number[] = [];
  const indices: number[] = [];
  for (const axis of [0, 1, 2])
    for (const sign of [-1, 1]) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      const first = positions.length / 3;
      for (const [a, b] of [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ] as const) {
        const corner = [0, 0, 0];
        corner[axis] = sign;
        corner[u] = a;
        corner[v] = b;
        positions.push((corner[0]! * width) / 2, (corner[1]! * height) / 2, (corner[2]! * depth) / 2);
        normals.push(...[0, 1, 2].map((k) => (k === axis ? sign : 0)));
      }
      const corners = sign > 0 ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2];
      indices.push(...corners.map((corner) => first + corner));
    }
  return {
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    indices: Uint32Array.from(indices),
  };
}

export const still: Pick<AnimatedNode, 'positions' | 'rotations'> = {
  positions: [0, 0, 0],
  rotations: [1, 0, 0, 0],
};

export const cube = (name: string, more: Partial<AnimatedNode> = {}): AnimatedNode => ({
  name,
  geometry: box(1, 1, 1),
  ...still,
  ...more,
});

export const animation = (
  times: readonly number[],
  nodes: readonly AnimatedNode[],
  more: Partial<Animation> = {},
): Animation => ({ title: 'test', times: Float64Array.from(times), nodes, ...more });

/** Values of a function of rows, one after the other. */
export const byRow = (count: number, value: (row: number) => readonly number[]): number[] =>
  Array.from({ length: count }, (_, row) => value(row)).flat();

/** A turn about an axis of unit length. */
export const turn = ([x, y, z]: Triple, angle: number): [number, number, number, number] => {
  const s = Math.sin(angle / 2);
  return [Math.cos(angle / 2), s * x, s * y, s * z];
};

const coordinate = fc.double({ min: -8, max: 8, noNaN: true });
const direction = fc
  .tuple(coordinate, coordinate, coordinate)
  .filter((vector) => Math.hypot(...vector) > 0.1)
  .map((vector): Triple => vector.map((value) => value / Math.hypot(...vector)) as unknown as Triple);

/** How something moves: straight, along a curve, or from one random value to the next. */
const motion = (count: number): fc.Arbitrary<number[]> =>
  fc.oneof(
    fc.tuple(coordinate, coordinate, coordinate).map((point) => [...point]),
    fc
      .tuple(direction, direction)
      .map(([a, b]) => byRow(count, (row) => a.map((value, k) => value + (b[k]! * row) / count))),
    fc
      .tuple(direction, coordinate)
      .map(([a, rate]) => byRow(count, (row) => a.map((value, k) => value * Math.sin(rate * row + k)))),
    fc.array(coordinate, { minLength: 3 * count, maxLength: 3 * count }),
  );

const turning = (count: number): fc.Arbitrary<number[]> =>
  fc.oneof(
    direction.map((axis) => turn(axis, 0.7) as number[]),
    fc
      .tuple(direction, fc.double({ min: -3, max: 3, noNaN: true }))
      .map(([axis, rate]) => byRow(count, (row) => turn(axis, rate * row))),
    fc
      .array(fc.tuple(direction, fc.double({ min: -7, max: 7, noNaN: true })), {
        minLength: count,
        maxLength: count,
      })
      .map((turns) => turns.flatMap(([axis, angle]) => turn(axis, angle))),
  );

/** Times with jumps, objects that move, turn, come and go; what is not visible has no values. */
export const anyAnimation: fc.Arbitrary<Animation> = fc
  .array(fc.oneof(fc.constant(0), fc.double({ min: 0.01, max: 1, noNaN: true })), {
    minLength: 1,
    maxLength: 30,
  })
  .chain((steps) => {
    let now = -2;
    const times = [now, ...steps.map((step) => (now += step))];
    const count = times.length;
    const node = fc
      .record({
        name: fc.string({ unit: 'grapheme' }),
        size: fc.integer({ min: 0, max: 3 }),
        positions: motion(count),
        rotations: turning(count),
        visible: fc.option(fc.array(fc.constantFrom(0, 1), { minLength: count, maxLength: count })),
        opacity: fc.constantFrom(1, 0.4),
      })
      .map(({ name, size, positions, rotations, visible, opacity }): AnimatedNode => {
        const hide = (values: number[], width: number): number[] => {
          if (!visible) return values;
          if (values.length === width) return visible.includes(1) ? values : values.map(() => Number.NaN);
          return values.map((value, i) => (visible[Math.floor(i / width)] === 0 ? Number.NaN : value));
        };
        return {
          name,
          ...(size > 0 && { geometry: box(size, 1, 1) }),
          material: { color: [0.2, 0.4, 0.9], opacity },
          positions: hide(positions, 3),
          rotations: hide(rotations, 4),
          ...(visible && { visible }),
        };
      });
    return fc
      .tuple(fc.array(node, { minLength: 1, maxLength: 5 }), direction, fc.string({ unit: 'grapheme' }))
      .map(([nodes, up, title]) => animation(times, nodes, { up, title }));
  });
