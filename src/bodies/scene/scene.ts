/**
 * A scene: the objects, joints, forces and sensors of a model with the values of their parameters, and everything that names another thing
 * as its index. Object 0 is the world.
 */

import type { Part } from '../../builtin/whole.ts';
import type { Touching } from '../contact/law.ts';
import type { Convex } from '../contact/support.ts';
import type { Gravity } from '../dynamics/tree.ts';
import type { MassProperties } from '../mass.ts';
import type { VisualMaterial } from '../shapes/materials.ts';
import type { Shape } from '../shapes/shape.ts';
import type { Pose, Vector } from '../space.ts';
import type { JointStep } from './joints.ts';
import type { Drive } from './parts.ts';

/** What is read of a model. */
export interface BareScene extends ContactScene {
  readonly gravity: Gravity;
  /** Where an animation is seen from, if that is given. */
  readonly camera: { readonly position: Vector; readonly target: Vector } | undefined;
  readonly objects: readonly SceneObject[];
  readonly joints: readonly SceneJoint[];
  readonly removals: readonly SceneRemoval[];
  readonly forces: readonly SceneForce[];
  readonly sensors: readonly SceneSensor[];
}

/** What is read about contact. */
export interface ContactScene {
  /** Whether bodies that touch are rigid. */
  readonly isRigid: boolean;
  /** What may touch. */
  readonly colliders: readonly Collider[];
  /** What two materials do to each other. */
  readonly touching: (first: string, second: string) => Touching;
  readonly switches: readonly SceneSwitch[];
  readonly touches: readonly SceneTouch[];
  /** Whether two objects belong to bodies that a joint joins: these do not touch. */
  readonly areNeighbours: (first: number, second: number) => boolean;
  /** What users should know. */
  readonly remarks: readonly Remark[];
}

export interface Remark {
  readonly severity: 'info' | 'warning';
  readonly part: Part;
  readonly message: string;
  readonly hint: string;
}

/** A sensor of what two objects do to each other. */
export interface SceneTouch {
  readonly part: Part;
  /** The object about whose origin angular impulses are: the second one, or the first one where there is none. */
  readonly about: number;
  readonly between: Between;
}

/** 1: the second of two objects is the second one that is meant, and the first the first; -1: it is the other way round; 0: others are meant. */
export type Between = (first: number, second: number) => -1 | 0 | 1;

/** Objects that do not touch while a condition is true. */
export interface SceneSwitch {
  readonly between: Between;
  /** The Boolean input. */
  readonly condition: string;
}

export interface Scene extends BareScene {
  /** By joint with a flange: see `rotorsOf`. */
  readonly rotors: Float64Array;
}

export interface SceneObject {
  readonly part: Part | undefined;
  readonly name: string;
  /** The object in which it is placed; undefined: joints carry it. */
  readonly parent: number | undefined;
  readonly fixed: boolean;
  /** In the parent, or in the world; of a free object, at the start. */
  readonly pose: Pose;
  /** Of a free object, against its parent and along the axes of that. */
  readonly velocity: Vector;
  readonly angularVelocity: Vector;
  readonly mass: MassProperties;
  readonly shape: Shape | undefined;
  readonly look: VisualMaterial;
}

export interface SceneJoint {
  readonly part: Part;
  readonly name: string;
  readonly kind: string;
  readonly a: number;
  readonly b: number;
  /** The motions that it is made of, from `a` to `b`; none for what only holds. */
  readonly steps: readonly JointStep[];
  readonly drive: Drive | undefined;
  /** The Boolean input that locks it, or makes it hold. */
  readonly condition: string | undefined;
  readonly rolling?: {
    readonly normal: Vector;
    readonly radius: number;
    readonly ball: boolean;
    readonly axis: Vector;
  };
}

/** Takes objects away while a condition is true. */
export interface SceneRemoval {
  /** A free object, and all that are fixed in it or that joints tie to it. */
  readonly objects: readonly number[];
  /** The Boolean input. */
  readonly condition: string;
}

/** A convex shape that touches others: an object, or a part of one. */
export interface Collider {
  /** Its number among all. */
  readonly index: number;
  readonly part: Part;
  readonly object: number;
  readonly convex: Convex;
  /** No point of it is farther from the origin of the object. */
  readonly reach: number;
  /** Its smallest extent. */
  readonly thickness: number;
  readonly material: string;
  /** E/(1 - nu^2). */
  readonly modulus: number;
}

export interface SceneForce {
  readonly part: Part;
  readonly kind: string;
  /** The objects that it acts on; a force from the world has one. */
  readonly a: number;
  readonly b: number | undefined;
  /** Along whose axes it is given. */
  readonly resolve: number;
}

export interface SceneSensor {
  readonly part: Part;
  readonly kind: string;
  /** An object, or a joint whose reactions are measured. */
  readonly of: number;
  readonly origin: number;
  readonly resolve: number;
}
