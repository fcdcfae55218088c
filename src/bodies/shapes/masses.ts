/** The mass of an object, from what its user gave: mass properties, a shape with a density, or a shape with a mass. */
import { type MassProperties, principalMoments } from '../mass.ts';
import { problem, shown } from '../problem.ts';
import type { Matrix, Vector } from '../space.ts';
import { solidMaterial } from './materials.ts';
import { isSolid, type Shape } from './shape.ts';
import { volumeOf } from './volume.ts';

/** Moments and products of inertia are about the centre of mass, in the axes of the object: Ixy = -integral of xy. */
export interface ExplicitMass {
  readonly mass: number;
  readonly centre?: Vector;
  readonly Ixx?: number;
  readonly Iyy?: number;
  readonly Izz?: number;
  readonly Ixy?: number;
  readonly Ixz?: number;
  readonly Iyz?: number;
}

export interface GivenMass {
  readonly explicit?: ExplicitMass;
  readonly mass?: number;
  readonly density?: number;
  /** The name of a solid material, which has a density. */
  readonly material?: string;
  readonly shape?: Shape;
}

/** Fails where there is no such body, or where it is not said, or said twice, how heavy it is. */
export function massOf(object: string, given: GivenMass): MassProperties {
  const said = (['explicit', 'mass', 'density', 'material'] as const).filter(
    (name) => given[name] !== undefined,
  );
  if (said.length === 0) {
    throw problem(object, 'nothing says which mass it has.', `Give ${WAYS}.`);
  }
  if (said.length > 1) {
    const [first, second] = said.map((name) => words[name]);
    throw problem(object, `its mass is given twice, by ${first} and by ${second}.`, `Give only one of them.`);
  }
  const { explicit, mass, density, material, shape } = given;
  if (explicit) return explicitMass(object, explicit);
  if (mass !== undefined) checkAmount(object, 'mass', mass);
  if (density !== undefined) checkAmount(object, 'density', density);
  if (!shape)
    throw problem(object, 'it has no shape from which its inertia could be found.', `Give ${WAYS}.`);
  if (!isSolid(shape))
    throw problem(object, `a ${shape.kind} can only be seen: it has no volume.`, `Give ${WAYS}.`);
  const volume = volumeOf(object, shape);
  if (!(volume.mass > 0 && Number.isFinite(volume.mass))) {
    throw problem(
      object,
      `the volume of its shape is ${shown(volume.mass)} m3, which is beyond the numbers of a computer.`,
    );
  }
  const factor =
    mass !== undefined ? mass / volume.mass : (density ?? solidMaterial(object, material!).density);
  return possible(object, {
    mass: mass ?? factor * volume.mass,
    centre: volume.centre,
    inertia: volume.inertia.map((value) => factor * value) as unknown as Matrix,
  });
}

const WAYS = 'explicit mass properties, a shape and its density or material, or a shape and its mass';
const words = {
  explicit: 'explicit mass properties',
  mass: 'a mass',
  density: 'a density',
  material: 'a material',
} as const;

function explicitMass(object: string, given: ExplicitMass): MassProperties {
  const { mass, centre = [0, 0, 0], Ixx = 0, Iyy = 0, Izz = 0, Ixy = 0, Ixz = 0, Iyz = 0 } = given;
  checkAmount(object, 'mass', mass);
  for (const [name, value] of Object.entries({ Ixx, Iyy, Izz, Ixy, Ixz, Iyz })) {
    if (!Number.isFinite(value)) throw problem(object, `${name} is ${value}, but must be a finite number.`);
  }
  if (centre.length !== 3 || !centre.every(Number.isFinite)) {
    throw problem(object, `the centre of mass is {${centre.join(', ')}}, but must be three finite numbers.`);
  }
  return possible(object, { mass, centre, inertia: [Ixx, Ixy, Ixz, Ixy, Iyy, Iyz, Ixz, Iyz, Izz] });
}

function checkAmount(object: string, name: string, value: number): void {
  if (Number.isFinite(value) && value >= 0) return;
  throw problem(object, `${name} is ${value}, but must be a finite number that is not negative.`);
}

/** Moments of inertia that a user types are rounded: those of a thin plate may miss their sum by this part. */
const ROUNDED = 1e-3;
/** Negative moments are never meant; these are rounding errors of a computer. */
const NEGATIVE = 1e-9;

/** The mass properties, if some body has them: its mass may be zero with moments of inertia, as that of a rotor whose mass does not matter. */
function possible(object: string, given: MassProperties): MassProperties {
  if (![given.mass, ...given.inertia].every(Number.isFinite)) {
    throw problem(object, 'its mass or inertia is beyond the numbers of a computer.');
  }
  const [a, b, c] = principalMoments(given.inertia);
  const moments = `${shown(a)}, ${shown(b)} and ${shown(c)} kg.m2`;
  if (a < -NEGATIVE * Math.max(c, -a)) {
    throw problem(
      object,
      `no body has this inertia: about its principal axes it would be ${moments}, and one of them is negative.`,
      'Products of inertia must be small against the moments; look at their signs and units.',
    );
  }
  if (c > (a + b) * (1 + ROUNDED)) {
    throw problem(
      object,
      `no body has this inertia: about its principal axes it would be ${moments}, and the last is greater than the sum of the others.`,
      'Moments of inertia are about the centre of mass, in the axes of the object.',
    );
  }
  return given;
}
