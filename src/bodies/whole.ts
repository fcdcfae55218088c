/**
 * All bodies and joints of a model as one built-in component.
 *
 * Joints with a flange are driven: their coordinates, speeds and accelerations are variables of the model. For them the component gives the
 * matrix M and the vectors h and k of
 *
 *     force = M acceleration + h + der(k)
 *
 * which is an equation of the model like any other: linear in the accelerations, so that motors, gears and given motions find their place in it. k steps
 * where the structure changes: what is welded together or locked brings its momentum into the equation.
 * All other joints, and free objects, have their coordinates and speeds as hidden states.
 */
import type { BuiltIn } from '../builtin/component.ts';
import {
  type Joined,
  type JoinedEquation,
  memberOf,
  type OwnVariable,
  type Part,
  type Term,
  type Whole,
} from '../builtin/whole.ts';
import { Bodies } from './bodies.ts';
import { own, type Ports } from './ports.ts';
import { bodyParts, classOf, type Level } from './scene/parts.ts';
import type { MeshReader } from './scene/scene.ts';

export const bodiesWhole = (meshes: MeshReader): Whole => ({
  name: 'bodies',
  join: (parts) => joined(parts, meshes),
});

/** The parts of `Mutabor.Bodies`; `meshes` reads files of shapes. */
export const bodiesParts = (meshes: MeshReader) => bodyParts(bodiesWhole(meshes));

function joined(parts: readonly Part[], meshes: MeshReader): Joined {
  const ports = portsOf(parts);
  const driven = parts.filter((part) => classOf(part).drive);
  const n = driven.length;
  const variables: OwnVariable[] =
    n === 0
      ? []
      : [
          { name: own.matrix, dims: [n, n] },
          { name: own.bias, dims: [n] },
          { name: own.momentum, dims: [n] },
        ];
  return { builtIn: component(parts, ports, meshes) as BuiltIn, variables, equations: equationsOf(driven) };
}

function portsOf(parts: readonly Part[]): Ports {
  const drives = (name: 'coordinate' | 'speed' | 'acceleration') =>
    parts.flatMap((part) => {
      const { drive } = classOf(part);
      return drive ? [memberOf(part, drive[name])] : [];
    });
  return {
    coordinates: drives('coordinate'),
    speeds: drives('speed'),
    accelerations: drives('acceleration'),
    loads: parts.flatMap((part) => (classOf(part).loads ?? []).map((name) => memberOf(part, name))),
    conditions: parts.flatMap((part) => {
      const { condition } = classOf(part);
      return condition ? [memberOf(part, condition)] : [];
    }),
  };
}

/** Of each driven joint: `0 = M a + h + der(k) - force`. */
function equationsOf(driven: readonly Part[]): JoinedEquation[] {
  return driven.map((part, i) => {
    const of = (name: string, index: readonly number[]) => ({ name, index });
    const terms: Term[] = [
      ...driven.map((other, j): Term => {
        const acceleration = { name: memberOf(other, classOf(other).drive!.acceleration) };
        return { sign: 1, factors: [of(own.matrix, [i + 1, j + 1]), acceleration] };
      }),
      { sign: 1, factors: [of(own.bias, [i + 1])] },
      { sign: 1, factors: [{ ...of(own.momentum, [i + 1]), derivative: true }] },
      { sign: -1, factors: [{ name: memberOf(part, classOf(part).drive!.force) }] },
    ];
    return { part, terms };
  });
}

function component(parts: readonly Part[], ports: Ports, meshes: MeshReader): BuiltIn<Bodies> {
  const { coordinates, speeds, accelerations, loads, conditions } = ports;
  const direct: Readonly<Record<Level, readonly string[]>> = {
    position: coordinates,
    velocity: [...coordinates, ...speeds],
    acceleration: [...coordinates, ...speeds, ...accelerations, ...loads],
  };
  const outputs: Record<string, readonly string[]> = {};
  if (coordinates.length > 0) {
    outputs[own.matrix] = direct.position;
    outputs[own.bias] = [...direct.velocity, ...loads];
    outputs[own.momentum] = [];
  }
  for (const part of parts)
    for (const [name, level] of Object.entries(classOf(part).outputs ?? {}))
      outputs[memberOf(part, name)] = direct[level];
  return {
    name: 'Mutabor.Bodies',
    inputs: [...coordinates, ...speeds, ...accelerations, ...loads, ...conditions],
    outputs,
    stepped: [own.momentum],
    absorbs: accelerations,
    allocate: (instance) => new Bodies(instance, parts, ports, Object.keys(outputs), meshes),
    begin: (bodies, segment) => bodies.begin(segment),
    stateOutputs: (bodies, point) => bodies.stateOutputs(point),
    directOutput: (bodies, point, output) => bodies.directOutput(point, output),
    derivatives: (bodies, point) => bodies.derivatives(point),
    variables: (bodies, point) => bodies.variables(point),
    event: (bodies, event) => bodies.event(event),
    picture: (bodies) => bodies.picture(),
  };
}
