/** The modes of a run as a strip over the diagrams, each with its colour and, where there is room, its name. */
import { briefNames, modeName } from '../../../results/plot/naming.ts';
import { make } from '../dom.ts';
import type { Store } from '../store.ts';
import { texts } from '../texts.ts';
import type { Palette } from './palette.ts';
import { modeOrders, rightOf, windowOf } from './pictures.ts';
import { LEFT } from './plot.ts';

/** Characters of a name, and pixels of one. */
const LONGEST = 40;
const CHARACTER = 6.5;

export class Strip {
  readonly element: HTMLElement;
  private readonly canvas = make('canvas');
  private readonly words = make('output', { class: 'sr-only' });

  constructor(private readonly store: Store) {
    this.element = make('div', { class: 'strip', 'aria-label': texts.modes }, this.canvas, this.words);
    this.element.addEventListener('pointermove', (event) => {
      const { from, to } = windowOf(store);
      const { left, width } = this.element.getBoundingClientRect();
      const share = (event.clientX - left - LEFT) / (width - LEFT - rightOf(store));
      const mode = store.run.now?.modeAt(from + share * (to - from));
      this.element.title = mode ? `${texts.mode}: ${modeName(mode.signature)}` : '';
    });
  }

  draw(palette: Palette): void {
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
    const [width, height] = [clientWidth - LEFT - rightOf(this.store), clientHeight];
    const x = (time: number): number => LEFT + ((time - from) / (to - from)) * width;
    const names = briefNames([...orders.keys()], LONGEST);
    let written = Number.NEGATIVE_INFINITY;
    for (const mode of run.modes) {
      const left = Math.max(LEFT, x(mode.from));
      const right = Math.min(LEFT + width, x(mode.to));
      if (right <= left) continue;
      context.fillStyle = palette.mode(orders.get(mode.signature)!);
      context.fillRect(left, 0, Math.max(0.5, right - left), height);
      const name = names.get(mode.signature)!;
      if (right - left < 3 * CHARACTER || left < written) continue;
      context.fillStyle = palette.text;
      const shown = fitted(context, name, right - left - 8);
      context.fillText(shown, left + 4, height / 2 + 0.5);
      written = left + context.measureText(shown).width;
    }
  }

  /** For readers who do not see colours. */
  tell(time: number): void {
    const mode = this.store.run.now?.modeAt(time);
    this.words.textContent = mode ? `${texts.mode}: ${modeName(mode.signature)}` : '';
  }
}

/** As much of a text as there is room for. */
function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  for (let n = Math.floor(width / CHARACTER); n > 1; n--) {
    const shorter = `${text.slice(0, n)}…`;
    if (context.measureText(shorter).width <= width) return shorter;
  }
  return '';
}
