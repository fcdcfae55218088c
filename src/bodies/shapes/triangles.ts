/**
 * Shapes as triangles, to be drawn. Normals are those of the smooth shape; vertices at sharp edges stand there once for each side. Seen from
 * outside, the vertices of a triangle go counter-clockwise. All surfaces are closed, but those of meshes that are not.
 */
import { applied, cross, dot, type Matrix, minus, norm, plus, scaled, type Vector, zero } from '../space.ts';
import { closedScaled } from './closed.ts';
import { onceScaled, scaledMesh } from './mesh.ts';
import {
  type Axis,
  along,
  type Beam,
  type Frame,
  type GearWheel,
  type Grid,
  type Shape,
  type Spring,
} from './shape.ts';

export interface Triangles {
  /** x, y, z of one vertex after the other; so are normals, of length 1. */
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly indices: Uint32Array;
  /** Red, green and blue of vertices where the shape has colours of its own: from 0 to 1, linear, as glTF and three.js take them. */
  readonly colors?: Float32Array;
}

/** Around a circle go `resolution` edges, or one more. A text has no triangles: its letters are left to the viewer. */
export function trianglesOf(shape: Shape, resolution = 48): Triangles {
  const count = 2 * Math.max(2, Math.ceil(resolution / 2));
  switch (shape.kind) {
    case 'sphere':
      return ellipsoid([shape.diameter, shape.diameter, shape.diameter], count).triangles();
    case 'ellipsoid':
      return ellipsoid([shape.lengthX, shape.lengthY, shape.lengthZ], count).triangles();
    case 'box':
      return new Surface().box([0, 0, 0], [shape.lengthX, shape.lengthY, shape.lengthZ]).triangles();
    case 'cylinder': {
      const [r, inner, h] = [shape.diameter / 2, shape.innerDiameter / 2, shape.length / 2];
      const outline = [line([inner, -h], [r, -h]), line([r, -h], [r, h]), line([r, h], [inner, h])];
      if (inner > 0) outline.push(line([inner, h], [inner, -h]));
      return new Surface().revolved(outline, count).triangles(shape.axis);
    }
    case 'cone': {
      const [r, top, h] = [shape.diameter / 2, shape.topDiameter / 2, shape.length];
      const outline = [line([0, 0], [r, 0]), line([r, 0], [top, h])];
      if (top > 0) outline.push(line([top, h], [0, h]));
      return new Surface().revolved(outline, count).triangles(shape.axis);
    }
    case 'capsule': {
      const [r, h] = [shape.diameter / 2, shape.length / 2];
      const outline = [...arc(r, -h, -1, 0, count), ...arc(r, h, 0, 1, count)];
      return new Surface().revolved([outline], count).triangles(shape.axis);
    }
    case 'beam':
      return beam(shape, count);
    case 'mesh':
      return meshTriangles(shape.mesh, shape.scale);
    case 'frame':
      return frame(shape, count);
    case 'grid':
      return grid(shape);
    case 'spring':
      return spring(shape, count);
    case 'gearwheel':
      return gearwheel(shape);
    case 'text':
      return new Surface().triangles();
  }
}

/** A point of an outline, at distance r from the axis and height h, with the normal there. */
interface OutlinePoint {
  readonly r: number;
  readonly h: number;
  readonly normal: readonly [r: number, h: number];
}

/** Outside is to the right. */
function line([r0, h0]: readonly [number, number], [r1, h1]: readonly [number, number]): OutlinePoint[] {
  const length = Math.hypot(r1 - r0, h1 - h0);
  const normal = [(h1 - h0) / length, (r0 - r1) / length] as const;
  return [
    { r: r0, h: h0, normal },
    { r: r1, h: h1, normal },
  ];
}

/** A part of a circle about a point of the axis, between multiples of a right angle: from -1 (bottom) over 0 to 1 (top). */
function arc(radius: number, centre: number, from: number, to: number, count: number): OutlinePoint[] {
  const steps = Math.max(1, Math.round(((to - from) * count) / 4));
  return Array.from({ length: steps + 1 }, (_, k) => {
    const latitude = from + ((to - from) * k) / steps;
    // Exactly zero at the poles.
    const c = Math.abs(latitude) === 1 ? 0 : Math.cos((latitude * Math.PI) / 2);
    const s = Math.sin((latitude * Math.PI) / 2);
    return { r: radius * c, h: centre + radius * s, normal: [c, s] as const };
  });
}

/** Triangles as they are collected, in the directions u, v, w. */
class Surface {
  private readonly positions: number[] = [];
  private readonly normals: number[] = [];
  private readonly indices: number[] = [];
  private readonly colors: number[] = [];

  vertex(position: Vector, normal: Vector): number {
    const size = norm(normal);
    this.positions.push(...position);
    this.normals.push(normal[0] / size, normal[1] / size, normal[2] / size);
    return this.positions.length / 3 - 1;
  }

  triangle(a: number, b: number, c: number): void {
    this.indices.push(a, b, c);
  }

  /** Corners counter-clockwise as seen from outside. */
  flat(...corners: readonly Vector[]): void {
    const normal = cross(minus(corners[1]!, corners[0]!), minus(corners[2]!, corners[0]!));
    const [first, ...rest] = corners.map((corner) => this.vertex(corner, normal));
    for (let k = 1; k < rest.length; k++) this.triangle(first!, rest[k - 1]!, rest[k]!);
  }

  box(centre: Vector, size: Vector): this {
    const at = (x: number, y: number, z: number): Vector =>
      plus(centre, [(x * size[0]) / 2, (y * size[1]) / 2, (z * size[2]) / 2]);
    for (const axis of [1, 2, 3] as const) {
      for (const side of [-1, 1]) {
        const corner = (u: number, v: number): Vector => at(...along(axis, [u, side * v, side]));
        this.flat(corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1));
      }
    }
    return this;
  }

  /** What an outline makes that goes around the axis; between its pieces are sharp edges. */
  revolved(pieces: readonly (readonly OutlinePoint[])[], count: number): this {
    const direction = (k: number): [number, number] => [
      Math.cos((2 * Math.PI * k) / count),
      Math.sin((2 * Math.PI * k) / count),
    ];
    for (const piece of pieces) {
      const rings = piece.map(({ r, h, normal }) =>
        Array.from({ length: count }, (_, k) => {
          const [c, s] = direction(k);
          // At the tip of a cone, each side has a normal of its own.
          const [nc, ns] = r === 0 ? direction(k + 0.5) : [c, s];
          return this.vertex([r * c, r * s, h], [normal[0] * nc, normal[0] * ns, normal[1]]);
        }),
      );
      for (let k = 1; k < rings.length; k++) {
        this.strip(rings[k - 1]!, rings[k]!, piece[k - 1]!.r === 0, piece[k]!.r === 0);
      }
    }
    return this;
  }

  /** The surface between two rings, of which one may be a point. With the second ring above it is the outside. */
  strip(below: readonly number[], above: readonly number[], isTip = false, isTop = false): void {
    for (let k = 0; k < below.length; k++) {
      const next = k + 1 === below.length ? 0 : k + 1;
      if (!isTip) this.triangle(below[k]!, below[next]!, isTop ? above[k]! : above[next]!);
      if (!isTop) this.triangle(below[k]!, above[next]!, above[k]!);
    }
  }

  /** All that is here, and of another surface, turned, in one colour. */
  with(other: Surface, turn: Matrix, color: Vector): this {
    const first = this.positions.length / 3;
    for (let k = 0; k < other.positions.length; k += 3) {
      const part = (from: readonly number[]): Vector => [from[k]!, from[k + 1]!, from[k + 2]!];
      this.vertex(applied(turn, part(other.positions)), applied(turn, part(other.normals)));
      this.colors.push(...color);
    }
    for (const index of other.indices) this.indices.push(first + index);
    return this;
  }

  /** Stretched; normals lean the other way. */
  stretched([x, y, z]: Vector): this {
    for (let k = 0; k < this.positions.length; k += 3) {
      this.positions[k]! *= x;
      this.positions[k + 1]! *= y;
      this.positions[k + 2]! *= z;
      const normal: Vector = [this.normals[k]! / x, this.normals[k + 1]! / y, this.normals[k + 2]! / z];
      const size = norm(normal);
      for (let i = 0; i < 3; i++) this.normals[k + i] = normal[i]! / size;
    }
    return this;
  }

  triangles(axis: Axis = 3): Triangles {
    const turned = (values: readonly number[]): Float32Array => {
      const result = new Float32Array(values.length);
      for (let k = 0; k < values.length; k += 3) {
        result.set(along(axis, [values[k]!, values[k + 1]!, values[k + 2]!]), k);
      }
      return result;
    };
    return {
      positions: turned(this.positions),
      normals: turned(this.normals),
      indices: Uint32Array.from(this.indices),
      ...(this.colors.length > 0 && { colors: Float32Array.from(this.colors) }),
    };
  }
}

const ellipsoid = (lengths: Vector, count: number): Surface =>
  new Surface().revolved([arc(1, 0, -1, 1, count)], count).stretched(scaled(0.5, lengths));

/** Its outline, in the plane of w and u, is that of a stadium. */
function beam({ axis, length, width, thickness }: Beam, count: number): Triangles {
  const surface = new Surface();
  const half = count / 2;
  const outline = Array.from({ length: 2 * half + 2 }, (_, k) => {
    const atEnd = k <= half;
    const angle = ((k - (atEnd ? 0 : 1)) * Math.PI) / half - Math.PI / 2;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return { w: (atEnd ? length : -length) / 2 + (width / 2) * c, u: (width / 2) * s, c, s };
  });
  const h = thickness / 2;
  const ring = (v: number): number[] => outline.map(({ w, u, c, s }) => surface.vertex([u, v, w], [s, 0, c]));
  surface.strip(ring(-h), ring(h));
  for (const v of [-h, h]) {
    const corners = outline.map(({ w, u }): Vector => [u, v, w]);
    surface.flat(...(v > 0 ? corners : corners.reverse()));
  }
  return surface.triangles(axis);
}

function frame({ length }: Frame, count: number): Triangles {
  const [shaft, head, neck] = [0.02 * length, 0.05 * length, 0.8 * length];
  const outline = [
    line([0, 0], [shaft, 0]),
    line([shaft, 0], [shaft, neck]),
    line([shaft, neck], [head, neck]),
    line([head, neck], [0, length]),
  ];
  const arrow = new Surface().revolved(outline, Math.min(count, 16));
  return new Surface()
    .with(arrow, [0, 0, 1, 1, 0, 0, 0, 1, 0], [0.71, 0.03, 0.03])
    .with(arrow, [0, 1, 0, 0, 0, 1, 1, 0, 0], [0.03, 0.36, 0.05])
    .with(arrow, [1, 0, 0, 0, 1, 0, 0, 0, 1], [0.02, 0.13, 0.71])
    .triangles();
}

function grid({ axis, length, width, distance, lineWidth }: Grid): Triangles {
  const surface = new Surface();
  /** A length that is missed by a rounding error still has its last line. */
  const lines = (extent: number): number => Math.floor(extent / 2 / distance + 1e-9);
  for (let k = -lines(width); k <= lines(width); k++) {
    surface.box([0, k * distance, 0], [length + lineWidth, lineWidth, lineWidth]);
  }
  for (let k = -lines(length); k <= lines(length); k++) {
    surface.box([k * distance, 0, 0], [lineWidth, width + lineWidth, lineWidth]);
  }
  return surface.triangles(axis);
}

/** A wire along a helix. */
function spring({ axis, length, diameter, wireDiameter, windings }: Spring, count: number): Triangles {
  const surface = new Surface();
  const [r, wire] = [(diameter - wireDiameter) / 2, wireDiameter / 2];
  const steps = Math.max(4, Math.ceil((windings * count) / 2));
  const around = Math.max(6, Math.ceil(count / 4));
  const slope = length / (2 * Math.PI * windings);
  const rings = Array.from({ length: steps + 1 }, (_, k) => {
    const angle = (2 * Math.PI * windings * k) / steps;
    const outward: Vector = [Math.cos(angle), Math.sin(angle), 0];
    const centre = plus(scaled(r, outward), [0, 0, (length * k) / steps]);
    const tangent = unit([-r * outward[1], r * outward[0], slope]);
    const across = cross(tangent, outward);
    return Array.from({ length: around }, (_, i) => {
      const turn = (2 * Math.PI * i) / around;
      const normal = plus(scaled(Math.cos(turn), outward), scaled(Math.sin(turn), across));
      return { place: plus(centre, scaled(wire, normal)), normal };
    });
  });
  const indices = rings.map((ring) => ring.map(({ place, normal }) => surface.vertex(place, normal)));
  for (let k = 0; k < steps; k++) surface.strip(indices[k]!, indices[k + 1]!);
  const end = (k: number): Vector[] => rings[k]!.map(({ place }) => place);
  surface.flat(...end(0).reverse());
  surface.flat(...end(steps));
  return surface.triangles(axis);
}

const unit = (a: Vector): Vector => scaled(1 / norm(a), a);

/** Where in a tooth its flanks begin and end, as parts of the way to the next. */
const flanks = [0.15, 0.35, 0.65, 0.85] as const;

/** Flat teeth; a helical wheel is cut in slices, which are turned against each other. */
function gearwheel(wheel: GearWheel): Triangles {
  const { axis, diameter, rootDiameter, innerDiameter, length, angle, teeth } = wheel;
  const surface = new Surface();
  const slices = angle === 0 ? 1 : Math.min(64, Math.ceil(Math.abs(angle) / 0.05));
  const corners = 4 * teeth;
  const at = (radius: number, k: number, slice: number): Vector => {
    const tooth = Math.floor(k / 4) + flanks[k % 4]!;
    const turn = (2 * Math.PI * tooth) / teeth + angle * (slice / slices - 0.5);
    return [radius * Math.cos(turn), radius * Math.sin(turn), length * (slice / slices - 0.5)];
  };
  const outer = (k: number, slice: number): Vector =>
    at((k % 4 === 1 || k % 4 === 2 ? diameter : rootDiameter) / 2, k % corners, slice);
  const inner = (k: number, slice: number): Vector => at(innerDiameter / 2, k % corners, slice);
  for (let k = 0; k < corners; k++) {
    for (let slice = 0; slice < slices; slice++) {
      const side = [
        outer(k, slice),
        outer(k + 1, slice),
        outer(k + 1, slice + 1),
        outer(k, slice + 1),
      ] as const;
      surface.flat(side[0], side[1], side[2]);
      surface.flat(side[0], side[2], side[3]);
    }
    for (const slice of [0, slices]) {
      const cap = [inner(k, slice), outer(k, slice), outer(k + 1, slice), inner(k + 1, slice)];
      if (innerDiameter === 0) cap.pop();
      surface.flat(...(slice > 0 ? cap : cap.reverse()));
    }
  }
  if (innerDiameter > 0) {
    const rings = Array.from({ length: slices + 1 }, (_, slice) =>
      Array.from({ length: corners }, (_, k) => {
        const place = inner(k, slice);
        return surface.vertex(place, [-place[0], -place[1], 0]);
      }),
    );
    for (let slice = 0; slice < slices; slice++) surface.strip(rings[slice + 1]!, rings[slice]!);
  }
  return surface.triangles(axis);
}

/** Faces that meet at less than this angle belong to a smooth surface. */
const SMOOTH = Math.cos((35 * Math.PI) / 180);

/** Where more faces than these meet, each is flat: to compare all with all would take long. */
const MOST_FACES = 200;

/** Outward where the mesh is closed, otherwise as the file has it. */
const meshTriangles = onceScaled((mesh, scale): Triangles => {
  const closed = closedScaled(mesh, scale);
  const { positions, triangles } = 'flaw' in closed ? scaledMesh(mesh, scale) : closed.mesh;
  const place = (vertex: number): Vector => [
    positions[3 * vertex]!,
    positions[3 * vertex + 1]!,
    positions[3 * vertex + 2]!,
  ];
  /** Normals of the faces, whose lengths are twice their areas. */
  const facing: Vector[] = [];
  const areas: number[] = [];
  const facesAt = new Map<number, number[]>();
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [place(triangles[k]!), place(triangles[k + 1]!), place(triangles[k + 2]!)];
    const normal = cross(minus(b, a), minus(c, a));
    facing.push(normal);
    areas.push(norm(normal));
    for (let i = k; i < k + 3; i++) {
      const faces = facesAt.get(triangles[i]!);
      if (faces) faces.push(k / 3);
      else facesAt.set(triangles[i]!, [k / 3]);
    }
  }
  const surface = new Surface();
  for (const [k, own] of facing.entries()) {
    // A face without an area cannot be seen.
    if (areas[k] === 0) continue;
    const corners = [0, 1, 2].map((i) => {
      const vertex = triangles[3 * k + i]!;
      const faces = facesAt.get(vertex)!;
      const normal = (faces.length > MOST_FACES ? [k] : faces)
        .filter((face) => dot(own, facing[face]!) > SMOOTH * areas[k]! * areas[face]!)
        .reduce((sum, face) => plus(sum, facing[face]!), zero);
      return surface.vertex(place(vertex), normal);
    });
    surface.triangle(corners[0]!, corners[1]!, corners[2]!);
  }
  return surface.triangles();
});
