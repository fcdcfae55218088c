/**
 * The operator `delay(u, T)` and `delay(u, T, Tmax)` (Modelica 3.6, section 3.7.4.1): y(t) = u(t - T), and u at the start of the run where t - T is before that.
 *
 * The signal is kept as a `History`. A step goes no further than one delay, so that it reads what is known; where a varying delay becomes shorter than a step,
 * it reads between the end of the history and the present input. Where the input jumps, the output jumps one delay later, in an event. An input that only
 * events change does not limit steps.
 */
import { Failure } from '../diagnostic/failure.ts';
import type { Ahead, BuiltIn, ComponentEvent, Instance, Point, Segment } from './component.ts';
import { History, type SavedHistory } from './history.ts';

interface Memory {
  readonly instance: Instance;
  readonly width: number;
  /** Undefined until initial values are known: then the output is the input. */
  history: History | undefined;
  /** When the run began. */
  start: number;
  /** The chain of the history that is read. */
  reading: number;
  readonly value: Float64Array;
}

/** History is kept as precisely as this, relative to its values: at usual tolerances steps have larger errors. */
const precision = 1e-10;
/** A delay that varies may become shorter than steps; they are at least this part of the longest delay. */
const shortest = 1e-3;

/** `fixed`: the delay is the same in a whole run. */
export const delayOf = (fixed: boolean): BuiltIn<Memory> => (fixed ? fixedDelay : variableDelay);

function delayPart(fixed: boolean): BuiltIn<Memory> {
  return {
    name: 'delay',
    inputs: ['u', 'T', 'Tmax'],
    outputs: { y: ['u', 'T'] },
    instead: (_, wish) =>
      wish === 'derivative'
        ? 'A delayed signal has no derivative: differentiate the signal, and delay that.'
        : 'A delayed signal is determined by the past.',
    allocate: (instance) => {
      const width = instance.output('y').length;
      const value = new Float64Array(width);
      return { instance, width, history: undefined, start: 0, reading: 0, value };
    },
    begin: (memory: Memory, segment: Segment) => {
      if (segment.first) {
        memory.history = undefined;
        memory.reading = 0;
      }
      if (!fixed) segment.indicators(2);
    },
    directOutput: (memory, point) => {
      const { u, y } = point;
      output(memory, point, u[memory.width]!);
      for (let i = 0; i < memory.width; i++) y[i] = memory.value[i]!;
    },
    indicators: (memory, { t, u, z }) => {
      const at = t - u[memory.width]!;
      const next = memory.history?.startOf(memory.reading + 1) ?? Number.POSITIVE_INFINITY;
      z[0] = next === Number.POSITIVE_INFINITY ? -1 : at - next;
      z[1] = memory.reading === 0 || !memory.history ? 1 : at - memory.history.startOf(memory.reading);
    },
    follow: (memory, _, to, at) => {
      const { history, width } = memory;
      if (!history) return;
      const signal = (time: number): Float64Array => at(time).subarray(0, width);
      history.extend(to, precision, signal);
      check(memory, to, at(to));
      history.forget(to - 1.01 * at(to)[width + 1]!);
    },
    lookAhead: (memory, { t, u }, isSteady): Ahead | undefined => {
      if (isSteady) return undefined;
      const [delay, longest] = [u[memory.width]!, u[memory.width + 1]!];
      const step = fixed ? delay : Math.max(delay / 2, shortest * longest);
      const isShort = !(t + step > t);
      let until = isShort ? Number.POSITIVE_INFINITY : t + step;
      // The signal has a bend where the run began.
      const bend = memory.start + delay;
      if (fixed && bend > t && bend < until) until = bend;
      return { until, renewed: false };
    },
    event: (memory, event) => happen(memory, event, fixed),
    save: ({ history, start, reading }) => ({ history: history?.save(), start, reading }),
    load: (memory, saved) => {
      const { history, ...rest } = saved as Pick<Memory, 'start' | 'reading'> & {
        readonly history: SavedHistory | undefined;
      };
      Object.assign(memory, rest);
      memory.history = history && History.of(history);
    },
  };
}

/** Writes what comes out into `value`. */
function output({ history, width, start, reading, value }: Memory, { t, u }: Point, delay: number): void {
  const at = t - delay;
  if (!history || delay === 0) {
    for (let i = 0; i < width; i++) value[i] = u[i]!;
    return;
  }
  const { end, current } = history;
  history.read(at <= start ? 0 : reading, at, value);
  if (at <= end || reading < current || t <= end) return;
  // Inside of the present step.
  const part = (at - end) / (t - end);
  for (let i = 0; i < width; i++) value[i] = value[i]! + part * (u[i]! - value[i]!);
}

function happen(memory: Memory, event: ComponentEvent, fixed: boolean): void {
  const { point } = event;
  const { t, u } = point;
  const { width } = memory;
  const delay = u[width]!;
  const signal = u.slice(0, width);
  check(memory, t, u);
  if (!memory.history) {
    memory.history = new History(t, signal);
    memory.start = t;
    return;
  }
  const { history } = memory;
  if (t > history.end) absent(history, t, signal);
  else if (jumps(event, signal)) history.jump(t, signal);
  if (fixed) arrive(memory, event, t, delay);
  else for (const k of event.crossed) memory.reading += k === 0 ? 1 : -1;
  if (event.crossed.length > 0) event.changed();
}

/** The component was not there for a while: the signal kept its last value meanwhile. */
function absent(history: History, t: number, signal: Float64Array): void {
  const kept = new Float64Array(signal.length);
  history.read(history.current, history.end, kept);
  history.extend(t, precision, () => kept);
  if (differ(signal, kept)) history.jump(t, signal);
}

/** Whether the input has another value than just before; what is rounding is none. */
const jumps = ({ before }: ComponentEvent, signal: Float64Array): boolean => differ(signal, before);

const differ = (a: Float64Array, b: Float64Array): boolean =>
  a.some((value, i) => Math.abs(value - b[i]!) > 1e-9 * Math.max(Math.abs(value), Math.abs(b[i]!)));

/** Jumps of the input come out one delay later. */
function arrive(memory: Memory, event: ComponentEvent, t: number, delay: number): void {
  const history = memory.history!;
  const reading = memory.reading;
  const arrival = (): number => history.startOf(memory.reading + 1) + delay;
  while (memory.reading < history.current && isReached(arrival(), t)) memory.reading++;
  if (memory.reading < history.current) event.nextEvent(arrival());
  if (memory.reading !== reading) event.changed();
}

/** A time that was computed on another way may be off by rounding. */
const isReached = (time: number, t: number): boolean =>
  time - t <= 4 * Number.EPSILON * Math.max(Math.abs(time), Math.abs(t));

/** The delay must be possible. */
function check({ width, instance }: Memory, t: number, u: Float64Array): void {
  const [delay, longest] = [u[width]!, u[width + 1]!];
  const { span } = instance.origin;
  const slack = 1e-9 * Math.abs(longest);
  if (delay < -slack)
    throw Failure.of(
      'simulate',
      'bad-delay',
      `The delay time is ${delay} at time ${t}: it cannot be negative.`,
      {
        span,
      },
    );
  if (delay > longest + slack)
    throw Failure.of(
      'simulate',
      'bad-delay',
      `The delay time is ${delay} at time ${t}, longer than the longest one, ${longest}.`,
      { span, hint: 'Increase the third argument of `delay`.' },
    );
}

const fixedDelay = delayPart(true);
const variableDelay = delayPart(false);
