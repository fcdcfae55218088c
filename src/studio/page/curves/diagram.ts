/** One diagram with its legend, and the lines that mark times in it. */
import type { SignalReport } from '../../protocol.ts';
import { fill, iconButton, make } from '../dom.ts';
import type { DiagramSpec, Store } from '../store.ts';
import { texts } from '../texts.ts';
import { type Margins, rangeOf, stepIn } from './axes.ts';
import type { Picture } from './content.ts';
import { removeDiagram, removeSignal, toggleSignal } from './diagrams.ts';
import { listen } from './gestures.ts';
import type { Palette } from './palette.ts';
import { legendColor, measureOf, valueTextOf } from './pictures.ts';
import { Plot } from './plot.ts';

export class Diagram {
  readonly element: HTMLElement;
  private readonly legend = make('div', { class: 'legend' });
  /** The power of ten and the unit of the axis at the left. */
  private readonly scale = make('span', { class: 'scale' });
  private readonly stage = make('div', { class: 'plot' });
  private readonly marks = {
    cursor: make('div', { class: 'mark cursor' }),
    pointed: make('div', { class: 'mark pointed' }),
    chosen: make('div', { class: 'mark chosen' }),
  };
  private plot: Plot | undefined;
  private picture: Picture | undefined;
  private values = new Map<string, HTMLElement>();
  private readonly room: ResizeObserver;

  constructor(
    private readonly store: Store,
    private spec: DiagramSpec,
    redraw: () => void,
  ) {
    const remove = iconButton('remove', texts.removeDiagram, () => removeDiagram(store, this.spec.id), {
      class: 'tool small quiet',
    });
    this.element = make(
      'section',
      { class: 'diagram', 'data-diagram': spec.id, tabindex: 0, 'aria-label': texts.curvesOf(spec.signals) },
      make('header', {}, this.scale, this.legend, remove),
      this.stage,
    );
    // Values that get longer may need another row of the legend.
    this.room = new ResizeObserver(redraw);
    this.room.observe(this.stage);
  }

  get id(): number {
    return this.spec.id;
  }

  /** Draws what there is now. */
  draw(spec: DiagramSpec, picture: Picture, margins: Margins): void {
    this.spec = spec;
    this.picture = picture;
    this.element.setAttribute('aria-label', texts.curvesOf(spec.signals));
    this.drawLegend(picture.palette);
    // Rows of the legend depend on them, and the room for the plot on these.
    this.showValues();
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (width < 40 || height < 40) return;
    if (this.plot?.fits(picture)) {
      this.plot.resize(width, height);
      this.plot.show(picture, margins);
    } else {
      this.plot?.remove();
      this.plot = new Plot(this.stage, picture, margins, { width, height }, () => this.placeMarks());
      this.plot.over.append(...Object.values(this.marks));
      listen(this.store, this.plot, (interval) => this.choose(interval));
    }
    this.scale.textContent = this.plot.scales[0] ?? '';
  }

  /** Where the time cursor and the pointer are, and the values there. */
  mark(): void {
    this.placeMarks();
    this.showValues();
  }

  private placeMarks(): void {
    const { cursor, pointed } = this.store;
    if (!this.plot) return;
    this.place(this.marks.cursor, cursor.now);
    this.place(this.marks.pointed, pointed.now ?? Number.NaN);
  }

  private showValues(): void {
    const { run, cursor, pointed } = this.store;
    const time = pointed.now ?? cursor.now;
    for (const [name, element] of this.values) {
      const signal = run.now?.signal(name);
      const isThere = run.now?.hasTime(time) && signal;
      element.textContent = isThere
        ? valueAtText(signal, run.now!.valueAt(name, time), this.stepOf(signal))
        : '';
    }
  }

  private stepOf(signal: SignalReport): number {
    return this.picture ? stepIn(...rangeOf(this.picture, measureOf(signal))) : 0;
  }

  remove(): void {
    this.room.disconnect();
    this.plot?.remove();
    this.element.remove();
  }

  private place(mark: HTMLElement, time: number): void {
    const x = this.plot!.placeOf(time);
    const isSeen = x >= -0.5 && x <= this.plot!.over.clientWidth + 0.5;
    mark.hidden = !isSeen;
    if (isSeen) mark.style.transform = `translateX(${x}px)`;
  }

  private choose(interval: readonly [number, number] | undefined): void {
    const { chosen } = this.marks;
    chosen.hidden = interval === undefined;
    if (!interval) return;
    chosen.style.transform = `translateX(${Math.min(...interval)}px)`;
    chosen.style.width = `${Math.abs(interval[1] - interval[0])}px`;
  }

  private drawLegend(palette: Palette): void {
    const { run, hidden } = this.store;
    const { signals, id, legends } = this.spec;
    this.values = new Map(signals.map((name) => [name, make('output', {})]));
    if (signals.length === 0) fill(this.legend, make('span', { class: 'empty' }, texts.noCurves));
    else
      fill(
        this.legend,
        this.spec.title && make('strong', { class: 'title' }, this.spec.title),
        ...signals.map((name, order) => {
          const signal = run.now?.signal(name);
          const swatch = make('span', { class: 'swatch' });
          swatch.style.background = legendColor(this.store, order, palette);
          return make(
            'span',
            { class: 'entry', title: signal?.description || name },
            make(
              'button',
              {
                type: 'button',
                class: 'name',
                'aria-pressed': String(!hidden.now.has(name)),
                'aria-label': texts.showCurve(name),
                on: { click: () => toggleSignal(this.store, name) },
              },
              swatch,
              legends?.[name] ?? name,
            ),
            this.values.get(name),
            iconButton('remove', texts.removeCurve(name), () => removeSignal(this.store, name, id), {
              class: 'tool small quiet',
            }),
          );
        }),
      );
  }
}

const valueAtText = (signal: SignalReport, value: number, step: number): string =>
  Number.isNaN(value) ? texts.missing : valueTextOf(signal, value, step);
