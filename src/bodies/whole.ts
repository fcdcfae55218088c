/**
 * All bodies and joints of a model as one built-in component.
 *
 * Coordinates, speeds and accelerations of joints with a flange are variables of the model. For them the component gives the matrix and the
 * vectors of
 *
 *     M a + h + der(k) = force          or, where loops may bind them,
 *     a + h + der(k) = A (force + J a)
 *
 * which are equations of the model like any others: linear, so that motors, gears and given motions find their place in them. k steps
 * where the structure changes: what is welded together or locked brings its momentum, or its speed, into the equation.
 * All other joints, and free objects, have their coordinates and speeds as hidden states.
 */

import type { BuiltIn } from '../builtin/component.ts';
import type { Joined, JoinedEquation, OwnVariable, Part, Term, Whole } from '../builtin/whole.ts';
import { withPath } from '../names/names.ts';
import { Bodies, type SavedBodies } from './bodies.ts';
import { type Leading, levelOf, own, type Ports } from './ports.ts';
import { KnownScene } from './scene/known.ts';
import { bodyParts, classOf, type Drive, insteadOf, type Level } from './scene/parts.ts';
import type { MeshReader } from './scene/reading.ts';
import { mayCloseLoops, mayTouchRigidly } from './scene/topology.ts';

export const bodiesWhole = (meshes: MeshReader): Whole => ({
  name: 'bodies',
  join: (parts) => joined(parts, meshes),
});

/** The parts of `Mutabor.Bodies`; `meshes` reads files of shapes. */
export const bodiesParts = (meshes: MeshReader) => bodyParts(bodiesWhole(meshes));

function joined(parts: readonly Part[], meshes: MeshReader): Joined {
  const isRigid = mayTouchRigidly(parts);
  const leading = isRigid || mayCloseLoops(parts) ? 'pushed' : 'driven';
  const ports = portsOf(parts, leading, isRigid);
  const driven = parts.filter((part) => classOf(part).drive);
  const n = driven.length;
  const variables: OwnVariable[] =
    n === 0
      ? []
      : [
          // First, since where speeds are known nothing has to be located again.
          { name: own.bias, dims: [n] },
          ...(leading === 'driven'
            ? [{ name: own.matrix, dims: [n, n] }]
            : [
                { name: own.compliance, dims: [n, n] },
                { name: own.rotors, dims: [n] },
              ]),
          { name: own.momentum, dims: [n] },
        ];
  return {
    builtIn: component(parts, ports, meshes) as BuiltIn,
    variables,
    equations: equationsOf(driven, leading),
  };
}

function portsOf(parts: readonly Part[], leading: Leading, isRigid: boolean): Ports {
  const drives = (name: keyof Drive) =>
    parts.flatMap((part) => {
      const { drive } = classOf(part);
      return drive ? [withPath(part.path, drive[name])] : [];
    });
  return {
    leading,
    isRigid,
    coordinates: drives('coordinate'),
    speeds: drives('speed'),
    accelerations: drives('acceleration'),
    pushes: drives('force'),
    loads: parts.flatMap((part) => (classOf(part).loads ?? []).map((name) => withPath(part.path, name))),
    conditions: parts.flatMap((part) => {
      const { condition } = classOf(part);
      return condition ? [withPath(part.path, condition)] : [];
    }),
  };
}

/** Of each joint with a flange: `0 = M a + h + der(k) - force`, or `0 = a + h + der(k) - A (force + J a)`. */
function equationsOf(driven: readonly Part[], leading: Leading): JoinedEquation[] {
  return driven.map((part, i) => {
    const of = (name: string, index: readonly number[]) => ({ name, index });
    const variable = (other: Part, name: keyof Drive) => ({
      name: withPath(other.path, classOf(other).drive![name]),
    });
    const common: Term[] = [
      { sign: 1, factors: [of(own.bias, [i + 1])] },
      { sign: 1, factors: [{ ...of(own.momentum, [i + 1]), derivative: true }] },
    ];
    const terms: Term[] =
      leading === 'driven'
        ? [
            ...driven.map(
              (other, j): Term => ({
                sign: 1,
                factors: [of(own.matrix, [i + 1, j + 1]), variable(other, 'acceleration')],
              }),
            ),
            ...common,
            { sign: -1, factors: [variable(part, 'force')] },
          ]
        : [
            { sign: 1, factors: [variable(part, 'acceleration')] },
            ...common,
            ...driven.flatMap((other, j): Term[] => {
              const compliance = of(own.compliance, [i + 1, j + 1]);
              const rotor = of(own.rotors, [j + 1]);
              return [
                { sign: -1, factors: [compliance, rotor, variable(other, 'acceleration')] },
                { sign: -1, factors: [compliance, variable(other, 'force')] },
              ];
            }),
          ];
    return { part, terms };
  });
}

function component(parts: readonly Part[], ports: Ports, meshes: MeshReader): BuiltIn<Bodies> {
  const { coordinates, speeds, accelerations, pushes, loads, conditions } = ports;
  const direct: Readonly<Record<Level, readonly string[]>> = {
    position: coordinates,
    velocity: [...coordinates, ...speeds],
    acceleration: [...coordinates, ...speeds, ...accelerations, ...pushes, ...loads],
  };
  const scene = new KnownScene(parts, meshes);
  const outputs: Record<string, readonly string[]> = {};
  if (coordinates.length > 0) {
    outputs[own.bias] = [...direct.velocity, ...loads];
    outputs[ports.leading === 'driven' ? own.matrix : own.compliance] = direct.position;
    if (ports.leading === 'pushed') outputs[own.rotors] = [];
    outputs[own.momentum] = [];
  }
  for (const part of parts)
    for (const [name, level] of Object.entries(classOf(part).outputs ?? {}))
      outputs[withPath(part.path, name)] = direct[levelOf(part, level, ports)];
  return {
    name: 'Mutabor.Bodies',
    inputs: [...coordinates, ...speeds, ...accelerations, ...pushes, ...loads, ...conditions],
    outputs,
    coordinates: parts.flatMap((part) => {
      const { role, outputs: shown = {} } = classOf(part);
      return role === 'joint' ? Object.keys(shown).map((name) => withPath(part.path, name)) : [];
    }),
    storesStates: true,
    stepped: [own.momentum],
    absorbs: [...accelerations, ...pushes],
    instead(output, wish) {
      const part = parts.find(({ path }) => output.startsWith(`${path}.`))!;
      return insteadOf(part, output.slice(part.path.length + 1), wish);
    },
    allocate: (instance) => new Bodies(instance, scene.read(instance), ports, Object.keys(outputs)),
    begin: (bodies, segment) => bodies.begin(segment),
    stateOutputs: (bodies, point) => bodies.stateOutputs(point),
    directOutput: (bodies, point, output) => bodies.directOutput(point, output),
    derivatives: (bodies, point) => bodies.derivatives(point),
    variables: (bodies, point) => bodies.variables(point),
    indicators: (bodies, point) => bodies.indicators(point),
    sides: (bodies, out) => bodies.sides(out),
    lookAhead: (bodies, point) => bodies.lookAhead(point),
    event: (bodies, event) => bodies.event(event),
    pattern: (bodies) => bodies.pattern(),
    save: (bodies) => bodies.save(),
    load: (bodies, saved) => bodies.load(saved as SavedBodies),
    end: (bodies) => bodies.end(),
    picture: (bodies) => bodies.picture(),
    explain: (bodies, trouble) => bodies.explain(trouble),
  };
}
