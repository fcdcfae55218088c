/**
 * The files that a person works with, from four places:
 *
 *     examples     come with the studio, and can be changed: what is changed is a draft
 *     own files    are kept in this browser, always as they are on the screen
 *     shared       come from a link, and stand beside all others until they are kept: what is changed is a draft
 *     the disk     where the page comes from a server: files are saved when the person says so; what is not saved is a draft
 *
 * Drafts are kept in this browser, so that nothing is lost when the page is closed. A path stands for a file of any place; examples have one that no other file can
 * have.
 */
import { crc32 } from '../../collections/crc.ts';
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

/** Milliseconds from a change to when it is kept. */
const SOON = 300;

export class Workspace {
  private readonly files = new Map<string, WorkFile>();
  private readonly pending = new Map<string, number>();
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
    if (!(await this.browser.isLasting)) this.store.notify({ text: texts.cannotStore, severity: 'warning' });
    const [own, drafts] = await Promise.all([this.browser.files.all(), this.browser.drafts.all()]);
    if (!this.server)
      for (const [path, content] of own)
        this.files.set(path, { origin: 'own', saved: { content, version: '' }, draft: undefined });
    await this.list();
    for (const [key, draft] of drafts) await this.recover(key, draft);
    this.tell();
    const changes = [...this.files].flatMap(([path, file]) => contentsOf(path, file));
    this.engine.change(Object.fromEntries(changes));
    void this.readOthers();
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
    if (!file?.saved) return;
    if (file.saved.content === text) await this.browser.drafts.remove(key);
    else {
      file.draft = text;
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

  /** Keeps what is pending at once: the page is being closed. */
  flush(): void {
    for (const path of [...this.pending.keys()]) void this.keep(path);
  }

  private async keep(path: string): Promise<void> {
    clearTimeout(this.pending.get(path));
    this.pending.delete(path);
    const file = this.files.get(path);
    try {
      if (file?.origin === 'own') await this.browser.files.put(path, file.saved!.content);
      else if (file?.draft !== undefined)
        await this.browser.drafts.put(this.key(path), {
          text: file.draft,
          version: file.saved?.version ?? '',
        });
      else await this.browser.drafts.remove(this.key(path));
    } catch (problem) {
      this.store.notify({ text: texts.notSaved(path, String(problem)), severity: 'error' });
    }
  }

  /** Texts of a link, by their paths in it; those of another link are put away. What was changed of them in an earlier visit is found again. */
  async share(contents: Readonly<Record<string, string>>): Promise<void> {
    this.endSharing();
    const version = crc32(new TextEncoder().encode(JSON.stringify(contents))).toString(16);
    for (const [path, content] of Object.entries(contents))
      this.files.set(SHARED + path, { origin: 'shared', saved: { content, version }, draft: undefined });
    const drafts = await this.browser.drafts.all();
    for (const [path, file] of this.files) {
      const draft = file.origin === 'shared' ? drafts.get(this.key(path)) : undefined;
      if (draft && draft.text !== file.saved?.content) file.draft = draft.text;
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
      this.files.set(path, { origin, saved: { content: text, version }, draft: undefined });
      if (!this.server) await this.browser.files.put(path, text);
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
      file.saved = { content: text, version: await this.server!.write(path, text, file.saved?.version) };
    } catch (problem) {
      if (problem instanceof Changed) this.store.conflict.set({ path, mine: text, theirs: problem.present });
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
    const stamps = await this.server?.stamps().catch(() => undefined);
    if (!stamps) return;
    const before = this.stamps;
    this.stamps = stamps;
    for (const [path, { origin, draft }] of [...this.files])
      if (origin === 'disk' && !stamps.has(path) && draft === undefined) {
        this.files.delete(path);
        this.engine.change({ [path]: null });
      }
    for (const [path, stamp] of stamps) if (before.get(path) !== stamp) await this.reread(path);
    this.tell();
  }

  private async reread(path: string): Promise<void> {
    const file = this.files.get(path);
    const read = await this.server!.read(path).catch(() => undefined);
    if (!read || read.version === file?.saved?.version) return;
    if (file?.draft !== undefined) {
      this.store.conflict.set({ path, mine: file.draft, theirs: read });
      return;
    }
    this.files.set(path, { origin: 'disk', saved: read, draft: undefined });
    this.engine.change({ [path]: read.content });
    this.store.replaced.set({ path });
  }
}

function contentsOf(path: string, { draft, saved }: WorkFile): [string, Content][] {
  const content = draft ?? saved?.content;
  return content === undefined ? [] : [[path, content]];
}
