/**
 * An animation that plays in a page: the picture, a plot beside it, and one time for both. Nothing is drawn while nothing changes.
 *
 * Keys: space plays and pauses, ← and → go on by a hundredth, Home and End to the ends; those of the picture are in `picture.ts`.
 */
import type { Scene } from '../scene.ts';
import { Clock } from './clock.ts';
import { isTyping, Picture } from './picture.ts';
import { Timeline } from './timeline.ts';

/** What marks a time: the plot. */
export interface Marked {
  mark(time: number): void;
}

export class Player {
  private readonly clock: Clock;
  private readonly timeline: Timeline;
  private readonly picture: Picture;
  private plot: Marked | undefined;
  private frame = 0;
  private last = 0;
  private shown = Number.NaN;

  constructor(root: HTMLElement, scene: Scene) {
    this.clock = new Clock(scene.times[0]!, scene.times.at(-1)!, scene.fastest);
    this.timeline = new Timeline(this.clock, {
      toggle: () => this.toggle(),
      seek: (time) => this.seek(time),
    });
    this.picture = new Picture(root, scene, this.clock.time, () => this.later());
    root.append(this.timeline.element);
    if (!this.picture.isThere) return;
    this.watch();
    document.addEventListener('keydown', (event) => this.key(event));
    this.later();
  }

  /** Another thing that shows the time. */
  join(plot: Marked): void {
    this.plot = plot;
    plot.mark(this.clock.time);
  }

  seek(time: number): void {
    this.clock.seek(time);
    this.later();
  }

  private toggle(): void {
    if (this.clock.isRunning) this.clock.pause();
    else this.clock.play();
    this.last = Number.NaN;
    this.later();
  }

  /** Draws when the browser does, however much has changed. */
  private later(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame((now) => this.draw(now));
  }

  private draw(now: number): void {
    this.frame = 0;
    const { clock, picture } = this;
    if (clock.isRunning && !Number.isNaN(this.last)) clock.advance((now - this.last) / 1000);
    this.last = now;
    this.timeline.show();
    picture.mislead(clock.isMisleading);
    if (clock.time !== this.shown) {
      this.shown = clock.time;
      picture.show(clock.time);
      this.plot?.mark(clock.time);
    }
    picture.draw();
    if (clock.isRunning) this.later();
  }

  /** Light or dark. */
  private watch(): void {
    const preference = matchMedia('(prefers-color-scheme: dark)');
    const adapt = () => this.picture.dark(preference.matches);
    preference.addEventListener('change', adapt);
    adapt();
  }

  private key(event: KeyboardEvent): void {
    if (isTyping(event)) return;
    if (!((!event.shiftKey && this.press(event.key)) || this.picture.key(event))) return;
    event.preventDefault();
  }

  /** False for keys that mean nothing to the time. */
  private press(key: string): boolean {
    const { clock } = this;
    const step = { ArrowLeft: -0.01, ArrowRight: 0.01, PageUp: 0.1, PageDown: -0.1 }[key];
    if (step !== undefined) this.seek(clock.time + step * clock.duration);
    else if (key === ' ') this.toggle();
    else if (key === 'Home') this.seek(clock.start);
    else if (key === 'End') this.seek(clock.end);
    else return false;
    return true;
  }
}
