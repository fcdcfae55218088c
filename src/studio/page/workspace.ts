/**
 * The files that a person works with, from four places:
 *
 *     examples     come with the studio, and can be changed: what is changed is a draft
 *     own files    are kept in this browser, always as they are on the screen
 *     shared       come from a link, and stand beside all others until they are kept: what is changed is a draft
 *     the disk     where the page comes from a server: files are saved when the person says so; what is not saved is a draft
 *
 * Drafts are kept in this browser, so that nothing is lost when the page is closed. Other tabs keep theirs there too: what is not changed here follows them at once,
 * and nothing is kept over what this tab has not seen. A path stands for a file of any place; examples have one that no other file can
 * have.
 */
import { crc32 } from '../../collections/crc.ts';
import { plainText } from '../form.ts';
import { SHARED } from '../link.ts';
import type { Content } from '../protocol.ts';
import type { Engine } from './engine.ts';
import { type BrowserStorage, Changed, type Draft, type ServerStorage, type StoredFile } from './storage.ts';
import type { FileEntry, Store } from './store.ts';
import { texts } from './texts.ts';

export const EXAMPLES = '(examples)/';

interface WorkFile {
  readonly origin: FileEntry['origin'];
  /** What is saved, as far as it was read. */
  saved: StoredFile | undefined;
  /** Undefined where it is what is saved. */
  draft: string | undefined;
}

/** What tabs tell each other: something else is kept. */
interface Told {
  readonly shelf: 'files' | 'drafts';
  readonly key: string;
}

/** Milliseconds from a change to when it is kept. */
const SOON = 300;

export class Workspace {
  private readonly files = new Map<string, WorkFile>();
  private readonly pending = new Map<string, number>();
  /** Whether the browser keeps anything. */
  private isLasting = true;
  /** Files of the disk of which was told that they cannot be read. */
  private readonly unread = new Set<string>();
  /** What this browser keeps of files, as far as this tab has seen. */
  private readonly kept = new Map<string, Content | undefined>();
  /** Ends when all is kept that was given to the browser. */
  private keeping: Promise<unknown> = Promise.resolve();
  private readonly tabs = new BroadcastChannel('mutabor-studio');
  /** The name of the folder of the server. */
  folder = '';
  /** When its files were last changed. */
  private stamps: ReadonlyMap<string, string> = new Map();

  constructor(
    private readonly store: Store,
    private readonly engine: Engine,
    private readonly browser: BrowserStorage,
    private readonly server: ServerStorage | undefined,
  ) {}

  /** Reads what there is. */
  async begin(examples: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(examples))
      this.files.set(EXAMPLES + name, {
        origin: 'example',
        saved: { content: text, version: '' },
        draft: undefined,
      });
    this.isLasting = await this.browser.isLasting;
    if (!this.isLasting) this.store.notify({ text: texts.cannotStore, severity: 'warning' });
    const [own, drafts] = await Promise.all([this.browser.files.all(), this.browser.drafts.all()]);
    if (!this.server)
      for (const [path, content] of own) {
        this.files.set(path, { origin: 'own', saved: { content, version: '' }, draft: undefined });
        this.kept.set(path, content);
      }
    await this.list();
    for (const [key, draft] of drafts) await this.recover(key, draft);
    this.tell();
    const changes = [...this.files].flatMap(([path, file]) => contentsOf(path, file));
    this.engine.change(Object.fromEntries(changes));
    void this.readOthers();
    this.tabs.addEventListener('message', ({ data }: MessageEvent<Told>) => void this.follow(data));
  }

  /** Files of the folder that are no models. */
  private async readOthers(): Promise<void> {
    for (const path of this.stamps.keys()) if (!this.files.has(path)) await this.reread(path);
    this.tell();
  }

  /** Reads the folder of the server: models at once, data and pictures as they come. */
  private async list(): Promise<void> {
    if (!this.server) return;
    try {
      const [{ name, files }, stamps] = await Promise.all([this.server.all(), this.server.stamps()]);
      this.folder = name;
      this.stamps = stamps;
      for (const [path, saved] of files) this.files.set(path, { origin: 'disk', saved, draft: undefined });
    } catch {
      this.store.notify({ text: texts.noServer, severity: 'error' });
    }
  }

  /** A draft of an earlier visit. */
  private async recover(key: string, { text, version }: Draft): Promise<void> {
    const path = this.pathOf(key);
    const file = path === undefined ? undefined : this.files.get(path);
    if (path === undefined) return;
    if (!file && this.server && !path.startsWith(EXAMPLES)) {
      // The file was deleted meanwhile; what was written in it was not. Saving it asks.
      this.files.set(path, { origin: 'disk', saved: { content: '', version }, draft: text });
      this.kept.set(path, text);
    }
    if (!file?.saved) return;
    if (file.saved.content === text) await this.browser.drafts.remove(key);
    else {
      file.draft = text;
      this.kept.set(path, text);
      // Saving it finds out what the disk has meanwhile.
      if (file.origin === 'disk') file.saved = { ...file.saved, version };
    }
  }

  /** Drafts of different folders do not meet. */
  private key(path: string): string {
    if (path.startsWith(SHARED))
      return `${SHARED}${this.files.get(path)?.saved?.version}/${path.slice(SHARED.length)}`;
    return path.startsWith(EXAMPLES) ? path : `${this.folder}:${path}`;
  }

  private pathOf(key: string): string | undefined {
    if (key.startsWith(EXAMPLES)) return key;
    return key.startsWith(`${this.folder}:`) ? key.slice(this.folder.length + 1) : undefined;
  }

  private tell(): void {
    const entries = [...this.files].map(([path, { origin, draft }]) => ({
      path,
      origin,
      isChanged: draft !== undefined,
    }));
    this.store.files.set(entries.sort((a, b) => (a.path < b.path ? -1 : 1)));
  }

  has(path: string): boolean {
    return this.files.has(path);
  }

  /** Undefined where there is no such text. */
  text(path: string): string | undefined {
    const file = this.files.get(path);
    const content = file?.draft ?? file?.saved?.content;
    return typeof content === 'string' ? content : undefined;
  }

  /** Another text of a file, from the editor. */
  edit(path: string, text: string): void {
    const file = this.files.get(path);
    if (!file || this.text(path) === text) return;
    this.engine.change({ [path]: text });
    const wasChanged = file.draft !== undefined;
    if (file.origin === 'own') file.saved = { content: text, version: '' };
    else file.draft = text === file.saved?.content ? undefined : text;
    if (wasChanged !== (file.draft !== undefined)) this.tell();
    clearTimeout(this.pending.get(path));
    this.pending.set(
      path,
      window.setTimeout(() => void this.keep(path), SOON),
    );
  }

  /** Keeps what is pending at once: the page is being closed, and would not live to hear what was kept before. */
  flush(): void {
    for (const path of [...this.pending.keys()]) {
      const file = this.files.get(path);
      const own = file?.origin === 'own' ? file.saved?.content : undefined;
      const kept =
        own !== undefined
          ? this.browser.files.put(path, own)
          : file?.draft !== undefined &&
            this.browser.drafts.put(this.key(path), {
              text: file.draft,
              version: file.saved?.version ?? '',
            });
      if (!kept) {
        void this.keep(path);
        continue;
      }
      clearTimeout(this.pending.get(path));
      this.pending.delete(path);
      this.kept.set(path, own ?? file?.draft);
      void kept.then(() => this.say(path));
    }
  }

  /** Whether something is kept nowhere, and would be lost with the page: another tab has kept something else, or the browser cannot. */
  get isAtRisk(): boolean {
    return [...this.files].some(([path, file]) =>
      this.isLasting ? !this.pending.has(path) && this.isAhead(path) : toKeep(file) !== undefined,
    );
  }

  private async keep(path: string): Promise<void> {
    clearTimeout(this.pending.get(path));
    this.pending.delete(path);
    const file = this.files.get(path);
    if (!file) return;
    const value = toKeep(file);
    const seen = this.kept.get(path);
    this.kept.set(path, value);
    const keeping = this.exchange(path, file, value, seen);
    this.keeping = this.keeping.then(() => keeping.catch(() => {}));
    try {
      const present = await keeping;
      if (present === value) this.say(path);
      else {
        this.kept.set(path, seen);
        const theirs = present === undefined ? undefined : { content: present, version: '' };
        const { conflict } = this.store;
        if (conflict.now?.path !== path) conflict.set({ path, mine: textOf(value), theirs, where: 'tab' });
      }
    } catch (problem) {
      this.kept.set(path, seen);
      this.store.notify({ text: texts.notSaved(path, String(problem)), severity: 'error' });
    }
  }

  /** Gives what the browser keeps of a file: the value, unless another tab has kept what was not seen here. */
  private async exchange(
    path: string,
    { origin, saved }: WorkFile,
    value: Content | undefined,
    seen: Content | undefined,
  ): Promise<Content | undefined> {
    const isSeen = (present: Content | undefined): boolean => present === seen || present === value;
    if (origin === 'own') return this.browser.files.exchange(path, value, isSeen);
    const draft = value === undefined ? undefined : { text: textOf(value), version: saved?.version ?? '' };
    const kept = await this.browser.drafts.exchange(
      this.key(path),
      draft,
      // Without a draft nothing can be lost: it was saved or given up.
      (present) => present === undefined || isSeen(present.text),
    );
    return kept?.text;
  }

  // ---------------------------------------------------------------- other tabs

  /** Tells other tabs that something else is kept of a file. */
  private say(path: string): void {
    const isOwn = !this.server && !path.startsWith(EXAMPLES) && !path.startsWith(SHARED);
    const told: Told = isOwn ? { shelf: 'files', key: path } : { shelf: 'drafts', key: this.key(path) };
    this.tabs.postMessage(told);
  }

  /** Another tab keeps something else: what is not changed here follows it, the rest is asked for when it is kept. */
  private async follow({ shelf, key }: Told): Promise<void> {
    if (shelf === 'files' && this.server) return;
    const path =
      shelf === 'files'
        ? key
        : [...this.files.keys()].find(
            (one) => this.files.get(one)!.origin !== 'own' && this.key(one) === key,
          );
    if (path === undefined) return;
    await this.keeping;
    if (!this.isAhead(path)) await this.takeKept(path, false);
  }

  /** Whether there is something here that is not kept yet. */
  private isAhead(path: string): boolean {
    const file = this.files.get(path);
    return file !== undefined && (this.pending.has(path) || toKeep(file) !== this.kept.get(path));
  }

  /** Takes what the browser keeps of a file; over what is not kept yet only where the person wants that. */
  private async takeKept(path: string, isWanted: boolean): Promise<void> {
    const file = this.files.get(path);
    if (!file || file.origin === 'own') {
      const content = await this.browser.files.get(path);
      if (content === (file && toKeep(file)) || (!isWanted && this.isAhead(path))) return;
      if (content === undefined) return this.drop(path);
      this.files.set(path, { origin: 'own', saved: { content, version: '' }, draft: undefined });
      this.taken(path, content);
      return;
    }
    const draft = await this.browser.drafts.get(this.key(path));
    if (draft?.text === file.draft || (!isWanted && this.isAhead(path))) return;
    file.draft = draft?.text;
    if (draft && file.origin === 'disk' && file.saved) file.saved = { ...file.saved, version: draft.version };
    // It was saved, or given up.
    if (!draft && file.origin === 'disk') file.saved = await this.server!.read(path).catch(() => file.saved);
    this.taken(path, draft?.text);
  }

  private taken(path: string, kept: Content | undefined): void {
    this.kept.set(path, kept);
    this.engine.change(Object.fromEntries(contentsOf(path, this.files.get(path)!)));
    this.tell();
    this.store.replaced.set({ path });
  }

  /** A file is gone that was deleted elsewhere. */
  private drop(path: string): void {
    const { open } = this.store;
    this.files.delete(path);
    this.kept.delete(path);
    this.engine.change({ [path]: null });
    if (open.now === path) {
      open.set(undefined);
      this.store.notify({ text: texts.fileGone(path), severity: 'warning' });
    }
    this.tell();
  }

  /** Tabs that slept may not have been told. */
  private async followAll(): Promise<void> {
    const [own, drafts] = await Promise.all([this.browser.files.all(), this.browser.drafts.all()]);
    const paths = this.server ? [] : [...own.keys()];
    for (const path of new Set([...this.files.keys(), ...paths])) {
      const isOwn = (this.files.get(path)?.origin ?? 'own') === 'own';
      const present = isOwn ? own.get(path) : drafts.get(this.key(path))?.text;
      if (present === this.kept.get(path)) continue;
      await this.follow({ shelf: isOwn ? 'files' : 'drafts', key: isOwn ? path : this.key(path) });
    }
  }

  /** Texts of a link, by their paths in it; those of another link are put away. What was changed of them in an earlier visit is found again. */
  async share(given: Readonly<Record<string, string>>): Promise<void> {
    this.endSharing();
    const contents = Object.fromEntries(Object.entries(given).map(([path, text]) => [path, plainText(text)]));
    const version = crc32(new TextEncoder().encode(JSON.stringify(contents))).toString(16);
    for (const [path, content] of Object.entries(contents))
      this.files.set(SHARED + path, { origin: 'shared', saved: { content, version }, draft: undefined });
    const drafts = await this.browser.drafts.all();
    for (const [path, file] of this.files) {
      const draft = file.origin === 'shared' ? drafts.get(this.key(path)) : undefined;
      if (!draft || draft.text === file.saved?.content) continue;
      file.draft = draft.text;
      this.kept.set(path, draft.text);
    }
    const changes = Object.keys(contents).flatMap((path) =>
      contentsOf(SHARED + path, this.files.get(SHARED + path)!),
    );
    this.engine.change(Object.fromEntries(changes));
    this.tell();
  }

  /** Paths of files that come from a link. */
  get shared(): string[] {
    return [...this.files.keys()].filter((path) => path.startsWith(SHARED));
  }

  endSharing(): void {
    const { open } = this.store;
    if (open.now?.startsWith(SHARED)) open.set(undefined);
    for (const path of this.shared) {
      if (this.pending.has(path)) void this.keep(path);
      this.files.delete(path);
      this.kept.delete(path);
      this.engine.change({ [path]: null });
    }
    this.tell();
  }

  /** Another text of any file, as if it were written: it can be given up again where it is not kept at once. */
  replace(path: string, text: string): void {
    this.edit(path, text);
    this.store.replaced.set({ path });
  }

  /** A new file; false where there is one of that name. */
  async create(path: string, text: string): Promise<boolean> {
    if (this.files.has(path)) return false;
    const origin = this.server ? 'disk' : 'own';
    try {
      const version = this.server ? await this.server.write(path, text, undefined) : '';
      if (!this.server) {
        const present = await this.browser.files.exchange(path, text, (kept) => kept === undefined);
        if (present !== text) {
          await this.takeKept(path, true);
          this.store.notify({ text: texts.fileExists(path), severity: 'warning' });
          return false;
        }
        this.kept.set(path, text);
        this.say(path);
      }
      this.files.set(path, { origin, saved: { content: text, version }, draft: undefined });
    } catch (problem) {
      if (problem instanceof Changed) return false;
      this.store.notify({ text: texts.notSaved(path, (problem as Error).message), severity: 'error' });
      return false;
    }
    this.engine.change({ [path]: text });
    this.tell();
    return true;
  }

  async remove(path: string): Promise<void> {
    const file = this.files.get(path);
    if (!file || file.origin === 'example' || file.origin === 'shared') return;
    try {
      if (file.origin === 'disk') await this.server!.remove(path, file.saved!.version);
      else await this.browser.files.remove(path);
    } catch (problem) {
      const why = problem instanceof Changed ? texts.conflict(path) : (problem as Error).message;
      this.store.notify({ text: why, severity: 'error' });
      return;
    }
    this.files.delete(path);
    this.kept.delete(path);
    clearTimeout(this.pending.get(path));
    this.pending.delete(path);
    if (file.origin === 'disk') await this.browser.drafts.remove(this.key(path)).catch(() => {});
    this.say(path);
    this.engine.change({ [path]: null });
    if (this.store.open.now === path) this.store.open.set(undefined);
    this.tell();
  }

  /** Gives up what is not saved. */
  async revert(path: string): Promise<void> {
    const file = this.files.get(path);
    if (file?.draft === undefined || !file.saved) return;
    if (file.origin === 'disk') file.saved = await this.server!.read(path).catch(() => file.saved!);
    file.draft = undefined;
    this.engine.change({ [path]: file.saved.content });
    await this.keep(path);
    this.tell();
    this.store.replaced.set({ path });
  }

  /** Saves a file of the disk; others are kept already. */
  async save(path: string): Promise<void> {
    const file = this.files.get(path);
    if (file?.origin !== 'disk' || file.draft === undefined) return;
    const text = file.draft;
    try {
      const { version: seen, form } = file.saved ?? {};
      const version = await this.server!.write(path, text, seen, form);
      file.saved = { content: text, version, ...(form && { form }) };
    } catch (problem) {
      if (problem instanceof Changed)
        this.store.conflict.set({ path, mine: text, theirs: problem.present, where: 'disk' });
      else this.store.notify({ text: texts.notSaved(path, (problem as Error).message), severity: 'error' });
      return;
    }
    if (file.draft === text) file.draft = undefined;
    await this.keep(path);
    this.tell();
  }

  /** What a person has chosen of two texts: theirs, or the own one. */
  async resolve(path: string, choice: 'mine' | 'theirs'): Promise<void> {
    const file = this.files.get(path);
    const conflict = this.store.conflict.now;
    if (!file || conflict?.path !== path) return;
    this.store.conflict.set(undefined);
    if (conflict.where === 'tab') {
      // If there is something else by now, it is asked for once more.
      if (choice === 'mine') this.kept.set(path, conflict.theirs?.content);
      return choice === 'mine' ? this.keep(path) : this.takeKept(path, true);
    }
    file.saved = conflict.theirs ?? { content: '', version: '' };
    if (choice === 'theirs') await this.revert(path);
    else if (conflict.theirs) await this.save(path);
    else {
      // It is gone: it becomes a new one.
      this.files.delete(path);
      await this.create(path, conflict.mine);
    }
  }

  /** The disk may have changed while nobody looked: texts that are not being changed follow it, others are asked for. */
  async refresh(): Promise<void> {
    await this.followAll();
    const stamps = await this.server?.stamps().catch(() => undefined);
    if (!stamps) return;
    const before = this.stamps;
    this.stamps = stamps;
    for (const [path, { origin, draft }] of [...this.files])
      if (origin === 'disk' && !stamps.has(path) && draft === undefined) this.drop(path);
    // What cannot be read now is tried again.
    for (const [path, stamp] of stamps)
      if (before.get(path) !== stamp && !(await this.reread(path)))
        this.stamps = new Map([...this.stamps].filter(([one]) => one !== path));
    this.tell();
  }

  /** Of each file once: it is tried again whenever the person comes back. */
  private tellUnread(path: string, { message }: Error): void {
    if (this.unread.has(path)) return;
    this.unread.add(path);
    this.store.notify({ text: texts.notRead(path, message), severity: 'warning' });
  }

  /** False where it cannot be read. */
  private async reread(path: string): Promise<boolean> {
    const read = await this.server!.read(path).catch((problem: Error) => this.tellUnread(path, problem));
    if (!read) return false;
    const file = this.files.get(path);
    if (read.version === file?.saved?.version) return true;
    if (file?.draft !== undefined) {
      this.store.conflict.set({ path, mine: file.draft, theirs: read, where: 'disk' });
      return true;
    }
    this.files.set(path, { origin: 'disk', saved: read, draft: undefined });
    this.engine.change({ [path]: read.content });
    this.store.replaced.set({ path });
    return true;
  }
}

/** What the browser keeps of a file; undefined for nothing. */
const toKeep = ({ origin, saved, draft }: WorkFile): Content | undefined =>
  origin === 'own' ? saved?.content : draft;

const textOf = (content: Content | undefined): string => (typeof content === 'string' ? content : '');

function contentsOf(path: string, { draft, saved }: WorkFile): [string, Content][] {
  const content = draft ?? saved?.content;
  return content === undefined ? [] : [[path, content]];
}
