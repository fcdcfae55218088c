/** The variables of a run as a tree, by the components that they belong to. One is shown by a double click, by Enter, or by dragging it into a diagram. */
import { partsOf } from '../../names/names.ts';
import { displayed } from '../../results/plot/value.ts';
import { prettyUnit } from '../../units/display.ts';
import type { SignalReport } from '../protocol.ts';
import { SIGNAL } from './curves/curves.ts';
import { addSignal } from './curves/diagrams.ts';
import { valueTextOf } from './curves/pictures.ts';
import { fill, icon, make } from './dom.ts';
import type { Store } from './store.ts';
import { texts } from './texts.ts';
import { perFrame } from './value.ts';

/** More matches are not listed, and neither are more children of one node. */
const MOST = 500;

interface TreeNode {
  readonly name: string;
  readonly path: string;
  signal: SignalReport | undefined;
  readonly children: Map<string, TreeNode>;
}

export class Variables {
  readonly element: HTMLElement;
  private readonly tree: HTMLElement;
  private readonly search: HTMLInputElement;
  private readonly opened = new Set<string>();
  private signals: readonly SignalReport[] | undefined;
  private root = nodeOf('', '');
  private followed = (): void => {};

  constructor(private readonly store: Store) {
    this.search = make('input', {
      type: 'search',
      placeholder: texts.searchVariables,
      'aria-label': texts.searchVariables,
      on: { input: () => this.draw() },
    });
    this.tree = make('div', { class: 'tree', role: 'tree', 'aria-label': texts.variables });
    this.tree.addEventListener('keydown', (event) => this.key(event));
    this.element = make('div', { class: 'variables' }, make('div', { class: 'bar' }, this.search), this.tree);
    store.run.watch((run) => {
      this.followed();
      this.followed = run ? run.version.follow(() => this.renew()) : () => {};
      this.renew();
    });
    perFrame([store.diagrams], () => this.draw());
  }

  private renew(): void {
    const signals = this.store.run.now?.signals ?? [];
    if (signals === this.signals) return;
    this.signals = signals;
    this.root = nodeOf('', '');
    for (const signal of signals) put(this.root, signal);
    this.draw();
  }

  private draw(): void {
    const focused = (this.tree.getRootNode() as Document).activeElement?.getAttribute('data-path');
    const wanted = this.search.value.trim().toLowerCase();
    const found = (this.signals ?? []).filter(({ name }) => name.toLowerCase().includes(wanted));
    if (found.length === 0)
      fill(
        this.tree,
        make('p', { class: 'empty' }, this.signals?.length ? texts.noMatch : texts.noVariables),
      );
    else if (wanted !== '')
      fill(
        this.tree,
        ...found.slice(0, MOST).map((signal) => this.leaf(signal, signal.name, 1)),
        found.length > MOST && make('p', { class: 'empty' }, texts.moreMatches(found.length - MOST)),
      );
    else fill(this.tree, ...this.children(this.root, 1));
    const items = this.items();
    const next = items.find((item) => item.dataset.path === focused) ?? items[0];
    next?.setAttribute('tabindex', '0');
    if (focused !== null && focused !== undefined && next?.dataset.path === focused) next.focus();
  }

  private children({ children }: TreeNode, level: number): HTMLElement[] {
    const all = [...children.values()];
    const shown = all.slice(0, MOST).flatMap((node) => this.item(node, level));
    return all.length > MOST
      ? [...shown, make('p', { class: 'empty' }, texts.moreMatches(all.length - MOST))]
      : shown;
  }

  private item(node: TreeNode, level: number): HTMLElement[] {
    const own = node.signal ? [this.leaf(node.signal, node.name, level)] : [];
    if (node.children.size === 0) return own;
    const isOpen = this.opened.has(node.path);
    const row = make(
      'div',
      {
        class: 'item branch',
        role: 'treeitem',
        tabindex: -1,
        'aria-level': level,
        'aria-expanded': String(isOpen),
        'data-path': node.path,
        on: { click: () => this.toggle(node.path) },
      },
      icon(isOpen ? 'down' : 'right'),
      make('span', { class: 'name' }, node.name),
    );
    row.style.setProperty('--level', String(level));
    return [...own, row, ...(isOpen ? this.children(node, level + 1) : [])];
  }

  private leaf(signal: SignalReport, words: string, level: number): HTMLElement {
    const { name, description, constant } = signal;
    const isShown = this.store.diagrams.now.some(({ signals }) => signals.includes(name));
    const row = make(
      'div',
      {
        class: isShown ? 'item leaf shown' : 'item leaf',
        role: 'treeitem',
        tabindex: -1,
        draggable: 'true',
        'aria-level': level,
        'aria-selected': String(isShown),
        'data-path': `=${name}`,
        title: description ? `${name}: ${description}` : name,
        on: {
          dblclick: () => addSignal(this.store, name),
          dragstart: (event: DragEvent) => event.dataTransfer?.setData(SIGNAL, name),
        },
      },
      make('span', { class: 'name' }, words),
      make(
        'span',
        { class: 'unit' },
        constant === undefined ? prettyUnit(displayed(signal).unit) : valueTextOf(signal, constant),
      ),
      make('span', { class: 'description' }, description),
      make(
        'button',
        {
          type: 'button',
          class: 'tool small quiet',
          tabindex: -1,
          title: texts.addCurve(name),
          'aria-label': texts.addCurve(name),
          on: { click: () => addSignal(this.store, name) },
        },
        icon('add'),
      ),
    );
    row.style.setProperty('--level', String(level));
    return row;
  }

  private toggle(path: string): void {
    if (!this.opened.delete(path)) this.opened.add(path);
    this.draw();
    this.items()
      .find((item) => item.dataset.path === path)
      ?.focus();
  }

  private items(): HTMLElement[] {
    return [...this.tree.querySelectorAll<HTMLElement>('[role=treeitem]')];
  }

  /** As trees have it: arrows, Home, End and Enter. */
  private key(event: KeyboardEvent): void {
    const items = this.items();
    const place = items.indexOf(event.target as HTMLElement);
    const item = items[place];
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const path = item.dataset.path!;
    const isOpen = item.getAttribute('aria-expanded');
    const go = (to: HTMLElement | undefined): void => to?.focus();
    if (event.key === 'ArrowDown') go(items[place + 1]);
    else if (event.key === 'ArrowUp') go(items[place - 1]);
    else if (event.key === 'Home') go(items[0]);
    else if (event.key === 'End') go(items.at(-1));
    else if (event.key === 'ArrowRight' && isOpen === 'false') this.toggle(path);
    else if (event.key === 'ArrowRight' && isOpen === 'true') go(items[place + 1]);
    else if (event.key === 'ArrowLeft' && isOpen === 'true') this.toggle(path);
    else if (event.key === 'ArrowLeft') {
      const level = Number(item.getAttribute('aria-level'));
      go(items.slice(0, place).findLast((other) => Number(other.getAttribute('aria-level')) < level));
    } else if (event.key === 'Enter' && path.startsWith('=')) addSignal(this.store, path.slice(1));
    else if (event.key === 'Enter') this.toggle(path);
    else return;
    event.preventDefault();
  }
}

const nodeOf = (name: string, path: string): TreeNode => ({
  name,
  path,
  signal: undefined,
  children: new Map(),
});

/** Derivatives stand beside what they are derivatives of. */
function put(root: TreeNode, signal: SignalReport): void {
  const [, inside] = /^der\((.*)\)$/s.exec(signal.name) ?? [];
  const parts = partsOf(inside ?? signal.name);
  const last = inside === undefined ? parts.at(-1)! : `der(${parts.at(-1)!})`;
  let node = root;
  for (const part of parts.slice(0, -1)) node = child(node, part);
  child(node, last).signal = signal;
}

function child(node: TreeNode, name: string): TreeNode {
  const known = node.children.get(name);
  if (known) return known;
  const made = nodeOf(name, node.path === '' ? name : `${node.path}.${name}`);
  node.children.set(name, made);
  return made;
}
