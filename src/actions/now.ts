/** What changes while a program is carried out: from event to event, and within one. */
import type { Command } from './commands.ts';
import type { Plan } from './plan.ts';
import type { Ports } from './ports.ts';
import { type Leg, type Piece, resting } from './ptp.ts';

/** What the program waits for; nothing: it can go on. */
export type Waiting =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'time'; readonly until: number }
  | { readonly kind: 'condition'; readonly condition: number; readonly until: number }
  /** The command can be carried out when others are at rest. */
  | { readonly kind: 'rest'; readonly command: Command }
  | { readonly kind: 'end' };

/** All that changes in a run; a value. */
export interface Now {
  /** When the last command was done; undefined before the start. */
  clock: number | undefined;
  /** What the program was told, and when. */
  readonly told: { readonly time: number; readonly answer: boolean }[];
  answer: boolean;
  waiting: Waiting;
  /** Motions to come; the first one is under way. */
  legs: readonly Leg[];
  /** What the axes do until the next event. */
  piece: Piece;
  /** Where the axes rest after them. */
  readonly position: Float64Array;
  /** By part and place, and by part: 1 where it is so. */
  readonly holds: Float64Array;
  readonly removed: Float64Array;
}

/** What happened at one instant. */
interface Instant {
  readonly time: number;
  commands: number;
  settlings: number;
  quiet: number;
  /** Something may have got other speeds. */
  isStruck: boolean;
  /** What holds what is another, so that conditions have yet to be computed. */
  isAltered: boolean;
}

export const instantAt = (time: number): Instant => ({
  time,
  commands: 0,
  settlings: 0,
  quiet: 0,
  isStruck: false,
  isAltered: false,
});

/** How a run begins. */
export const beginning = ({ parts, places, removable }: Plan, { start }: Ports): Now => ({
  clock: undefined,
  told: [],
  answer: true,
  waiting: { kind: 'nothing' },
  legs: [],
  piece: resting(start.slice()),
  position: start.slice(),
  holds: new Float64Array(parts.length * places.length),
  removed: new Float64Array(removable.length),
});
