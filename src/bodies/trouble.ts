/** Why a run with bodies ends, or is not what it seems, in words of the model: what a mechanism knows, and what its numbers alone do not show. */
import type { ComponentEvent, Explanation } from '../builtin/component.ts';
import type { Part } from '../builtin/whole.ts';
import { listed } from '../diagnostic/words.ts';
import { withPath } from '../names/names.ts';
import { stuck } from './closing.ts';
import type { Overlap, Stray, Through } from './contact/elastic/contacts.ts';
import { FREE, PRISMATIC, SCREW, SPHERICAL } from './dynamics/tree.ts';
import { joinedMass, type MassProperties, movedMass, principalMoments } from './mass.ts';
import type { Led } from './posture.ts';
import { shown } from './problem.ts';
import { partFailure } from './scene/names.ts';
import { classOf } from './scene/parts.ts';
import type { Collider, Scene, SceneJoint } from './scene/scene.ts';
import type { Setup } from './setup.ts';
import { applied, cross, dot, minus, norm, plus, scaled, type Vector } from './space.ts';

/** Numbers above this have grown without bound. */
const huge = 1e100;
/** Less than this part of a matrix of inertias, after elimination, is rounding. */
const dependent = 1e-10;
/** Where a body is less than this time away from the point that attracts it, it falls into it, in s. */
const falling = 1e-6;

/** The part of a link, and what moves there. */
function movedBy({ assembly, scene }: Setup, link: number): { readonly part: Part; readonly what: string } {
  const origin = assembly.origins[link]!;
  return origin.kind === 'free'
    ? { part: scene.objects[origin.object]!.part!, what: 'the free motion of the body' }
    : { part: scene.joints[origin.joint]!.part, what: 'the motion of the joint' };
}

/** Nothing resists the motion of a link. */
export function unresisted(setup: Setup, link: number): Explanation & { readonly part: Part } {
  const { part, what } = movedBy(setup, link);
  const [lack, hint] = lackOf(setup, link);
  return {
    part,
    code: 'bad-body',
    message: `Nothing resists ${what} \`${part.path}\`: ${lack}.`,
    span: part.origin.span,
    // In loops, forces of the model push a joint, and its own bodies alone resist.
    hint:
      classOf(part).drive && setup.leading === 'driven'
        ? `${hint}, or an inertia to what is connected to its flange.`
        : `${hint}.`,
  };
}

/** Throws a `Failure` where nothing resists the motion of a link; -1: all is well. */
export function resisted(setup: Setup, link: number): void {
  if (link < 0) return;
  const { part, code, message, ...options } = unresisted(setup, link);
  throw partFailure(part, code, message, options);
}

/** Why nothing resists the motion of a link, and what helps. */
function lackOf(setup: Setup, link: number): readonly [lack: string, hint: string] {
  const moved = massBehind(setup, link);
  if (moved.mass === 0)
    return ['what it moves has no mass', 'Give a mass, a density or a material to an object behind it'];
  if (!resists(setup, link, moved))
    return [
      'what it moves has a mass, but no inertia against turning',
      'Give an `inertia` to an object behind it, or use a shape, such as `Sphere`, whose inertia follows from its mass',
    ];
  return [
    'what it moves has inertia, but other joints can take up this motion',
    'Of joints that move in the same way, with nothing between them that has an inertia, one is too many: leave it out, or give what is between them an inertia',
  ];
}

/** All that a link moves, itself and by links behind it, as one body in the world. */
function massBehind({ scene, frames, mechanism }: Setup, link: number): MassProperties {
  const { tree } = mechanism;
  const isBehind = (own: number): boolean => {
    let at = own;
    while (at >= 0 && at < tree.n && at !== link) at = tree.parent[at]!;
    return at === link;
  };
  return joinedMass(
    scene.objects.flatMap(({ mass }, k) => {
      if (!(mass.mass > 0 && isBehind(frames.linkOf(k)))) return [];
      frames.update(k, mechanism);
      return [movedMass(mass, frames.pose(k))];
    }),
  );
}

/** Whether a body as a whole would resist the motion of a link. */
function resists({ mechanism }: Setup, link: number, { mass, centre, inertia }: MassProperties): boolean {
  const { tree, motion } = mechanism;
  const kind = tree.kind[link]!;
  if (kind === PRISMATIC) return true;
  const [least, , most] = principalMoments(inertia);
  if (kind === FREE) return least > dependent * most;
  const at: Vector = [0, 1, 2].map(
    (i) => motion.bases[3 * tree.root[link]! + i]! + motion.places[3 * link + i]!,
  ) as unknown as Vector;
  const arm = minus(centre, at);
  if (kind === SPHERICAL) {
    const about = joinedMass([
      { mass, centre: arm, inertia },
      { mass, centre: scaled(-1, arm), inertia },
    ]);
    const [small, , large] = principalMoments(about.inertia);
    return small > dependent * large;
  }
  const axis = [2, 5, 8].map((i) => motion.frames[9 * link + i]!) as unknown as Vector;
  const own = dot(axis, applied(inertia, axis)) + mass * dot(cross(axis, arm), cross(axis, arm));
  return kind === SCREW || own > dependent * (most + mass * dot(arm, arm));
}

/** The first of so many joints that no inertia resists, given their symmetric matrix by rows; -1 where all are. Tips are eliminated first. */
export function weakJoint(matrix: Float64Array, n: number): number {
  const left = matrix.slice();
  for (let k = n - 1; k >= 0; k--) {
    const pivot = left[k * n + k]!;
    if (!(pivot > dependent * matrix[k * n + k]!)) return k;
    for (let i = 0; i < k; i++)
      for (let j = 0; j < k; j++) left[i * n + j]! -= (left[i * n + k]! * left[k * n + j]!) / pivot;
  }
  return -1;
}

/** A body at the point that attracts it, or about to be there. */
export function attracted({ scene, frames, mechanism }: Setup, time: number): Explanation | undefined {
  if (scene.gravity.kind !== 'point') return undefined;
  for (const [k, { mass, part }] of scene.objects.entries()) {
    if (!part || mass.mass === 0) continue;
    frames.update(k, mechanism);
    const { translation, rotation } = frames.pose(k);
    const distance = norm(plus(translation, applied(rotation, mass.centre)));
    if (distance > falling * norm(frames.linearVelocity(k))) continue;
    return {
      code: 'bad-body',
      message: `\`${part.path}\` is at the point that attracts it, the origin of the world, at time ${time}: the force on it is infinite there.`,
      span: part.origin.span,
      hint: 'Give it a place and a velocity with which it passes the origin by.',
    };
  }
  return undefined;
}

/** A motion that has grown beyond all numbers. */
export function boundless(
  setup: Setup,
  a: Float64Array,
  u: Float64Array,
  time: number,
): Explanation | undefined {
  const { q, v, mechanism } = setup;
  const { n, qAt, vAt } = mechanism.tree;
  const isHuge = (value: number) => !(Math.abs(value) < huge);
  if (![q, v, u].some((values) => values.some(isHuge))) return undefined;
  const isLost = (values: Float64Array, at: Int32Array, k: number) =>
    values.subarray(at[k]!, at[k + 1]!).some(isHuge);
  for (let k = 0; k < n; k++) {
    if (!isLost(q, qAt, k) && !isLost(v, vAt, k) && !isLost(a, vAt, k)) continue;
    const { part } = movedBy(setup, k);
    return {
      code: 'bad-evaluation',
      message: `The motion of \`${part.path}\` grows beyond all numbers at time ${time}.`,
      span: part.origin.span,
      hint: 'Look at the forces and torques that act there, and at masses and inertias: one of them is far too large or too small.',
    };
  }
  return undefined;
}

/** A loop that joints with flanges lead to where it cannot be closed. */
export function beyondReach(setup: Setup, led: readonly Led[], time: number): Explanation | undefined {
  const closing = stuck(setup, led);
  if (closing < 0) return undefined;
  const { part } = setup.scene.joints[closing]!;
  const leading = led.map(({ joint, q }) => {
    const { name, drive } = setup.scene.joints[joint]!;
    return `\`${withPath(name, drive!.coordinate)}\` = ${shown(q)}`;
  });
  return {
    code: 'bad-body',
    message: `The loop closed by \`${part.path}\` cannot follow its joints with flanges beyond ${leading.join(', ')} at time ${time}: its bodies are stretched or folded there.`,
    span: part.origin.span,
    hint: 'Let what drives the flange turn back before, or give the bodies other lengths.',
  };
}

/** Joints that begin and cease to hold again and again at one instant. */
export function endless(
  { joints }: Scene,
  toggled: readonly number[],
  time: number,
): Explanation | undefined {
  const [first] = toggled;
  if (first === undefined) return undefined;
  const list = (names: readonly (string | undefined)[]) => names.map((name) => `\`${name}\``).join(', ');
  const many = toggled.length > 1;
  const names = list(toggled.map((k) => joints[k]!.name));
  const conditions = list(toggled.map((k) => joints[k]!.condition));
  return {
    code: 'event-cycle',
    message: `${names} ${many ? 'begin' : 'begins'} and ${many ? 'cease' : 'ceases'} to hold without end at time ${time}: ${conditions} ${many ? 'depend' : 'depends'} on what changes with ${many ? 'them' : 'it'}.`,
    span: joints[first]!.part.origin.span,
    hint: 'Forces and speeds jump where bodies are joined or released. Remember what has happened, `when force > most then broken = true; end when;`, and hold while `not broken`; or leave room between the values at which it begins and ends.',
  };
}

/** Reactions that are measured although bodies that are rigid do not determine them. */
export function tellAmbiguous({ closures, mechanism, scene }: Setup, { tell }: ComponentEvent): void {
  const { ambiguous } = mechanism.loops;
  if (!ambiguous.includes(1)) return;
  const loops = closures.flatMap(({ joint }, k) => (ambiguous[k] ? [scene.joints[joint]!.name] : []));
  for (const { kind, part, of } of scene.sensors) {
    if (kind !== 'ReactionSensor') continue;
    const { name } = scene.joints[of]!;
    tell(
      'warning',
      `The reaction in \`${name}\` may not be unique: rigid bodies in the loop closed by \`${loops.join('`, `')}\` do not say how they share the load.`,
      {
        span: part.origin.span,
        hint: 'The smallest forces that hold the loop are shown. A joint that leaves more freedom makes them unique.',
      },
    );
  }
}

/** Of two parts, the one that the user has placed rather than a component of the library: the less deep one. */
function nearer(first: Part, second: Part): Part {
  const depth = ({ path }: Part): number => path.split('.').length;
  return depth(first) < depth(second) ? first : second;
}

/** Shapes that are in each other where contact begins: at the start, when it is switched on, or when a body comes back or is released. */
export function tellOverlap(
  { tell, point }: ComponentEvent,
  isStart: boolean,
  { first, second, depth }: Overlap,
): void {
  const when = isStart ? 'at the start' : `at time ${shown(point.t)}`;
  tell(
    'warning',
    `\`${first.part.path}\` and \`${second.part.path}\` are in each other ${when}, by ${shown(depth)} m.`,
    {
      span: nearer(first.part, second.part).origin.span,
      hint: 'They push each other apart, the harder the deeper they are. Place them so that they just touch, or let them not touch with `NoContact`.',
    },
  );
}

/** Shapes that part with another energy than their law says. */
export function tellStray({ tell, point }: ComponentEvent, { first, second, part }: Stray): void {
  const what = part > 0 ? 'lost' : 'gained';
  tell(
    'warning',
    `\`${first.part.path}\` and \`${second.part.path}\` part at time ${shown(point.t)}, having ${what} ${shown(100 * Math.abs(part))} % of the energy with which they met, beside what their restitution and friction took.`,
    {
      span: nearer(first.part, second.part).origin.span,
      hint: 'How faces and edges turned against each other while they touched changed much in a step: choose a smaller tolerance.',
    },
  );
}

/** Shapes that were so deep in each other that they may have come out on the other side. */
export function tellThrough({ tell, point }: ComponentEvent, { first, second, depth }: Through): void {
  tell(
    'warning',
    `\`${first.part.path}\` and \`${second.part.path}\` part at time ${shown(point.t)} after they were ${shown(depth)} m deep in each other, which is more than the thinner of them is thick: they may have passed through each other.`,
    {
      span: nearer(first.part, second.part).origin.span,
      hint: 'They are too fast, or too soft, for elastic contact. A `ContactLaw` with a larger `stiffness`, a thicker shape, or rigid contact does not let them through.',
    },
  );
}

/** Steps become too small where shapes touch: those that press most. */
export function pressed(pressing: readonly Pair[], time: number): Explanation | undefined {
  const [most] = pressing;
  if (!most) return undefined;
  return {
    code: 'step-too-small',
    message: `Steps become too small at time ${time}, while ${named(pressing)} touch.`,
    span: most[1].part.origin.span,
    hint: 'Contact may be too stiff for the masses that it moves, or shapes be pressed much too deep: a `ContactLaw` with a smaller `stiffness` or with another tolerance may help.',
  };
}

type Pair = readonly [Collider, Collider];

const named = (pairs: readonly Pair[]): string =>
  listed(
    pairs.map(([one, other]) => `\`${one.part.path}\` and \`${other.part.path}\``),
    3,
  );

const givingWay =
  'Drive the flange through a spring and a damper or by a servo, which give way, or use elastic contact.';

/** A joint with a flange that rigid contact does not let move, whatever the force is. */
export function heldByContact(
  { part, name }: SceneJoint,
  touching: readonly Pair[],
  time: number,
): Explanation | undefined {
  if (touching.length === 0) return undefined;
  return {
    code: 'singular-system',
    message: `Nothing determines the force of \`${name}\` at time ${time}: its motion is given, and rigid contact holds it, of ${named(touching)}.`,
    span: part.origin.span,
    hint: `A given motion takes any force, and so does rigid contact. ${givingWay}`,
  };
}

/** Rigid bodies that a given motion carries, and drives into others. */
export function drivenInto(pairs: readonly Pair[], time: number): Explanation | undefined {
  const [first] = pairs;
  return (
    first && {
      code: 'impossible-change',
      message: `A given motion drives ${named(pairs)} into each other at time ${time}, and they are rigid.`,
      span: first[1].part.origin.span,
      hint: givingWay,
    }
  );
}

/** Rigid bodies that touch and part, or stick and slide, again and again at one instant. */
export function undecided(touching: readonly Pair[], time: number): Explanation | undefined {
  const [first] = touching;
  if (!first) return undefined;
  return {
    code: 'event-cycle',
    message: `It is not clear how ${named(touching)} touch at time ${time}: rigid contact opens and closes, or sticks and slides, without end.`,
    span: first[1].part.origin.span,
    hint: 'Forces of rigid bodies need not be unique. Less friction may help, or elastic contact.',
  };
}
