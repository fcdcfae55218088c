/** The runs of a sweep by their colours: one of them is chosen, and is the one that values, modes and diagrams are of. */
import { fill, iconButton, make } from '../dom.ts';
import type { Store } from '../store.ts';
import { texts } from '../texts.ts';
import { perFrame } from '../value.ts';
import { memberColors } from './pictures.ts';

export class Family {
  readonly element = make('div', { class: 'family', role: 'group', 'aria-label': texts.runsOf });

  constructor(private readonly store: Store) {
    perFrame([store.family, store.run, store.diagrams], () => this.draw());
  }

  private draw(): void {
    const { family, run } = this.store;
    const focused = (document.activeElement as HTMLElement | null)?.dataset.member;
    this.element.hidden = family.now.length === 0;
    const buttons = family.now.map((member, k) => {
      const swatch = make('span', { class: 'swatch' });
      swatch.style.background = striped(memberColors(this.store, k));
      return make(
        'button',
        {
          type: 'button',
          class: 'name',
          'data-member': k,
          'aria-pressed': String(member === run.now),
          on: { click: () => run.set(member) },
        },
        swatch,
        member.label,
      );
    });
    fill(
      this.element,
      ...buttons,
      iconButton('remove', texts.sweepEnd, () => family.set([]), { class: 'tool small' }),
    );
    if (focused !== undefined) buttons[Number(focused)]?.focus();
  }
}

/** Colours below each other, in equal parts. */
const striped = (colors: readonly string[]): string =>
  `linear-gradient(${colors.map((color, k) => `${color} ${(100 * k) / colors.length}% ${(100 * (k + 1)) / colors.length}%`).join(', ')})`;
