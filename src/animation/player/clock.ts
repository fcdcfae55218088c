/** The time that a player shows: at rest, or running at a speed until the end, and from the beginning again where it loops. */

/** The speeds that there are: those about real time, and beyond where a run is too short or too long to be watched like that. */
export function speedsFor(duration: number, fastest = 0): readonly number[] {
  const usual = [0.1, 0.2, 0.5, 1, 2, 5, 10];
  const wanted = watchable(duration, fastest);
  const more: number[] = [];
  for (let speed = wanted / 10; speed <= wanted * 11; speed = next(speed)) more.push(speed);
  return wanted === 1 ? usual : [...new Set([...usual, ...more])].sort((a, b) => a - b);
}

/** Seconds that a run takes to be watched, if real time is not between them. */
const [LEAST, MOST, GOOD] = [1, 300, 10] as const;
/** Radians in a second that are easy to follow, and seconds that it may take for their sake. */
const [CALM, LONG] = [50, 60] as const;
/** Radians in a second beyond which a screen with sixty pictures in a second misleads: more than a quarter of a turn from one to the next. */
const MISLEADING = 30 * Math.PI;

/** Real time, or the speed at which a run takes about ten seconds; slower where something turns fast (in rad/s), unless that takes too long. */
export function watchable(duration: number, fastest = 0): number {
  if (!(duration > 0)) return 1;
  const usual = duration >= LEAST && duration <= MOST ? 1 : rounded(duration / GOOD);
  if (usual * fastest <= CALM) return usual;
  return Math.min(usual, rounded(Math.max(CALM / fastest, duration / LONG)));
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
    /** What turns fastest, in rad/s. */
    readonly fastest = 0,
  ) {
    this.time = start;
    this.speed = watchable(this.duration, fastest);
  }

  get duration(): number {
    return this.end - this.start;
  }

  /** Whether turns are too fast for a screen. */
  get isMisleading(): boolean {
    return this.isRunning && this.speed * this.fastest > MISLEADING;
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
