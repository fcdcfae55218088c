/** The frame of the page: areas side by side with borders that can be moved, and tabs. */
import { make, newId } from './dom.ts';
import { texts } from './texts.ts';
import { Value } from './value.ts';

/** What is kept of how a person has arranged the page. */
const kept = (key: string): string | null => {
  try {
    return localStorage.getItem(`mutabor-${key}`);
  } catch {
    return null;
  }
};
export function keep(key: string, value: string): void {
  try {
    localStorage.setItem(`mutabor-${key}`, value);
  } catch {
    // Not everybody lets pages keep anything.
  }
}
export { kept };

/** The border between two areas: it sets a variable of the style of their parent, in pixels, by dragging or by arrows. */
export function splitter(
  name: string,
  what: string,
  parent: HTMLElement,
  options: {
    readonly initial: number;
    readonly least: number;
    readonly from: 'left' | 'right' | 'top' | 'bottom';
  },
): HTMLElement {
  const isAcross = options.from === 'left' || options.from === 'right';
  const sign = options.from === 'left' || options.from === 'top' ? 1 : -1;
  const element = make('div', {
    class: `splitter ${isAcross ? 'across' : 'along'}`,
    role: 'separator',
    tabindex: 0,
    'aria-label': texts.width(what),
    'aria-orientation': isAcross ? 'vertical' : 'horizontal',
  });
  let size = Number(kept(`size-${name}`)) || options.initial;
  const set = (wanted: number): void => {
    const room = isAcross ? parent.clientWidth : parent.clientHeight;
    size = Math.max(options.least, room > 0 ? Math.min(wanted, room * 0.8) : wanted);
    parent.style.setProperty(`--${name}`, `${Math.round(size)}px`);
    element.setAttribute('aria-valuenow', String(Math.round(size)));
    keep(`size-${name}`, String(Math.round(size)));
  };
  element.addEventListener('pointerdown', (event) => {
    element.setPointerCapture(event.pointerId);
    const [at, before] = [isAcross ? event.clientX : event.clientY, size];
    const move = (moved: PointerEvent): void =>
      set(before + sign * ((isAcross ? moved.clientX : moved.clientY) - at));
    element.addEventListener('pointermove', move);
    element.addEventListener('lostpointercapture', () => element.removeEventListener('pointermove', move), {
      once: true,
    });
  });
  element.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -20, ArrowUp: -20, ArrowRight: 20, ArrowDown: 20 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    set(size + sign * step);
  });
  set(size);
  return element;
}

/** Brings an area into view, where little or nothing of it is seen. */
export function reveal(area: HTMLElement): void {
  const { top, bottom } = area.getBoundingClientRect();
  const isSeen = top < 0.6 * innerHeight && bottom > 0.2 * innerHeight;
  if (!isSeen) area.scrollIntoView({ block: 'start', behavior: 'smooth' });
}

export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly content: HTMLElement;
  /** Called when it is seen. */
  readonly shown?: () => void;
  /** Stands at the end of the row of tabs while it is seen. */
  readonly tool?: HTMLElement;
  /** Puts the focus into it; without it, on the first of what can have it. */
  readonly focus?: () => void;
}

const FOCUSABLE = ':is(button, input, select, [tabindex="0"]):not([disabled], [hidden], [hidden] *)';

/** Areas of which one is seen at a time. */
export class Tabs {
  readonly element: HTMLElement;
  private readonly buttons = new Map<string, HTMLButtonElement>();
  readonly chosen = new Value('');

  constructor(
    private readonly name: string,
    label: string,
    private readonly tabs: readonly Tab[],
  ) {
    const list = make('div', { class: 'tabs', role: 'tablist', 'aria-label': label });
    const panels = tabs.map((tab) => {
      const [button, panel] = [newId('tab'), newId('panel')];
      const element = make(
        'button',
        {
          type: 'button',
          role: 'tab',
          id: button,
          'aria-controls': panel,
          'data-tab': tab.id,
          on: { click: () => this.choose(tab.id) },
        },
        tab.title,
      );
      this.buttons.set(tab.id, element);
      list.append(element);
      return make(
        'div',
        { class: 'panel', role: 'tabpanel', id: panel, 'aria-labelledby': button },
        tab.content,
      );
    });
    this.panels = panels;
    this.tools = tabs.map(({ tool }) => tool && make('div', { class: 'tab-tool' }, tool));
    const row = make('div', { class: 'tab-row' }, list, ...this.tools);
    this.element = make('div', { class: 'tabbed' }, row, ...panels);
    list.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const ids = this.visible();
      const next = ids[(ids.indexOf(this.chosen.now) + step + ids.length) % ids.length]!;
      this.choose(next);
      this.buttons.get(next)!.focus();
    });
    const before = kept(`tab-${name}`);
    this.choose(tabs.some(({ id }) => id === before) ? before! : tabs[0]!.id);
  }

  private readonly panels: readonly HTMLElement[];
  private readonly tools: readonly (HTMLElement | undefined)[];

  get now(): string {
    return this.chosen.now;
  }

  choose(id: string): void {
    for (const [k, tab] of this.tabs.entries()) {
      const isChosen = tab.id === id;
      const button = this.buttons.get(tab.id)!;
      button.setAttribute('aria-selected', String(isChosen));
      button.tabIndex = isChosen ? 0 : -1;
      this.panels[k]!.hidden = !isChosen;
      const tool = this.tools[k];
      if (tool) tool.hidden = !isChosen;
      if (isChosen) tab.shown?.();
    }
    keep(`tab-${this.name}`, id);
    this.chosen.set(id);
  }

  /** Shows that of some tabs that is here, if one is. */
  show(ids: readonly string[]): void {
    const id = this.visible().find((one) => ids.includes(one));
    if (id !== undefined) this.choose(id);
  }

  /** The tabs that are there, each with what shows it and goes into it. */
  get doors(): readonly { readonly title: string; readonly enter: () => void }[] {
    const there = this.visible();
    return this.tabs
      .filter(({ id }) => there.includes(id))
      .map(({ id, title, content, focus }) => ({
        title,
        enter: () => {
          this.choose(id);
          if (focus) focus();
          else (content.querySelector<HTMLElement>(FOCUSABLE) ?? this.buttons.get(id)!).focus();
        },
      }));
  }

  /** A tab that has nothing to show is not there. */
  offer(id: string, isThere: boolean): void {
    this.buttons.get(id)!.hidden = !isThere;
    if (!isThere && this.chosen.now === id) this.choose(this.visible()[0]!);
  }

  mark(id: string, count: number): void {
    const button = this.buttons.get(id)!;
    if (count === 0) button.removeAttribute('data-count');
    else button.dataset.count = String(count);
  }

  private visible(): string[] {
    return this.tabs.map(({ id }) => id).filter((id) => !this.buttons.get(id)!.hidden);
  }
}
