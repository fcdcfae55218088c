/**
 * `mutabor/actions`: programs that move robots and change what holds what. A program is a generator that yields commands; it becomes a component of a model:
 *
 *     const program = Program('Lift', {
 *       axes: { speed: [1, 1], acceleration: [2, 2] },
 *       parts: { ball: 'ball' },
 *       places: { hand: 'robot.hand' },
 *       reach: 0.01,
 *       speed: 0.001,
 *       *run({ move, attach, release, wait }) {
 *         yield move([0.5, 0.2], [0.5, 0.1]);
 *         yield attach('ball', 'hand');
 *         yield move([0, 1]);
 *         yield release('ball');
 *       },
 *     });
 *     const Cell = Model('Cell', { program, … });
 */
import { type Actions, type Limits, limitKinds } from './actions/commands.ts';
import { programComponent } from './actions/component.ts';
import { gapOf, type Plan, removalOf, type Steps, weldOf } from './actions/plan.ts';
import { Model, type ModelValue, output, Par, Var } from './api/model.ts';
import { modelica, type Template, templateOf } from './api/template.ts';
import { Removal, Sensor, Weld } from './bodies.ts';
import { error } from './diagnostic/diagnostic.ts';
import { Failure } from './diagnostic/failure.ts';
import { kind, type OptionKinds, requireArgument, requireOptions, shown } from './diagnostic/options.ts';

export type { Actions, Command, Limits } from './actions/commands.ts';
export type { Steps } from './actions/plan.ts';

/** What a program moves: highest speeds and accelerations of the axes, and where they are at the start (zero where it is not given). */
export interface Axes {
  readonly speed: readonly number[];
  readonly acceleration: readonly number[];
  readonly start?: readonly number[];
}

/** The object at which a part is held; `body` is the free object that it belongs to, which `remove` takes away. */
export type PartNames = string | { readonly lock: string; readonly body: string };

export interface ProgramOptions<
  Part extends string = string,
  Place extends string = string,
  Condition extends string = string,
> extends Limits {
  readonly axes?: Axes;
  /** Names of objects that can be held, as the program calls them. */
  readonly parts?: Readonly<Record<Part, PartNames>>;
  /** Names of objects that can hold them. */
  readonly places?: Readonly<Record<Place, string>>;
  /** Boolean expressions of the model around, for which the program can wait; or names of inputs that get them there. */
  readonly conditions?: Readonly<Record<Condition, Template>> | readonly Condition[];
  /** The program. Told the same it must do the same. */
  readonly run: (actions: Actions<Part, Place, Condition>) => Steps;
}

const kinds: OptionKinds<ProgramOptions> = {
  axes: kind.object,
  parts: kind.object,
  places: kind.object,
  conditions: {
    is: (value) => kind.list.is(value) || kind.object.is(value),
    what: 'an object with expressions by name, or a list of names',
  },
  ...limitKinds,
  run: kind.function,
};

/**
 * A component that carries out a program. It has the reference positions and speeds of the axes, `position` and `velocity`, and a `Weld` for each part and place
 * (`ball_hand`), which is active while the place holds the part.
 */
export function Program<Part extends string, Place extends string, Condition extends string>(
  name: string,
  options: ProgramOptions<Part, Place, Condition>,
): ModelValue {
  requireArgument(name, kind.text, 'The name', 'Program', "Write `Program('Name', { … })`.");
  requireOptions(options, kinds, 'Program');
  if (!options.run) throw Failure.of('flatten', 'bad-option', '`Program` needs `run`, the program.');
  const parts = Object.entries<PartNames>(options.parts ?? {}).map(([part, names]) => ({
    name: part,
    ...(typeof names === 'string' ? { lock: names, body: undefined } : names),
  }));
  const places = Object.entries<string>(options.places ?? {});
  const { conditions = [] } = options;
  const [waited, given] = Array.isArray(conditions)
    ? [conditions as readonly string[], {}]
    : [Object.keys(conditions), conditions as Record<string, Template>];
  check(options, parts, places, waited);
  const axes = options.axes?.speed.length ?? 0;
  const removable = parts.filter(({ body }) => body !== undefined);
  const plan: Plan = {
    axes,
    parts: parts.map((part) => part.name),
    removable: removable.map((part) => part.name),
    places: places.map(([place]) => place),
    objects: { parts: parts.map(({ lock }) => lock), places: places.map(([, object]) => object) },
    owners: places.map(([, object]) =>
      removable.findIndex(({ lock, body }) => lock === object || body === object),
    ),
    conditions: waited,
    run: options.run as Plan['run'],
  };
  const model = Model(name, {
    info: 'Program',
    builtIn: programComponent(name, plan),
    ...axesOf(options.axes),
    ...gripsOf(options, parts, places),
    ...removalsOf(removable),
    ...Object.fromEntries(waited.map((condition) => [condition, Var({ type: 'Boolean', input: true })])),
  }) as ModelValue;
  return Object.keys(given).length > 0 ? model.with(given) : model;
}

interface NamedPart {
  readonly name: string;
  readonly lock: string;
  readonly body: string | undefined;
}

const hidden = { discrete: true, protected: true, hideResult: true } as const;

function axesOf(axes: Axes | undefined) {
  if (!axes) return {};
  const size = axes.speed.length;
  return {
    maxSpeed: Par({ value: axes.speed, info: 'Highest speeds of the axes' }),
    maxAcceleration: Par({ value: axes.acceleration, info: 'Highest accelerations of the axes' }),
    start: Par({ value: axes.start ?? axes.speed.map(() => 0), info: 'Reference positions at the start' }),
    position: Var(output, { size, info: 'Reference positions of the axes' }),
    velocity: Var(output, { size, info: 'Their derivatives' }),
    since: Var(hidden, { info: 'Begin or end of the parabola that the axes are on' }),
    base: Var(hidden, { size, info: 'Positions there' }),
    rate: Var(hidden, { size, info: 'Velocities there' }),
    bend: Var(hidden, { size, info: 'Accelerations' }),
    // No place in the code of this package: what is wrong in the model around is told with this text.
    equations: templateOf(
      `position = base + (time - since)*(rate + (time - since)/2*bend);
      velocity = rate + (time - since)*bend;`,
      'Program',
    ),
  };
}

/** Of each part and place a weld, and what is measured between them. */
function gripsOf(
  limits: Limits,
  parts: readonly NamedPart[],
  places: readonly (readonly [string, string])[],
) {
  const pairs = parts.flatMap(({ name, lock }) =>
    places.map(([place, object]) => ({ name, lock, place, object })),
  );
  if (pairs.length === 0) return {};
  const { reach = 0, speed = 0, turn = speed / reach, impact = false } = limits;
  return {
    reach: Par({ value: reach, unit: 'm', info: 'Largest distance at which parts are attached' }),
    speed: Par({ value: speed, unit: 'm/s', info: 'Largest relative speed' }),
    turn: Par({ value: turn, unit: 'rad/s', info: 'Largest relative angular speed' }),
    impact: Par({ value: impact, info: 'Whether what is faster is caught with an impulse' }),
    holds: Var(output, { size: pairs.length, unit: '1', info: '1 where a place holds a part' }),
    ...Object.fromEntries(
      pairs.flatMap(({ name, lock, place, object }, k) => [
        // What is a part and a place holds others, but not itself.
        ...(lock === object
          ? []
          : [
              [
                weldOf(name, place),
                Weld({ obj1: object, obj2: lock, active: modelica`holds[${k + 1}] > 0.5` }),
              ],
            ]),
        [gapOf(name, place), Sensor({ object: lock, origin: object })],
      ]),
    ),
  };
}

function removalsOf(parts: readonly NamedPart[]) {
  if (parts.length === 0) return {};
  return {
    removed: Var(output, { size: parts.length, unit: '1', info: '1 where a part was removed' }),
    ...Object.fromEntries(
      parts.map(({ name, body }, k) => [
        removalOf(name),
        Removal({ object: body!, active: modelica`removed[${k + 1}] > 0.5` }),
      ]),
    ),
  };
}

/** Names of variables that programs have. */
const own = [
  ...['maxSpeed', 'maxAcceleration', 'start', 'position', 'velocity', 'since', 'base', 'rate', 'bend'],
  ...['reach', 'speed', 'turn', 'impact', 'holds', 'removed'],
];

/** What is wrong with axes. */
function faultsOf(axes: Axes): string[] {
  const known = ['speed', 'acceleration', 'start'];
  const faults = Object.entries<unknown>({ ...axes }).flatMap(([name, list]) => {
    if (!known.includes(name))
      return [`\`axes\` has no \`${name}\`: it has \`speed\`, \`acceleration\` and, if wanted, \`start\`.`];
    if (list === undefined) return [];
    if (!Array.isArray(list))
      return [`\`${name}\` of \`axes\` must be a list of numbers, not ${shown(list)}.`];
    const wrong = list.findIndex((item) => !Number.isFinite(item));
    return wrong < 0 ? [] : [`Number ${wrong + 1} of \`${name}\` of \`axes\` is ${shown(list[wrong])}.`];
  });
  if (faults.length > 0) return faults;
  const { speed, acceleration, start = speed } = axes;
  if (!speed?.length || !acceleration)
    return ['`axes` needs `speed` and `acceleration`, with a number for each axis.'];
  if ([acceleration, start].some((list) => list.length !== speed.length))
    return ['`speed`, `acceleration` and `start` of `axes` have different numbers of axes.'];
  return [...speed, ...acceleration].every((value) => value > 0)
    ? []
    : ['`speed` and `acceleration` of `axes` must be above zero.'];
}

/** What the kinds of options do not say. */
function check(
  { axes, reach, speed, turn }: ProgramOptions,
  parts: readonly NamedPart[],
  places: readonly (readonly [string, string])[],
  conditions: readonly string[],
): void {
  const wrong: string[] = [];
  if (axes) wrong.push(...faultsOf(axes));
  for (const { name, lock, body } of parts)
    if (typeof lock !== 'string' || (body !== undefined && typeof body !== 'string'))
      wrong.push(`The part \`${name}\` must be the name of an object, or \`{ lock, body }\`.`);
  for (const [place, object] of places)
    if (typeof object !== 'string')
      wrong.push(`The place \`${place}\` must be the name of an object, not ${shown(object)}.`);
  if (parts.length > 0 && places.length > 0) {
    const isPositive = (value: number | undefined) => value !== undefined && value > 0;
    if (!isPositive(reach) || !isPositive(speed))
      wrong.push('Where parts are attached, `reach` (in m) and `speed` (in m/s) are needed, above zero.');
    if (turn !== undefined && !(turn > 0)) wrong.push('`turn` (in rad/s) must be above zero.');
  }
  const names = [...parts.map(({ name }) => name), ...places.map(([place]) => place), ...conditions];
  for (const one of names)
    if (!/^[A-Za-z_]\w*$/.test(one)) wrong.push(`\`${one}\` cannot be a name: use letters, digits and _.`);
  const pairs = parts.flatMap(({ name }) => places.map(([place]) => [name, place] as const));
  const variables = [
    ...own,
    ...conditions,
    ...pairs.flatMap((pair) => [weldOf(...pair), gapOf(...pair)]),
    ...parts.map(({ name }) => removalOf(name)),
  ];
  const twice = [...new Set(variables.filter((one, k) => variables.indexOf(one) < k))];
  if (twice.length > 0)
    wrong.push(
      `The program would have two variables ${twice.map((one) => `\`${one}\``).join(', ')}: give its parts, places and conditions other names.`,
    );
  if (wrong.length > 0)
    throw new Failure(
      'flatten',
      wrong.map((message) => error('bad-option', message)),
    );
}
