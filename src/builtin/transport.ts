/**
 * The operator `spatialDistribution` (Modelica 3.6, section 3.7.4.2): a quantity z that moves along 0 <= xi <= 1, by as much as x changes. It gives what stands at
 * the two ends inside, z(0) and z(1); that the end where something enters shows what enters is said by equations (`flat/expressions/transport.ts`).
 *
 * The quantity is a `Profile` over the coordinate s = xi - (x - origin), which moves with it, so it keeps its shape exactly. What enters in a step is added
 * when the step was taken. What enters with a jump is a layer of its own; when it reaches the other end, there is an event. A step moves by less than the
 * length, so that it reads what is known.
 */
import { Failure } from '../diagnostic/failure.ts';
import { degree, interpolated, nodes, probes } from './chebyshev.ts';
import type { Ahead, BuiltIn, ComponentEvent, Instance } from './component.ts';
import { Profile, type SavedProfile, type Side } from './profile.ts';

interface Memory {
  readonly instance: Instance;
  profile: Profile;
  /** Undefined until initial values are known: nothing has moved. */
  origin: number | undefined;
  /** Until when the motion is known, and x then. */
  time: number;
  x: number;
  /** How fast x changed last. */
  speed: number;
  /** Where something entered last. */
  entrance: Side | undefined;
  /** How far x has moved against the direction that the model gives. */
  against: number;
}

/** What enters is kept as precisely as this, relative to its values; places to this part of the length. */
const precision = 1e-10;
const mostHalvings = 16;
/** A step goes about so far, and no further than this. */
const usualStep = 0.5;
const longestStep = 0.75;
/** So far may x move against the given direction: velocities around zero, of finite accuracy. */
const mostAgainst = 1e-3;

/** The places of the inputs. */
const [in0, in1, place, direction] = [0, 1, 2, 3] as const;

export const transport: BuiltIn<Memory> = {
  name: 'spatialDistribution',
  inputs: ['in0', 'in1', 'x', 'positive'],
  outputs: { z0: ['x'], z1: ['x'] },
  instead: (_, wish) =>
    wish === 'derivative'
      ? 'What leaves a spatial distribution has no derivative: transport the derivative of what enters.'
      : 'What leaves a spatial distribution is determined by what has entered.',
  allocate: (instance) => ({ instance, ...rest(instance) }),
  begin: (memory, segment) => {
    if (segment.first) Object.assign(memory, rest(memory.instance));
    segment.indicators(3);
  },
  directOutput: (memory, { u, y }, output) => {
    const moved = movedBy(memory, u[place]!);
    if (output === 0) y[0] = memory.profile.read('left', -moved);
    else y[1] = memory.profile.read('right', 1 - moved);
  },
  indicators: (memory, { u, z }) => {
    const { profile, x } = memory;
    const moved = movedBy(memory, u[place]!);
    z[0] = profile.count > 1 ? profile.boundary('left') + moved : 1;
    z[1] = profile.count > 1 ? 1 - moved - profile.boundary('right') : 1;
    z[2] = memory.origin === undefined ? longestStep : longestStep - Math.abs(u[place]! - x);
  },
  sides: (_, out) => void out.fill(1),
  follow: (memory, from, to, at) => {
    if (memory.origin === undefined) return;
    if (from > memory.time) resume(memory, at(from)[place]!);
    record(memory, from, to, (time) => at(time).slice());
    const late = to - (to - from) / 16;
    memory.speed = Math.abs(at(to)[place]! - at(late)[place]!) / (to - late);
    memory.time = to;
    memory.x = at(to)[place]!;
  },
  lookAhead: ({ speed }, { t }): Ahead => {
    const until = t + usualStep / speed;
    return { until: until > t ? until : Number.POSITIVE_INFINITY, renewed: true };
  },
  event: happen,
  save: ({ profile, instance, ...state }) => ({ ...state, profile: profile.save() }),
  load: (memory, saved) => {
    const { profile, ...state } = saved as Omit<Memory, 'instance' | 'profile'> & {
      readonly profile: SavedProfile;
    };
    Object.assign(memory, state, { profile: Profile.of(profile) });
  },
};

/** What holds before anything moved. */
function rest(instance: Instance): Omit<Memory, 'instance'> {
  const [points, values] = [instance.numbers('initialPoints'), instance.numbers('initialValues')];
  const n = points.length;
  const isSorted = points.every((point, k) => k === 0 || point >= points[k - 1]!);
  if (n < 2 || points[0] !== 0 || points[n - 1] !== 1 || !isSorted)
    throw Failure.of(
      'initialise',
      'bad-transport',
      `The initial points of a spatial distribution are {${points.join(', ')}}: they must begin with 0, end with 1 and not decrease.`,
      { span: instance.origin.span },
    );
  const profile = Profile.polygon(points, values);
  const state = { origin: undefined, entrance: undefined, time: 0, x: 0, speed: 0, against: 0 };
  return { ...state, profile };
}

const movedBy = ({ origin }: Memory, x: number): number => (origin === undefined ? 0 : x - origin);

/** The component was not there for a while: what is in it has rested. */
function resume(memory: Memory, x: number): void {
  memory.origin! += x - memory.x;
  memory.x = x;
  memory.entrance = undefined;
}

/** Takes in what entered from one time to another; `at` gives copies of the inputs. */
function record(
  memory: Memory,
  from: number,
  to: number,
  at: (time: number) => Float64Array,
  halvings = 0,
): void {
  const [middle, half] = [(from + to) / 2, (to - from) / 2];
  const inputs = Array.from(nodes, (node, k) =>
    at(k === 0 ? from : k === degree ? to : middle + half * node),
  );
  const x = Float64Array.from(inputs, (u) => u[place]!);
  const rise = x[degree]! - x[0]!;
  const isSteady = x.every((value, k) => k === 0 || (value - x[k - 1]!) * rise >= 0);
  const entering = rise > 0 ? in0 : in1;
  const z = Float64Array.from(inputs, (u) => u[entering]!);
  const isMet =
    isSteady &&
    probes.every((probe) => {
      const u = at(middle + half * probe);
      const size = Math.max(Math.abs(u[entering]!), Math.abs(z[0]!), 1e-3);
      return (
        Math.abs(interpolated(x, probe) - u[place]!) <= precision * Math.max(1, Math.abs(u[place]!)) &&
        Math.abs(interpolated(z, probe) - u[entering]!) <= precision * size
      );
    });
  if (!isMet && halvings < mostHalvings && middle > from && middle < to) {
    record(memory, from, middle, at, halvings + 1);
    record(memory, middle, to, at, halvings + 1);
    return;
  }
  checkDirection(memory, rise, inputs, to);
  if (Math.abs(rise) > 4 * Number.EPSILON * Math.max(1, Math.abs(x[0]!))) enter(memory, x, z, rise > 0);
}

/** Adds what entered while x took these values, one after the other. */
function enter(memory: Memory, x: Float64Array, z: Float64Array, rises: boolean): void {
  const { profile } = memory;
  const side: Side = rises ? 'left' : 'right';
  const s = x.map((value) => (rises ? 0 : 1) - movedBy(memory, value));
  if (memory.entrance !== side || differs(profile.read(side, s[0]!), z[0]!)) {
    profile.cut(side, s[0]!);
    profile.begin(side);
  }
  memory.entrance = side;
  profile.add(side, ascending(s), rises ? z.slice().reverse() : z);
  profile.cut(rises ? 'right' : 'left', s[degree]! + (rises ? 1 : -1));
}

/** In the order of places, which rounding must not disturb. */
function ascending(s: Float64Array): Float64Array {
  return s[0]! <= s[degree]! ? s : s.slice().reverse();
}

/** Whether what enters is not what entered just before; what is rounding is none. */
const differs = (a: number, b: number): boolean =>
  Math.abs(a - b) > 1e-9 * Math.max(Math.abs(a), Math.abs(b));

/** The direction that the model gives decides what its outputs are: it must not contradict the motion. */
function checkDirection(memory: Memory, rise: number, inputs: readonly Float64Array[], time: number): void {
  const isAgainst = inputs.every((u) => (rise > 0 ? u[direction]! < 0.5 : u[direction]! > 0.5));
  if (rise === 0) return;
  memory.against = isAgainst ? memory.against + Math.abs(rise) : 0;
  if (memory.against <= mostAgainst) return;
  const [moves, given] = rise > 0 ? ['increases', 'false'] : ['decreases', 'true'];
  const message = `The position \`x\` of a spatial distribution ${moves} at time ${time}, where its argument \`positiveVelocity\` is ${given}.`;
  throw Failure.of('simulate', 'bad-transport', message, {
    span: memory.instance.origin.span,
    hint: 'Let the fourth argument be `v >= 0`, where `v` is the derivative of the third.',
  });
}

function happen(memory: Memory, event: ComponentEvent): void {
  const { t, u } = event.point;
  const x = u[place]!;
  if (memory.origin === undefined) {
    Object.assign(memory, { origin: x, time: t, x });
    return;
  }
  if (t > memory.time) resume(memory, x);
  memory.time = t;
  const jump = x - memory.x;
  if (Math.abs(jump) > 1e-9 * Math.max(1, Math.abs(x))) {
    // All of it moves at once, and what enters is what the input is now.
    const rises = jump > 0;
    const path = nodes.map((node) => memory.x + ((node + 1) / 2) * jump);
    memory.entrance = undefined;
    enter(memory, path, new Float64Array(degree + 1).fill(u[rises ? in0 : in1]!), rises);
    memory.entrance = undefined;
    event.changed();
  }
  memory.x = x;
  leave(memory, event);
}

/** Layers whose end is reached are gone. */
function leave(memory: Memory, event: ComponentEvent): void {
  const { profile } = memory;
  const moved = movedBy(memory, memory.x);
  const isPast = (side: Side): boolean =>
    side === 'left' ? profile.boundary('left') <= -moved : profile.boundary('right') >= 1 - moved;
  for (const side of ['left', 'right'] as const)
    while (profile.count > 1 && isPast(side)) {
      profile.leave(side);
      event.changed();
    }
}
