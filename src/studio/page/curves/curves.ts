/** The diagrams of a run, one below the other, over the same time. */
import { fill, icon, iconButton, make } from '../dom.ts';
import type { Engine } from '../engine.ts';
import { type DiagramSpec, isOpen, type Store } from '../store.ts';
import { texts } from '../texts.ts';
import { nextFrame } from '../value.ts';
import { Across } from './across.ts';
import { marginsOf } from './axes.ts';
import { compared } from './compared.ts';
import { Diagram } from './diagram.ts';
import { addSignal, newDiagram } from './diagrams.ts';
import { Family } from './family.ts';
import { figureChoice } from './figures.ts';
import { pressed } from './gestures.ts';
import { paletteOf } from './palette.ts';
import { pictureOf } from './pictures.ts';
import { Strip } from './strip.ts';

/** What is carried when a variable is dragged. */
export const SIGNAL = 'application/x-mutabor-signal';

export class Curves {
  readonly element: HTMLElement;
  private readonly strip: Strip;
  private readonly list = make('div', { class: 'diagrams' });
  private readonly empty: HTMLElement;
  private readonly emptyWords = make('p', {}, texts.noRun);
  private diagrams: (Diagram | Across)[] = [];
  private readonly redraw = nextFrame(() => this.draw());
  private followed = (): void => {};

  constructor(
    private readonly store: Store,
    private readonly engine: () => Engine,
    run: () => void,
    stale: HTMLElement,
  ) {
    this.strip = new Strip(store);
    const start = make(
      'button',
      { type: 'button', class: 'primary', on: { click: run } },
      icon('run'),
      texts.run,
    );
    store.model.watch((model) => {
      start.disabled = model === undefined;
    });
    this.empty = make('div', { class: 'placeholder' }, start, this.emptyWords);
    const compare = iconButton('compare', texts.compare, () => store.isComparing.set(!store.isComparing.now));
    store.isComparing.watch((isOn) => compare.setAttribute('aria-pressed', String(isOn)));
    const bar = make(
      'div',
      { class: 'bar', title: texts.curvesHelp },
      iconButton('add', texts.newDiagram, () => newDiagram(store)),
      iconButton('zoom', texts.zoomAll, () => store.window.set(undefined)),
      compare,
      figureChoice(store),
    );
    this.element = make(
      'div',
      { class: 'curves' },
      bar,
      stale,
      new Family(store).element,
      compared(store),
      this.strip.element,
      this.list,
      this.empty,
    );
    this.element.addEventListener('keydown', (event) => {
      if ((event.target as Element).closest('button, input')) return;
      if (pressed(store, event)) event.preventDefault();
    });
    this.takeDrops();
    const draw = this.redraw;
    const mark = nextFrame(() => this.mark());
    for (const value of [
      store.diagrams,
      store.window,
      store.hidden,
      store.isDark,
      store.before,
      store.isComparing,
      store.open,
      store.model,
    ])
      value.follow(draw);
    store.family.follow(draw);
    store.run.watch((now) => {
      this.followed();
      this.followed = now ? now.version.follow(draw) : () => {};
      draw();
    });
    for (const value of [store.cursor, store.pointed]) value.follow(mark);
    new ResizeObserver(draw).observe(this.list);
  }

  private draw(): void {
    const { run, diagrams, isDark } = this.store;
    const palette = paletteOf(isDark.now);
    const isEmpty = run.now === undefined || (run.now.times.count === 0 && run.now.isOver);
    this.empty.hidden = !isEmpty;
    // Messages are of the model that is open.
    const hasFailed = run.now?.state.now === 'failed' && isOpen(run.now.order, this.store);
    this.emptyWords.textContent = hasFailed ? texts.nothingCame : texts.noRun;
    this.list.hidden = isEmpty;
    this.strip.element.hidden = isEmpty;
    if (isEmpty) return;
    const known = new Map(this.diagrams.map((diagram) => [diagram.id, diagram]));
    const specs = diagrams.now;
    this.diagrams = specs.map((spec) => this.diagramOf(spec, known.get(spec.id)));
    for (const diagram of known.values()) if (!this.diagrams.includes(diagram)) diagram.remove();
    const elements = this.diagrams.map(({ element }) => element);
    if (elements.some((element, k) => this.list.children[k] !== element)) fill(this.list, ...elements);
    const pictures = specs.map((spec) => pictureOf(this.store, spec, palette));
    const margins = marginsOf(
      pictures.filter((_, k) => this.diagrams[k] instanceof Diagram),
      palette.font,
    );
    this.element.style.setProperty('--axis', `${margins.left}px`);
    this.strip.draw(palette, margins);
    for (const [k, diagram] of this.diagrams.entries())
      if (diagram instanceof Across) diagram.draw(specs[k]!);
      else diagram.draw(specs[k]!, pictures[k]!, margins);
  }

  /** That which there is already, or another one. */
  private diagramOf(spec: DiagramSpec, known: Diagram | Across | undefined): Diagram | Across {
    const isAcross = spec.over !== undefined;
    if (known && known instanceof Across === isAcross) return known;
    return isAcross
      ? new Across(this.store, this.engine, spec.id)
      : new Diagram(this.store, spec, this.redraw);
  }

  private mark(): void {
    for (const diagram of this.diagrams) if (diagram instanceof Diagram) diagram.mark();
    this.strip.tell(this.store.pointed.now ?? this.store.cursor.now);
  }

  /** Variables that are dropped on a diagram, or beside all of them. */
  private takeDrops(): void {
    const { element, store } = this;
    element.addEventListener('dragover', (event) => {
      if (!event.dataTransfer?.types.includes(SIGNAL)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
    });
    element.addEventListener('drop', (event) => {
      const name = event.dataTransfer?.getData(SIGNAL);
      if (!name) return;
      event.preventDefault();
      const id = (event.target as Element).closest<HTMLElement>('[data-diagram]')?.dataset.diagram;
      if (id === undefined) newDiagram(store);
      addSignal(store, name, id === undefined ? store.diagrams.now.at(-1)!.id : Number(id));
    });
  }
}
