/**
 * The tree of libraries. Classes of a package are asked for when it is opened, icons when they come into view; so a library of any size costs what is seen of it. A component is
 * dragged into the diagram, or added with Enter.
 */
import type { LibraryClass } from '../../protocol.ts';
import { CLASS } from '../diagram/view.ts';
import { fill, icon, iconButton, make } from '../dom.ts';
import type { Engine } from '../engine.ts';
import { fillTree, itemsIn, listenKeys, searchField } from '../items.ts';
import type { Store } from '../store.ts';
import { texts } from '../texts.ts';
import { Icons } from './icons.ts';
import { megabytes } from './pack.ts';
import type { LibraryShelf } from './shelf.ts';

/** More matches are not listed. */
const MOST = 200;
/** Milliseconds from the last letter to a search. */
const SOON = 200;

export class LibraryTree {
  readonly element: HTMLElement;
  private readonly tree: HTMLElement;
  private readonly search: HTMLInputElement;
  private readonly packs = make('ul', { class: 'packs' });
  private readonly chosen = make('div', { class: 'chosen', 'aria-live': 'polite' });
  private readonly icons: Icons;
  /** By the names of classes; the empty one for the top level. */
  private readonly children = new Map<string, readonly LibraryClass[]>();
  private readonly opened = new Set<string>();
  private current: string | undefined;
  private timer = 0;
  private round = 0;
  private isSeen = false;

  constructor(
    private readonly store: Store,
    private readonly engine: Engine,
    private readonly shelf: LibraryShelf,
  ) {
    this.icons = new Icons((names) => engine.service.ask('icons', names));
    this.search = searchField(texts.searchClasses, () => this.searched());
    this.tree = make('div', { class: 'tree', role: 'tree', 'aria-label': texts.libraries });
    listenKeys(this.tree, {
      toggle: (item) => void this.toggle(item),
      enter: (item) => {
        const one = known.get(item);
        if (one?.isComponent) store.adding.set({ class: one.name });
        return one?.isComponent === true;
      },
    });
    this.tree.addEventListener('focusin', (event) => this.focused(event.target as HTMLElement));
    const progress = make('p', { class: 'progress', role: 'status' });
    shelf.progress.watch((words) => {
      progress.textContent = words;
      progress.hidden = words === '';
    });
    this.element = make(
      'section',
      { class: 'libraries', 'aria-label': texts.libraries },
      make('div', { class: 'bar' }, this.search),
      make('div', { class: 'bar adders' }, ...this.adders()),
      progress,
      this.packs,
      this.tree,
      this.chosen,
    );
    store.libraries.watch(() => {
      this.children.clear();
      this.icons.forget();
      this.list();
      void this.draw();
    });
  }

  shown(): void {
    if (this.isSeen) return;
    this.isSeen = true;
    void this.draw();
  }

  /** Buttons with fields for files that nobody sees. */
  private adders(): HTMLElement[] {
    const folder = make('input', { type: 'file', webkitdirectory: true, hidden: true });
    const file = make('input', { type: 'file', accept: '.zip,.mo', hidden: true });
    folder.addEventListener('change', () => {
      if (folder.files) void this.shelf.addFolder(folder.files);
      folder.value = '';
    });
    file.addEventListener('change', () => {
      const [first] = file.files ?? [];
      if (first) void this.shelf.addFile(first);
      file.value = '';
    });
    const button = (text: string, title: string, field: HTMLInputElement): HTMLElement =>
      make(
        'button',
        { type: 'button', class: 'plain small', title, on: { click: () => field.click() } },
        text,
      );
    return [
      button(texts.libraryFolder, texts.libraryFolderTitle, folder),
      button(texts.libraryFile, texts.libraryFileTitle, file),
      folder,
      file,
    ];
  }

  /** What is kept. */
  private list(): void {
    const packs = this.store.libraries.now;
    fill(
      this.packs,
      ...packs.map(({ name, paths, content, isServed }) =>
        make(
          'li',
          {},
          icon('book'),
          make('span', { title: texts.libraryDetail(paths.length, megabytes(content.size)) }, name),
          !isServed &&
            iconButton('remove', texts.removeLibrary(name), () => void this.shelf.remove(name), {
              class: 'tool small',
            }),
        ),
      ),
      packs.length === 0 && make('li', { class: 'empty' }, texts.librariesHelp),
    );
  }

  // ---------------------------------------------------------------- rows

  private searched(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.draw(), SOON);
  }

  private async draw(): Promise<void> {
    if (!this.isSeen) return;
    const round = ++this.round;
    const words = this.search.value.trim();
    if (words === '') {
      await this.load(undefined);
      for (const name of this.opened) await this.load(name);
      if (round === this.round) this.show(this.rowsOf(undefined, 1));
      return;
    }
    this.show([make('p', { class: 'empty' }, texts.searchingClasses)]);
    const ask = () => this.engine.service.ask('findClasses', { words, most: MOST });
    // A worker that ends is told elsewhere, and the next one can be asked.
    const found = await ask()
      .catch(ask)
      .catch(() => []);
    if (round !== this.round) return;
    this.show(
      found.length === 0
        ? [make('p', { class: 'empty' }, texts.noMatch)]
        : found.map((one) => this.row(one, 1, lastPart(one.name), packageOf(one.name))),
    );
  }

  private async load(name: string | undefined): Promise<readonly LibraryClass[]> {
    const known = this.children.get(name ?? '');
    if (known) return known;
    const ask = () => this.engine.service.ask('browse', name);
    const found = await ask()
      .catch(ask)
      .catch(() => undefined);
    if (found) this.children.set(name ?? '', found);
    return found ?? [];
  }

  private show(rows: readonly HTMLElement[]): void {
    const isFocused = this.tree.contains(document.activeElement);
    fillTree(this.tree, ...rows);
    const items = itemsIn(this.tree);
    const next = items.find(({ dataset }) => dataset.name === this.current) ?? items[0];
    next?.setAttribute('tabindex', '0');
    if (isFocused) next?.focus();
    this.icons.look(items);
  }

  private rowsOf(name: string | undefined, level: number): HTMLElement[] {
    return (this.children.get(name ?? '') ?? []).flatMap((one) => [
      this.row(one, level, lastPart(one.name)),
      ...(this.opened.has(one.name) ? this.rowsOf(one.name, level + 1) : []),
    ]);
  }

  private row(one: LibraryClass, level: number, words: string, where?: string): HTMLElement {
    const { name, description, hasClasses, isComponent } = one;
    const isSearch = this.search.value.trim() !== '';
    const isBranch = hasClasses && !isSearch;
    const add = (): void => this.store.adding.set({ class: name });
    const row = make(
      'div',
      {
        class: isBranch ? 'item branch' : 'item',
        role: 'treeitem',
        tabindex: -1,
        draggable: isComponent && 'true',
        'aria-level': level,
        'aria-expanded': isBranch && String(this.opened.has(name)),
        'aria-label': [where === undefined ? words : `${words} ${where}`, description]
          .filter((part) => part !== '')
          .join(': '),
        'data-name': name,
        title: description ? `${name}\n${description}` : name,
        on: {
          click: () => {
            row.focus();
            if (isBranch) void this.toggle(row);
          },
          dblclick: () => this.store.opening.set({ class: name }),
          dragstart: (event: DragEvent) => event.dataTransfer?.setData(CLASS, name),
        },
      },
      isBranch ? icon(this.opened.has(name) ? 'down' : 'right') : make('span', { class: 'twisty' }),
      this.icons.place(name),
      make(
        'span',
        { class: 'name' },
        words,
        where !== undefined && ' ',
        where !== undefined && make('span', { class: 'unit where' }, make('bdi', {}, where)),
      ),
      isComponent &&
        iconButton('add', texts.addComponentOf(lastPart(name)), add, {
          class: 'tool small quiet',
          tabindex: -1,
        }),
    );
    row.style.setProperty('--level', String(level));
    known.set(row, one);
    return row;
  }

  /** Opens or closes a package where it stands: nothing else is drawn again. */
  private async toggle(row: HTMLElement): Promise<void> {
    const name = row.dataset.name!;
    const level = Number(row.getAttribute('aria-level'));
    const isOpen = !this.opened.delete(name);
    if (isOpen) this.opened.add(name);
    row.setAttribute('aria-expanded', String(isOpen));
    row.firstElementChild?.replaceWith(icon(isOpen ? 'down' : 'right'));
    if (isOpen) {
      await this.load(name);
      if (!row.isConnected || !this.opened.has(name)) return;
      const rows = this.rowsOf(name, level + 1);
      row.after(...rows);
      this.icons.look(rows);
      return;
    }
    for (let next = row.nextElementSibling; next && Number(next.getAttribute('aria-level')) > level; ) {
      const gone = next;
      next = next.nextElementSibling;
      gone.remove();
    }
  }

  // ---------------------------------------------------------------- the one that is chosen

  private focused(target: HTMLElement): void {
    const row = target.closest<HTMLElement>('[role=treeitem]');
    const one = row && known.get(row);
    if (!row || !one || this.current === one.name) return;
    for (const other of this.tree.querySelectorAll('[tabindex="0"]')) other.setAttribute('tabindex', '-1');
    row.setAttribute('tabindex', '0');
    this.current = one.name;
    const { name, kind, description, isComponent } = one;
    const button = (text: string, title: string, press: () => void): HTMLElement =>
      make(
        'button',
        { type: 'button', class: 'plain small', title, 'aria-label': title, on: { click: press } },
        text,
      );
    fill(
      this.chosen,
      make('strong', {}, name),
      make('span', { class: 'unit' }, kind),
      description !== '' && make('p', {}, description),
      make(
        'div',
        { class: 'choices' },
        isComponent &&
          button(texts.addComponent, texts.addComponentOf(name), () =>
            this.store.adding.set({ class: name }),
          ),
        button(texts.documentation, texts.documentationOf(name), () =>
          this.store.documenting.set({ class: name }),
        ),
        button(texts.openText, texts.openTextOf(name), () => this.store.opening.set({ class: name })),
      ),
    );
  }
}

/** What rows stand for. */
const known = new WeakMap<HTMLElement, LibraryClass>();

const lastPart = (name: string): string => /(?:'(?:[^'\\]|\\.)*'|[^.]+)$/.exec(name)?.[0] ?? name;
const packageOf = (name: string): string =>
  name.slice(0, Math.max(0, name.length - lastPart(name).length - 1));
