/**
 * The diagram of the model that is open, or its state chart: drawn by a worker, changed with the pointer or by keys. Changes become changes of the text, so undoing is the editor's. At the
 * time cursor active states light up, and what depends on variables shows their values. Components, connectors and lines can have the focus, which is what is chosen.
 */
import type { DiagramAction, DrawingAnswer } from '../../protocol.ts';
import { fill, make, makeSvg } from '../dom.ts';
import type { Editor } from '../editor/editor.ts';
import type { Engine } from '../engine.ts';
import { isOpen, type Store } from '../store.ts';
import { texts } from '../texts.ts';
import { nextFrame } from '../value.ts';
import { type Box, Zoom } from './zoom.ts';

type Point = readonly [number, number];
/** What is carried when a class of a library is dragged. */
export const CLASS = 'application/x-mutabor-class';

/** What can be taken hold of. */
const HANDLES = '.connector, .component, .connection';

/** Milliseconds from the last change of the text to another picture. */
const SOON = 150;

export class DiagramView {
  private readonly picture = make('div', {
    class: 'picture',
    tabindex: 0,
    role: 'group',
    'aria-label': texts.diagram,
  });
  private readonly help = make('span', { class: 'unit' }, texts.diagramHelp);
  private readonly choice = make('button', {
    type: 'button',
    class: 'plain small',
    on: { click: () => this.turnOver() },
  });
  readonly element = make(
    'div',
    { class: 'drawing' },
    make('div', { class: 'bar' }, this.choice, this.help),
    this.picture,
  );
  private readonly zoom = new Zoom(this.picture, (target) => !target.closest(HANDLES) || this.hasChart);
  private answer: DrawingAnswer | undefined;
  private isChart = true;
  private isSeen = false;
  /** The text has changed since the picture was drawn. */
  private isStale = false;
  private round = 0;
  private timer = 0;
  private values: Record<string, number> = {};
  /** The part of the diagram of a model that was seen last. */
  private seen: { readonly of: string; readonly box: Box } | undefined;
  /** The connector that a connection begins at. */
  private start: string | undefined;

  constructor(
    private readonly store: Store,
    private readonly engine: Engine,
    private readonly editor: Editor,
    /** When the models of the text are known; undefined where they are. */
    private readonly settled: () => Promise<void> | undefined,
  ) {
    const live = nextFrame(() => void this.follow());
    for (const value of [store.cursor, store.run]) value.follow(live);
    store.run.watch((run) => run?.version.follow(live));
    store.model.follow(() => {
      // Those were values of another one.
      this.values = {};
      this.changed();
    });
    store.open.follow(() => this.clear());
    this.picture.addEventListener('pointerdown', (event) => this.down(event));
    this.picture.addEventListener('focusin', (event) => this.frame(event.target as SVGElement));
    this.picture.addEventListener('focusout', () => this.picture.querySelector('.focus')?.remove());
    this.picture.addEventListener('keydown', (event) => this.key(event));
    this.picture.addEventListener('dragover', (event) => {
      if (event.dataTransfer?.types.includes(CLASS)) event.preventDefault();
    });
    this.picture.addEventListener('drop', (event) => this.drop(event));
    document.addEventListener('keydown', (event) => this.undo(event));
    store.adding.follow((adding) => adding && void this.add(adding));
  }

  shown(): void {
    this.isSeen = true;
    void this.draw();
  }

  /** Another text is open: what was seen belongs to none of its models. */
  private clear(): void {
    this.answer = undefined;
    this.round++;
    this.help.textContent = '';
    this.choice.hidden = true;
    fill(this.picture);
    this.changed();
  }

  changed(): void {
    this.isStale = true;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.draw(), SOON);
  }

  private async draw(): Promise<void> {
    const [file, model] = [this.store.open.now, this.store.model.now];
    if (!this.isSeen || file === undefined || model === undefined) return;
    const round = ++this.round;
    this.isStale = false;
    const of = { file, model, values: this.values };
    const answer = await this.engine.service.ask('drawing', of).catch(() => undefined);
    // While a text cannot be read, the picture stays.
    if (!answer || round !== this.round) return;
    this.answer = answer;
    this.show();
    if (Object.keys(this.values).length === 0) await this.follow();
  }

  private get hasChart(): boolean {
    return this.isChart && this.answer?.chart !== undefined;
  }

  private turnOver(): void {
    this.isChart = !this.isChart;
    this.show();
    void this.follow();
  }

  private show(): void {
    const { answer } = this;
    if (!answer) return;
    const focused = (document.activeElement as SVGElement | null)?.dataset.key;
    this.choice.hidden = answer.chart === undefined;
    this.choice.textContent = this.hasChart ? texts.diagram : texts.chart;
    const text = this.hasChart ? answer.chart! : answer.diagram;
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
    parsed.removeAttribute('width');
    parsed.removeAttribute('height');
    parsed.setAttribute('role', 'group');
    if (!this.hasChart) this.hold(parsed);
    this.zoom.take(parsed, `${this.store.open.now} ${this.store.model.now} ${this.hasChart}`);
    this.help.textContent =
      this.hasChart || this.editor.isReadOnly
        ? texts.chartHelp
        : answer.components.length === 0
          ? texts.diagramEmpty
          : texts.diagramHelp;
    fill(this.picture, document.importNode(parsed, true));
    if (this.hasChart) return;
    for (const element of this.picture.querySelectorAll<SVGElement>('.component, .connector, .connection')) {
      element.setAttribute('tabindex', '0');
      // A component has its connectors in it, which are buttons.
      element.setAttribute('role', element.classList.contains('component') ? 'group' : 'button');
      element.setAttribute('aria-label', element.dataset.key ?? '');
    }
    if (focused !== undefined) this.elementOf(focused)?.focus();
  }

  /** What is changed in a diagram leaves the rest where it is, as long as that can be seen: pictures only grow. */
  private hold(svg: Element): void {
    const of = `${this.store.open.now} ${this.store.model.now}`;
    const [x, y, width, height] = svg.getAttribute('viewBox')!.split(' ').map(Number) as unknown as Box;
    const before: Box = this.seen?.of === of ? this.seen.box : [x, y, width, height];
    const [left, top] = [Math.min(x, before[0]), Math.min(y, before[1])];
    const right = Math.max(x + width, before[0] + before[2]);
    const low = Math.max(y + height, before[1] + before[3]);
    this.seen = { of, box: [left, top, right - left, low - top] };
    svg.setAttribute('viewBox', this.seen.box.join(' '));
  }

  /** Outlines of elements in a picture grow with it; this frame is as thin in every one. */
  private frame(element: SVGElement): void {
    if (!(element instanceof SVGGraphicsElement)) return;
    const { x, y, width, height } = element.getBBox();
    element.append(
      makeSvg('rect', { class: 'focus', x: x - 1, y: y - 1, width: width + 2, height: height + 2 }),
    );
  }

  private elementOf(key: string): SVGElement | undefined {
    return [...this.picture.querySelectorAll<SVGElement>('[data-key]')].find(
      (one) => one.dataset.key === key,
    );
  }

  // ---------------------------------------------------------------- at the time cursor

  private async follow(): Promise<void> {
    const { answer } = this;
    const [run, time] = [this.store.run.now, this.store.cursor.now];
    if (!answer || !run || !isOpen(run.order, this.store) || Number.isNaN(time) || !this.isSeen) return;
    const states = answer.states.map((path) => `${path}.active`);
    const names = [...states, ...answer.names];
    if (names.length === 0) return;
    const of = { run: run.order.run, time, names };
    const found = await this.engine.runner.ask('values', of).catch(() => undefined);
    if (!found || answer !== this.answer) return;
    for (const [k, path] of answer.states.entries())
      for (const element of this.picture.querySelectorAll<SVGElement>('.state, .component'))
        if (element.dataset.key === path) element.classList.toggle('active', found[2 * k + 1] === 1);
    const values: Record<string, number> = {};
    for (const [k, name] of answer.names.entries()) {
      const value = name === 'time' ? time : found[2 * (states.length + k) + 1]!;
      if (!Number.isNaN(value)) values[name] = value;
    }
    const isSame = JSON.stringify(values) === JSON.stringify(this.values);
    this.values = values;
    if (!isSame) await this.draw();
  }

  // ---------------------------------------------------------------- changes

  /** Gives the names of components that were added. */
  private async edit(actions: readonly DiagramAction[]): Promise<readonly string[]> {
    const [file, model] = [this.store.open.now, this.store.model.now];
    if (file === undefined || model === undefined || actions.length === 0) return [];
    const made = await this.engine.service
      .ask('editDiagram', { file, model, actions })
      .catch((problem: Error) => {
        this.store.notify({ text: texts.engineProblem(problem.message), severity: 'error' });
        return undefined;
      });
    for (const { text } of made?.problems ?? []) this.store.notify({ text, severity: 'warning' });
    if (made && made.steps.length === 0 && made.problems.length === 0)
      this.store.notify({ text: texts.cannotRead, severity: 'warning', kind: 'unreadable' });
    if (made && made.steps.length > 0 && file === this.store.open.now) this.editor.applySteps(made.steps);
    await this.draw();
    return made?.added ?? [];
  }

  /** A class of the tree of libraries has fallen on the picture. */
  private drop(event: DragEvent): void {
    const name = event.dataTransfer?.getData(CLASS);
    if (!name) return;
    event.preventDefault();
    const back = this.picture.querySelector('svg')?.getScreenCTM()?.inverse();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(back);
    this.store.adding.set({ class: name, ...(back && !this.hasChart && { at: [x, -y] }) });
  }

  private async add({ class: name, at }: NonNullable<Store['adding']['now']>): Promise<void> {
    // Who adds to a text as soon as it is written means the model that is in it now.
    await this.settled();
    if (this.store.model.now === undefined) {
      this.store.notify({ text: texts.noModelToChange, severity: 'info' });
      return;
    }
    if (this.hasChart) this.turnOver();
    const [added] = await this.edit([{ kind: 'add', class: name, ...(at && { at }) }]);
    if (added !== undefined) this.elementOf(added)?.focus();
  }

  private async move(name: string, by: Point, turn = 0): Promise<unknown> {
    if (this.isStale) await this.draw();
    const placing = this.answer?.components.find((one) => one.name === name)?.placing;
    if (!placing) return;
    const [x, y] = placing.origin;
    // What stands at the origin of the diagram turns around its own middle.
    const [[ax, ay], [bx, by2]] = placing.extent;
    const middle: Point = [(ax + bx) / 2, (ay + by2) / 2];
    const centred =
      turn === 0
        ? { ...placing, origin: [x + by[0], y + by[1]] as Point }
        : {
            extent: [
              [ax - middle[0], ay - middle[1]],
              [bx - middle[0], by2 - middle[1]],
            ] as readonly [Point, Point],
            rotation: placing.rotation + turn,
            origin: [x + middle[0], y + middle[1]] as Point,
          };
    return this.edit([{ kind: 'place', name, placing: centred }]);
  }

  private async remove(element: SVGElement): Promise<unknown> {
    if (this.isStale) await this.draw();
    const key = element.dataset.key ?? '';
    if (element.classList.contains('component')) return this.edit([{ kind: 'remove', name: key }]);
    const found = this.answer?.connections.find(({ from, to }) => `${from},${to}` === key);
    if (!found || !element.classList.contains('connection')) return;
    const at = found.equation?.from;
    return this.edit([
      { kind: 'disconnect', from: found.from, to: found.to, ...(at !== undefined && { at }) },
    ]);
  }

  private connect(to: string | undefined): Promise<unknown> {
    const from = this.start;
    this.start = undefined;
    this.picture.classList.remove('connecting');
    if (from === undefined || to === undefined || from === to) return Promise.resolve();
    return this.edit([{ kind: 'connect', from, to }]);
  }

  private begin(key: string): void {
    this.start = key;
    this.picture.classList.add('connecting');
  }

  private key(event: KeyboardEvent): void {
    const element = (event.target as Element).closest<SVGElement>('[data-key]');
    const key = element?.dataset.key;
    if (event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape') void this.connect(undefined);
    else if (this.zoom.pressed(event)) event.preventDefault();
    else if (!element || key === undefined || this.hasChart) return;
    else if (event.key === 'Delete' || event.key === 'Backspace') void this.remove(element);
    else if (event.key === 'Enter' && element.classList.contains('connector'))
      if (this.start === undefined) this.begin(key);
      else void this.connect(key);
    else if (!element.classList.contains('component')) return;
    else if (event.key.toLowerCase() === 'r') void this.move(key, [0, 0], event.shiftKey ? -90 : 90);
    else {
      const [dx, dy] = this.answer?.grid ?? [2, 2];
      const steps: Record<string, Point> = {
        ArrowLeft: [-dx, 0],
        ArrowRight: [dx, 0],
        ArrowUp: [0, dy],
        ArrowDown: [0, -dy],
      };
      const step = steps[event.key];
      if (!step) return;
      void this.move(key, step);
    }
    event.preventDefault();
  }

  /** While the picture is seen, what is undone is a change of it, wherever nothing is being written. */
  private undo(event: KeyboardEvent): void {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || (key !== 'z' && key !== 'y')) return;
    const isWriting = (event.target as Element).closest('input, select, .editor, dialog') !== null;
    if (isWriting || this.picture.offsetParent === null) return;
    if (key === 'y' || event.shiftKey) this.editor.redo();
    else this.editor.undo();
    event.preventDefault();
  }

  private down(event: PointerEvent): void {
    const svg = this.picture.querySelector('svg');
    const element = (event.target as Element).closest<SVGElement>(HANDLES);
    const key = element?.dataset.key;
    if (!svg || !element || key === undefined || this.hasChart || event.button !== 0) return;
    element.focus();
    event.preventDefault();
    const back = svg.getScreenCTM()!.inverse();
    const at = ({ clientX, clientY }: PointerEvent): Point => {
      const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(back);
      return [x, y];
    };
    const from = at(event);
    const isConnector = element.classList.contains('connector');
    const line = makeSvg('line', { class: 'rubber', x1: from[0], y1: from[1], x2: from[0], y2: from[1] });
    if (isConnector) svg.append(line);
    const grid = this.answer?.grid ?? [2, 2];
    const distance = (now: Point): Point => [
      Math.round((now[0] - from[0]) / grid[0]) * grid[0],
      -Math.round((now[1] - from[1]) / grid[1]) * grid[1],
    ];
    const move = (moved: PointerEvent): void => {
      const [x, y] = at(moved);
      const [dx, dy] = distance([x, y]);
      if (isConnector) {
        line.setAttribute('x2', String(x));
        line.setAttribute('y2', String(y));
      } else if (element.classList.contains('component'))
        element.setAttribute('transform', `translate(${dx} ${-dy})`);
    };
    const up = (released: PointerEvent): void => {
      document.removeEventListener('pointermove', move);
      document.removeEventListener('pointerup', up);
      line.remove();
      const [dx, dy] = distance(at(released));
      if (isConnector) {
        const target = document
          .elementFromPoint(released.clientX, released.clientY)
          ?.closest<SVGElement>('.connector');
        this.start = key;
        void this.connect(target?.dataset.key);
      } else if (element.classList.contains('component') && (dx !== 0 || dy !== 0))
        void this.move(key, [dx, dy]);
    };
    document.addEventListener('pointermove', move);
    document.addEventListener('pointerup', up);
  }
}
