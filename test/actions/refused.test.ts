/** What programs cannot do: a diagnostic says which command of which program, and the results so far are kept. */
import { describe, expect, test } from 'vitest';
import { type Command, Program } from '../../src/actions.ts';
import { Object3D, PrismaticWithFlange, World } from '../../src/bodies.ts';
import { failureOf } from '../../src/diagnostic/failure.ts';
import { locate } from '../../src/diagnostic/source.ts';
import { Class, connect, loadModel, Model, modelica, simulate } from '../../src/index.ts';
import { type Options, refusal, run } from './notation.ts';

const identity = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const puck = (x: number, v: number) =>
  Object3D({ fixed: false, mass: 1, inertia: identity, translation: [x, 0, 0], velocity: [v, 0, 0] });
const members = { cart: puck(1, 0), puck: puck(0, 0.5) };
const grips: Omit<Options, 'run'> = {
  parts: { puck: 'puck' },
  places: { cart: 'cart' },
  reach: 0.1,
  speed: 0.01,
};
const axes = { speed: [1, 1], acceleration: [1, 1] };

test('a robot that follows no program is told which of its inputs have no values', async () => {
  const robot = Model('Idle', {
    world: World({ direction: [0, 0, -1] }),
    robot: Class('Mutabor.Robots.YouBot').with({ opening: 0.05 }),
  });
  const { diagnostics, status } = await simulate(loadModel(robot), { stopTime: 1 });
  expect(status).toBe('failed');
  expect(diagnostics.map(({ message }) => message)).toEqual(['The input `robot.arm` is not connected.']);
});

describe('attaching', () => {
  test('needs that the part is in reach; results are kept until then', async () => {
    const { text, until } = await refusal(members, {
      ...grips,
      *run({ attach, wait }) {
        yield wait(1);
        yield attach('puck', 'cart');
      },
    });
    expect(text).toBe(
      "[action] `p`: Command 2, `attach('puck', 'cart')`, at time 1: `puck` is out of reach of `cart`: they are 0.5 m apart, and `reach` is 0.1 m. | Move the place to the part first, or give a larger `reach`.",
    );
    expect(until).toBe(1);
  });

  test('needs that both move alike', async () => {
    const { text } = await refusal(
      members,
      {
        ...grips,
        *run({ attach, wait }) {
          yield wait(2);
          yield attach('puck', 'cart', { turn: 2 });
        },
      },
      3,
    );
    expect(text).toBe(
      "[action] `p`: Command 2, `attach('puck', 'cart')`, at time 2: `puck` moves against `cart` with 0.5 m/s and 0 rad/s, but `speed` is 0.01 m/s and `turn` is 2 rad/s. | Wait until both are at rest, give a higher `speed`, or say `impact: true`: then the part is caught with an impulse.",
    );
  });

  test('needs a part that spins no faster than is said', async () => {
    const spinning = {
      ...members,
      puck: Object3D({
        fixed: false,
        mass: 1,
        inertia: identity,
        translation: [1, 0, 0],
        angularVelocity: [0, 0, 1],
      }),
    };
    const { text } = await refusal(spinning, {
      ...grips,
      *run({ attach }) {
        yield attach('puck', 'cart');
      },
    });
    expect(text).toContain('with 0 m/s and 1 rad/s, but `speed` is 0.01 m/s and `turn` is 0.1 rad/s');
  });

  test.each<[string, (p: Parameters<Options['run']>[0]) => readonly Command[], string]>([
    [
      'a part that there is not',
      (p) => [p.attach('pukc', 'cart')],
      "there is no part 'pukc'. | Did you mean `puck`?",
    ],
    [
      'a place that there is not',
      (p) => [p.handOver('puck', 'card')],
      "there is no place 'card'. | Did you mean `cart`?",
    ],
    [
      'a reach that is none',
      (p) => [p.attach('puck', 'cart', { reach: -1 })],
      '`reach` is -1, but must be above zero.',
    ],
    [
      'a speed that is none',
      (p) => [p.attach('puck', 'cart', { reach: 5, speed: Number.NaN })],
      '`speed` is NaN, but must be above zero.',
    ],
    [
      'a condition that there is not',
      (p) => [p.until('near')],
      "there is no condition 'near'. | Give the program `conditions`.",
    ],
    [
      'what is held already',
      (p) => [p.attach('puck', 'cart', loose), p.attach('puck', 'cart', loose)],
      '`cart` holds `puck` already.',
    ],
    ['a release of what is not held', (p) => [p.release('puck')], 'nothing holds `puck`.'],
    [
      'a release from where it is not held',
      (p) => [p.release('puck', 'cart')],
      '`cart` does not hold `puck`.',
    ],
    [
      'the removal of what is not known',
      (p) => [p.remove('puck')],
      "it is not known which object `puck` is. | Name the object that is free: `parts: { puck: { lock: '…', body: '…' } }`.",
    ],
    ['a negative time', (p) => [p.wait(-1)], '-1 is no time that can be waited.'],
    [
      'a text as a time',
      (p) => [p.wait('5' as unknown as number)],
      "the text '5' is no time that can be waited.",
    ],
    [
      'limits that there are not',
      (p) => [p.attach('puck', 'cart', { reech: 1 } as object)],
      '`attach` has no option `reech`. | Did you mean `reach`?',
    ],
    [
      'limits that are no numbers',
      (p) => [p.handOver('puck', 'cart', { speed: '1' as unknown as number })],
      "The option `speed` of `handOver` must be a number, not the text '1'.",
    ],
    ['no time at all', (p) => [p.wait(Number.NaN)], 'NaN is no time that can be waited.'],
    [
      'motion without axes',
      (p) => [p.move([1])],
      'the row has 1 number, but the program has 0 axes. | Give the program `axes`.',
    ],
  ])('refuses %s', async (_, commands, message) => {
    const { text } = await refusal(members, {
      ...grips,
      *run(p) {
        yield* commands(p);
      },
    });
    expect(text).toContain(message);
  });
});

const loose = { reach: 10, speed: 10, turn: 10 };

test('a part that was removed cannot be attached', async () => {
  const { text } = await refusal(members, {
    ...grips,
    parts: { puck: { lock: 'puck', body: 'puck' } },
    *run({ attach, remove }) {
      yield remove('puck');
      yield attach('puck', 'cart', loose);
    },
  });
  expect(text).toContain("`attach('puck', 'cart')`, at time 0: `puck` was removed.");
});

test.each([
  [
    'a place that was removed',
    function* ({ attach, remove }) {
      yield remove('cart');
      yield attach('puck', 'cart', loose);
    },
    "`attach('puck', 'cart')`, at time 0: `cart` was removed with `cart`.",
  ],
  [
    'a part to itself',
    function* ({ attach }) {
      yield attach('cart', 'cart', loose);
    },
    "`attach('cart', 'cart')`, at time 0: part and place are the same object, `cart`, which cannot hold itself.",
  ],
] as [string, Options['run'], string][])('nothing is attached: %s', async (_, run, expected) => {
  const removable = (name: string) => ({ lock: name, body: name });
  const parts = { puck: removable('puck'), cart: removable('cart') };
  const { text } = await refusal(members, { ...grips, parts, run });
  expect(text).toContain(expected);
});

test('messages name the objects that parts and places are, and where the program is declared', async () => {
  const { diagnostics } = await run(members, {
    ...grips,
    parts: { disc: 'puck' },
    places: { hand: 'cart' },
    *run({ attach }) {
      yield attach('disc', 'hand');
    },
  });
  const [first] = diagnostics;
  expect(first!.message).toContain('`disc` (`puck`) is out of reach of `hand` (`cart`): they are 1 m apart');
  expect(locate(first!.span!).source.text.slice(first!.span!.start, first!.span!.end)).toBe('p');
});

describe('a program that never waits', () => {
  test('is stopped', async () => {
    const { text, until } = await refusal(
      {},
      {
        axes,
        *run({ move, wait }) {
          yield wait(0.5);
          for (;;) yield move([0, 0]);
        },
      },
    );
    expect(text).toContain(
      '`move(…)`, at time 0.5: it is command 10001 at this instant: the program never waits.',
    );
    expect(text).toContain('Let it wait or move in every loop: `yield wait(0.1)`.');
    expect(until).toBe(0.5);
  });

  test('is stopped, though it changes what is held', async () => {
    const { text } = await refusal(members, {
      ...grips,
      *run({ attach, release }) {
        for (;;) {
          yield attach('puck', 'cart', { ...loose });
          yield release('puck');
        }
      },
    });
    expect(text).toContain('places take hold and let go again and again at this instant.');
  });

  test('is stopped, though it waits for times that are none', async () => {
    const { text, until } = await refusal(
      {},
      {
        *run({ wait }) {
          for (let time = 1; ; time /= 2) yield wait(time);
        },
      },
      3,
    );
    expect(text).toContain('at time 2: it is command 10001 at this instant: the program never waits.');
    expect(until).toBe(2);
  });

  test('is stopped, though its time goes on by little', async () => {
    const { text } = await refusal(
      {},
      {
        *run({ wait }) {
          for (;;) yield wait(1e-9);
        },
      },
    );
    expect(text).toContain(', such as those of `p`: at this pace');
  });

  test.each<[string, (p: Parameters<Options['run']>[0]) => unknown, string]>([
    ['makes commands', ({ wait }) => wait(1), '`p`: The program makes commands such as `wait(1)` again'],
    ['asks for the time', (p) => p.now(), '`p`: The program asks for the time again and again'],
  ])('is stopped, though it only %s', async (_, ask, message) => {
    const { text, until } = await refusal(
      {},
      {
        *run(p) {
          yield p.wait(0.5);
          for (;;) ask(p);
        },
      },
    );
    expect(text).toContain(`${message}`);
    expect(text).toContain('but yields nothing. | Yield what takes time in every loop: `yield wait(0.1)`.');
    expect(until).toBe(0.5);
  });

  test('is stopped, though it waits for what is there', async () => {
    const { text } = await refusal(
      {},
      {
        conditions: { always: modelica`time >= 0` },
        *run({ until }) {
          for (;;) yield until('always');
        },
      },
    );
    expect(text).toContain('the program never waits');
  });
});

test.each<[string, readonly (readonly number[])[], string]>([
  ['too few numbers', [[0, 1], [1]], 'row 2 has 1 number, but the program has 2 axes.'],
  ['too many numbers', [[0, 1, 2]], 'the row has 3 numbers, but the program has 2 axes.'],
  ['what is no number', [[0, Number.NaN]], 'number 2 of the row is NaN.'],
  ['no lists', [1 as unknown as number[]], 'the row has no numbers, but the program has 2 axes.'],
])('a row with %s is refused', async (_, rows, message) => {
  const { text } = await refusal(
    {},
    {
      axes,
      *run({ move }) {
        yield move(...rows);
      },
    },
  );
  expect(text).toContain(message);
});

test('what is yielded must be a command', async () => {
  const { text } = await refusal(
    {},
    {
      *run() {
        yield 5 as unknown as Command;
      },
    },
  );
  expect(text).toContain('`p`: The program yields 5, which is no command.');
});

test('what a program throws is told with its name, and where it was thrown', async () => {
  const { text } = await refusal(
    {},
    {
      *run({ wait }) {
        yield wait(1);
        throw new Error('the belt is empty');
      },
    },
  );
  expect(text).toBe('[action] `p`: The program failed at time 1: the belt is empty.');
  const { diagnostics } = await run(
    {},
    {
      // biome-ignore lint/correctness/useYield: it does not come so far
      *run() {
        throw new Error('the belt is empty');
      },
    },
  );
  expect(diagnostics[0]!.notes.map(({ message }) => message).join()).toContain('refused.test.ts');
});

test.each<[string, unknown]>([
  ['plain', () => undefined],
  ['asynchronous', async () => undefined],
  ['an asynchronous generator', async function* () {}],
])('a function that is %s is no program', async (_, steps) => {
  const { diagnostics } = await run({}, { run: steps as Options['run'] });
  expect(diagnostics.map(({ message }) => message)).toEqual(['`p`: The program is no generator.']);
});

test('a command that does not exist is told with the nearest one', async () => {
  const { text } = await refusal(
    {},
    {
      *run(robot) {
        yield (robot as unknown as { wiat: (duration: number) => Command }).wiat(1);
      },
    },
  );
  expect(text).toBe('[action] `p`: There is no command `wiat`. | Did you mean `wait`?');
});

test('the time is asked for where it is wanted', async () => {
  const { text } = await refusal(
    {},
    {
      *run(robot) {
        yield robot.wait((robot as unknown as { time: number }).time);
      },
    },
  );
  expect(text).toBe('[action] `p`: There is no command `time`. | `now()` gives the present time.');
});

test('two programs that move the same joint are told by their names, and at no place in the code of the package', async () => {
  const drive = (name: string) =>
    Class('Mutabor.Translational.Position').with({ s_ref: modelica`${name}.position[1]` });
  const follow = { axes: { speed: [1], acceleration: [1] }, *run() {} };
  const { status, diagnostics } = await run(
    {
      cart: puck(0, 0).with({ fixed: true }),
      joint: PrismaticWithFlange({ obj1: 'world', obj2: 'cart' }),
      first: drive('p'),
      second: drive('q'),
      q: Program('Other', follow),
      connections: ['first', 'second'].map((name) => connect(`${name}.flange`, 'joint.flange')),
    },
    follow,
  );
  expect(status).toBe('failed');
  const { code, message, notes = [] } = diagnostics[0]!;
  expect(code).toBe('structurally-singular');
  expect(message).toContain('nothing determines all of first.flange.f, second.flange.f');
  const tooMany = notes.filter((note) => note.message.startsWith('too many equations'));
  expect(tooMany.map((note) => note.message.slice(-6)).sort()).toEqual(['(in p)', '(in q)']);
  for (const { span } of [diagnostics[0]!, ...tooMany]) expect(locate(span!).source.name).toBe('Program');
});

describe('a command without `yield`', () => {
  test('is told at the end of the program', async () => {
    const { diagnostics, status } = await run(members, {
      ...grips,
      *run({ attach, wait }) {
        const later = wait(0.5);
        attach('puck', 'cart');
        yield later;
      },
    });
    expect(status).toBe('done');
    expect(diagnostics.map(({ severity, message, hint }) => [severity, message, hint])).toEqual([
      [
        'warning',
        "`p`: The program makes the command `attach('puck', 'cart')`, but does not yield it: it is not carried out.",
        "Write `yield attach('puck', 'cart');`.",
      ],
    ]);
  });

  test('is refused where the program returns it', async () => {
    const { text } = await refusal(
      {},
      {
        // biome-ignore lint/correctness/useYield: that is what is wrong
        *run({ wait }) {
          return wait(1) as never;
        },
      },
    );
    expect(text).toContain('The program returns `wait(1)`, which is not carried out.');
  });
});

test('names of objects that there are not are found when the run begins', async () => {
  const { diagnostics } = await run(members, { ...grips, parts: { puck: 'pukc' }, *run() {} });
  expect(diagnostics[0]!.code).toBe('unknown-name');
  expect(diagnostics[0]!.hint).toBe('Did you mean "puck"?');
});

describe('Program itself refuses', () => {
  const steps = function* () {} as unknown as Options['run'];
  const told = (options: object) =>
    failureOf(() => Program('P', { run: steps, ...options } as Options))?.diagnostics.map(
      ({ message, hint }) => (hint ? `${message} | ${hint}` : message),
    );

  test.each<[string, object, string]>([
    ['options that there are not', { axis: axes }, '`Program` has no option `axis`. | Did you mean `axes`?'],
    [
      'parts without limits',
      { parts: { a: 'a' }, places: { b: 'b' } },
      'Where parts are attached, `reach` (in m) and `speed` (in m/s) are needed, above zero.',
    ],
    [
      'a negative reach',
      { ...grips, reach: -1 },
      'Where parts are attached, `reach` (in m) and `speed` (in m/s) are needed, above zero.',
    ],
    ['a negative turn', { ...grips, turn: -1 }, '`turn` (in rad/s) must be above zero.'],
    [
      'axes of different numbers',
      { axes: { speed: [1, 2], acceleration: [1] } },
      '`speed`, `acceleration` and `start` of `axes` have different numbers of axes.',
    ],
    [
      'axes that cannot move',
      { axes: { speed: [1, 0], acceleration: [1, 1] } },
      '`speed` and `acceleration` of `axes` must be above zero.',
    ],
    [
      'an axis without a limit',
      { axes: { speed: [1, Infinity], acceleration: [1, 1] } },
      'Number 2 of `speed` of `axes` is Infinity.',
    ],
    [
      'a number that is no list',
      { axes: { speed: 1, acceleration: [1] } },
      '`speed` of `axes` must be a list of numbers, not 1.',
    ],
    [
      'axes with another word',
      { axes: { ...axes, position: [0, 0] } },
      '`axes` has no `position`: it has `speed`, `acceleration` and, if wanted, `start`.',
    ],
    [
      'axes without acceleration',
      { axes: { speed: [1] } },
      '`axes` needs `speed` and `acceleration`, with a number for each axis.',
    ],
    [
      'names that are none',
      { ...grips, places: { 'my hand': 'cart' } },
      '`my hand` cannot be a name: use letters, digits and _.',
    ],
    [
      'names that give two variables of one name',
      { ...grips, parts: { a: 'puck', a_b: 'puck' }, places: { b_c: 'cart', c: 'cart' } },
      'The program would have two variables `a_b_c`, `a_b_c_gap`: give its parts, places and conditions other names.',
    ],
    [
      'conditions with names of its own variables',
      { ...grips, conditions: ['reach'] },
      'The program would have two variables `reach`: give its parts, places and conditions other names.',
    ],
    [
      'places that are no names',
      { ...grips, places: { hand: 5 } },
      'The place `hand` must be the name of an object, not 5.',
    ],
    [
      'parts that are no names',
      { ...grips, parts: { puck: { lock: 'x', body: 4 } } },
      'The part `puck` must be the name of an object, or `{ lock, body }`.',
    ],
    ['a program that is none', { run: 5 }, 'The option `run` of `Program` must be a function, not 5.'],
  ])('%s', (_, options, message) => {
    expect(told(options)).toEqual([message]);
  });

  test('a missing program', () => {
    expect(failureOf(() => Program('P', {} as Options))!.diagnostics[0]!.message).toBe(
      '`Program` needs `run`, the program.',
    );
  });
});

test('a motion through no rows takes no time, and is spoken of', async () => {
  const { diagnostics, status } = await run(
    {},
    {
      axes,
      *run({ move, wait }) {
        yield move(...([] as number[][]));
        yield wait(1);
      },
    },
  );
  expect(status).toBe('done');
  expect(diagnostics.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    'warning: `p`: Command 1, `move()`, at time 0: it has no rows, so nothing moves.',
  ]);
});

test('limits of axes that are changed to zero are refused', async () => {
  const P = Program('P', {
    axes,
    *run({ move }) {
      yield move([1, 1]);
    },
  }).with({ maxSpeed: [1, 0] });
  const { diagnostics } = await simulate(loadModel(Model('Test', { world: World(), p: P })), { stopTime: 1 });
  expect(diagnostics[0]!.message).toContain('`p`: `maxSpeed[2]` is 0.');
});
