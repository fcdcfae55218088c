/** The outline of the text that is open: classes, components and sections as a tree beside it; the one around the cursor is marked. */
import type { LanguageMethods } from '../../protocol.ts';
import type { AnswerOf } from '../../rpc.ts';
import { fill, make } from '../dom.ts';
import { texts } from '../texts.ts';

type Item = AnswerOf<LanguageMethods['outline']>[number];

/** More are not shown. */
const MOST = 2000;

export class Outline {
  readonly element = make('div', {
    class: 'outline',
    role: 'tree',
    'aria-label': texts.outline,
    hidden: true,
    on: { keydown: (event: KeyboardEvent) => this.key(event) },
  });
  private rows: { readonly item: Item; readonly element: HTMLButtonElement }[] = [];

  constructor(
    /** Goes to a part of the text. */
    private readonly go: (from: number, to: number) => void,
    /** Back to the text. */
    private readonly leave: () => void,
  ) {}

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  toggle(isOpen = !this.isOpen): void {
    this.element.hidden = !isOpen;
    if (isOpen) (this.rows.find(({ element }) => element.tabIndex === 0) ?? this.rows[0])?.element.focus();
  }

  show(items: readonly Item[]): void {
    this.rows = [];
    this.add(items, 1);
    fill(this.element, ...this.rows.map(({ element }) => element));
  }

  private add(items: readonly Item[], level: number): void {
    for (const item of items) {
      if (this.rows.length >= MOST) return;
      const { from, to } = item.selection;
      const element = make(
        'button',
        {
          type: 'button',
          role: 'treeitem',
          class: `level-${Math.min(level, 6)}`,
          'aria-level': level,
          tabindex: -1,
          title: item.description || item.detail,
          on: { click: () => this.go(from, to) },
        },
        make('span', { class: 'name' }, item.name),
        make('span', { class: 'detail' }, item.detail),
      );
      this.rows.push({ item, element });
      this.add(item.children, level + 1);
    }
  }

  /** Marks the innermost part around a place. */
  mark(at: number): void {
    const around = this.rows.findLast(({ item: { range } }) => range.from <= at && at <= range.to);
    for (const row of this.rows) {
      row.element.tabIndex = row === around ? 0 : -1;
      if (row === around) row.element.setAttribute('aria-current', 'true');
      else row.element.removeAttribute('aria-current');
    }
    if (!around && this.rows[0]) this.rows[0].element.tabIndex = 0;
  }

  private key(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.leave();
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const now = this.rows.findIndex(({ element }) => element === document.activeElement);
    this.rows[now + step]?.element.focus();
  }
}
