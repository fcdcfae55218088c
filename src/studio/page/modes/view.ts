/**
 * The modes of a run: as a graph, in which the present one at the time cursor is lit, and what is solved in one of them, which is the present one until a person chooses another.
 */
import { readable } from '../../../names/readable.ts';
import type { EquationsReport } from '../../protocol.ts';
import { seek } from '../curves/gestures.ts';
import { paletteOf } from '../curves/palette.ts';
import { modeOrders, weightText } from '../curves/pictures.ts';
import { type Child, fill, make } from '../dom.ts';
import type { Engine } from '../engine.ts';
import type { Run } from '../run.ts';
import type { Store } from '../store.ts';
import { texts } from '../texts.ts';
import { nextFrame } from '../value.ts';
import { blockList } from './blocks.ts';
import { graphOf, type ModeEdge, type ModeGraph, type ModeNode } from './graph.ts';
import { matrixPicture } from './matrix.ts';
import { graphPicture } from './picture.ts';

const words = texts.modeGraph;

/** Milliseconds from what is new of a run to another picture. */
const SOON = 120;
/** Visits, changes and impulses that are listed. */
const MOST_VISITS = 12;
const MOST_CHANGES = 12;
const MOST_IMPULSES = 6;

export class ModesView {
  private readonly follow = make(
    'button',
    { type: 'button', class: 'plain small', on: { click: () => this.choose(undefined) } },
    words.followCursor,
  );
  private readonly note = make('span', { class: 'unit' });
  private readonly area = make('div', { class: 'graph-area' });
  private readonly heading = make('div', { class: 'mode-heading' });
  private readonly solved = make('div', { class: 'mode-solved' });
  readonly element = make(
    'div',
    { class: 'modes-view' },
    make('div', { class: 'bar' }, this.follow, this.note),
    this.area,
    make('section', { class: 'mode-detail', 'aria-label': words.detail }, this.heading, this.solved),
  );
  private graph: ModeGraph | undefined;
  private graphed: Run | undefined;
  private chosen: string | undefined;
  /** What is shown of which mode, as text: the same is not shown again. */
  private told = '';
  /** The mode that was present when that was last looked at. */
  private lit: string | undefined;
  private isSeen = false;
  private timer = 0;
  private round = 0;
  private followed = (): void => {};

  constructor(
    private readonly store: Store,
    private readonly engine: Engine,
  ) {
    const later = (): void => {
      clearTimeout(this.timer);
      if (this.isVisible) this.timer = window.setTimeout(() => void this.draw(), SOON);
    };
    store.run.watch((run) => {
      this.followed();
      this.followed = run ? run.version.follow(later) : () => {};
      later();
    });
    const mark = nextFrame(() => this.mark());
    store.cursor.follow(mark);
    store.isDark.follow(() => {
      this.graphed = undefined;
      later();
    });
    // Which files have changed since the run, and which one is open, is seen in the list.
    store.open.follow(later);
    this.area.addEventListener('click', (event) => {
      const mode = (event.target as Element).closest<SVGElement>('.mode');
      if (mode) this.choose(mode.dataset.mode);
    });
    this.area.addEventListener('keydown', (event) => this.key(event));
  }

  shown(): void {
    this.isSeen = true;
    void this.draw();
  }

  private get isVisible(): boolean {
    return this.isSeen && this.element.offsetParent !== null;
  }

  /** The mode that is looked at: undefined for the present one. */
  private choose(signature: string | undefined): void {
    this.chosen = signature;
    this.mark();
  }

  private get present(): string | undefined {
    return this.store.run.now?.modeAt(this.store.cursor.now)?.signature;
  }

  private async draw(): Promise<void> {
    const run = this.store.run.now;
    this.element.classList.toggle('idle', !run || run.modes.length === 0);
    if (!run || run.modes.length === 0) {
      this.graph = undefined;
      this.graphed = undefined;
      this.told = '';
      fill(this.area, make('p', { class: 'empty' }, words.noRun));
      fill(this.heading);
      fill(this.solved);
      this.follow.hidden = true;
      this.note.textContent = '';
      return;
    }
    const round = ++this.round;
    const visited = await this.engine.runner.ask('visitedModes', run.order.run).catch(() => []);
    if (round !== this.round) return;
    const graph = graphOf(run, visited);
    if (this.graphed !== run || JSON.stringify(graph) !== JSON.stringify(this.graph)) this.show(run, graph);
    this.graphed = run;
    this.told = '';
    this.mark();
  }

  private show(run: Run, graph: ModeGraph): void {
    this.graph = graph;
    this.lit = undefined;
    const hadFocus = this.area.contains(document.activeElement);
    const orders = modeOrders(run);
    const palette = paletteOf(this.store.isDark.now);
    fill(
      this.area,
      graphPicture(graph, (signature) => palette.mode(orders.get(signature) ?? 0)),
    );
    this.note.textContent = graph.left > 0 ? words.left(graph.left) : '';
    if (!graph.nodes.some(({ signature }) => signature === this.chosen)) this.chosen = undefined;
    if (hadFocus) this.elementOf(this.chosen ?? this.present)?.focus();
  }

  private elementOf(signature: string | undefined): SVGElement | undefined {
    return this.elements().find(({ dataset }) => dataset.mode === signature);
  }

  private elements(): SVGElement[] {
    return [...this.area.querySelectorAll<SVGElement>('.mode')];
  }

  /** Which mode is present, and which one is looked at. */
  private mark(): void {
    const run = this.store.run.now;
    if (!this.isVisible || !run || !this.graph) return;
    const { present } = this;
    const looked = this.chosen ?? present;
    const elements = this.elements();
    const reached = elements.find(({ dataset }) => dataset.mode === looked) ?? elements[0];
    for (const element of elements) {
      const { mode } = element.dataset;
      element.classList.toggle('present', mode === present);
      element.classList.toggle('looked', mode === looked);
      element.setAttribute('aria-pressed', String(mode === looked));
      element.setAttribute('tabindex', element === reached ? '0' : '-1');
      if (mode === present) element.setAttribute('aria-current', 'true');
      else element.removeAttribute('aria-current');
    }
    if (this.chosen === undefined && this.lit !== present)
      this.elementOf(present)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    this.lit = present;
    this.follow.hidden = this.graph.nodes.length < 2;
    this.follow.setAttribute('aria-pressed', String(this.chosen === undefined));
    const key = `${run.order.run} ${looked}`;
    if (this.told === key || looked === undefined) return;
    this.told = key;
    void this.tell(run, looked);
  }

  // ---------------------------------------------------------------- one mode

  private async tell(run: Run, signature: string): Promise<void> {
    const { graph } = this;
    const number = graph!.nodes.findIndex((node) => node.signature === signature);
    if (number >= 0) fill(this.heading, this.head(run, graph!, number));
    else fill(this.heading, make('p', { class: 'empty' }, words.notDrawn));
    const of = { run: run.order.run, signature };
    const report = await this.engine.runner.ask('modeEquations', of).catch(() => undefined);
    if (this.told !== `${run.order.run} ${signature}`) return;
    if (report) this.showSolved(report);
    else fill(this.solved, make('p', { class: 'empty' }, texts.sharing.isGone));
  }

  private showSolved(report: EquationsReport): void {
    const list = blockList(this.store, report);
    const look = (block: number, isIntoView: boolean): void => {
      for (const element of this.solved.querySelectorAll<HTMLElement | SVGElement>('[data-block]'))
        element.classList.toggle('looked', element.dataset.block === String(block));
      if (isIntoView) list.querySelector(`li[data-block="${block}"]`)?.scrollIntoView({ block: 'nearest' });
    };
    const matrix = matrixPicture(report.blocks, (block) => look(block, true));
    list.addEventListener('pointerover', (event) => {
      const item = (event.target as Element).closest<HTMLElement>('li[data-block]');
      if (item) look(Number(item.dataset.block), false);
    });
    list.addEventListener('focusin', (event) => {
      const item = (event.target as Element).closest<HTMLElement>('li[data-block]');
      if (item) look(Number(item.dataset.block), false);
    });
    fill(
      this.solved,
      make('h3', {}, words.order),
      make('div', { class: 'solved-area' }, list, matrix && make('div', { class: 'matrix-area' }, matrix)),
    );
  }

  private head(run: Run, graph: ModeGraph, number: number): Child {
    const node = graph.nodes[number]!;
    const { name, stateCount, states, index, time, visits, impulses } = node;
    const changes = graph.edges.filter(({ from, to }) => from === number || to === number);
    return [
      make('h2', {}, name),
      make(
        'p',
        {},
        words.statesAre(stateCount, states),
        ' · ',
        words.spent(index, `${readable(time, 4)} s`, visits),
      ),
      make('p', { class: 'visits' }, ...this.visits(run, node)),
      impulses.length > 0 && make('p', { class: 'struck' }, words.struck(impulses.length)),
      changes.length > 0 &&
        make(
          'ul',
          { class: 'changes' },
          ...changes
            .slice(0, MOST_CHANGES)
            .map((edge) => make('li', {}, this.change(run, graph, edge, number))),
          changes.length > MOST_CHANGES && make('li', {}, texts.moreMatches(changes.length - MOST_CHANGES)),
        ),
    ];
  }

  /** When it was in force; a click puts the time cursor there. */
  private visits(run: Run, { signature }: ModeNode): Child[] {
    const all = run.modes.filter((visit) => visit.signature === signature);
    const buttons = all.slice(0, MOST_VISITS).map(({ from, to }) => {
      const shown = `${readable(from, 4)} – ${readable(to, 4)} s`;
      const go = (): void => seek(this.store, (from + to) / 2);
      return make(
        'button',
        { type: 'button', class: 'plain small', 'aria-label': words.goTo(shown), on: { click: go } },
        shown,
      );
    });
    return [...buttons, all.length > MOST_VISITS && ` ${texts.moreMatches(all.length - MOST_VISITS)}`];
  }

  private change(run: Run, { nodes }: ModeGraph, edge: ModeEdge, number: number): Child {
    const { from, to, times, impulses } = edge;
    const [before, after] = [nodes[from]!, nodes[to]!];
    const other = from === number ? after : before;
    const gone = before.states.filter((state) => !after.states.includes(state));
    const come = after.states.filter((state) => !before.states.includes(state));
    const isWhole = [before, after].every(({ states, stateCount }) => states.length === stateCount);
    const said = [
      isWhole && gone.length > 0 && words.gone(gone),
      isWhole && come.length > 0 && words.come(come),
      before.index !== after.index && words.indexBecomes(before.index, after.index),
      impulses.length > 0 &&
        words.impulses(
          impulses.slice(0, MOST_IMPULSES).map((one) => `${one.variable} ${weightText(run, one)}`),
          impulses.length > MOST_IMPULSES,
        ),
    ].filter((text) => text !== false);
    const name = make(
      'button',
      { type: 'button', class: 'link', on: { click: () => this.choose(other.signature) } },
      other.name,
    );
    const when = words.times(
      times.slice(0, 3).map((time) => `${readable(time, 4)} s`),
      times.length,
    );
    return [
      make('span', { class: 'when' }, when),
      from === number ? ` ${words.leadsTo} ` : ` ${words.comesFrom} `,
      name,
      said.length > 0 && `: ${said.join('; ')}`,
    ];
  }

  // ---------------------------------------------------------------- keys

  private key(event: KeyboardEvent): void {
    const elements = this.elements();
    const place = elements.indexOf(event.target as SVGElement);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (place < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (step !== undefined) elements[(place + step + elements.length) % elements.length]!.focus();
    else if (event.key === 'Enter' || event.key === ' ') this.choose(elements[place]!.dataset.mode);
    else if (event.key === 'Escape') this.choose(undefined);
    else return;
    event.preventDefault();
  }
}
