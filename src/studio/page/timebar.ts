/** The one time that all parts show: it can be moved, and played. */
import { digitsOf, readable } from '../../names/readable.ts';
import { stepIn, TIME_UNIT } from './curves/axes.ts';
import { seek } from './curves/gestures.ts';
import { wholeOf, windowOf } from './curves/pictures.ts';

import { fill, icon, make } from './dom.ts';
import { numberField } from './fields.ts';
import type { Store } from './store.ts';
import { texts } from './texts.ts';
import { perFrame } from './value.ts';

const STEPS = 10_000;
/** A run is played in its own time, but neither faster than this nor slower, in seconds. */
const [SHORTEST, LONGEST] = [3, 20] as const;

export class Timebar {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly field: HTMLInputElement;
  private readonly unit = make('span', { class: 'unit' });
  private readonly play: HTMLButtonElement;
  private isPlaying = false;
  private last = Number.NaN;

  constructor(private readonly store: Store) {
    this.slider = make('input', {
      type: 'range',
      min: 0,
      max: STEPS,
      step: 1,
      'aria-label': texts.timeCursor,
    });
    this.slider.addEventListener('input', () => {
      const { from, to } = this.whole;
      seek(store, from + (Number(this.slider.value) / STEPS) * (to - from));
    });
    this.field = numberField(
      texts.time,
      (value) => {
        if (value !== undefined) seek(store, value);
        return undefined;
      },
      { size: 8 },
    );
    this.play = make('button', {
      type: 'button',
      class: 'tool',
      title: texts.play,
      'aria-label': texts.play,
      on: { click: () => this.toggle() },
    });
    this.element = make('div', { class: 'timebar' }, this.play, this.slider, this.field, this.unit);
    perFrame([store.cursor, store.run, store.window], () => this.draw());
  }

  private get whole() {
    return wholeOf([this.store.run.now, ...this.store.family.now]);
  }

  private draw(): void {
    const { cursor, run } = this.store;
    this.element.classList.toggle('idle', run.now === undefined);
    fill(this.play, icon(this.isPlaying ? 'pause' : 'run'));
    this.play.title = this.isPlaying ? texts.stopPlaying : texts.play;
    this.play.setAttribute('aria-label', this.play.title);
    for (const control of [this.play, this.slider, this.field]) control.disabled = run.now === undefined;
    if (Number.isNaN(cursor.now)) return;
    const { from, to } = this.whole;
    const seen = windowOf(this.store);
    const words = readable(cursor.now, digitsOf(cursor.now, stepIn(seen.from, seen.to)));
    this.slider.value = String(((cursor.now - from) / (to - from)) * STEPS);
    this.slider.setAttribute('aria-valuetext', `${words} ${TIME_UNIT}`);
    if (document.activeElement !== this.field) this.field.value = words.replace('−', '-');
    this.unit.textContent = TIME_UNIT;
  }

  toggle(): void {
    this.isPlaying = !this.isPlaying;
    this.last = Number.NaN;
    const { from, to } = this.whole;
    if (this.isPlaying && this.store.cursor.now >= to) seek(this.store, from);
    this.draw();
    if (this.isPlaying) requestAnimationFrame((now) => this.step(now));
  }

  private step(now: number): void {
    if (!this.isPlaying) return;
    const { from, to } = this.whole;
    const length = Math.min(LONGEST, Math.max(SHORTEST, to - from));
    const passed = Number.isNaN(this.last) ? 0 : (now - this.last) / 1000;
    this.last = now;
    const time = this.store.cursor.now + (passed / length) * (to - from);
    seek(this.store, time);
    if (time < to) requestAnimationFrame((next) => this.step(next));
    else this.toggle();
  }
}
