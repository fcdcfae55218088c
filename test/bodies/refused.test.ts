/** Models with bodies that cannot be: what is said, and where. */
import { describe, expect, test } from 'vitest';
import { telling } from './told.ts';

/** The first mistake of a model of these elements. */
async function refusal(elements: readonly string[]) {
  const { result, told } = await telling(elements);
  expect(result.status).toBe('failed');
  return told.find(({ severity }) => severity === 'error')!;
}

const hinge = 'Revolute joint(obj1 = "world", obj2 = "body");';

/** Elements after a world, the one with the mistake last. */
const mistakes: readonly [
  title: string,
  elements: readonly string[],
  code: string,
  message: RegExp,
  hint?: RegExp,
][] = [
  [
    'a parent that is misspelt',
    ['Object3D hinge;', 'Box body(parent = "hing", mass = 1);'],
    'unknown-name',
    /^`body.parent` is "hing", but there is no such object\.$/,
    /Did you mean "hinge"\?/,
  ],
  [
    'an object that nothing is like',
    ['WorldForce push(object = "elephant", f = {0, 0, 0});'],
    'unknown-name',
    /^`push.object` is "elephant"/,
    /There is: world/,
  ],
  [
    'a joint without its second object',
    ['Revolute joint(obj1 = "world");'],
    'unknown-name',
    /^`joint.obj2` names no object\.$/,
  ],
  [
    'a joint of another name',
    ['Box body(mass = 1);', hinge, 'ReactionSensor sensor(joint = "jiont");'],
    'unknown-name',
    /^`sensor.joint` is "jiont", but there is no such joint\.$/,
    /Did you mean "joint"\?/,
  ],
  [
    'an object that nothing carries',
    ['Box body(mass = 1);'],
    'bad-body',
    /^Nothing carries `body`/,
    /`parent = "world"`.*`fixed = false`/,
  ],
  [
    'parents in a ring',
    ['Object3D a(parent = "b");', 'Object3D b(parent = "a");'],
    'bad-body',
    /placed in itself/,
  ],
  [
    'a second parent',
    ['Box body(parent = "world", mass = 1);', hinge],
    'bad-body',
    /^The joint `joint` cannot move: `world` and `body` are fixed in each other\.$/,
    /leave out `parent` of `body`/,
  ],
  [
    'a joint to the object itself',
    ['Revolute joint(obj1 = "world", obj2 = "world");'],
    'bad-body',
    /to itself/,
  ],
  ['a second world', ['World again;'], 'duplicate-name', /^`again` is a second world/, /`world`/],
  [
    'a joint that moves no mass',
    ['Object3D body;', 'Revolute joint(obj1 = "world", obj2 = "body");'],
    'bad-body',
    /^Nothing resists the motion of the joint `joint`/,
    /mass/,
  ],
  [
    'a mass on the axis of its joint',
    ['Object3D body;', 'Object3D point(parent = "body", translation = {0, 0, 1}, mass = 1);', hinge],
    'bad-body',
    /^Nothing resists the motion of the joint `joint`/,
  ],
  [
    'a point that is free',
    ['Object3D point(fixed = false, mass = 1);'],
    'bad-body',
    /^Nothing resists the free motion of the body `point`/,
  ],
  [
    'an axis of length zero',
    ['Box body(mass = 1);', 'Revolute joint(obj1 = "world", obj2 = "body", axis = {0, 0, 0});'],
    'bad-body',
    /^`joint.axis` is zero/,
  ],
  [
    'axes that are parallel',
    ['Box body(mass = 1);', 'Universal joint(obj1 = "world", obj2 = "body", axis2 = {2, 0, 0});'],
    'bad-body',
    /axes of `joint` are parallel/,
  ],
  [
    'a diameter of zero',
    ['Sphere ball(fixed = false, diameter = 0, mass = 1);'],
    'bad-body',
    /^`ball`: diameter of the sphere is 0/,
  ],
  [
    'a tube that is wider inside',
    ['Cylinder tube(fixed = false, innerDiameter = 2, mass = 1);'],
    'bad-body',
    /^`tube`: innerDiameter of the cylinder is 2/,
  ],
  [
    'an inertia that is not symmetric',
    ['Object3D body(fixed = false, mass = 1, inertia = [1, 0.1, 0; 0, 1, 0; 0, 0, 1]);'],
    'bad-body',
    /^`body.inertia` is not symmetric/,
  ],
  [
    'an inertia that no body has',
    ['Object3D body(fixed = false, mass = 1, inertia = diagonal({1, 1, 3}));'],
    'bad-body',
    /^`body`: no body has this inertia/,
  ],
  [
    'a material that there is not',
    ['Box body(fixed = false, material = "Stel");'],
    'unknown-name',
    /^`body`: there is no solid material `Stel`/,
    /`Steel`/,
  ],
  [
    'a colour that there is not',
    ['Box body(fixed = false, mass = 1, color = "bleu");'],
    'unknown-name',
    /^`body`: there is no colour `bleu`/,
    /`blue`/,
  ],
  [
    'a place that is no number',
    ['parameter Real p = -1;', 'Box body(fixed = false, mass = 1, translation = {sqrt(p), 0, 0});'],
    'bad-body',
    /^`body.translation` is NaN/,
  ],
  ...(
    [
      ['translation', 'translation = {0, 0, 1}'],
      ['rotation', 'rotation = {0, 0, 0.5}'],
      ['velocity', 'velocity = {1, 0, 0}'],
      ['angularVelocity', 'angularVelocity = {0, 0, 2}'],
      ['parent', 'parent = "other"'],
    ] as const
  ).map(([name, given]): (typeof mistakes)[number] => [
    `${name} of what a joint moves`,
    [
      'Object3D other(parent = "world");',
      'Prismatic slide(obj1 = "world", obj2 = "body");',
      `Box body(fixed = false, mass = 1, ${given});`,
    ],
    'bad-body',
    new RegExp(`^\`body\\.${name}\` has no meaning: the joint \`slide\` moves \`body\``),
    /Give start values to `slide`/,
  ]),
  [
    'a mesh without a file',
    ['Mesh body(fixed = false, density = 1, file = "");'],
    'bad-body',
    /^`body.file` names no file\.$/,
    /OBJ or STL/,
  ],
  [
    'a mass of what is only seen',
    ['GearWheel gear(fixed = false, mass = 2);'],
    'bad-body',
    /^`gear.mass` has no meaning: a `GearWheel` is only seen/,
  ],
  [
    'a density of what is only seen',
    ['CoilSpring coil(parent = "world", density = 1000);'],
    'bad-body',
    /^`coil.density` has no meaning: a `CoilSpring` is only seen/,
  ],
  [
    'a wheel that lies flat',
    [
      'Cylinder disc(fixed = false, axis = 3, mass = 1, diameter = 1, length = 0.1);',
      'Rolling rolling(obj1 = "world", obj2 = "disc", radius = 0.5, axis = {0, 0, 1});',
    ],
    'impossible-change',
    /^The wheel of `rolling` lies flat on its plane/,
  ],
  [
    'a wheel without a radius',
    ['Sphere ball(fixed = false, mass = 1);', 'Rolling rolling(obj1 = "world", obj2 = "ball", radius = 0);'],
    'bad-body',
    /^`rolling.radius` is 0/,
  ],
];

describe('refused, at the line where it is', () => {
  test.each(mistakes)('%s', async (_, elements, code, message, hint) => {
    const found = await refusal(['World world;', ...elements]);
    expect(found.code).toBe(code);
    expect(found.message).toMatch(message);
    if (hint) expect(found.hint).toMatch(hint);
    // Rings are told where they begin.
    expect(elements).toContain(found.line);
    if (!/ring/.test(found.message)) expect(found.line).toBe(elements.at(-1));
  });

  test.each([
    ['lengthX', 'Box body(fixed = false, lengthX = -1, mass = 1);'],
    ['mass', 'Box body(fixed = false, mass = -1);'],
    ['axis', 'Cylinder body(fixed = false, axis = 4, mass = 1);'],
    ['transparency', 'Box body(fixed = false, mass = 1, transparency = 2);'],
    ['mass', 'Object3D body(fixed = false, mass = -1, inertia = identity(3));'],
    ['diameter', 'Sphere body(fixed = false, mass = 1, diameter = -1);'],
    ['density', 'Box body(fixed = false, density = -1);'],
  ])('%s out of its bounds', async (name, element) => {
    const { code, message, line } = await refusal(['World world;', element]);
    expect(code).toBe('out-of-bounds');
    expect(message).toContain(`body.${name} is `);
    expect(line).toBe(element);
  });

  test('bodies without a world', async () => {
    const { message, hint } = await refusal(['Box body(fixed = false, mass = 1);']);
    expect(message).toMatch(/no world/);
    expect(hint).toMatch(/World world/);
  });
});
