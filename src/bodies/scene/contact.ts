/** What a model says about contact: shapes that touch, what materials do to each other, and what does not touch. */
import type { Part } from '../../builtin/whole.ts';
import { rootIn } from '../../collections/forest.ts';
import { withPath } from '../../names/names.ts';
import type { Touching } from '../contact/law.ts';
import { convexParts } from '../contact/parts.ts';
import { reachOf, thicknessOf } from '../contact/support.ts';
import { solidMaterial } from '../shapes/materials.ts';
import { isSolid } from '../shapes/shape.ts';
import { meanOf, typicalTouching } from '../shapes/touching.ts';
import { located, partFailure } from './names.ts';
import { classNameOf, classOf } from './parts.ts';
import type { Between, Collider, ContactScene, Remark, SceneJoint, SceneObject } from './scene.ts';
import type { Values } from './values.ts';

/** Convex parts may be larger than a shape by this share without a word. */
const WELL = 0.02;

export function readContact(
  values: Values,
  parts: readonly Part[],
  objects: readonly SceneObject[],
  joints: readonly SceneJoint[],
  world: Part | undefined,
): ContactScene {
  const isRigid = world !== undefined && values.truth(world, 'rigidContact');
  const having = (role: string) => parts.filter((part) => classOf(part).role === role);
  const fillings: Remark[] = [];
  const shapes = objects.flatMap((object, k) => collidersOf(values, object, k, isRigid, fillings));
  const areNeighbours = neighbours(objects, joints);
  const bodies = objects.map((_, k) => bodyOf(objects, k));
  const canMeet: CanMeet = (fits) =>
    shapes.some((a) =>
      shapes.some(
        (b) => fits(a, b) && bodies[a.object] !== bodies[b.object] && !areNeighbours(a.object, b.object),
      ),
    );
  const canTouch = canMeet(() => true);
  const laws = having('law');
  const given = lawsIn(values, laws);
  const touches = having('touch').map((part) => ({
    part,
    about: values.named(part, values.text(part, 'object2') === '' ? 'object1' : 'object2'),
    between: betweenOf(values, part, objects, shapes),
  }));
  return {
    isRigid,
    colliders: shapes.map((shape, index) => ({ ...shape, index })),
    touching: touchingIn(given, isRigid),
    switches: having('switch').map((part) => ({
      between: betweenOf(values, part, objects, shapes),
      condition: withPath(part.path, classOf(part).condition!),
    })),
    touches,
    areNeighbours,
    remarks: canTouch
      ? [
          ...fillings,
          ...touches
            .filter(({ between }) => !canMeet((a, b) => between(a.object, b.object) !== 0))
            .map(({ part }) => apart(values, part)),
          ...laws.flatMap((part) => idle(values, part, canMeet)),
        ]
      : shapes.slice(0, 1).map(({ part }) => alone(part)),
  };
}

type Shape = Omit<Collider, 'index'>;
/** Whether there are two shapes that fit, and that may touch each other. */
type CanMeet = (fits: (a: Shape, b: Shape) => boolean) => boolean;

function collidersOf(
  values: Values,
  { part, shape }: SceneObject,
  object: number,
  isRigid: boolean,
  remarks: Remark[],
): Shape[] {
  if (!part || !shape || !values.truth(part, 'contact')) return [];
  if (!isSolid(shape))
    throw partFailure(
      part,
      'bad-body',
      `\`${part.path}\` cannot touch others: a \`${classNameOf(part)}\` is only seen.`,
      {
        hint: 'Leave out `contact = true`, or use a solid shape.',
      },
    );
  const material = values.text(part, 'material');
  if (material === '' && !isRigid)
    throw partFailure(part, 'bad-body', `\`${part.path}\` touches others, but has no material.`, {
      hint: 'Give a `material`, which says how stiff it is, such as `material = "Steel"`.',
    });
  const modulus = material === '' ? Infinity : located(part, () => modulusOf(part, material));
  const { parts, excess } = located(part, () => convexParts(part.path, shape));
  if (!(excess <= WELL)) remarks.push(filled(part, excess));
  return parts.map((convex) => ({
    part,
    object,
    convex,
    reach: reachOf(convex),
    thickness: thicknessOf(convex),
    material,
    modulus,
  }));
}

function modulusOf(part: Part, material: string): number {
  const { youngsModulus, poissonsRatio } = solidMaterial(part.path, material);
  return youngsModulus / (1 - poissonsRatio ** 2);
}

/** Where contact is with more than there is. */
function filled(part: Part, excess: number): Remark {
  const by = Number.isNaN(excess) ? '' : `, by ${Math.round(100 * excess)} % of its volume`;
  return {
    severity: 'info',
    part,
    message: `\`${part.path}\` is not convex: what touches it touches convex parts that are larger${by}.`,
    hint: 'Holes and hollows are filled. Build it of several convex shapes where that matters.',
  };
}

/** Contact that can never be: the commonest reason why something falls through a table. */
const alone = (part: Part): Remark => ({
  severity: 'warning',
  part,
  message: `\`${part.path}\` has \`contact = true\`, but there is nothing that it could touch.`,
  hint: 'Others touch it only if their shapes have `contact = true` too. What is fixed in the same body, or in the world, stays as far apart as it is: a free one has `fixed = false`.',
});

/** A sensor of what can never be: all that it tells is zero. */
function apart(values: Values, part: Part): Remark {
  const [first, second] = ['object1', 'object2'].map((name) => values.text(part, name)) as [string, string];
  const who = second === '' ? `\`${first}\` and others` : `\`${first}\` and \`${second}\``;
  return {
    severity: 'warning',
    part,
    message: `\`${part.path}\`: ${who} cannot touch each other.`,
    hint: 'They are fixed in the same body, or in the world, or a joint joins them.',
  };
}

/** A law of materials that nothing that touches is made of. */
function idle(values: Values, part: Part, canMeet: CanMeet): Remark[] {
  const given = ['material1', 'material2'].map((name) => values.text(part, name));
  const [one, other] = given as [string, string];
  const isOf = (own: string, { material }: Shape): boolean => own === '' || own === material;
  if (canMeet((a, b) => isOf(one, a) && isOf(other, b))) return [];
  const materials = given.filter((name) => name !== '').map((name) => `\`${name}\``);
  const message = `\`${part.path}\` has no effect: nothing that touches anything else is made of ${materials.join(' and ')}.`;
  return [{ severity: 'info', part, message, hint: 'A law without materials is one of all.' }];
}

/** The object that one is fixed in in the end; what is fixed in the same one never moves past it. */
function bodyOf(objects: readonly SceneObject[], object: number): number {
  let body = object;
  for (let { fixed, parent } = objects[body]!; fixed && parent !== undefined; ) {
    body = parent;
    ({ fixed, parent } = objects[body]!);
  }
  return body;
}

interface Law {
  readonly part: Part;
  readonly touching: Touching;
}

/** The laws of a model, by `keyOf` their materials. */
type Laws = ReadonlyMap<string, Law>;

function lawsIn(values: Values, parts: readonly Part[]): Laws {
  const given = new Map<string, Law>();
  for (const part of parts) {
    const materials: [string, string] = [values.text(part, 'material1'), values.text(part, 'material2')];
    for (const name of materials) if (name !== '') located(part, () => solidMaterial(part.path, name));
    const key = keyOf(...materials);
    const other = given.get(key)?.part;
    if (other)
      throw partFailure(
        part,
        'duplicate-name',
        `\`${part.path}\` and \`${other.path}\` are laws of the same materials.`,
      );
    const touching = {
      restitution: values.share(part, 'restitution'),
      friction: values.amount(part, 'friction'),
      rolling: values.amount(part, 'rolling'),
      stiffness: values.positive(part, 'stiffness'),
    };
    given.set(key, { part, touching });
  }
  return given;
}

/**
 * Laws of the model come first: of two materials, then of one of them with any other, then of all. Where each of both has one with any other, it is the mean of these.
 * Rigid bodies resist rolling by none of the typical ones.
 */
function touchingIn(given: Laws, isRigid: boolean): ContactScene['touching'] {
  const lawOf = (first: string, second: string) => given.get(keyOf(first, second))?.touching;
  const typical = (first: string, second: string) => ({
    ...typicalTouching(first, second),
    ...(isRigid ? { rolling: 0 } : {}),
  });
  const single = (first: string, second: string): Touching | undefined => {
    // What has no material, as rigid bodies may, has no law of its own.
    const [one, other] = [first, second].map((name) => (name === '' ? undefined : lawOf(name, '')));
    return one && other ? meanOf(one, other) : (one ?? other);
  };
  return (first, second) =>
    lawOf(first, second) ?? single(first, second) ?? lawOf('', '') ?? typical(first, second);
}

const keyOf = (first: string, second: string): string => [first, second].sort().join();

/** The objects that `object1` and `object2` of a part name. Names stand for all that is fixed in an object. */
function betweenOf(
  values: Values,
  part: Part,
  objects: readonly SceneObject[],
  shapes: readonly { readonly object: number }[],
): Between {
  const isIn = (object: number, whole: number): boolean => {
    const { parent, fixed } = objects[object]!;
    return object === whole || (fixed && parent !== undefined && isIn(parent, whole));
  };
  const membersOf = (parameter: string) => {
    const whole = values.named(part, parameter);
    const members = shapes.flatMap(({ object }) => (isIn(object, whole) ? [object] : []));
    if (members.length > 0) return new Set(members);
    const message = `\`${withPath(part.path, parameter)}\` names \`${objects[whole]!.name}\`, which touches nothing: neither it nor what is fixed in it has \`contact = true\`.`;
    throw partFailure(part, 'bad-body', message, {
      hint: 'Give `contact = true` and a material to a shape, or name another object.',
    });
  };
  const first = membersOf('object1');
  const second = values.text(part, 'object2') === '' ? undefined : membersOf('object2');
  if (second && first.size === 1 && second.size === 1 && second.has([...first][0]!))
    throw partFailure(
      part,
      'bad-body',
      `\`${part.path}\` names the same object twice, which does not touch itself.`,
      {
        hint: 'Name two objects, or only `object1` for all that touches it.',
      },
    );
  const isBetween = (a: number, b: number) => first.has(a) && (!second || second.has(b));
  return (a, b) => (isBetween(a, b) ? 1 : isBetween(b, a) ? -1 : 0);
}

/** Bodies that a joint joins do not touch each other. Welds may open, and hold what touches; in the world is much that a joint has nothing to do with. */
function neighbours(
  objects: readonly SceneObject[],
  joints: readonly SceneJoint[],
): ContactScene['areNeighbours'] {
  const roots = [...objects.keys()];
  for (const [k, { fixed, parent }] of objects.entries())
    if (fixed && parent !== undefined && parent !== 0) roots[rootIn(roots, k)] = rootIn(roots, parent);
  const bodies = roots.map((_, k) => rootIn(roots, k));
  const pairs = new Set<string>();
  for (const { a, b, kind } of joints)
    if (kind !== 'Weld' && bodies[a] !== bodies[0] && bodies[b] !== bodies[0])
      pairs.add(`${bodies[a]},${bodies[b]}`).add(`${bodies[b]},${bodies[a]}`);
  if (pairs.size === 0) return () => false;
  return (a, b) => bodies[a] === bodies[b] || pairs.has(`${bodies[a]},${bodies[b]}`);
}
