/**
 * Plots that answer, in any element of a page. The wheel, two fingers and the keys + and − zoom the time; dragging chooses an interval, or
 * pans where the picture is zoomed; a double click shows all. The wheel belongs to the page where that can scroll, until the plot is clicked. The pointer reads out values and the mode; the legend and a list switch signals off
 * and on. Every change draws the figure anew, so that axes, legends and modes fit what is seen and the width that there is.
 */
import { type Chooser, chooser } from './chooser.ts';
import { placeX } from './curve.ts';
import { button, make } from './elements.ts';
import { checkPlot, type Figure, layoutFigure, type PlotOptions, type Plotted, runsOf } from './figure.ts';
import type { Layout } from './layout.ts';
import { subjectOf, type View } from './member.ts';
import type { Panel } from './panel.ts';
import { readoutAt } from './readout.ts';
import { colorIn, DARK, FONTS, LIGHT } from './style.ts';
import { renderSvg } from './svg.ts';
import { type Range, valueAt } from './ticks.ts';

/** A plot in a page. */
export interface PlotViewer {
  /** Shows other results, another layout or other options; what is left out stays as it is. */
  update(plotted?: Plotted, layout?: Layout, options?: PlotOptions): void;
  /** Shows the time from `from` to `to`, or all of it. */
  zoom(from?: number, to?: number): void;
  /** Shows remarks beside the buttons. */
  note(texts: readonly string[]): void;
  /** Removes the plot and all that listens to events. */
  remove(): void;
}

/** Shows a plot in an element of a page, in place of its contents; its width follows that of the element. */
export function showPlot(
  element: HTMLElement,
  plotted: Plotted,
  layout?: Layout,
  options: PlotOptions = {},
): PlotViewer {
  checkPlot(plotted, options, 'showPlot');
  return new Viewer(element, plotted, layout, options);
}

/** Least width, of all of the time, that can be seen. */
const CLOSEST = 1e-9;
/** Where there is less room, values are read out below the picture, not beside the finger. */
const NARROW = 560;
const ONE_ZOOM = 1.5;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** A drag that began at a place of a diagram. */
interface Drag {
  readonly from: number;
  readonly panel: Panel;
  /** What was seen then; undefined for all of the time. */
  readonly window: Range | undefined;
}

/** The viewer of `showPlot`, also of results that are thinned out. */
export class Viewer implements PlotViewer {
  private readonly root: HTMLElement;
  private readonly picture: HTMLElement;
  private readonly readout: HTMLElement;
  private readonly remarks: HTMLElement;
  private readonly cursor: SVGPathElement;
  /** Where the time is that `mark` said. */
  private readonly marker: SVGPathElement;
  private marked: number | undefined;
  private readonly observer: ResizeObserver;
  private chooser: Chooser;
  private window: Range | undefined;
  private readonly hidden = new Set<string>();
  private figure: Figure;
  private frame = 0;
  private readonly pointers = new Map<number, Place>();
  private drag: Drag | undefined;
  /** What is read out. */
  private pointed: Place | undefined;

  constructor(
    private readonly element: HTMLElement,
    private plotted: Plotted,
    private layout: Layout | undefined,
    private options: PlotOptions,
    /** Of results that are not all there is. */
    private part: Pick<View, 'resolution' | 'choice'> = {},
    /** Hears the times that are clicked or dragged over; otherwise dragging chooses an interval, or pans. */
    private readonly scrub?: (time: number) => void,
  ) {
    this.chooser = this.choose();
    this.picture = make('div', 'picture');
    this.readout = make('output', 'mutabor-readout');
    this.readout.hidden = true;
    this.remarks = make('span', 'remarks');
    this.cursor = makePath('cursor');
    this.marker = makePath('marker');
    this.root = make('div', 'mutabor-viewer');
    this.root.tabIndex = 0;
    this.root.append(make('style', '', VIEWER_STYLE), this.bar(), this.picture, this.readout);
    this.figure = this.layOut();
    element.replaceChildren(this.root);
    this.listen();
    this.draw();
    let width = element.clientWidth;
    this.observer = new ResizeObserver(() => {
      if (element.clientWidth !== width) this.later();
      width = element.clientWidth;
    });
    this.observer.observe(element);
  }

  update(plotted = this.plotted, layout = this.layout, options = this.options): void {
    checkPlot(plotted, options, 'update');
    const isOther = plotted !== this.plotted || layout !== this.layout;
    if (plotted !== this.plotted) this.part = {};
    this.plotted = plotted;
    this.layout = layout;
    this.options = options;
    if (isOther) {
      const next = this.choose();
      this.chooser.element.replaceWith(next.element);
      this.chooser = next;
    }
    this.draw();
  }

  zoom(from?: number, to?: number): void {
    this.window = from === undefined || to === undefined ? undefined : this.clamped({ low: from, high: to });
    this.draw();
  }

  /** Marks a time in all diagrams over the time. */
  mark(time: number): void {
    this.marked = time;
    const places = this.figure.panels.flatMap(({ isTimed, frame }) => {
      const x = isTimed ? placeX(frame, time) : Number.NaN;
      return x >= frame.left - 0.5 && x <= frame.right + 0.5 ? [`M${x} ${frame.top}V${frame.bottom}`] : [];
    });
    this.marker.setAttribute('d', places.join(''));
  }

  note(texts: readonly string[]): void {
    this.remarks.textContent = texts.join('; ');
  }

  remove(): void {
    this.observer.disconnect();
    cancelAnimationFrame(this.frame);
    this.root.remove();
  }

  private choose(): Chooser {
    return chooser(runsOf(this.plotted), this.layout, () => this.draw(), this.part.choice);
  }

  /** Buttons, the list of signals, remarks. */
  private bar(): HTMLElement {
    const bar = make('div', 'bar');
    bar.append(
      this.chooser.element,
      button(
        '+',
        'Zoom in',
        () => this.zoomBy(1 / ONE_ZOOM),
        'Zoom in: Ctrl and wheel, or a click and wheel',
      ),
      button('−', 'Zoom out', () => this.zoomBy(ONE_ZOOM)),
      button('All', 'Show all of the time', () => this.zoom()),
      this.remarks,
    );
    return bar;
  }

  private layOut(): Figure {
    const width = this.element.clientWidth || this.options.width || 800;
    const { hidden, part, window } = this;
    const view = { ...part, hidden, ...(window && { window }) };
    return layoutFigure(runsOf(this.plotted), this.chooser.layout(), { ...this.options, width }, view);
  }

  private draw(): void {
    this.figure = this.layOut();
    this.picture.innerHTML = renderSvg(this.figure);
    this.svg.append(this.marker, this.cursor);
    if (this.marked !== undefined) this.mark(this.marked);
    this.root.classList.toggle('zoomed', this.window !== undefined);
    this.root.classList.toggle('narrow', this.element.clientWidth < NARROW);
    for (const entry of this.svg.querySelectorAll<SVGGElement>('.entry[data-key]')) {
      entry.setAttribute('role', 'button');
      entry.setAttribute('tabindex', '0');
      entry.setAttribute('aria-pressed', String(!this.hidden.has(entry.dataset.key!)));
    }
    if (this.pointed) this.read(this.pointed);
  }

  /** Draws when the browser does, however many events there were. */
  private later(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  private get svg(): SVGSVGElement {
    return this.picture.querySelector('svg')!;
  }

  private listen(): void {
    const { picture, root } = this;
    picture.addEventListener('click', (event) => this.toggle(event.target as Element));
    picture.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      if (!this.toggle(event.target as Element)) return;
      event.preventDefault();
    });
    root.addEventListener('keydown', (event) => this.key(event));
    picture.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    picture.addEventListener('dblclick', () => this.zoom());
    picture.addEventListener('pointerdown', (event) => this.down(event));
    picture.addEventListener('pointermove', (event) => this.move(event));
    for (const name of ['pointerup', 'pointercancel'] as const)
      picture.addEventListener(name, (event) => this.up(event));
    picture.addEventListener('pointerleave', (event) => {
      if (event.pointerType === 'mouse') this.leave();
    });
  }

  /** Switches what a legend entry stands for; false for anything else. */
  private toggle(target: Element): boolean {
    const key = target.closest<SVGGElement>('.entry[data-key]')?.dataset.key;
    if (key === undefined) return false;
    if (!this.hidden.delete(key)) this.hidden.add(key);
    this.draw();
    const entries = [...this.svg.querySelectorAll<SVGGElement>('.entry[data-key]')];
    entries.find((entry) => entry.dataset.key === key)?.focus();
    return true;
  }

  private key(event: KeyboardEvent): void {
    if ((event.target as Element).closest('input')) return;
    const step = this.scrub ? undefined : { ArrowLeft: -0.1, ArrowRight: 0.1 }[event.key];
    if (step !== undefined) this.pan(step);
    else if (event.key === '+' || event.key === '=') this.zoomBy(1 / ONE_ZOOM);
    else if (event.key === '-') this.zoomBy(ONE_ZOOM);
    else if (event.key === '0' || event.key === 'Escape') this.zoom();
    else return;
    event.preventDefault();
  }

  private wheel(event: WheelEvent): void {
    const place = this.place(event);
    const panel = this.panelAt(place);
    if (!panel) return;
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    const isMeant = event.ctrlKey || event.metaKey;
    // Nothing is left to pan, or to zoom out of.
    const isIdle = !this.window && (isSideways || event.deltaY > 0);
    if (!isMeant && (isIdle || (!this.root.matches(':focus-within') && canScroll(this.root)))) return;
    event.preventDefault();
    if (isSideways) this.pan(event.deltaX / 500);
    else
      this.zoomBy(Math.exp(event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)), timeAt(panel, place.x));
  }

  private down(event: PointerEvent): void {
    const place = this.place(event);
    const panel = this.panelAt(place);
    this.pointers.set(event.pointerId, place);
    this.drag = undefined;
    if (this.pointers.size > 1 || !panel || event.button > 0) return;
    const isMouse = event.pointerType === 'mouse';
    if (isMouse) this.picture.setPointerCapture(event.pointerId);
    else this.read(place);
    // A finger that is not zoomed in reads out values.
    if (isMouse || this.window || this.scrub) this.drag = { from: place.x, panel, window: this.window };
    this.scrub?.(timeAt(panel, place.x));
  }

  private move(event: PointerEvent): void {
    const place = this.place(event);
    if (this.pointers.size === 2 && this.pointers.has(event.pointerId)) {
      this.pinch(event.pointerId, place);
      return;
    }
    if (this.pointers.has(event.pointerId)) this.pointers.set(event.pointerId, place);
    const { drag } = this;
    if (!drag) this.read(place);
    else if (this.scrub) {
      this.read({ ...place, y: Math.min(drag.panel.frame.bottom, Math.max(drag.panel.frame.top, place.y)) });
      this.scrub(timeAt(drag.panel, place.x));
    } else if (drag.window) {
      const { left, right } = drag.panel.frame;
      const moved = ((drag.from - place.x) / (right - left)) * (drag.window.high - drag.window.low);
      this.window = this.clamped({ low: drag.window.low + moved, high: drag.window.high + moved });
      this.leave();
      this.later();
    } else this.select(drag, place.x);
  }

  private up(event: PointerEvent): void {
    const { drag } = this;
    this.pointers.delete(event.pointerId);
    this.drag = undefined;
    if (!drag || drag.window || this.scrub) return;
    this.cursor.removeAttribute('d');
    const { x } = this.place(event);
    if (Math.abs(x - drag.from) < 6 || event.type === 'pointercancel') return;
    const [a, b] = [timeAt(drag.panel, drag.from), timeAt(drag.panel, x)];
    this.zoom(Math.min(a, b), Math.max(a, b));
  }

  /** Two fingers: what was below them stays below them. */
  private pinch(id: number, place: Place): void {
    const other = [...this.pointers].find(([pointer]) => pointer !== id)![1];
    const before = this.pointers.get(id)!;
    this.pointers.set(id, place);
    const panel = this.panelAt(other) ?? this.panelAt(place);
    if (!panel || Math.abs(place.x - other.x) < 8) return;
    this.leave();
    this.zoomBy(Math.abs(before.x - other.x) / Math.abs(place.x - other.x), timeAt(panel, other.x));
  }

  /** Shows an interval that a drag chooses. */
  private select({ from, panel }: Drag, to: number): void {
    this.leave();
    const { left, right } = panel.frame;
    const end = Math.min(right, Math.max(left, to));
    const same = this.figure.panels.filter(({ isTimed, column }) => isTimed && column === panel.column);
    const path = same.map(({ frame }) => `M${from} ${frame.top}H${end}V${frame.bottom}H${from}Z`).join('');
    this.cursor.setAttribute('d', path);
    this.cursor.classList.add('chosen');
  }

  private read(place: Place): void {
    const { x, y } = place;
    const found = readoutAt(this.figure, x, y);
    if (!found) {
      this.leave();
      return;
    }
    this.pointed = place;
    this.cursor.classList.remove('chosen');
    this.cursor.setAttribute('d', found.cursor);
    const theme = this.isDark ? DARK : LIGHT;
    this.readout.replaceChildren(
      ...found.lines.map(({ color, text }) => {
        const line = make('div', '');
        if (color !== '') {
          const swatch = make('i', '');
          swatch.style.background = colorIn(theme, color);
          line.append(swatch);
        }
        line.append(text);
        return line;
      }),
    );
    this.readout.hidden = false;
    if (this.root.classList.contains('narrow')) return;
    const scale = this.scale;
    const [px, py] = [x / scale, y / scale];
    const { offsetWidth, offsetHeight } = this.readout;
    const isLeft = px + 16 + offsetWidth > this.picture.clientWidth;
    this.readout.style.left = `${Math.max(0, isLeft ? px - 16 - offsetWidth : px + 16)}px`;
    this.readout.style.top = `${Math.max(0, this.picture.offsetTop + py - offsetHeight / 2)}px`;
  }

  private leave(): void {
    this.pointed = undefined;
    this.readout.hidden = true;
    this.cursor.removeAttribute('d');
  }

  private get isDark(): boolean {
    const { theme = 'auto' } = this.options;
    return theme === 'dark' || (theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  }

  /** Units of the figure that a pixel of the page is. */
  private get scale(): number {
    return this.figure.width / (this.svg.getBoundingClientRect().width || 1);
  }

  private place(event: MouseEvent): Place {
    const box = this.svg.getBoundingClientRect();
    return { x: (event.clientX - box.left) * this.scale, y: (event.clientY - box.top) * this.scale };
  }

  /** The diagram over the time at a place. */
  private panelAt({ x, y }: Place): Panel | undefined {
    return this.figure.panels.find(
      ({ isTimed, frame }) =>
        isTimed && x >= frame.left && x <= frame.right && y >= frame.top && y <= frame.bottom,
    );
  }

  /** Zooms so that a time, the middle where it is left out, stays where it is. */
  private zoomBy(factor: number, time?: number): void {
    const { low, high } = this.window ?? this.all;
    const fixed = time ?? (low + high) / 2;
    const by = Math.max(factor, this.closest / (high - low));
    this.window = this.clamped({ low: fixed - (fixed - low) * by, high: fixed + (high - fixed) * by });
    this.later();
  }

  private pan(share: number): void {
    if (!this.window) return;
    const { low, high } = this.window;
    const by = share * (high - low);
    this.window = this.clamped({ low: low + by, high: high + by });
    this.later();
  }

  private get all(): Range {
    return subjectOf(runsOf(this.plotted), {}, undefined).time;
  }

  /** The shortest time that can be seen: intervals that are thinned out are no wider than a pixel. */
  private get closest(): number {
    const { low, high } = this.all;
    return Math.max(CLOSEST * (high - low), (this.part.resolution ?? 0) * this.figure.width);
  }

  /** Inside the run; undefined for all of it. */
  private clamped({ low, high }: Range): Range | undefined {
    const all = this.all;
    const span = Math.max(high - low, this.closest);
    if (!(span < all.high - all.low)) return undefined;
    const start = Math.min(Math.max(low, all.low), all.high - span);
    return { low: start, high: start + span };
  }
}

function makePath(name: string): SVGPathElement {
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('class', name);
  return path;
}

/** Whether the page, or a part of it that an element stands in, can scroll up or down; the page around a frame is not known. */
function canScroll(element: Element): boolean {
  if (window.parent !== window) return true;
  for (let part: Element | null = element; part; part = part.parentElement) {
    const isPart = part !== document.scrollingElement;
    if (
      part.scrollHeight > part.clientHeight &&
      (!isPart || /auto|scroll/.test(getComputedStyle(part).overflowY))
    )
      return true;
  }
  return false;
}

/** The time at a place across a diagram, or at the nearer end of its axis. */
function timeAt({ frame }: Panel, x: number): number {
  return valueAt(frame.x, Math.min(1, Math.max(0, (x - frame.left) / (frame.right - frame.left))));
}

const VIEWER_STYLE = `.mutabor-viewer { position: relative; font: 13px/1.4 ${FONTS}; outline-offset: -2px; }
.mutabor-viewer .bar { position: relative; display: flex; flex-wrap: wrap; gap: 6px; align-items: center; padding: 8px 16px 0; }
.mutabor-viewer button, .mutabor-viewer summary { font: inherit; color: inherit; min-width: 32px; height: 32px; box-sizing: border-box;
  padding: 5px 10px; border: 1px solid #9aa5b166; border-radius: 6px; background: transparent; cursor: pointer; list-style: none; }
.mutabor-viewer .remarks { color: #7b8794; font-size: 12px; }
.mutabor-viewer svg { display: block; width: 100%; height: auto; touch-action: pan-y; user-select: none; -webkit-user-select: none; }
.mutabor-viewer.zoomed .picture { cursor: grab; }
.mutabor-viewer .entry[role] { cursor: pointer; }
.mutabor-viewer .entry:focus-visible { outline: 2px solid #3a9fdc; outline-offset: 2px; }
.mutabor-viewer .off { opacity: 0.35; }
.mutabor-viewer .cursor { stroke: #7b8794; fill: none; pointer-events: none; }
.mutabor-viewer .marker { stroke: light-dark(#1f2933cc, #e4e7ebcc); stroke-width: 1.5; fill: none; pointer-events: none; }
.mutabor-viewer .cursor.chosen { fill: #3a9fdc33; stroke: none; }
.mutabor-readout { position: absolute; z-index: 1; pointer-events: none; padding: 6px 10px; border-radius: 6px; white-space: pre;
  font: 12px/1.5 ${FONTS}; font-variant-numeric: tabular-nums; color: light-dark(#1f2933, #e4e7eb);
  background: light-dark(#ffffffee, #20262dee); box-shadow: 0 1px 6px #0004; }
.mutabor-readout div { display: flex; gap: 6px; }
.mutabor-readout i { flex: none; width: 10px; height: 3px; margin-top: 7px; }
.mutabor-viewer.narrow .mutabor-readout { position: sticky; display: block; bottom: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.mutabor-viewer .mutabor-readout[hidden] { display: none; }
.mutabor-viewer .list { position: absolute; z-index: 2; top: 44px; left: 16px; right: 16px; max-width: 420px; max-height: 60vh; overflow: auto; padding: 8px;
  border-radius: 6px; color: light-dark(#1f2933, #e4e7eb); background: light-dark(#ffffff, #20262d); box-shadow: 0 1px 8px #0005; }
.mutabor-viewer .list input[type=search] { width: 100%; box-sizing: border-box; font: inherit; padding: 5px 8px; margin-bottom: 6px; }
.mutabor-viewer .list label { display: flex; gap: 8px; padding: 3px 2px; align-items: baseline; overflow-wrap: anywhere; }
.mutabor-viewer .list small { color: #7b8794; }`;
