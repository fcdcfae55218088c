/** Animations to look at: a double pendulum on a stand with its energies beside it, and a ball that bounces and breaks. */
import type {
  AnimatedArrow,
  AnimatedNode,
  Animation,
  Triangles,
  Triple,
} from '../../src/animation/animation.ts';
import { tableOfColumns } from '../../src/results/table/builder.ts';
import { signal } from '../results/signals.ts';
import { animation, box, byRow, turn } from './scenes.ts';

/** A round body about z: radii at heights, smooth along and around. */
function lathe(profile: readonly (readonly [radius: number, height: number, outward: Triple])[]): Triangles {
  const around = 48;
  const positions: number[] = [];
  const normals: number[] = [];
  const indices: number[] = [];
  for (const [radius, height, [out, , up]] of profile)
    for (let k = 0; k <= around; k++) {
      const [c, s] = [Math.cos((2 * Math.PI * k) / around), Math.sin((2 * Math.PI * k) / around)];
      positions.push(radius * c, radius * s, height);
      normals.push(out * c, out * s, up);
    }
  for (let row = 0; row + 1 < profile.length; row++)
    for (let k = 0; k < around; k++) {
      const a = row * (around + 1) + k;
      const b = a + around + 1;
      indices.push(a, a + 1, b + 1, a, b + 1, b);
    }
  return {
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    indices: Uint32Array.from(indices),
  };
}

export function ball(radius: number): Triangles {
  const rows = 24;
  return lathe(
    Array.from({ length: rows + 1 }, (_, i) => {
      const angle = (Math.PI * i) / rows;
      const [s, c] = [Math.sin(angle), -Math.cos(angle)];
      return [radius * s, radius * c, [s, 0, c]] as const;
    }),
  );
}

export const cylinder = (radius: number, length: number): Triangles =>
  lathe([
    [0, -length / 2, [0, 0, -1]],
    [radius, -length / 2, [0, 0, -1]],
    [radius, -length / 2, [1, 0, 0]],
    [radius, length / 2, [1, 0, 0]],
    [radius, length / 2, [0, 0, 1]],
    [0, length / 2, [0, 0, 1]],
  ]);

/** Two rods of a metre that swing from a pin, with their angles. */
export function doublePendulum(): Animation {
  const rows = 601;
  const step = 1 / 60;
  const times = Array.from({ length: rows }, (_, i) => i * step);
  const angles = swung(rows, step);
  const [first, second] = [0, 1].map((k) => angles.map((state) => state[k]!)) as [number[], number[]];
  const elbow = (i: number): Triple => [Math.sin(first[i]!), -Math.cos(first[i]!), 0];
  const tip = (i: number): Triple => {
    const [x, y] = elbow(i);
    return [x + Math.sin(second[i]!), y - Math.cos(second[i]!), 0];
  };
  const middle = (a: Triple, b: Triple): Triple => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, 0];
  const about = (angle: number) => turn([0, 0, 1], angle);
  const steel = { color: [0.66, 0.7, 0.75], metallic: 0.8, roughness: 0.35 } as const;
  const nodes: AnimatedNode[] = [
    {
      name: 'stand',
      geometry: box(0.12, 4.4, 0.12),
      material: { color: [0.35, 0.4, 0.45] },
      positions: [0, 0, -0.35],
      rotations: [1, 0, 0, 0],
    },
    {
      name: 'pin',
      geometry: cylinder(0.05, 0.6),
      material: steel,
      positions: [0, 0, -0.12],
      rotations: [1, 0, 0, 0],
    },
    {
      name: 'upper.rod',
      geometry: box(0.09, 1, 0.06),
      material: { color: [0.1, 0.45, 0.75], roughness: 0.4 },
      positions: byRow(rows, (i) => middle([0, 0, 0], elbow(i))),
      rotations: byRow(rows, (i) => about(first[i]!)),
    },
    {
      name: 'lower.rod',
      geometry: box(0.09, 1, 0.06),
      material: { color: [0.85, 0.4, 0.1], roughness: 0.4 },
      positions: byRow(rows, (i) => middle(elbow(i), tip(i)).map((value, k) => (k === 2 ? 0.08 : value))),
      rotations: byRow(rows, (i) => about(second[i]!)),
    },
    {
      name: 'bob',
      geometry: ball(0.14),
      material: { color: [0.95, 0.75, 0.2], metallic: 0.3, roughness: 0.25 },
      positions: byRow(rows, (i) => tip(i).map((value, k) => (k === 2 ? 0.08 : value))),
      rotations: byRow(rows, (i) => about(second[i]!)),
    },
  ];
  const arrows: AnimatedArrow[] = [
    { name: 'weight', kind: 'force', origins: byRow(rows, tip), vectors: [0, -9.81, 0] },
    {
      name: 'motor',
      kind: 'torque',
      origins: [0, 0, 0.1],
      vectors: byRow(rows, (i) => [0, 0, 3 * Math.sin(i / 60)]),
    },
  ];
  const results = tableOfColumns(
    [
      signal('upper.phi', undefined, { unit: 'rad', displayUnit: 'deg', role: 'state' }),
      signal('lower.phi', undefined, { unit: 'rad', displayUnit: 'deg', role: 'state' }),
      signal('bob.height', undefined, { unit: 'm', role: 'output' }),
    ],
    times,
    [first, second, first.map((_, i) => tip(i)[1])],
  );
  return animation(times, nodes, {
    title: 'Double pendulum',
    arrows,
    results,
    layout: 'upper.phi, lower.phi; bob.height',
  });
}

/** Equal point masses at the ends of rods of a metre: midpoint steps, a hundred a picture. */
function swung(rows: number, step: number): (readonly number[])[] {
  const rates = ([a, b, u, v]: readonly number[]): number[] => {
    const [s, c, g] = [Math.sin(a! - b!), Math.cos(a! - b!), 9.81];
    const mass = 2 - c * c;
    return [
      u!,
      v!,
      (-s * (v! * v! + c * u! * u!) - g * (2 * Math.sin(a!) - c * Math.sin(b!))) / mass,
      (s * (2 * u! * u! + c * v! * v!) + 2 * g * (c * Math.sin(a!) - Math.sin(b!))) / mass,
    ];
  };
  const states = [[2.2, 1.9, 0, 0]];
  while (states.length < rows) {
    let state = states.at(-1)!;
    for (let n = 0; n < 100; n++) {
      const early = rates(state);
      const middle = rates(state.map((value, k) => value + (early[k]! * step) / 200));
      state = state.map((value, k) => value + (middle[k]! * step) / 100);
    }
    states.push(state);
  }
  return states;
}
