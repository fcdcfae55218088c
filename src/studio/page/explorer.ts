/** The files: own ones or those of the folder, and the examples. */
import { askText, confirmed } from './dialog.ts';
import { fill, icon, iconButton, make } from './dom.ts';
import { searchField } from './items.ts';
import type { Opening } from './share/opening.ts';
import type { FileEntry, Store } from './store.ts';
import { texts } from './texts.ts';
import { nextFrame, perFrame } from './value.ts';
import type { Workspace } from './workspace.ts';

/** What files may be called: folders and names that every system can keep. */
const goodName = /^(?:[A-Za-z0-9_][\w -]*\/)*[A-Za-z0-9_][\w -]*(?:\.mo)?$/;

export class Explorer {
  readonly element: HTMLElement;
  private readonly lists = make('div', { class: 'files' });
  private readonly search: HTMLInputElement;

  constructor(
    private readonly store: Store,
    private readonly workspace: Workspace,
    private readonly opening: Opening,
  ) {
    this.search = searchField(texts.search, () => this.draw());
    const bar = make(
      'div',
      { class: 'bar' },
      this.search,
      iconButton('add', texts.newFile, () => void this.create()),
    );
    this.element = make('nav', { class: 'explorer', 'aria-label': texts.explorer }, bar, this.lists);
    this.lists.addEventListener('focusin', (event) =>
      this.stopAt((event.target as Element).closest('.file')),
    );
    this.lists.addEventListener('keydown', (event) => this.key(event));
    perFrame([store.files, store.open], () => this.draw());
    // A list is drawn once in a frame: then the file that was opened is in it.
    const reveal = nextFrame(() => this.reveal());
    store.open.follow(() => requestAnimationFrame(reveal));
  }

  async create(): Promise<void> {
    const path = await askText(texts.newFileName, 'Model.mo', (text) => {
      if (!goodName.test(text)) return texts.badName(badPart(text));
      return this.workspace.has(withEnding(text)) ? texts.fileExists(withEnding(text)) : undefined;
    });
    if (path === undefined) return;
    const file = withEnding(path);
    const name = file.split('/').at(-1)!.replace(/\.mo$/, '').replace(/\W/g, '_');
    if (await this.workspace.create(file, newText(name))) this.store.open.set(file);
  }

  private draw(): void {
    const wanted = this.search.value.toLowerCase();
    const files = this.store.files.now.filter(({ path }) => nameOf(path).toLowerCase().includes(wanted));
    const own = files.filter(({ origin }) => origin === 'own' || origin === 'disk');
    const shared = files.filter(({ origin }) => origin === 'shared');
    const examples = files.filter(({ origin }) => origin === 'example');
    const title = this.workspace.folder ? texts.diskFiles(this.workspace.folder) : texts.ownFiles;
    const isFocused = this.lists.contains(document.activeElement);
    fill(
      this.lists,
      shared.length > 0 && this.section(texts.sharedFiles, shared, this.sharedButtons()),
      this.section(title, own),
      own.length === 0 && wanted === '' && make('p', { class: 'empty' }, texts.noFiles),
      this.section(texts.examples, examples),
    );
    const open = this.lists.querySelector('[aria-current]') ?? this.lists.querySelector('.name');
    this.stopAt(open?.closest('.file'));
    if (isFocused) this.lists.querySelector<HTMLElement>('[aria-current]')?.focus();
  }

  /** The open file is seen. Only the list scrolls: in narrow windows all areas do, too. */
  private reveal(): void {
    const open = this.lists.querySelector('.file.open')?.getBoundingClientRect();
    if (!open) return;
    const { top, bottom } = this.element.getBoundingClientRect();
    if (open.top < top) this.element.scrollTop -= top - open.top;
    else if (open.bottom > bottom) this.element.scrollTop += open.bottom - bottom;
  }

  /** All files are one stop of the Tab key, with what can be done with that one. */
  private stopAt(row: Element | null | undefined): void {
    if (!row) return;
    for (const file of this.lists.querySelectorAll('.file'))
      for (const button of file.querySelectorAll('button')) button.tabIndex = file === row ? 0 : -1;
  }

  /** What can be done with all files of a link. */
  private sharedButtons(): HTMLElement {
    const words = texts.sharing;
    const button = (short: string, title: string, press: () => void): HTMLElement =>
      make(
        'button',
        { type: 'button', class: 'plain small', title, 'aria-label': title, on: { click: press } },
        short,
      );
    return make(
      'div',
      { class: 'bar' },
      button(words.keepShort, words.keep, () => void this.opening.keep()),
      button(words.end, words.end, () => this.opening.end()),
    );
  }

  private section(title: string, files: readonly FileEntry[], more?: HTMLElement): HTMLElement {
    return make(
      'section',
      {},
      make('h2', {}, title),
      more,
      make('ul', {}, ...files.map((file) => make('li', {}, this.entry(file)))),
    );
  }

  private entry(file: FileEntry): HTMLElement {
    const { path, origin, isChanged } = file;
    const isOpen = this.store.open.now === path;
    const row = make(
      'div',
      { class: isOpen ? 'file open' : 'file' },
      make(
        'button',
        {
          type: 'button',
          class: 'name',
          'data-path': path,
          'aria-current': isOpen ? 'true' : undefined,
          on: { click: () => this.store.open.set(path) },
        },
        icon('file'),
        make('span', {}, nameOf(path)),
        isChanged &&
          make('span', { class: 'changed', title: texts.unsaved, 'aria-label': texts.unsaved }, '●'),
      ),
      isChanged &&
        iconButton('undo', texts.revertFile, () => void this.revert(path), { class: 'tool small quiet' }),
      (origin === 'own' || origin === 'disk') &&
        iconButton('remove', `${texts.deleteFile} ${nameOf(path)}`, () => void this.remove(path), {
          class: 'tool small quiet',
        }),
    );
    return row;
  }

  private async remove(path: string): Promise<void> {
    if (await confirmed(texts.askDelete(nameOf(path)), texts.deleteFile)) await this.workspace.remove(path);
  }

  private async revert(path: string): Promise<void> {
    if (await confirmed(texts.askRevert(nameOf(path)), texts.revertFile)) await this.workspace.revert(path);
  }

  /** Arrows go from file to file. */
  private key(event: KeyboardEvent): void {
    const names = [...this.lists.querySelectorAll<HTMLElement>('.name')];
    const last = names.length - 1;
    const place = names.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: last }[event.key];
    if (next === undefined || place < 0) return;
    event.preventDefault();
    names[Math.min(last, Math.max(0, next))]!.focus();
  }
}

/** Paths without the place that files come from. */
export const nameOf = (path: string): string => path.replace(/^\((?:examples|shared)\)\//, '');

/** The part of a path that no file can be called. */
const badPart = (path: string): string => path.split('/').find((part) => !goodName.test(part)) ?? path;

const withEnding = (path: string): string => (path.endsWith('.mo') ? path : `${path}.mo`);

const newText = (name: string): string => `model ${name}
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
  annotation(experiment(StopTime = 5));
end ${name};
`;
