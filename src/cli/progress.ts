/** One line on a terminal that shows how far a run is; nothing elsewhere. */
import type { Stream } from './surroundings.ts';

export interface Progress {
  update(time: number): void;
  /** Removes the line. */
  end(): void;
}

/** Milliseconds between two updates. */
const PAUSE = 100;
/** Nothing is shown for runs shorter than this, in milliseconds. */
const PATIENCE = 300;

export function showProgress(
  stream: Stream,
  what: string,
  span: { readonly start: number; readonly stop: number },
  now: () => number = () => performance.now(),
): Progress {
  if (!stream.isTerminal) return { update: () => {}, end: () => {} };
  const begin = now();
  let shown = Number.NEGATIVE_INFINITY;
  return {
    update(time) {
      const elapsed = now() - begin;
      if (elapsed < PATIENCE || elapsed - shown < PAUSE) return;
      shown = elapsed;
      stream.write(`\r${progressLine(what, time, span, elapsed)}\u001b[K`);
    },
    end() {
      if (shown >= 0) stream.write('\r\u001b[K');
    },
  };
}

/** `Ball: 1.25 s of 3 s, 42 %, 3 s left` */
export function progressLine(
  what: string,
  time: number,
  span: { readonly start: number; readonly stop: number },
  elapsed: number,
): string {
  const fraction = span.stop > span.start ? (time - span.start) / (span.stop - span.start) : 1;
  const left = fraction > 0.01 ? `, ${duration((elapsed * (1 - fraction)) / fraction)} left` : '';
  return `${what}: ${Number(time.toPrecision(4))} s of ${span.stop} s, ${Math.floor(100 * fraction)} %${left}`;
}

export function duration(milliseconds: number): string {
  if (milliseconds < 1) return `${Number(milliseconds.toPrecision(2))} ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 100) return `${Number(seconds.toPrecision(3))} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
