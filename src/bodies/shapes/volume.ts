/**
 * The volume that a shape has, where its centre is, and its moments of inertia, in closed form. They are the mass properties of a body of density
 * 1. Moments of shapes with an axis are in their directions u, v, w (`shape.ts`).
 */
import type { MassProperties } from '../mass.ts';
import { type Matrix, type Vector, zero } from '../space.ts';
import { closedScaled } from './closed.ts';
import { badMesh } from './mesh.ts';
import {
  type Axis,
  along,
  type Beam,
  type Capsule,
  type Cone,
  type Cylinder,
  type MeshShape,
  type SolidShape,
} from './shape.ts';

/** Fails for meshes that enclose no volume. */
export function volumeOf(object: string, shape: SolidShape): MassProperties {
  switch (shape.kind) {
    case 'sphere':
      return ellipsoid([shape.diameter, shape.diameter, shape.diameter]);
    case 'ellipsoid':
      return ellipsoid([shape.lengthX, shape.lengthY, shape.lengthZ]);
    case 'box': {
      const [x, y, z] = [shape.lengthX, shape.lengthY, shape.lengthZ];
      return centred(x * y * z, [(x * x) / 12, (y * y) / 12, (z * z) / 12]);
    }
    case 'cylinder':
      return cylinder(shape);
    case 'cone':
      return cone(shape);
    case 'capsule':
      return capsule(shape);
    case 'beam':
      return beam(shape);
    case 'mesh':
      return enclosed(object, shape);
  }
}

/**
 * A shape that is symmetric to three planes, with the mean squares of the distances from them: the moment about an axis is the sum of those
 * of the two planes through it.
 */
function centred(volume: number, [x, y, z]: Vector, centre: Vector = zero): MassProperties {
  const inertia: Matrix = [volume * (y + z), 0, 0, 0, volume * (x + z), 0, 0, 0, volume * (x + y)];
  return { mass: volume, centre, inertia };
}

const round = (axis: Axis, volume: number, across: number, lengthwise: number, centre = 0): MassProperties =>
  centred(volume, along(axis, [across, across, lengthwise]), along(axis, [0, 0, centre]));

const ellipsoid = ([x, y, z]: Vector): MassProperties =>
  centred((Math.PI / 6) * x * y * z, [(x * x) / 20, (y * y) / 20, (z * z) / 20]);

function cylinder({ axis, diameter, innerDiameter, length }: Cylinder): MassProperties {
  // The difference of squares, as a product: exact for thin tubes.
  const area = (Math.PI / 4) * (diameter - innerDiameter) * (diameter + innerDiameter);
  const squares = diameter * diameter + innerDiameter * innerDiameter;
  return round(axis, area * length, squares / 16, (length * length) / 12);
}

/** Radii a at the base and b at the top. */
function cone({ axis, diameter, topDiameter, length }: Cone): MassProperties {
  const [a, b] = [diameter / 2, topDiameter / 2];
  const squares = a * a + a * b + b * b;
  const centre = ((a * a + 2 * a * b + 3 * b * b) / (4 * squares)) * length;
  const fourth = a ** 4 + a ** 3 * b + a * a * b * b + a * b ** 3 + b ** 4;
  // The mean square of the distance from the base less that of its mean, brought to one fraction.
  const spread =
    (3 * (a ** 4 + 4 * a ** 3 * b + 10 * a * a * b * b + 4 * a * b ** 3 + b ** 4)) / (80 * squares ** 2);
  return round(
    axis,
    (Math.PI / 3) * squares * length,
    (3 * fourth) / (20 * squares),
    spread * length * length,
    centre,
  );
}

function capsule({ axis, diameter, length }: Capsule): MassProperties {
  const r = diameter / 2;
  const middle = Math.PI * r * r * length;
  const ends = (4 / 3) * Math.PI * r ** 3;
  const volume = middle + ends;
  const across = (middle * r * r) / 4 + (ends * r * r) / 5;
  // The centre of half a sphere is 3/8 r from its plane.
  const lengthwise =
    (middle * length * length) / 12 + ends * ((r * r) / 5 + (length * length) / 4 + (3 / 8) * length * r);
  return round(axis, volume, across / volume, lengthwise / volume);
}

function beam({ axis, length, width, thickness }: Beam): MassProperties {
  const r = width / 2;
  const middle = length * width * thickness;
  const ends = Math.PI * r * r * thickness;
  const volume = middle + ends;
  const across = (middle * width * width) / 12 + (ends * r * r) / 4;
  // The centre of half a disc is 4/(3 pi) r from its diameter.
  const lengthwise =
    (middle * length * length) / 12 +
    ends * ((r * r) / 4 + (length * length) / 4 + (4 / (3 * Math.PI)) * length * r);
  return centred(volume, along(axis, [across / volume, (thickness * thickness) / 12, lengthwise / volume]));
}

function enclosed(object: string, { mesh, scale }: MeshShape): MassProperties {
  const closed = closedScaled(mesh, scale);
  if ('flaw' in closed) throw badMesh(object, `${mesh.name}: ${closed.flaw}`, closed.hint);
  return closed.volume;
}
