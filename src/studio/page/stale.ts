/** Says near the curves that the text is another one than that which ran, and offers to run it. */
import { make } from './dom.ts';
import type { Engine } from './engine.ts';
import { nameOf } from './explorer.ts';
import type { Store } from './store.ts';
import { texts } from './texts.ts';

/** Milliseconds from the last change to the question whether it makes a difference. */
const SOON = 250;

export class Stale {
  readonly element: HTMLElement;
  private timer = 0;

  constructor(
    private readonly store: Store,
    private readonly engine: () => Engine,
    run: () => void,
  ) {
    this.element = make(
      'p',
      { class: 'stale', role: 'status', hidden: true },
      make('span', {}, texts.stale),
      make('button', { type: 'button', class: 'link', on: { click: run } }, texts.run),
    );
    store.run.follow(() => void this.look());
    store.replaced.follow(() => this.changed());
  }

  /** A text has changed. */
  changed(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.look(), SOON);
  }

  private async look(): Promise<void> {
    const run = this.store.run.now;
    const changed = run
      ? await this.engine()
          .runner.ask('changedSince', run.order.run)
          .catch(() => [])
      : [];
    // Another run is looked at by itself.
    if (run !== this.store.run.now) return;
    this.element.hidden = changed.length === 0;
    this.element.title = changed.map(nameOf).join(', ');
  }
}
