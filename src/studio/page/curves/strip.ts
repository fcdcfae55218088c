/** The modes of a run as a strip over the diagrams, each with its colour and, where there is room, its name. */
import { briefNames, modeName } from '../../../results/plot/naming.ts';
import { make } from '../dom.ts';
import type { Store } from '../store.ts';
import { texts } from '../texts.ts';
import { fitted, type Margins } from './axes.ts';
import type { Palette } from './palette.ts';
import { modeOrders, windowOf } from './pictures.ts';

/** Characters of a name, and pixels of one. */
const LONGEST = 40;
const CHARACTER = 6.5;

export class Strip {
  readonly element: HTMLElement;
  private readonly canvas = make('canvas');
  private margins: Margins = { left: 0, right: 0 };
  private readonly words = make('output', { class: 'sr-only' });

  constructor(private readonly store: Store) {
    this.element = make('div', { class: 'strip', 'aria-label': texts.modes }, this.canvas, this.words);
    this.element.addEventListener('pointermove', (event) => {
      const { from, to } = windowOf(store);
      const { left, width } = this.element.getBoundingClientRect();
      const { margins } = this;
      const share = (event.clientX - left - margins.left) / (width - margins.left - margins.right);
      const mode = store.run.now?.modeAt(from + share * (to - from));
      this.element.title = mode ? `${texts.mode}: ${modeName(mode.signature)}` : '';
    });
  }

  draw(palette: Palette, margins: Margins): void {
    this.margins = margins;
    const run = this.store.run.now;
    const orders = run ? modeOrders(run) : new Map<string, number>();
    this.element.hidden = orders.size < 2;
    if (!run || orders.size < 2) return;
    const { clientWidth, clientHeight } = this.element;
    const pixel = devicePixelRatio;
    Object.assign(this.canvas, { width: clientWidth * pixel, height: clientHeight * pixel });
    const context = this.canvas.getContext('2d')!;
    context.scale(pixel, pixel);
    context.font = palette.font;
    context.textBaseline = 'middle';
    const { from, to } = windowOf(this.store);
    const [width, height] = [clientWidth - margins.left - margins.right, clientHeight];
    const x = (time: number): number => margins.left + ((time - from) / (to - from)) * width;
    const measure = (text: string): number => context.measureText(text).width;
    const names = briefNames([...orders.keys()], LONGEST);
    let written = Number.NEGATIVE_INFINITY;
    for (const mode of run.modes) {
      const left = Math.max(margins.left, x(mode.from));
      const right = Math.min(margins.left + width, x(mode.to));
      if (right <= left) continue;
      context.fillStyle = palette.mode(orders.get(mode.signature)!);
      context.fillRect(left, 0, Math.max(0.5, right - left), height);
      const name = names.get(mode.signature)!;
      if (right - left < 3 * CHARACTER || left < written) continue;
      context.fillStyle = palette.text;
      const shown = fitted(name, right - left - 8, measure);
      context.fillText(shown, left + 4, height / 2 + 0.5);
      written = left + measure(shown);
    }
  }

  /** For readers who do not see colours. */
  tell(time: number): void {
    const mode = this.store.run.now?.modeAt(time);
    this.words.textContent = mode ? `${texts.mode}: ${modeName(mode.signature)}` : '';
  }
}
