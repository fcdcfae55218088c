/** The variables of a run as a tree, by the components that they belong to. One is shown by a double click, by Enter, or by dragging it into a diagram. */
import { partsOf } from '../../names/names.ts';
import { displayed } from '../../results/plot/value.ts';
import { prettyUnit } from '../../units/display.ts';
import type { SignalReport } from '../protocol.ts';
import { SIGNAL } from './curves/curves.ts';
import { addSignal } from './curves/diagrams.ts';
import { valueTextOf } from './curves/pictures.ts';
import { icon, make } from './dom.ts';
import { fillTree, itemsIn, listenKeys, searchField } from './items.ts';
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
    this.search = searchField(texts.searchVariables, () => this.draw());
    this.tree = make('div', { class: 'tree', role: 'tree', 'aria-label': texts.variables });
    listenKeys(this.tree, {
      toggle: ({ dataset }) => this.toggle(dataset.path!),
      enter: ({ dataset: { path = '' } }) => {
        if (path.startsWith('=')) addSignal(store, path.slice(1));
        return path.startsWith('=');
      },
    });
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
      fillTree(
        this.tree,
        make('p', { class: 'empty' }, this.signals?.length ? texts.noMatch : texts.noVariables),
      );
    else if (wanted !== '')
      fillTree(
        this.tree,
        ...found.slice(0, MOST).map((signal) => this.leaf(signal, signal.name, 1)),
        found.length > MOST && make('p', { class: 'empty' }, texts.moreMatches(found.length - MOST)),
      );
    else fillTree(this.tree, ...this.children(this.root, 1));
    const items = itemsIn(this.tree);
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
    itemsIn(this.tree)
      .find((item) => item.dataset.path === path)
      ?.focus();
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
