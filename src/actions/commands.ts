/** Commands of a program, and the names that they use. */
import { kind, type OptionKinds } from '../diagnostic/options.ts';

/** What is asked of attaching: how near the two must be, how fast they may move against each other, and what happens where they are faster. */
export interface Limits {
  /** Largest distance, in m. */
  readonly reach?: number;
  /** Largest relative speed, in m/s. */
  readonly speed?: number;
  /** Largest relative angular speed, in rad/s; `speed / reach` where it is not given. */
  readonly turn?: number;
  /** What is faster is caught with an impulse that conserves momentum; otherwise it is refused. */
  readonly impact?: boolean;
}

export const limitKinds: OptionKinds<Limits> = {
  reach: kind.number,
  speed: kind.number,
  turn: kind.number,
  impact: kind.flag,
};

export type Command =
  | { readonly kind: 'wait'; readonly duration: number }
  | { readonly kind: 'until'; readonly condition: string; readonly longest: number }
  | { readonly kind: 'move'; readonly rows: readonly (readonly number[])[] }
  | { readonly kind: 'attach'; readonly part: string; readonly place: string; readonly limits: Limits }
  | { readonly kind: 'release'; readonly part: string; readonly place: string | undefined }
  | { readonly kind: 'handOver'; readonly part: string; readonly place: string; readonly limits: Limits }
  | { readonly kind: 'remove'; readonly part: string };

/**
 * What a program can do. Each function makes a command, which is carried out where it is yielded: the program goes on when it is done. Commands that take no
 * time follow each other at one instant, in order.
 */
export interface Actions<
  Part extends string = string,
  Place extends string = string,
  Condition extends string = string,
> {
  /** The present time, in s: a function, so that what a program takes out of its argument once is not the time of the start. */
  now(): number;
  /** Waits so many seconds. */
  wait(duration: number): Command;
  /** Waits until a condition holds, at most so many seconds: `yield until('near', 5)` is true if it does. */
  until(condition: Condition, longest?: number): Command;
  /** Moves all axes from where they are through the rows, and rests for an instant at each of them. */
  move(...rows: readonly (readonly number[])[]): Command;
  /** A place takes hold of a part, besides what holds it already. */
  attach(part: Part, place: Place, limits?: Limits): Command;
  /** A place lets a part go; all of them where none is named. */
  release(part: Part, place?: Place): Command;
  /** A place takes hold of a part, and all others let it go. */
  handOver(part: Part, place: Place, limits?: Limits): Command;
  /** Takes a part away: it has no states any more and costs nothing. */
  remove(part: Part): Command;
}

/** The functions that make commands; `now` gives the present time, and `note` is told of each command. */
export function actionsAt(now: () => number, note: <Made extends Command>(command: Made) => Made): Actions {
  return {
    now,
    wait: (duration) => note({ kind: 'wait', duration }),
    until: (condition, longest = Number.POSITIVE_INFINITY) => note({ kind: 'until', condition, longest }),
    move: (...rows) => note({ kind: 'move', rows }),
    attach: (part, place, limits = {}) => note({ kind: 'attach', part, place, limits }),
    release: (part, place) => note({ kind: 'release', part, place }),
    handOver: (part, place, limits = {}) => note({ kind: 'handOver', part, place, limits }),
    remove: (part) => note({ kind: 'remove', part }),
  };
}

const kinds: ReadonlySet<unknown> = new Set<Command['kind']>([
  'wait',
  'until',
  'move',
  'attach',
  'release',
  'handOver',
  'remove',
]);

export const isCommand = (value: unknown): value is Command =>
  typeof value === 'object' && value !== null && kinds.has((value as { kind?: unknown }).kind);

/** A command as it is written. */
export function commandText(command: Command): string {
  const quoted = (names: readonly (string | undefined)[]) =>
    names.flatMap((name) => (name === undefined ? [] : [`'${name}'`])).join(', ');
  switch (command.kind) {
    case 'wait':
      return `wait(${command.duration})`;
    case 'until':
      return `until(${quoted([command.condition])})`;
    case 'move':
      return command.rows.length === 0 ? 'move()' : 'move(…)';
    case 'attach':
    case 'handOver':
    case 'release':
      return `${command.kind}(${quoted([command.part, command.place])})`;
    case 'remove':
      return `remove(${quoted([command.part])})`;
  }
}
