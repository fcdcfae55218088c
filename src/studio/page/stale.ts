/** Says near the curves that another text or model ran than the one that is open, and offers to run that. */
import { make } from './dom.ts';
import type { Engine } from './engine.ts';
import { nameOf } from './explorer.ts';
import { isOpen, type Store } from './store.ts';
import { texts } from './texts.ts';

/** Milliseconds from the last change to the question whether it makes a difference. */
const SOON = 250;

export class Stale {
  readonly element: HTMLElement;
  private readonly button: HTMLButtonElement;
  private readonly words = make('span', {});
  private timer = 0;

  constructor(
    private readonly store: Store,
    private readonly engine: () => Engine,
    run: () => void,
  ) {
    this.button = make('button', { type: 'button', class: 'link', on: { click: run } }, texts.run);
    this.element = make('p', { class: 'stale', role: 'status', hidden: true }, this.words, this.button);
    for (const value of [store.run, store.open, store.model]) value.follow(() => void this.look());
    store.replaced.follow(() => this.changed());
  }

  /** A text has changed. */
  changed(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.look(), SOON);
  }

  private async look(): Promise<void> {
    const { store } = this;
    const run = store.run.now;
    const isOther = (): boolean => run !== undefined && !isOpen(run.order, store);
    const changed =
      run && !isOther()
        ? await this.engine()
            .runner.ask('changedSince', run.order.run)
            .catch(() => [])
        : [];
    // Another run is looked at by itself.
    if (run !== store.run.now) return;
    this.element.hidden = !isOther() && changed.length === 0;
    this.words.textContent = isOther() ? texts.runOf(run!.order.model) : texts.stale;
    this.button.hidden = store.model.now === undefined;
    this.element.title = changed.map(nameOf).join(', ');
  }
}
