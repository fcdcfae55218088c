/** The time that a player shows: at rest, or running at a speed until the end, and from the beginning again where it loops. */

/** The speeds that there are: those about real time, and beyond where a run is too short or too long to be watched like that. */
export function speedsFor(duration: number): readonly number[] {
  const usual = [0.1, 0.2, 0.5, 1, 2, 5, 10];
  const wanted = watchable(duration);
  const more: number[] = [];
  for (let speed = wanted / 10; speed <= wanted * 11; speed = next(speed)) more.push(speed);
  return wanted === 1 ? usual : [...new Set([...usual, ...more])].sort((a, b) => a - b);
}

/** Seconds that a run takes to be watched, if real time is not between them. */
const [LEAST, MOST, GOOD] = [0.5, 300, 10] as const;

/** Real time, or the speed at which a run takes about ten seconds. */
export function watchable(duration: number): number {
  if (!(duration > 0) || (duration >= LEAST && duration <= MOST)) return 1;
  return rounded(duration / GOOD);
}

/** One digit, of 1, 2, 5. */
function rounded(value: number): number {
  const power = Math.floor(Math.log10(value));
  const digit = value / 10 ** power;
  return Number(`${digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10}e${power}`);
}

const next = (speed: number): number => rounded(speed * (String(speed).match(/2/) ? 2.5 : 2));

/** A pause of the browser is not caught up with. */
const LONGEST_FRAME = 0.25;

export class Clock {
  time: number;
  isRunning = false;
  loops = false;
  speed: number;

  constructor(
    readonly start: number,
    readonly end: number,
  ) {
    this.time = start;
    this.speed = watchable(this.duration);
  }

  get duration(): number {
    return this.end - this.start;
  }

  /** From the end it begins again. */
  play(): void {
    if (this.duration === 0) return;
    if (this.time >= this.end) this.time = this.start;
    this.isRunning = true;
  }

  pause(): void {
    this.isRunning = false;
  }

  seek(time: number): void {
    this.time = Math.min(this.end, Math.max(this.start, time));
  }

  /** Seconds of the reader's time have passed. */
  advance(seconds: number): void {
    if (!this.isRunning) return;
    const time = this.time + Math.min(LONGEST_FRAME, Math.max(0, seconds)) * this.speed;
    if (time < this.end) this.time = time;
    else if (this.loops) this.time = this.start + ((time - this.start) % this.duration);
    else {
      this.time = this.end;
      this.isRunning = false;
    }
  }
}
