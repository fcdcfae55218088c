/**
 * Curves over another variable than time, as figures of a model may want it: a picture of the run whose curves are seen, drawn by the worker as for reports when the
 * run is over. It has no time axis, so nothing in it follows the time cursor.
 */
import { DARK, LIGHT, type Theme } from '../../../results/plot/style.ts';
import type { CurvesOrder } from '../../protocol.ts';
import { fill, iconButton, make } from '../dom.ts';
import type { Engine } from '../engine.ts';
import type { DiagramSpec, Store } from '../store.ts';
import { texts } from '../texts.ts';
import { removeDiagram } from './diagrams.ts';

/** Pixels of the picture, which is then as wide as the diagrams beside it. */
const WIDTH = 640;

export class Across {
  readonly element: HTMLElement;
  private readonly stage = make('div', { class: 'plot across' });
  private readonly title = make('strong', { class: 'title' });
  /** What was asked for last, as text. */
  private asked = '';

  constructor(
    private readonly store: Store,
    private readonly engine: () => Engine,
    readonly id: number,
  ) {
    this.element = make(
      'section',
      { class: 'diagram', 'data-diagram': id, tabindex: 0 },
      make(
        'header',
        {},
        make('div', { class: 'legend' }, this.title),
        iconButton('remove', texts.removeDiagram, () => removeDiagram(store, id), {
          class: 'tool small quiet',
        }),
      ),
      this.stage,
    );
  }

  draw({ signals, over = '', title = '' }: DiagramSpec): void {
    const words = texts.curvesOver(signals, over);
    this.element.setAttribute('aria-label', words);
    this.title.textContent = title || words;
    const { run, family, window, hidden, isDark } = this.store;
    const shown = family.now.length > 0 ? family.now : run.now ? [run.now] : [];
    if (shown.length === 0 || shown.some((one) => !one.isOver)) return;
    const isKnown = (name: string): boolean => shown.some((one) => one.signal(name) !== undefined);
    const curves = signals.filter((name) => isKnown(name) && !hidden.now.has(name));
    if (curves.length === 0 || !isKnown(over)) {
      this.asked = '';
      fill(this.stage, make('p', { class: 'empty' }, texts.notInRun));
      return;
    }
    void this.ask({
      runs: shown.map((one) => ({ run: one.order.run, label: one.label })),
      diagrams: [{ curves, over }],
      window: window.now && [window.now.from, window.now.to],
      format: 'svg',
      theme: isDark.now ? 'dark' : 'light',
      title: '',
      width: WIDTH,
    });
  }

  private async ask(order: CurvesOrder): Promise<void> {
    const asked = JSON.stringify(order);
    if (asked === this.asked) return;
    this.asked = asked;
    const found = await this.engine()
      .runner.ask('curves', order)
      .catch(() => undefined);
    if (asked !== this.asked) return;
    if (!(found instanceof Uint8Array)) {
      fill(this.stage, make('p', { class: 'empty' }, found ?? texts.noCurvesOver));
      return;
    }
    const svg = new DOMParser().parseFromString(new TextDecoder().decode(found), 'image/svg+xml');
    paint(svg.documentElement, order.theme === 'dark' ? DARK : LIGHT);
    fill(this.stage, document.importNode(svg.documentElement, true));
  }

  remove(): void {
    this.element.remove();
  }
}

/** Gives a picture the colours that its own style would give it, which the policy of the page does not let count: `s-` of strokes, `f-` of fills. */
function paint(svg: Element, theme: Theme): void {
  for (const element of svg.querySelectorAll('[class]'))
    for (const name of element.classList) {
      const attribute = { 's-': 'stroke', 'f-': 'fill' }[name.slice(0, 2)];
      const color = theme[name.slice(2)];
      if (attribute && color !== undefined) element.setAttribute(attribute, color);
    }
  for (const style of svg.querySelectorAll('style')) style.remove();
}
