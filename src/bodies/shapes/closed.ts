/**
 * What volume a mesh encloses, whatever the orientation of its faces.
 *
 * A mesh encloses one if every edge has two faces. Faces that are connected by edges are a shell; going from face to face over the edges
 * makes their orientations agree, and the sign of the volume then says which side is outside. (On a surface such as Klein's bottle they cannot
 * agree.)
 *
 * Shells may lie inside of others: the outermost are solid, those in a solid are cavities, those in a cavity are solid again. Orientations in the
 * file mean nothing there either.
 */
import { pulse } from '../../diagnostic/pulse.ts';
import { counted } from '../../diagnostic/words.ts';
import { joinedMass, type MassProperties } from '../mass.ts';
import { shown } from '../problem.ts';
import type { Vector } from '../space.ts';
import { Inside } from './inside.ts';
import { firstAtPlace, type Mesh, onceScaled, scaledMesh } from './mesh.ts';

/** What is wrong with a mesh. */
export interface Flaw {
  readonly flaw: string;
  readonly hint: string;
}

export interface ClosedMesh {
  /** With the outside of the solid on the side from which the vertices of a triangle go counter-clockwise. */
  readonly mesh: Mesh;
  /** With density 1. */
  readonly volume: MassProperties;
}

export function closedMesh(mesh: Mesh): ClosedMesh | Flaw {
  let faces = withoutSlivers(mesh.triangles);
  let twins = twinsOf(mesh, faces);
  if ('flaw' in twins) {
    // The same vertex may stand in the file several times.
    const first = firstAtPlace(mesh.positions);
    faces = withoutSlivers(mesh.triangles.map((vertex) => first[vertex]!));
    twins = twinsOf(mesh, faces);
    if ('flaw' in twins) return twins;
  }
  const shells = shellsOf(mesh, faces, twins);
  if ('flaw' in shells) return shells;
  const signs = signsOf(mesh, shells);
  if ('flaw' in signs) return signs;
  const triangles = new Uint32Array(faces.length);
  let next = 0;
  for (const [k, shell] of shells.entries()) {
    triangles.set(signs[k]! < 0 ? turnedOver(shell.faces) : shell.faces, next);
    next += shell.faces.length;
  }
  const volume = joinedMass(shells.map(({ volume }, k) => weighted(volume, signs[k]!)));
  if (!(volume.mass > 0)) return { flaw: 'the mesh has no volume.', hint: CLOSE };
  return { mesh: { ...mesh, triangles }, volume };
}

/** The same of a mesh with a scale. */
export const closedScaled = onceScaled((mesh, scale) => closedMesh(scaledMesh(mesh, scale)));

const CLOSE =
  'Repair the mesh in the program that made it, or give the mass properties of the object explicitly.';

const weighted = ({ mass, centre, inertia }: MassProperties, by: number): MassProperties => ({
  mass: by * mass,
  centre,
  inertia: inertia.map((value) => by * value) as unknown as MassProperties['inertia'],
});

/** Triangles with a vertex twice have no area, and their other two edges are the same. */
function withoutSlivers(triangles: Uint32Array): Uint32Array {
  const kept: number[] = [];
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [triangles[k]!, triangles[k + 1]!, triangles[k + 2]!];
    if (a !== b && b !== c && c !== a) kept.push(a, b, c);
  }
  return Uint32Array.from(kept);
}

/** Side k of the triangles goes from vertex k to this one. */
const nextSide = (side: number): number => (side % 3 === 2 ? side - 2 : side + 1);

/** For each side of a triangle, the side of the other triangle at that edge. */
function twinsOf({ positions }: Mesh, faces: Uint32Array): Int32Array | Flaw {
  const count = positions.length / 3;
  const twins = new Int32Array(faces.length).fill(-1);
  const open = new Map<number, number>();
  const crowded = new Set<number>();
  const edgeOf = (side: number): number => {
    const [a, b] = [faces[side]!, faces[nextSide(side)]!];
    return Math.min(a, b) * count + Math.max(a, b);
  };
  for (let side = 0; side < faces.length; side++) {
    if (side % 4096 === 0) pulse();
    const edge = edgeOf(side);
    const other = open.get(edge);
    if (other === undefined) open.set(edge, side);
    else if (twins[other]! >= 0) crowded.add(edge);
    else {
      twins[side] = other;
      twins[other] = side;
    }
  }
  const place = (edge: number): string => edgeText(positions, Math.floor(edge / count), edge % count);
  const single = twins.indexOf(-1);
  const [edge] = crowded;
  if (edge !== undefined) {
    return {
      flaw: `the mesh is not the surface of a solid: ${counted(crowded.size, 'edge has', 'edges have')} more than two faces, the one ${place(edge)} for instance.`,
      hint: CLOSE,
    };
  }
  if (single >= 0) {
    const holes = twins.reduce((sum, twin) => sum + (twin < 0 ? 1 : 0), 0);
    return {
      flaw: `the mesh is not closed: ${counted(holes, 'edge has', 'edges have')} a face on one side only, the one ${place(edgeOf(single))} for instance.`,
      hint: CLOSE,
    };
  }
  return twins;
}

const edgeText = (positions: Float64Array, a: number, b: number): string =>
  `between vertices ${a + 1} and ${b + 1}, from ${placeText(positions, a)} to ${placeText(positions, b)},`;

const placeText = (positions: Float64Array, vertex: number): string =>
  `(${[0, 1, 2].map((k) => shown(positions[3 * vertex + k]!)).join(', ')})`;

/** A connected part of the surface. */
interface Shell {
  /** Outward, as if it were alone. */
  readonly faces: Uint32Array;
  /** Of what it encloses alone. */
  readonly volume: MassProperties;
  readonly low: Vector;
  readonly high: Vector;
}

/** Two sides go along an edge in opposite directions where their faces agree. */
function shellsOf(mesh: Mesh, faces: Uint32Array, twins: Int32Array): readonly Shell[] | Flaw {
  const count = faces.length / 3;
  const seen = new Uint8Array(count);
  const turned = new Uint8Array(count);
  const shells: Shell[] = [];
  for (let start = 0; start < count; start++) {
    if (seen[start]) continue;
    seen[start] = 1;
    const members = [start];
    for (let next = 0; next < members.length; next++) {
      if (next % 4096 === 0) pulse();
      const face = members[next]!;
      for (let side = 3 * face; side < 3 * face + 3; side++) {
        const twin = twins[side]!;
        const other = Math.floor(twin / 3);
        const differs = faces[side] === faces[twin] ? 1 : 0;
        if (!seen[other]) {
          seen[other] = 1;
          turned[other] = turned[face]! ^ differs;
          members.push(other);
        } else if (turned[other] !== (turned[face]! ^ differs)) {
          return {
            flaw: `the mesh has no inside: going around on its surface one comes to the other side of it, at the edge ${edgeText(mesh.positions, faces[side]!, faces[nextSide(side)]!).replace(/,$/, '.')}`,
            hint: CLOSE,
          };
        }
      }
    }
    const shell = shellOf(mesh, faces, members, turned);
    if ('flaw' in shell) return shell;
    shells.push(shell);
  }
  if (shells.length === 0) return { flaw: 'the mesh has no faces with an area.', hint: CLOSE };
  return shells;
}

/** Volumes below this part of surface times extent are rounding errors. */
const THINNEST = 1e-12;

function shellOf(
  { positions }: Mesh,
  faces: Uint32Array,
  members: readonly number[],
  turned: Uint8Array,
): Shell | Flaw {
  const own = new Uint32Array(3 * members.length);
  for (const [k, face] of members.entries()) {
    const [a, b, c] = [faces[3 * face]!, faces[3 * face + 1]!, faces[3 * face + 2]!];
    own.set(turned[face] ? [a, c, b] : [a, b, c], 3 * k);
  }
  const [low, high] = boundsOf(positions, own);
  const extent = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  const { volume, area } = integralsOf(positions, own, low, high);
  if (!(Math.abs(volume.mass) > THINNEST * area * extent)) {
    return {
      flaw: `the part of the mesh with vertex ${own[0]! + 1}, at ${placeText(positions, own[0]!)}, has no volume.`,
      hint: CLOSE,
    };
  }
  const outward = volume.mass > 0;
  return {
    faces: outward ? own : turnedOver(own),
    volume: outward ? volume : weighted(volume, -1),
    low,
    high,
  };
}

function turnedOver(faces: Uint32Array): Uint32Array {
  const result = faces.slice();
  for (let k = 0; k < faces.length; k += 3) {
    result[k + 1] = faces[k + 2]!;
    result[k + 2] = faces[k + 1]!;
  }
  return result;
}

function boundsOf(positions: Float64Array, faces: Uint32Array): [low: Vector, high: Vector] {
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (const vertex of faces) {
    for (let k = 0; k < 3; k++) {
      const value = positions[3 * vertex + k]!;
      if (value < low[k]!) low[k] = value;
      if (value > high[k]!) high[k] = value;
    }
  }
  return [low, high];
}

/**
 * Volume, centre and inertia: the sums over the tetrahedra between the triangles and a point, whose integrals are polynomials of their vertices.
 * That point is amid the shell, because far away the tetrahedra are large and cancel each other. All are negative where the shell is inside out.
 */
function integralsOf(
  positions: Float64Array,
  faces: Uint32Array,
  low: Vector,
  high: Vector,
): { readonly volume: MassProperties; readonly area: number } {
  const amid: Vector = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
  let [volume, area] = [0, 0];
  let [x, y, z] = [0, 0, 0];
  let [xx, yy, zz, xy, xz, yz] = [0, 0, 0, 0, 0, 0];
  for (let k = 0; k < faces.length; k += 3) {
    if (k % 4096 === 0) pulse();
    const [a, b, c] = [3 * faces[k]!, 3 * faces[k + 1]!, 3 * faces[k + 2]!];
    const [ax, ay, az] = [positions[a]! - amid[0], positions[a + 1]! - amid[1], positions[a + 2]! - amid[2]];
    const [bx, by, bz] = [positions[b]! - amid[0], positions[b + 1]! - amid[1], positions[b + 2]! - amid[2]];
    const [cx, cy, cz] = [positions[c]! - amid[0], positions[c + 1]! - amid[1], positions[c + 2]! - amid[2]];
    const [nx, ny, nz] = [
      (by - ay) * (cz - az) - (bz - az) * (cy - ay),
      (bz - az) * (cx - ax) - (bx - ax) * (cz - az),
      (bx - ax) * (cy - ay) - (by - ay) * (cx - ax),
    ];
    // Six times the volume of the tetrahedron.
    const d = ax * nx + ay * ny + az * nz;
    const [sx, sy, sz] = [ax + bx + cx, ay + by + cy, az + bz + cz];
    area += Math.hypot(nx, ny, nz) / 2;
    volume += d / 6;
    x += (d * sx) / 24;
    y += (d * sy) / 24;
    z += (d * sz) / 24;
    xx += (d * (sx * sx + ax * ax + bx * bx + cx * cx)) / 120;
    yy += (d * (sy * sy + ay * ay + by * by + cy * cy)) / 120;
    zz += (d * (sz * sz + az * az + bz * bz + cz * cz)) / 120;
    xy += (d * (sx * sy + ax * ay + bx * by + cx * cy)) / 120;
    xz += (d * (sx * sz + ax * az + bx * bz + cx * cz)) / 120;
    yz += (d * (sy * sz + ay * az + by * bz + cy * cz)) / 120;
  }
  const [u, v, w] = [x / volume, y / volume, z / volume];
  xx -= x * u;
  yy -= y * v;
  zz -= z * w;
  xy -= x * v;
  xz -= x * w;
  yz -= y * w;
  const inertia = [yy + zz, -xy, -xz, -xy, xx + zz, -yz, -xz, -yz, xx + yy] as const;
  return { volume: { mass: volume, centre: [amid[0] + u, amid[1] + v, amid[2] + w], inertia }, area };
}

/** How each shell counts: 1 adds what it encloses, -1 takes it away. */
function signsOf(mesh: Mesh, shells: readonly Shell[]): readonly (-1 | 1)[] | Flaw {
  const around = surroundings(mesh, shells);
  return 'flaw' in around ? around : around.map(({ length }) => (length % 2 === 0 ? 1 : -1));
}

/** For each shell, those that it lies in. */
function surroundings(mesh: Mesh, shells: readonly Shell[]): readonly (readonly number[])[] | Flaw {
  const around = shells.map((): number[] => []);
  const insides = new Map<number, Inside>();
  const order = shells.map((_, k) => k).sort((a, b) => shells[a]!.low[0] - shells[b]!.low[0]);
  for (const [k, one] of order.entries()) {
    for (let next = k + 1; next < order.length; next++) {
      const two = order[next]!;
      if (shells[two]!.low[0] > shells[one]!.high[0]) break;
      if (!meet(shells[one]!, shells[two]!)) continue;
      for (const [inner, outer] of [
        [one, two],
        [two, one],
      ] as const) {
        const { faces, low, high } = shells[outer]!;
        const inside = insides.get(outer) ?? new Inside(mesh.positions, faces, low, high);
        insides.set(outer, inside);
        const lies = liesIn(mesh, shells[inner]!, inside);
        if (typeof lies !== 'boolean') return lies;
        if (lies) around[inner]!.push(outer);
      }
    }
  }
  return around;
}

const meet = (a: Shell, b: Shell): boolean =>
  a.low[1] <= b.high[1] && b.low[1] <= a.high[1] && a.low[2] <= b.high[2] && b.low[2] <= a.high[2];

/** Points of a shell that are looked at, to see whether it lies inside another one. */
const SAMPLES = 16;

/** Where a shell lies that crosses no other: all of its points tell the same, but those that touch the other shell. */
function liesIn({ positions }: Mesh, { faces }: Shell, inside: Inside): boolean | Flaw {
  const count = faces.length / 3;
  const step = Math.max(1, Math.floor(count / SAMPLES));
  let answer: boolean | undefined;
  for (let first = 0; first < step && answer === undefined; first++) {
    for (let face = first; face < count; face += step) {
      pulse();
      for (const point of pointsOf(positions, faces, face)) {
        const found = inside.holds(point);
        if (found === undefined) continue;
        if (answer !== undefined && answer !== found) {
          return {
            flaw: `parts of the mesh cross each other, near ${placeText(positions, faces[3 * face]!)}.`,
            hint: CLOSE,
          };
        }
        answer = found;
      }
    }
  }
  return (
    answer ?? { flaw: `parts of the mesh coincide, at ${placeText(positions, faces[0]!)}.`, hint: CLOSE }
  );
}

/** The first vertex of a face, and a point inside of it. */
function pointsOf(positions: Float64Array, faces: Uint32Array, face: number): readonly [Vector, Vector] {
  const [a, b, c] = [3 * faces[3 * face]!, 3 * faces[3 * face + 1]!, 3 * faces[3 * face + 2]!];
  const within = (k: number): number =>
    0.37 * positions[a + k]! + 0.34 * positions[b + k]! + 0.29 * positions[c + k]!;
  return [
    [positions[a]!, positions[a + 1]!, positions[a + 2]!],
    [within(0), within(1), within(2)],
  ];
}
