/** Reads a scene: the parameters of all parts, and whom they name. */

import type { Instance } from '../../builtin/component.ts';
import type { Part } from '../../builtin/whole.ts';
import { withPath } from '../../names/names.ts';
import type { Gravity } from '../dynamics/tree.ts';
import { type MassProperties, massless } from '../mass.ts';
import { massOf } from '../shapes/masses.ts';
import { type VisualMaterial, visualMaterial, visualMaterials } from '../shapes/materials.ts';
import type { Mesh } from '../shapes/mesh.ts';
import { checkedShape, type GivenShape, isSolid, type Shape } from '../shapes/shape.ts';
import { atOrigin, cardan, cross, norm, quaternionOf, scaled, zero } from '../space.ts';
import { Assembly } from './assembly.ts';
import { readContact } from './contact.ts';
import { stepsOf } from './joints.ts';
import { located, Names, partFailure } from './names.ts';
import { classNameOf, classOf } from './parts.ts';
import { rotorsOf } from './rotors.ts';
import type {
  BareScene,
  Scene,
  SceneForce,
  SceneJoint,
  SceneObject,
  SceneRemoval,
  SceneSensor,
} from './scene.ts';
import { Values } from './values.ts';

/** Gives the mesh of a file that a part names. */
export type MeshReader = (part: Part, file: string) => Mesh;

/** Reads the parameters of all parts. Throws a `Failure` that names the part. */
export function readScene(instance: Instance, parts: readonly Part[], meshes: MeshReader): Scene {
  return new SceneReader(instance, parts, meshes).scene();
}

class SceneReader {
  private readonly objectParts: readonly Part[];
  private readonly jointParts: readonly Part[];
  private readonly world: Part | undefined;
  private readonly values: Values;
  private readonly jointNames: Names;

  constructor(
    private readonly instance: Instance,
    private readonly parts: readonly Part[],
    private readonly meshes: MeshReader,
  ) {
    const worlds = this.having('world');
    const [world, second] = worlds;
    if (second)
      throw partFailure(second, 'duplicate-name', `\`${second.path}\` is a second world; a model has one.`, {
        hint: `Place objects in \`${world!.path}\`.`,
      });
    // A class of the library that is looked at by itself is no model yet.
    if (!world && parts.some(({ path }) => path !== ''))
      throw partFailure(
        parts[0]!,
        'no-value',
        'The model has bodies, but no world in which they are placed.',
        {
          hint: 'Declare `Mutabor.Bodies.World world;`.',
          isOfWhole: true,
        },
      );
    this.world = world;
    this.objectParts = this.having('object');
    this.jointParts = this.having('joint');
    const known = new Map(this.objectParts.map(({ path }, k) => [path, k + 1]));
    if (world) known.set(world.path, 0);
    this.values = new Values(instance, new Names(known, 'object'));
    this.jointNames = new Names(new Map(this.jointParts.map(({ path }, k) => [path, k])), 'joint');
  }

  scene(): Scene {
    const objects = [worldObject(this.world), ...this.objectParts.map((part) => this.object(part))];
    this.checkAncestors(objects);
    const joints = this.jointParts.map((part) => this.joint(part));
    const scene: BareScene = {
      gravity: this.gravity(),
      camera: this.camera(),
      objects,
      joints,
      removals: this.having('removal').map((part) => this.removal(part, objects, joints)),
      forces: this.having('force').map((part) => this.force(part)),
      sensors: this.having('sensor').map((part) => this.sensor(part)),
      ...readContact(this.values, this.parts, objects, joints, this.world),
    };
    const assembly = new Assembly({ ...scene, rotors: new Float64Array(0) }, new Map(), true);
    checkFree(scene, assembly);
    return { ...scene, rotors: rotorsOf(scene, assembly) };
  }

  private having(role: string): Part[] {
    return this.parts.filter((part) => classOf(part).role === role);
  }

  // -------------------------------------------------------------- parts

  private gravity(): Gravity {
    const { world } = this;
    if (!world) return { kind: 'none' };
    const kind = this.instance.number(withPath(world.path, 'gravity'));
    if (kind === 1) return { kind: 'none' };
    if (kind === 3) return { kind: 'point', mu: this.values.number(world, 'mu') };
    const direction = this.values.direction(world, 'direction');
    return { kind: 'uniform', acceleration: scaled(this.values.number(world, 'g'), direction) };
  }

  private camera(): Scene['camera'] {
    const { world } = this;
    const position = world && this.values.vector(world, 'camera');
    if (!position || norm(position) === 0) return undefined;
    return { position, target: this.values.vector(world, 'target') };
  }

  private object(part: Part): SceneObject {
    const fixed = this.values.truth(part, 'fixed');
    const parent = this.values.text(part, 'parent');
    const isPlaced = parent !== '' || !fixed;
    this.checkPlacement(part, isPlaced, fixed);
    const shape = this.shape(part);
    return {
      part,
      name: part.path,
      parent: isPlaced ? this.values.named(part, 'parent', 0) : undefined,
      fixed,
      pose: {
        translation: this.values.vector(part, 'translation'),
        rotation: cardan(this.values.vector(part, 'rotation')),
      },
      velocity: this.values.vector(part, 'velocity'),
      angularVelocity: this.values.vector(part, 'angularVelocity'),
      mass: this.mass(part, shape),
      shape,
      look: shape ? this.look(part) : visualMaterial(part.path),
    };
  }

  /** What is given without having a meaning would be a surprise. */
  private checkPlacement(part: Part, isPlaced: boolean, fixed: boolean): void {
    const idle = [
      ...(isPlaced ? [] : ['translation', 'rotation']),
      ...(fixed ? ['velocity', 'angularVelocity'] : []),
    ];
    for (const name of idle) {
      if (norm(this.values.vector(part, name)) === 0) continue;
      const message = isPlaced
        ? `\`${withPath(part.path, name)}\` has no meaning: \`${part.path}\` is fixed in its parent.`
        : `\`${withPath(part.path, name)}\` has no meaning: \`${part.path}\` has no parent, so joints place it.`;
      throw partFailure(part, 'bad-body', message, {
        hint: isPlaced
          ? 'Only objects with `fixed = false` have a velocity of their own.'
          : 'Place it in an object that the joint moves: `Object3D hinge;` for the joint, and `parent = "hinge"` here. Or write `fixed = false` for an object that no joint moves.',
      });
    }
  }

  private checkAncestors(objects: readonly SceneObject[]): void {
    for (const object of objects) {
      const seen = new Set<SceneObject>();
      for (
        let at: SceneObject | undefined = object;
        at;
        at = at.parent === undefined ? undefined : objects[at.parent]
      ) {
        if (at === objects[0]) break;
        if (seen.has(at)) {
          const ring = [...seen].map(({ name }) => name).join(', ');
          throw partFailure(
            object.part!,
            'bad-body',
            `\`${object.name}\` is placed in itself: the parents lead in a ring (${ring}).`,
          );
        }
        seen.add(at);
      }
    }
  }

  private joint(part: Part): SceneJoint {
    const kind = classNameOf(part);
    const { drive, condition } = classOf(part);
    const [a, b] = [this.values.named(part, 'obj1'), this.values.named(part, 'obj2')];
    if (a === b)
      throw partFailure(
        part,
        'bad-body',
        `The joint \`${part.path}\` joins \`${this.values.text(part, 'obj1')}\` to itself.`,
      );
    if (
      kind === 'Universal' &&
      norm(cross(this.values.direction(part, 'axis1'), this.values.direction(part, 'axis2'))) < parallel
    )
      throw partFailure(
        part,
        'bad-body',
        `The axes of \`${part.path}\` are parallel: it could turn about one of them only.`,
      );
    return {
      part,
      name: part.path,
      kind,
      a,
      b,
      steps: stepsOf(kind, {
        number: (name) => this.values.number(part, name),
        numbers: (name) =>
          [...this.instance.numbers(withPath(part.path, name))].map((value) =>
            this.values.finite(part, name, value),
          ),
        start: (name) => (drive ? undefined : this.instance.start(withPath(part.path, name))),
        direction: (name) => this.values.direction(part, name),
        angles: (name) => this.values.vector(part, name),
      }),
      drive,
      condition: condition && withPath(part.path, condition),
      ...(kind === 'Rolling' && {
        rolling: {
          normal: this.values.direction(part, 'normal'),
          radius: this.values.positive(part, 'radius'),
          ball: this.values.truth(part, 'ball'),
          axis: this.values.direction(part, 'axis'),
        },
      }),
    };
  }

  private removal(part: Part, objects: readonly SceneObject[], joints: readonly SceneJoint[]): SceneRemoval {
    const object = this.values.named(part, 'object');
    const { name, fixed } = objects[object]!;
    const refuse = (reason: string, hint: string) =>
      partFailure(part, 'bad-body', `\`${part.path}\` cannot take away \`${name}\`, ${reason}.`, { hint });
    if (fixed) throw refuse('which is not free', 'Name an object with `fixed = false`.');
    const edges = [
      ...objects.flatMap(({ parent, fixed: isFixed }, k) =>
        isFixed && parent !== undefined ? [[parent, k]] : [],
      ),
      ...joints.flatMap(({ a, b, steps }) => (steps.length > 0 ? [[a, b]] : [])),
    ];
    const group = new Set([object]);
    for (const member of group)
      for (const edge of edges) if (edge.includes(member)) for (const end of edge) group.add(end);
    if (group.has(0))
      throw refuse(
        'which joints tie to the world',
        'Only what moves freely can be taken away, with all that joints tie to it.',
      );
    const flanged = joints.find(({ drive, a }) => drive && group.has(a));
    if (flanged)
      throw refuse(
        `to which the joint \`${flanged.name}\` with a flange belongs`,
        'The coordinate of such a joint is a variable of the model, which stays. Use a joint without a flange.',
      );
    return { objects: [...group], condition: withPath(part.path, classOf(part).condition!) };
  }

  private force(part: Part): SceneForce {
    const kind = classNameOf(part);
    if (kind === 'WorldForce' || kind === 'WorldTorque')
      return {
        part,
        kind,
        a: this.values.named(part, 'object'),
        b: undefined,
        resolve: this.values.named(part, 'resolve', 0),
      };
    return { part, kind, a: this.values.named(part, 'obj1'), b: this.values.named(part, 'obj2'), resolve: 0 };
  }

  private sensor(part: Part): SceneSensor {
    const kind = classNameOf(part);
    if (kind === 'ReactionSensor') {
      const of = this.jointNames.find(part, 'joint', this.values.text(part, 'joint'));
      return { part, kind, of, origin: 0, resolve: this.values.named(part, 'resolve', 0) };
    }
    const origin = kind === 'Sensor' ? this.values.named(part, 'origin', 0) : 0;
    return {
      part,
      kind,
      of: this.values.named(part, 'object'),
      origin,
      resolve: this.values.named(part, 'resolve', origin),
    };
  }

  // -------------------------------------------------------------- shapes and masses

  private shape(part: Part): Shape | undefined {
    const found = shapes[classNameOf(part)];
    if (!found) return undefined;
    const [kind, names] = found;
    const given: Record<string, unknown> = { kind };
    for (const name of names) given[name] = this.instance.parameter(withPath(part.path, name));
    if (kind === 'mesh') given.mesh = this.meshes(part, given.file as string);
    delete given.file;
    return located(part, () => checkedShape(part.path, given as unknown as GivenShape));
  }

  private look(part: Part): VisualMaterial {
    const [color, material] = [this.values.text(part, 'color'), this.values.text(part, 'material')];
    const transparency = this.values.number(part, 'transparency');
    const isKnown = Object.hasOwn(visualMaterials, material);
    return located(part, () => {
      const given = visualMaterial(part.path, color !== '' ? color : isKnown ? material : {});
      return transparency === 0 ? given : { ...given, transparency: checkedShare(part, transparency) };
    });
  }

  private mass(part: Part, shape: Shape | undefined): MassProperties {
    const mass = this.values.number(part, 'mass');
    if (!shape) {
      const inertias = this.instance.numbers(withPath(part.path, 'inertia'));
      if (mass === 0 && inertias.every((value) => value === 0)) return massless;
      const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = inertias;
      if (xy !== yx || xz !== zx || yz !== zy)
        throw partFailure(part, 'bad-body', `\`${part.path}.inertia\` is not symmetric.`);
      const inertia = { Ixx: xx!, Iyy: yy!, Izz: zz!, Ixy: xy!, Ixz: xz!, Iyz: yz! };
      const explicit = { mass, centre: this.values.vector(part, 'centre'), ...inertia };
      return located(part, () => massOf(part.path, { explicit }));
    }
    const density = this.values.number(part, 'density');
    const material = this.values.text(part, 'material');
    if (!isSolid(shape)) {
      const idle = mass !== 0 ? 'mass' : density !== 0 ? 'density' : undefined;
      if (idle === undefined) return massless;
      const message = `\`${withPath(part.path, idle)}\` has no meaning: a \`${classNameOf(part)}\` is only seen.`;
      throw partFailure(part, 'bad-body', message, {
        hint: 'Give the mass to an object that it is placed in, or to a solid shape.',
      });
    }
    if (mass === 0 && density === 0 && material === '') return massless;
    const given = mass !== 0 ? { mass } : density !== 0 ? { density } : { material };
    return located(part, () => massOf(part.path, { ...given, shape }));
  }
}

/** Directions whose product is smaller are parallel. */
const parallel = 1e-6;

/** By class: the kind of a shape, and its parameters. */
const shapes: Readonly<Record<string, readonly [GivenShape['kind'], readonly string[]]>> = {
  Sphere: ['sphere', ['diameter']],
  Ellipsoid: ['ellipsoid', ['lengthX', 'lengthY', 'lengthZ']],
  Box: ['box', ['lengthX', 'lengthY', 'lengthZ']],
  Cylinder: ['cylinder', ['axis', 'diameter', 'length', 'innerDiameter']],
  Cone: ['cone', ['axis', 'diameter', 'length', 'topDiameter']],
  Capsule: ['capsule', ['axis', 'diameter', 'length']],
  Beam: ['beam', ['axis', 'length', 'width', 'thickness']],
  Mesh: ['mesh', ['file', 'scale']],
  FrameMark: ['frame', ['length']],
  Grid: ['grid', ['axis', 'length', 'width', 'distance']],
  CoilSpring: ['spring', ['axis', 'length', 'diameter', 'wireDiameter', 'windings']],
  GearWheel: ['gearwheel', ['axis', 'diameter', 'length', 'innerDiameter', 'teeth']],
  TextMark: ['text', ['text', 'height']],
};

function checkedShare(part: Part, transparency: number): number {
  return visualMaterial(part.path, { transparency }).transparency;
}

const worldObject = (part: Part | undefined): SceneObject => ({
  part,
  name: part?.path ?? 'world',
  parent: undefined,
  fixed: true,
  pose: atOrigin,
  velocity: zero,
  angularVelocity: zero,
  mass: massless,
  shape: undefined,
  look: visualMaterial('world'),
});

/** An object that a joint moves begins where that says. */
function checkFree({ objects, joints }: BareScene, { places, origins }: Assembly): void {
  for (const [k, { part, name, fixed, parent, pose, velocity, angularVelocity }] of objects.entries()) {
    const origin = origins[places[k]!.link];
    if (fixed || origin?.kind !== 'joint') continue;
    const given = {
      parent: [parent!],
      translation: pose.translation,
      rotation: quaternionOf(pose.rotation).slice(1),
      velocity,
      angularVelocity,
    };
    const [idle] = Object.entries(given).find(([, values]) => values.some((value) => value !== 0)) ?? [];
    if (idle === undefined) continue;
    const joint = joints[origin.joint]!.name;
    const message = `\`${withPath(name, idle)}\` has no meaning: the joint \`${joint}\` moves \`${name}\`, so its start values say where it begins.`;
    throw partFailure(part!, 'bad-body', message, {
      hint: `Give start values to \`${joint}\`, and leave out \`${idle}\` and \`fixed = false\` here.`,
    });
  }
}
