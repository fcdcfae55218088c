/** Icons of classes, drawn by a worker when they come into view. Each is a picture of its own, which can neither run anything nor load anything. */
import { make } from '../dom.ts';

export class Icons {
  private readonly known = new Map<string, string | undefined>();
  private readonly waiting = new Map<string, HTMLElement[]>();
  private readonly watcher = new IntersectionObserver((entries) => this.seen(entries));
  private isAsked = false;

  constructor(private readonly ask: (names: readonly string[]) => Promise<readonly (string | undefined)[]>) {}

  forget(): void {
    this.known.clear();
  }

  /** The place of an icon. */
  place(name: string): HTMLElement {
    const place = make('span', { class: 'class-icon', 'data-icon': name, 'aria-hidden': 'true' });
    if (this.known.has(name)) this.put(place, this.known.get(name));
    return place;
  }

  /** Looks whether the icons of rows are seen. */
  look(rows: readonly HTMLElement[]): void {
    for (const row of rows) {
      const place = row.querySelector<HTMLElement>('[data-icon]');
      if (place && !place.firstChild) this.watcher.observe(place);
    }
  }

  private seen(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      this.watcher.unobserve(target);
      const place = target as HTMLElement;
      const name = place.dataset.icon!;
      this.waiting.set(name, [...(this.waiting.get(name) ?? []), place]);
    }
    if (this.waiting.size > 0 && !this.isAsked) void this.fetch();
  }

  /** All that are waiting at once; those that come meanwhile wait for the next time. */
  private async fetch(): Promise<void> {
    this.isAsked = true;
    while (this.waiting.size > 0) {
      const wanted = [...this.waiting].slice(0, AT_ONCE);
      for (const [name] of wanted) this.waiting.delete(name);
      const found = await this.ask(wanted.map(([name]) => name)).catch(() => undefined);
      for (const [k, [name, places]] of wanted.entries()) {
        if (found) this.known.set(name, found[k]);
        for (const place of places) this.put(place, found?.[k]);
      }
    }
    this.isAsked = false;
  }

  private put(place: HTMLElement, svg: string | undefined): void {
    if (svg === undefined) return;
    place.replaceChildren(
      make('img', { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: '', draggable: 'false' }),
    );
  }
}

/** So that the first ones are soon there. */
const AT_ONCE = 12;
