/**
 * `mutabor/bodies`: constructors for the classes of `Mutabor.Bodies`, with which bodies become members of models:
 *
 *     const world = World();
 *     const bar = Beam({ length: 1, mass: 2 });
 *     const Pendulum = Model('Pendulum', { world, bar, joint: Revolute({ obj1: world, obj2: bar, phi0: 0.5 }) });
 *
 * Other objects are given themselves, where they are members of the same model, or by their names: `parent: 'arm.hand'`. Names, types, units and
 * comments are those of the classes: `npm run docs` writes this file from them.
 */
import { constructorOf } from './api/constructors.ts';

export type { Constructor, Declarations, OptionsOf } from './api/constructors.ts';

const inShape = {
  /** Name of the object in which it is placed; none: a joint carries it, or it is free in the world. */
  parent: 'name',
  /** Whether it is fixed in its parent; otherwise it moves freely. */
  fixed: 'Boolean',
  /** Where it is in its parent, at the start where it is free. */
  translation: 'Real[3] m',
  /** How it is turned in its parent: about x, then the new y, then the new z. */
  rotation: 'Real[3] rad',
  /** Start velocity of a free object against its parent, along the axes of the parent. */
  velocity: 'Real[3] m/s',
  /** Start angular velocity of a free object against its parent, along the axes of the parent. */
  angularVelocity: 'Real[3] rad/s',
  /** Mass; 0: from density or material. */
  mass: 'Real kg',
  /** Density; 0: that of the material. */
  density: 'Real kg/m3',
  /** Solid material, such as Steel or Aluminium; none: without mass, if no mass and no density is given. */
  material: 'String',
  /** Whether it touches other shapes for which this is true. */
  contact: 'Boolean',
  /** Colour: a name, or #rrggbb; none: that of the material. */
  color: 'String',
  /** 0: opaque, 1: not to be seen. */
  transparency: 'Real 1',
} as const;

const inJoint = {
  /** Object on which the joint sits. */
  obj1: 'name',
  /** Object that it moves. */
  obj2: 'name',
} as const;

const inPointToPoint = {
  /** Object at one end. */
  obj1: 'name',
  /** Object at the other end. */
  obj2: 'name',
  /** Distance. */
  length: 'result Real m',
  /** Its derivative. */
  speed: 'result Real m/s',
  /** Force that pulls the objects together. */
  force: 'Real N',
} as const;

const inForceAndTorque = {
  /** Object at one end. */
  obj1: 'name',
  /** Object at the other end. */
  obj2: 'name',
  /** Position of obj2 against obj1, along the axes of obj1. */
  r: 'result Real[3] m',
  /** Its derivative, seen in obj1. */
  v: 'result Real[3] m/s',
  /** How obj2 is turned in obj1: about x, then the new y, then the new z. */
  angles: 'result Real[3] rad',
  /** Angular velocity of obj2 against obj1, along the axes of obj1. */
  w: 'result Real[3] rad/s',
  /** Force on obj1 at the origin of obj2, along the axes of obj1; obj2 feels the opposite. */
  f: 'Real[3] N',
  /** Torque on obj1, along the axes of obj1; obj2 feels the opposite. */
  t: 'Real[3] N.m',
} as const;

/** The frame that everything is placed in, with its gravity. */
export const World = constructorOf('Mutabor.Bodies.World', {
  /** Field of gravity. */
  gravity: 'enumeration Mutabor.Bodies.Gravity none uniform point',
  /** Acceleration of a uniform field. */
  g: 'Real m/s2',
  /** Direction of a uniform field. */
  direction: 'Real[3] 1',
  /** Gravitational parameter of a point at the origin. */
  mu: 'Real m3/s2',
  /** Where the camera of an animation stands; zeros: where all can be seen. */
  camera: 'Real[3] m',
  /** Where it looks. */
  target: 'Real[3] m',
});

/** A frame, fixed in another object or free to move, with the mass that is given. */
export const Object3D = constructorOf('Mutabor.Bodies.Object3D', {
  /** Name of the object in which it is placed; none: a joint carries it, or it is free in the world. */
  parent: 'name',
  /** Whether it is fixed in its parent; otherwise it moves freely. */
  fixed: 'Boolean',
  /** Where it is in its parent, at the start where it is free. */
  translation: 'Real[3] m',
  /** How it is turned in its parent: about x, then the new y, then the new z. */
  rotation: 'Real[3] rad',
  /** Start velocity of a free object against its parent, along the axes of the parent. */
  velocity: 'Real[3] m/s',
  /** Start angular velocity of a free object against its parent, along the axes of the parent. */
  angularVelocity: 'Real[3] rad/s',
  /** Mass. */
  mass: 'Real kg',
  /** Centre of mass. */
  centre: 'Real[3] m',
  /** Inertia about the centre of mass, along the axes of the object. */
  inertia: 'Real[3, 3] kg.m2',
});

/** A ball. */
export const Sphere = constructorOf('Mutabor.Bodies.Sphere', {
  ...inShape,
  /** Diameter. */
  diameter: 'Real m',
});

/** An ellipsoid. */
export const Ellipsoid = constructorOf('Mutabor.Bodies.Ellipsoid', {
  ...inShape,
  /** Length along x. */
  lengthX: 'Real m',
  /** Length along y. */
  lengthY: 'Real m',
  /** Length along z. */
  lengthZ: 'Real m',
});

/** A box. */
export const Box = constructorOf('Mutabor.Bodies.Box', {
  ...inShape,
  /** Length along x. */
  lengthX: 'Real m',
  /** Length along y. */
  lengthY: 'Real m',
  /** Length along z. */
  lengthZ: 'Real m',
});

/** A cylinder or a tube. */
export const Cylinder = constructorOf('Mutabor.Bodies.Cylinder', {
  ...inShape,
  /** Its axis: 1, 2, 3 for x, y, z. */
  axis: 'Integer',
  /** Diameter. */
  diameter: 'Real m',
  /** Length. */
  length: 'Real m',
  /** Inner diameter of a tube. */
  innerDiameter: 'Real m',
});

/** A cone or a frustum. */
export const Cone = constructorOf('Mutabor.Bodies.Cone', {
  ...inShape,
  /** Its axis: 1, 2, 3 for x, y, z. */
  axis: 'Integer',
  /** Diameter of the base. */
  diameter: 'Real m',
  /** Length. */
  length: 'Real m',
  /** Diameter of the top. */
  topDiameter: 'Real m',
});

/** A cylinder with half balls at its ends. */
export const Capsule = constructorOf('Mutabor.Bodies.Capsule', {
  ...inShape,
  /** Its axis: 1, 2, 3 for x, y, z. */
  axis: 'Integer',
  /** Diameter. */
  diameter: 'Real m',
  /** Length of the cylinder, without the half balls. */
  length: 'Real m',
});

/** A bar with round ends. */
export const Beam = constructorOf('Mutabor.Bodies.Beam', {
  ...inShape,
  /** Its axis: 1, 2, 3 for x, y, z. */
  axis: 'Integer',
  /** Distance between the centres of the round ends. */
  length: 'Real m',
  /** Width, the diameter of the round ends. */
  width: 'Real m',
  /** Thickness. */
  thickness: 'Real m',
});

/** A shape from a file. */
export const Mesh = constructorOf('Mutabor.Bodies.Mesh', {
  ...inShape,
  /** Name of an OBJ or STL file. */
  file: 'String',
  /** Factors along x, y, z: 0.001 for files in millimetres. */
  scale: 'Real[3] 1',
});

/** Three arrows that show a frame. */
export const FrameMark = constructorOf('Mutabor.Bodies.FrameMark', {
  ...inShape,
  /** Length of the arrows. */
  length: 'Real m',
});

/** A grid in a plane. */
export const Grid = constructorOf('Mutabor.Bodies.Grid', {
  ...inShape,
  /** Its axis: 1, 2, 3 for x, y, z. */
  axis: 'Integer',
  /** Length. */
  length: 'Real m',
  /** Width. */
  width: 'Real m',
  /** Distance of the lines. */
  distance: 'Real m',
});

/** A spring made of wire. */
export const CoilSpring = constructorOf('Mutabor.Bodies.CoilSpring', {
  ...inShape,
  /** Its axis: 1, 2, 3 for x, y, z. */
  axis: 'Integer',
  /** Length. */
  length: 'Real m',
  /** Diameter of the windings. */
  diameter: 'Real m',
  /** Diameter of the wire. */
  wireDiameter: 'Real m',
  /** Number of windings. */
  windings: 'Integer',
});

/** A wheel with teeth. */
export const GearWheel = constructorOf('Mutabor.Bodies.GearWheel', {
  ...inShape,
  /** Its axis: 1, 2, 3 for x, y, z. */
  axis: 'Integer',
  /** Outer diameter. */
  diameter: 'Real m',
  /** Width. */
  length: 'Real m',
  /** Diameter of the bore. */
  innerDiameter: 'Real m',
  /** Number of teeth. */
  teeth: 'Integer',
});

/** A text. */
export const TextMark = constructorOf('Mutabor.Bodies.TextMark', {
  ...inShape,
  /** What is written. */
  text: 'String',
  /** Height of the letters. */
  height: 'Real m',
});

/** Turns about an axis. */
export const Revolute = constructorOf('Mutabor.Bodies.Revolute', {
  ...inJoint,
  /** Axis, in the frame of obj1 and in that of obj2. */
  axis: 'Real[3] 1',
  /** Angle at the start. */
  phi0: 'Real rad',
  /** Speed at the start. */
  w0: 'Real rad/s',
  /** While it holds, the joint does not move. */
  locked: 'Boolean',
  /** Angle of obj2 against obj1. */
  phi: 'result Real rad',
  /** Its derivative. */
  w: 'result Real rad/s',
});

/** Slides along an axis. */
export const Prismatic = constructorOf('Mutabor.Bodies.Prismatic', {
  ...inJoint,
  /** Axis, in the frame of obj1 and in that of obj2. */
  axis: 'Real[3] 1',
  /** Position at the start. */
  s0: 'Real m',
  /** Speed at the start. */
  v0: 'Real m/s',
  /** While it holds, the joint does not move. */
  locked: 'Boolean',
  /** Position of obj2 against obj1. */
  s: 'result Real m',
  /** Its derivative. */
  v: 'result Real m/s',
});

/** Turns about an axis, driven through a flange. */
export const RevoluteWithFlange = constructorOf('Mutabor.Bodies.RevoluteWithFlange', {
  ...inJoint,
  /** Axis, in the frame of obj1 and in that of obj2. */
  axis: 'Real[3] 1',
  /** Angle at the start. */
  phi0: 'Real rad',
  /** Speed at the start. */
  w0: 'Real rad/s',
  /** Turns with obj2 against obj1. */
  flange: 'component Mutabor.Rotational.Flange',
  /** Angle of obj2 against obj1. */
  phi: 'result Real rad',
  /** Its derivative. */
  w: 'result Real rad/s',
  /** Acceleration. */
  a: 'result Real rad/s2',
  /** Torque of the flange on the joint. */
  tau: 'result Real N.m',
});

/** Slides along an axis, driven through a flange. */
export const PrismaticWithFlange = constructorOf('Mutabor.Bodies.PrismaticWithFlange', {
  ...inJoint,
  /** Axis, in the frame of obj1 and in that of obj2. */
  axis: 'Real[3] 1',
  /** Position at the start. */
  s0: 'Real m',
  /** Speed at the start. */
  v0: 'Real m/s',
  /** Moves with obj2 against obj1. */
  flange: 'component Mutabor.Translational.Flange',
  /** Position of obj2 against obj1. */
  s: 'result Real m',
  /** Its derivative. */
  v: 'result Real m/s',
  /** Acceleration. */
  a: 'result Real m/s2',
  /** Force of the flange on the joint. */
  f: 'result Real N',
});

/** Turns about an axis and moves along it. */
export const Screw = constructorOf('Mutabor.Bodies.Screw', {
  ...inJoint,
  /** Axis, in the frame of obj1 and in that of obj2. */
  axis: 'Real[3] 1',
  /** Distance for one radian. */
  pitch: 'Real m/rad',
  /** Angle at the start. */
  phi0: 'Real rad',
  /** Speed at the start. */
  w0: 'Real rad/s',
  /** While it holds, the joint does not move. */
  locked: 'Boolean',
  /** Angle of obj2 against obj1. */
  phi: 'result Real rad',
  /** Its derivative. */
  w: 'result Real rad/s',
});

/** Turns about an axis and slides along it. */
export const Cylindrical = constructorOf('Mutabor.Bodies.Cylindrical', {
  ...inJoint,
  /** Axis, in the frame of obj1 and in that of obj2. */
  axis: 'Real[3] 1',
  /** Position at the start. */
  s0: 'Real m',
  /** Speed at the start. */
  v0: 'Real m/s',
  /** Angle at the start. */
  phi0: 'Real rad',
  /** Speed at the start. */
  w0: 'Real rad/s',
  /** While it holds, the joint does not move. */
  locked: 'Boolean',
  /** Position of obj2 against obj1. */
  s: 'result Real m',
  /** Its derivative. */
  v: 'result Real m/s',
  /** Angle of obj2 against obj1. */
  phi: 'result Real rad',
  /** Its derivative. */
  w: 'result Real rad/s',
});

/** Turns about two axes. */
export const Universal = constructorOf('Mutabor.Bodies.Universal', {
  ...inJoint,
  /** First axis, fixed in obj1. */
  axis1: 'Real[3] 1',
  /** Second axis, fixed in obj2. */
  axis2: 'Real[3] 1',
  /** Angles at the start. */
  phi0: 'Real[2] rad',
  /** Speeds at the start. */
  w0: 'Real[2] rad/s',
  /** While it holds, the joint does not move. */
  locked: 'Boolean',
  /** Angles about the axes. */
  phi: 'result Real[2] rad',
  /** Their derivatives. */
  w: 'result Real[2] rad/s',
});

/** Moves in a plane. */
export const Planar = constructorOf('Mutabor.Bodies.Planar', {
  ...inJoint,
  /** Normal of the plane: an axis of the frame of obj1. */
  normal: 'Real[3] 1',
  /** Position in the plane at the start. */
  s0: 'Real[2] m',
  /** Velocity at the start. */
  v0: 'Real[2] m/s',
  /** Angle at the start. */
  phi0: 'Real rad',
  /** Speed at the start. */
  w0: 'Real rad/s',
  /** While it holds, the joint does not move. */
  locked: 'Boolean',
  /** Position in the plane. */
  s: 'result Real[2] m',
  /** Its derivative. */
  v: 'result Real[2] m/s',
  /** Angle about the normal. */
  phi: 'result Real rad',
  /** Its derivative. */
  w: 'result Real rad/s',
});

/** Turns in all directions about a point. */
export const Spherical = constructorOf('Mutabor.Bodies.Spherical', {
  ...inJoint,
  /** How obj2 is turned in obj1 at the start: about x, then the new y, then the new z. */
  rotation: 'Real[3] rad',
  /** Angular velocity at the start, along the axes of obj1. */
  w0: 'Real[3] rad/s',
  /** While it holds, the joint does not move. */
  locked: 'Boolean',
  /** Angular velocity of obj2 against obj1, along the axes of obj1. */
  w: 'result Real[3] rad/s',
});

/** Holds two objects together while it is active. */
export const Weld = constructorOf('Mutabor.Bodies.Weld', {
  ...inJoint,
  /** Whether it holds. */
  active: 'Boolean',
});

/** A wheel or a ball rolls on a plane without slipping. */
export const Rolling = constructorOf('Mutabor.Bodies.Rolling', {
  ...inJoint,
  /** Normal of the plane, in the frame of obj1. */
  normal: 'Real[3] 1',
  /** Radius of the wheel or ball, whose centre is obj2. */
  radius: 'Real m',
  /** A ball; otherwise a thin wheel. */
  ball: 'Boolean',
  /** Axis of the wheel, in the frame of obj2. */
  axis: 'Real[3] 1',
  /** Whether it holds. */
  active: 'Boolean',
});

/** Takes a free object away while it is active. */
export const Removal = constructorOf('Mutabor.Bodies.Removal', {
  /** Name of the object, with fixed = false. */
  object: 'name',
  /** Whether the object is away. */
  active: 'Boolean',
});

/** What two materials do to each other where they touch. */
export const ContactLaw = constructorOf('Mutabor.Bodies.ContactLaw', {
  /** Material of one shape; none: any. */
  material1: 'String',
  /** Material of the other; none: any. */
  material2: 'String',
  /** Speed after an impact by the speed before it. */
  restitution: 'Real 1',
  /** Force of friction by normal force. */
  friction: 'Real 1',
  /** Torque against rolling and turning by normal force and radius. */
  rolling: 'Real 1',
  /** By how much it is stiffer than the materials say. */
  stiffness: 'Real 1',
});

/** Two objects do not touch while it is active. */
export const NoContact = constructorOf('Mutabor.Bodies.NoContact', {
  /** Name of an object; it stands for all that is fixed in it. */
  object1: 'name',
  /** Name of the other; none: any. */
  object2: 'name',
  /** Whether they do not touch. */
  active: 'Boolean',
});

/** Measures what two objects do to each other where they touch. */
export const ContactSensor = constructorOf('Mutabor.Bodies.ContactSensor', {
  /** Name of an object; it stands for all that is fixed in it. */
  object1: 'name',
  /** Name of the other; none: any. */
  object2: 'name',
  /** Distance; negative while they touch. */
  distance: 'result Real m',
  /** Force by which they press on each other. */
  normalForce: 'result Real N',
  /** Force along the surface. */
  frictionForce: 'result Real N',
  /** How fast they go deeper into each other. */
  depthSpeed: 'result Real m/s',
  /** How fast they slide along each other. */
  slipSpeed: 'result Real m/s',
  /** How fast they turn against each other. */
  turnSpeed: 'result Real rad/s',
  /** Where the force acts. */
  r: 'result Real[3] m',
  /** Normal from the first to the second. */
  n: 'result Real[3] 1',
  /** Force of the first on the second. */
  f: 'result Real[3] N',
  /** Torque of the first on the second, about r. */
  t: 'result Real[3] N.m',
});

/** A force on an object. */
export const WorldForce = constructorOf('Mutabor.Bodies.WorldForce', {
  /** Object on which it acts. */
  object: 'name',
  /** Object along whose axes it is given; none: the world. */
  resolve: 'name',
  /** Force at the origin of the object. */
  f: 'Real[3] N',
});

/** A torque on an object. */
export const WorldTorque = constructorOf('Mutabor.Bodies.WorldTorque', {
  /** Object on which it acts. */
  object: 'name',
  /** Object along whose axes it is given; none: the world. */
  resolve: 'name',
  /** Torque. */
  t: 'Real[3] N.m',
});

/** A force along the line between two objects. */
export const PointToPoint = constructorOf('Mutabor.Bodies.PointToPoint', inPointToPoint);

/** A spring with a damper between two objects. */
export const SpringDamper = constructorOf('Mutabor.Bodies.SpringDamper', {
  ...inPointToPoint,
  /** Force that pulls the objects together. */
  force: 'result Real N',
  /** Stiffness. */
  c: 'Real N/m',
  /** Damping. */
  d: 'Real N.s/m',
  /** Length without force. */
  length0: 'Real m',
});

/** Force and torque between two objects, by any law. */
export const ForceAndTorque = constructorOf('Mutabor.Bodies.ForceAndTorque', inForceAndTorque);

/** Springs and dampers in all directions between two objects. */
export const Bushing = constructorOf('Mutabor.Bodies.Bushing', {
  ...inForceAndTorque,
  /** Force on obj1 at the origin of obj2, along the axes of obj1; obj2 feels the opposite. */
  f: 'result Real[3] N',
  /** Torque on obj1, along the axes of obj1; obj2 feels the opposite. */
  t: 'result Real[3] N.m',
  /** Stiffness along x, y, z. */
  c: 'Real[3] N/m',
  /** Damping along x, y, z. */
  d: 'Real[3] N.s/m',
  /** Stiffness about x, y, z. */
  cr: 'Real[3] N.m/rad',
  /** Damping about x, y, z. */
  dr: 'Real[3] N.m.s/rad',
});

/** Measures the motion of an object against another. */
export const Sensor = constructorOf('Mutabor.Bodies.Sensor', {
  /** Object that is measured. */
  object: 'name',
  /** Object against which it is measured; none: the world. */
  origin: 'name',
  /** Object along whose axes results are given; none: those of the origin. */
  resolve: 'name',
  /** Position. */
  r: 'result Real[3] m',
  /** Its derivative, seen in the origin. */
  v: 'result Real[3] m/s',
  /** How it is turned: about x, then the new y, then the new z. */
  angles: 'result Real[3] rad',
  /** Angular velocity. */
  w: 'result Real[3] rad/s',
  /** Distance. */
  distance: 'result Real m',
  /** Its derivative. */
  distanceSpeed: 'result Real m/s',
});

/** Measures the acceleration of an object. */
export const AccelerationSensor = constructorOf('Mutabor.Bodies.AccelerationSensor', {
  /** Object that is measured. */
  object: 'name',
  /** Object along whose axes results are given; none: the world. */
  resolve: 'name',
  /** Acceleration of its origin in the world, without that of gravity. */
  a: 'result Real[3] m/s2',
  /** Angular acceleration. */
  z: 'result Real[3] rad/s2',
});

/** Measures force and torque in a joint. */
export const ReactionSensor = constructorOf('Mutabor.Bodies.ReactionSensor', {
  /** Name of the joint. */
  joint: 'name',
  /** Object along whose axes results are given; none: the world. */
  resolve: 'name',
  /** Force of obj1 on obj2. */
  f: 'result Real[3] N',
  /** Torque of obj1 on obj2, about the origin of obj2. */
  t: 'result Real[3] N.m',
});
