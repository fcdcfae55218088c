/** What stretches between two places: a spring is a coil of wire, anything else a line. */
import type { AnimatedNode, Triangles, Triple } from './animation.ts';
import { product, type Quaternion, rotated, turnTo, unit } from './turning.ts';

export interface Link {
  readonly name: string;
  /** Three numbers for each time. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** The length of a spring without force, which is no matter where it is zero; undefined for what is no spring. */
  readonly rest: number | undefined;
}

/** Of the coil, as shares of its length: the radius, that of its wire, and where it begins; and how often it winds. */
const [COIL, WIRE, HOOK, WINDINGS] = [0.08, 0.012, 0.1, 9] as const;
/** Radius of a line, as a share of its length. */
const LINE = 0.006;
/** Points of a winding, and around the wire. */
const [AROUND, CORNERS] = [24, 8] as const;

/** An object along z whose middle is that of the ends, and that is as long as these are apart. */
export function linkNode({ name, from, to, rest }: Link): AnimatedNode {
  const rows = from.length / 3;
  const spans = Array.from({ length: rows }, (_, row) => {
    const at = (values: Float64Array): Triple => [
      values[3 * row]!,
      values[3 * row + 1]!,
      values[3 * row + 2]!,
    ];
    const [a, b] = [at(from), at(to)];
    return [b[0] - a[0], b[1] - a[1], b[2] - a[2]] as const;
  });
  const lengths = spans.map((span) => Math.hypot(...span));
  const length = rest || meanOf(lengths) || 1;
  const rotations = new Float64Array(4 * rows);
  let [axis, turn]: [Triple, Quaternion] = [
    [0, 0, 1],
    [1, 0, 0, 0],
  ];
  for (const [row, span] of spans.entries()) {
    // From row to row by the shortest way: a coil does not twist. Ends that meet have no direction.
    if (lengths[row]! > 1e-9 * length) {
      const next = unit(span);
      turn = product(turnTo(axis, next), turn);
      axis = next;
    }
    rotations.set(turn, 4 * row);
  }
  const positions = from.map((value, i) => (value + to[i]!) / 2);
  const visible = Uint8Array.from(lengths, (own) => (Number.isFinite(own) ? 1 : 0));
  return {
    name,
    geometry: tube(
      rest === undefined ? straight(length) : coil(length),
      length * (rest === undefined ? LINE : WIRE),
    ),
    material: { color: [0.38, 0.42, 0.47], metallic: 0.4 },
    positions,
    rotations,
    scales: Float64Array.from({ length: 3 * rows }, (_, i) =>
      i % 3 < 2 ? 1 : Math.max(1e-6, lengths[Math.floor(i / 3)]! / length),
    ),
    ...(visible.includes(0) && { visible }),
  };
}

function meanOf(lengths: readonly number[]): number {
  const known = lengths.filter(Number.isFinite);
  return known.reduce((sum, length) => sum + length, 0) / known.length;
}

const straight = (length: number): Triple[] => [
  [0, 0, -length / 2],
  [0, 0, length / 2],
];

/** A helix that begins and ends on its axis. */
function coil(length: number): Triple[] {
  const count = WINDINGS * AROUND;
  const helix = Array.from({ length: count + 1 }, (_, k): Triple => {
    const share = k / count;
    const angle = 2 * Math.PI * WINDINGS * share;
    const radius = COIL * length * Math.min(1, (8 * Math.min(k, count - k)) / count);
    return [radius * Math.cos(angle), radius * Math.sin(angle), length * (1 - 2 * HOOK) * (share - 0.5)];
  });
  const [first, last] = straight(length);
  return [first!, ...helix, last!];
}

/** A pipe about a polygon, closed at its ends. */
function tube(points: readonly Triple[], radius: number): Triangles {
  const positions: number[] = [];
  const normals: number[] = [];
  const indices: number[] = [];
  let [along, turn]: [Triple, Quaternion] = [
    [0, 0, 1],
    [1, 0, 0, 0],
  ];
  const vertex = (place: Triple, normal: Triple, distance: number): number => {
    positions.push(...place.map((value, k) => value + distance * normal[k]!));
    normals.push(...normal);
    return positions.length / 3 - 1;
  };
  const rings = points.map((place, i) => {
    const [before, after] = [points[Math.max(0, i - 1)]!, points[Math.min(points.length - 1, i + 1)]!];
    const next = unit([after[0] - before[0], after[1] - before[1], after[2] - before[2]] as const);
    turn = product(turnTo(along, next), turn);
    along = next;
    return Array.from({ length: CORNERS }, (_, k) => {
      const angle = (2 * Math.PI * k) / CORNERS;
      return vertex(place, rotated(turn, [Math.cos(angle), Math.sin(angle), 0]), radius);
    });
  });
  for (let i = 0; i + 1 < rings.length; i++)
    for (let k = 0; k < CORNERS; k++) {
      const [a, b] = [rings[i]![k]!, rings[i]![(k + 1) % CORNERS]!];
      const [c, d] = [rings[i + 1]![k]!, rings[i + 1]![(k + 1) % CORNERS]!];
      indices.push(a, b, d, a, d, c);
    }
  for (const end of [0, rings.length - 1]) {
    const normal: Triple = [0, 0, end === 0 ? -1 : 1];
    const ring = rings[end]!.map((corner) =>
      vertex(positions.slice(3 * corner, 3 * corner + 3) as unknown as Triple, normal, 0),
    );
    for (let k = 1; k + 1 < CORNERS; k++)
      indices.push(ring[0]!, ring[end === 0 ? k + 1 : k]!, ring[end === 0 ? k : k + 1]!);
  }
  return {
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    indices: Uint32Array.from(indices),
  };
}
