/** Bodies as members of models that programs write. */
import { describe, expect, test } from 'vitest';
import * as bodies from '../../src/bodies.ts';
import {
  Beam,
  Box,
  type Constructor,
  type Declarations,
  ForceAndTorque,
  Object3D,
  Prismatic,
  Revolute,
  RevoluteWithFlange,
  Sensor,
  Sphere,
  SpringDamper,
  Weld,
  World,
} from '../../src/bodies.ts';
import {
  type AnyModel,
  array,
  Class,
  connect,
  Failure,
  instantiate,
  loadModel,
  Model,
  modelFromJson,
  modelica,
  modelToJson,
  quantity,
  simulate,
  toModelica,
} from '../../src/index.ts';
import { close } from '../models/notation.ts';

/** What the making of something is refused with. */
function refusal(make: () => unknown): string {
  try {
    make();
  } catch (problem) {
    if (!(problem instanceof Failure)) throw problem;
    const [{ code, message, hint, span } = {}] = problem.diagnostics;
    expect(span === undefined || span.source.name.endsWith('bodies.test.ts')).toBe(true);
    return `[${code}] ${message}${hint ? ` | ${hint}` : ''}`;
  }
  return 'nothing';
}

const world = World();

describe('members of a model', () => {
  test('name each other by value or by text', () => {
    const arm = Object3D();
    const hand = Box({ parent: arm, translation: [1, 0, 0], mass: 2 });
    const Arm = Model('Arm', { world, arm, hand, joint: Revolute({ obj1: 'world', obj2: arm }) });
    expect(toModelica(Arm)).toBe(`model Arm
  Mutabor.Bodies.World world;
  Mutabor.Bodies.Object3D arm;
  Mutabor.Bodies.Box hand(parent = "arm", translation = {1, 0, 0}, mass = 2);
  Mutabor.Bodies.Revolute joint(obj1 = "world", obj2 = "arm");
end Arm;
`);
  });

  test('that name each other may also be inherited or replaced, and be changed later', () => {
    const [a, b] = [Object3D(), Object3D()];
    const Spring = Model('Spring', { a, b, extends: SpringDamper({ obj1: a, obj2: b }), c: 5 });
    expect(toModelica(Spring)).toContain(
      'extends Mutabor.Bodies.SpringDamper(obj1 = "a", obj2 = "b", c = 5);',
    );
    expect(toModelica(Model('Same', { a, b, extends: SpringDamper(), obj1: a, obj2: b }))).toContain(
      'extends Mutabor.Bodies.SpringDamper(obj1 = "a", obj2 = "b");',
    );
    const later = Model({ a, b, s: Weld({ obj1: b }).with({ obj1: a, obj2: 'b' }) });
    expect(toModelica(later)).toContain('s(obj1 = "a", obj2 = "b")');
    expect(toModelica(later.with({ s: { obj1: 'b' } }))).toContain('extends Base(s(obj1 = "b"))');
  });

  test('cannot be named where it is not clear which one is meant', () => {
    const a = Object3D();
    const joint = Revolute({ obj1: a });
    expect(refusal(() => Model({ joint }))).toBe(
      "[unknown-name] `joint.obj1` is given something that is not a member of the model. | Make it a member as it is, or give its name as a text: `'arm.hand'`.",
    );
    expect(refusal(() => Model({ joint, x: a, y: a }))).toBe(
      '[duplicate-name] `joint.obj1` is given something that is a member by several names: x, y. | Give one of the names as a text.',
    );
    const many = array(a, 3);
    expect(refusal(() => Model({ many, joint: Revolute({ obj1: many }) }))).toBe(
      "[bad-binding] `joint.obj1` is given `many`, which is an array. | Give the name of an element as a text: `'many[1]'`.",
    );
    const unnamed =
      "[unknown-name] `obj1` is given a component instead of its name. | Only members of one `Model` can name each other in this way; elsewhere give a text: `'arm.hand'`.";
    expect(refusal(() => toModelica(joint))).toBe(unnamed);
    expect(refusal(() => modelToJson(joint))).toBe(unnamed);
    const Inside = Model({ joint: Revolute() });
    expect(refusal(() => toModelica(Model({ a, inside: Inside.with({ joint: { obj1: a } }) })))).toBe(
      unnamed,
    );
    expect(refusal(() => loadModel(Model({ a, joint: Revolute() }).with({ joint: { obj1: a } })))).toBe(
      unnamed,
    );
  });
});

describe('options', () => {
  test('are checked at once', () => {
    // @ts-expect-error: no such member
    expect(refusal(() => Box({ lenghtX: 1 }))).toBe(
      '[unknown-modifier] There is no `lenghtX` in `Mutabor.Bodies.Box`. | Did you mean `lengthX`?',
    );
    // @ts-expect-error: not a number
    expect(refusal(() => Box({ lengthX: 'long' }))).toBe(
      '[type-mismatch] `lengthX` is Real but is given String.',
    );
    // @ts-expect-error: not a list
    expect(refusal(() => Box({ translation: 1 }))).toBe(
      '[dimension-mismatch] `translation` has the size [3] but is given a scalar.',
    );
    expect(refusal(() => Box({ translation: [1, 2] }))).toBe(
      '[dimension-mismatch] `translation` has the size [3] but is given [2].',
    );
    // @ts-expect-error: not a number
    expect(refusal(() => Box({ mass: [1, 2] }))).toBe(
      '[dimension-mismatch] `mass` is a scalar but is given [2].',
    );
    expect(refusal(() => Box({ mass: Number.NaN }))).toMatch(
      /^\[bad-binding\] The value of `mass` is not a number/,
    );
    // @ts-expect-error: not an object
    expect(refusal(() => Box({ parent: 5 }))).toBe('[type-mismatch] `parent` is String but is given Real.');
    // @ts-expect-error: no such field of gravity
    expect(refusal(() => World({ gravity: 'pont' }))).toBe(
      "[type-mismatch] `gravity` cannot be the text 'pont'. | Did you mean `point`?",
    );
    expect(refusal(() => Box({ mass: quantity(1, 'm') }))).toBe(
      '[type-mismatch] A value in `m` cannot be given to `mass`, whose unit is `kg`.',
    );
    // @ts-expect-error: not an object with names
    expect(refusal(() => Box(5))).toMatch(/^\[bad-binding\] An object with names and values is needed here/);
    expect(refusal(() => Model({ box: Box() }).with({ box: { mass: quantity(1, 's') } }))).toBe(
      '[type-mismatch] A value in `s` cannot be given to `box.mass`, whose unit is `kg`.',
    );
  });

  test('are given to a call of the constructor', () => {
    expect(refusal(() => Model({ world: World as never }))).toBe(
      '[bad-binding] The value of `world` is a function. | Write `World()`.',
    );
    // @ts-expect-error: not an object
    expect(refusal(() => Box({ parent: World }))).toBe(
      '[bad-binding] The value of `parent` is a function. | Write `World()`.',
    );
  });

  test('have units', () => {
    const box = Box({ mass: quantity(5, 'g'), rotation: quantity([90, 0, 180], 'deg') });
    expect(toModelica(Model({ box }))).toContain(
      `box(mass = 0.005, rotation = {${Math.PI / 2}, 0, ${Math.PI}})`,
    );
  });

  test('may be expressions, literals of enumerations and attributes', () => {
    const M = Model({
      L: 2,
      space: World({ gravity: 'none' }),
      link: Beam({ length: modelica`L`, translation: modelica`{L/2, 0, 0}` }),
      joint: RevoluteWithFlange({ obj1: 'space', obj2: 'link', phi: { init: 0.5 }, w: { fixed: true } }),
      weld: Weld({ obj1: 'space', obj2: 'link', active: modelica`time > 1` }),
    });
    const text = toModelica(M);
    expect(text).toContain('space(gravity = Mutabor.Bodies.Gravity.none)');
    expect(text).toContain('link(length = L, translation = {L/2, 0, 0})');
    expect(text).toContain('phi(start = 0.5, fixed = true), w(fixed = true)');
    expect(text).toContain('active = time > 1');
  });

  test('of arrays of bodies are those of each, or lists of them', () => {
    const ball = Sphere({ translation: [0, 1, 0], mass: 1 });
    const Balls = Model({ ball: array(ball, 3) });
    expect(toModelica(Balls)).toContain('ball[3](each translation = {0, 1, 0}, each mass = 1)');
    const various = Balls.with({
      ball: {
        mass: [1, 2, 3],
        translation: [
          [0, 0, 0],
          [1, 1, 1],
          [2, 2, 2],
        ],
      },
    });
    expect(toModelica(various)).toContain(
      'ball(mass = {1, 2, 3}, translation = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}})',
    );
    expect(refusal(() => Balls.with({ ball: { translation: [1, 2] } }))).toBe(
      '[dimension-mismatch] `ball.translation` has the size [3] but is given [2].',
    );
  });
});

test.each(Object.entries(bodies))('%s declares what its class has', (name, exported) => {
  const make = exported as unknown as Constructor<Declarations>;
  const simulation = instantiate(Model({ world: World(), part: make() }));
  const variables = [...simulation.parameters(), ...simulation.variables()];
  const found = new Map(
    variables
      .filter((one) => one.name.startsWith('part.') && !one.name.includes('.', 5))
      .map(({ name, type, dims, unit, literals }) => {
        const sizes = dims.length > 0 ? `[${dims.join(', ')}]` : '';
        const what = literals
          ? `enumeration ${literals.join(' ')}`
          : `${type}${sizes}${unit ? ` ${unit}` : ''}`;
        return [name.slice('part.'.length), what];
      }),
  );
  expect(make.name).toBe(name);
  for (const [member, text] of Object.entries(make.members)) {
    if (text.startsWith('component')) continue;
    const expected = text
      .replace(/^result /, '')
      .replace(/^name$/, 'String')
      .replace(/^enumeration \S+/, 'enumeration');
    expect(`${member}: ${found.get(member)}`).toBe(`${member}: ${expected}`);
    found.delete(member);
  }
  // Others are what the built-in component adds.
  expect([...found.keys()].filter((own) => !['r', 'v', 'w', 'angles'].includes(own))).toEqual([]);
});

/** A value for what is declared, other than the default one. */
function valueFor(text: string): number | boolean | string | number[] | number[][] {
  const sizes = /\[(.*)\]/.exec(text)?.[1]?.split(', ').map(Number) ?? [];
  if (text.startsWith('enumeration')) return text.split(' ')[2]!;
  if (text === 'Boolean') return true;
  if (text === 'Integer') return 2;
  if (text === 'String' || text === 'name') return 'a "text"';
  const row = (n: number) => Array.from({ length: n }, (_, k) => k + 0.25);
  if (sizes.length === 2) return row(sizes[0]!).map((value) => row(sizes[1]!).map((other) => other + value));
  return sizes.length === 1 ? row(sizes[0]!) : 0.75;
}

test.each(Object.entries(bodies))('what is given to %s arrives, through JSON as well', (_, exported) => {
  const make = exported as unknown as Constructor<Declarations>;
  const known = instantiate(Model({ part: make() })).parameters();
  const names = known.map(({ name }) => name.slice('part.'.length)).filter((name) => name in make.members);
  const options = Object.fromEntries(names.map((name) => [name, valueFor(make.members[name]!)]));
  const model = Model({ part: make(options) });
  const same: AnyModel[] = [model, modelFromJson(modelToJson(model)), Model({ part: make().with(options) })];
  for (const one of same) {
    const simulation = instantiate(one);
    const found = names.map((name) => [name, simulation.parameter(`part.${name}`).value]);
    expect(Object.fromEntries(found)).toEqual(options);
  }
  expect(names.length).toBeGreaterThan(0);
});

describe('models with bodies', () => {
  const hinge = Object3D();
  const Driven = Model('Driven', {
    world,
    hinge,
    bar: Beam({ parent: hinge, translation: [0.5, 0, 0], width: 0.2, thickness: 0.2, material: 'Steel' }),
    joint: RevoluteWithFlange({ obj1: world, obj2: hinge, phi: { fixed: true }, w: { fixed: true } }),
    damper: Class('Mutabor.Rotational.Damper').with({ d: 100 }),
    fixed: Class('Mutabor.Rotational.Fixed'),
    connections: [connect('joint.flange', 'damper.flange_b'), connect('damper.flange_a', 'fixed.flange')],
  });

  test('move as those in Modelica do', async () => {
    const { table } = await simulate(loadModel(Driven), { stopTime: 3, tolerance: 1e-8, audit: true });
    // A steel bar with a damper, by another program.
    close(table.value('joint.phi', 3), -1.94653032);
    close(table.value('joint.w', 3), 1.28206426);
  });

  test('survive JSON', async () => {
    const [ball, space] = [
      array(Sphere({ translation: [0, 1, 0], mass: 1, fixed: false }), 2),
      World({ gravity: 'none' }),
    ];
    const model = Model('Several', { space, ball, driven: Driven });
    const text = modelToJson(model);
    const back = modelFromJson(text);
    expect(modelToJson(back)).toBe(text);
    expect(toModelica(back)).toBe(toModelica(model));
    expect(refusal(() => back.with({ ball: { mas: 3 } }))).toContain('Did you mean `mass`?');
    expect(refusal(() => modelFromJson(text.replace('"Real kg"', '"Unreal kg"')))).toBe(
      '[bad-binding] It is not known what `mass` of Mutabor.Bodies.Sphere is.',
    );
    const { status } = await simulate(loadModel(modelFromJson(modelToJson(Driven))));
    expect(status).toBe('done');
  });

  test('are simulated many times, with values whose names the compiler knows', async () => {
    const pendulum = instantiate(
      Model({
        world,
        ball: Sphere({ mass: 1 }),
        joint: Prismatic({ obj1: world, obj2: 'ball', axis: [0, 1, 0] }),
      }),
    );
    for (const v0 of [0, 3]) {
      const { table, statistics } = await pendulum.simulate({
        stopTime: 1,
        tolerance: 1e-9,
        merge: { joint: { v0 } },
      });
      close(table.value('joint.s', 1), v0 - 9.81 / 2);
      expect(statistics.translations).toBe(v0 === 0 ? 1 : 0);
    }
    // @ts-expect-error: no such member
    const { status } = await pendulum.simulate({ merge: { joint: { v1: 3 } } });
    expect(status).toBe('failed');
  });

  test('may have laws of forces of their own', async () => {
    const Law = Model('Law', {
      extends: ForceAndTorque(),
      k: 8,
      equations: modelica`f = k*r; t = zeros(3);`,
    });
    const Given = Model('Given', { extends: ForceAndTorque(), k: 8, f: modelica`k*r`, t: [0, 0, 0] });
    const ball = Sphere({ mass: 2, fixed: false, translation: [1, 0, 0] });
    for (const law of [Law, Given]) {
      const model = Model({
        world: World({ gravity: 'none' }),
        ball,
        law: law.with({ obj1: 'world', obj2: ball }),
        sensor: Sensor({ object: ball }),
      });
      const { table } = await simulate(loadModel(model), { stopTime: 1, tolerance: 1e-9, audit: true });
      close(table.value('sensor.r[1]', 1), Math.cos(2));
    }
  });
});
