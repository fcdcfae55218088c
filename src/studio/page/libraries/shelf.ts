/** The libraries of the page: added from folders and archives, kept in the browser, given to the workers. */
import type { LibraryPack } from '../../protocol.ts';
import { confirmed } from '../dialog.ts';
import type { Engine } from '../engine.ts';
import type { BrowserStorage, ServerStorage } from '../storage.ts';
import type { Store } from '../store.ts';
import { texts } from '../texts.ts';
import { Value } from '../value.ts';
import { chosenFiles, droppedEntries, fileOf, filesBelow } from './folder.ts';
import { type FoundFile, LibraryProblem, packOf } from './pack.ts';
import { filesInZip } from './zip.ts';

export class LibraryShelf {
  /** What is going on, in words; empty where nothing is. */
  readonly progress = new Value('');

  constructor(
    private readonly store: Store,
    private readonly engine: Engine,
    private readonly browser: BrowserStorage,
    private readonly server: ServerStorage | undefined,
  ) {}

  /** Those of earlier visits. */
  async begin(): Promise<void> {
    const all = await this.browser.libraries.all().catch(() => new Map<string, LibraryPack>());
    if (all.size > 0) this.set([...all.values()]);
  }

  /** Those that the command was told of go before others of their names. */
  async serve(): Promise<void> {
    const served = (await this.server?.libraries().catch(() => undefined)) ?? [];
    const names = new Set<string>();
    for (const [number, { name, files, isAll }] of served.entries())
      try {
        if (!isAll) throw new LibraryProblem(texts.tooManyFiles(files.length));
        const content = await this.server!.library(number);
        let at = 0;
        const found = files.map(({ path, size }) => {
          at += size;
          return { path, size, content: content.slice(at - size, at) };
        });
        if (at !== content.size) throw new LibraryProblem(texts.libraryMoved);
        const made = packOf(name, found);
        const own = names.has(made.name) ? `${made.name}-${number}` : made.name;
        names.add(own);
        const others = this.store.libraries.now.filter((one) => one.name !== own);
        this.set([{ ...made, name: own, isServed: true }, ...others]);
      } catch (problem) {
        const why = problem instanceof LibraryProblem ? problem.message : texts.notReadable;
        this.store.notify({ text: texts.libraryWrong(name, why), severity: 'warning' });
      }
  }

  private set(packs: readonly LibraryPack[]): void {
    this.engine.setLibraries(packs);
    this.store.libraries.set(packs);
  }

  /** The files of a folder that was chosen. */
  addFolder(list: FileList): Promise<void> {
    const [first] = list;
    if (!first) return Promise.resolve();
    const name = first.webkitRelativePath.split('/')[0] || first.name;
    return this.add(name, async () => chosenFiles(list));
  }

  /** An archive, or a text of a model. */
  addFile(file: File): Promise<void> {
    const name = file.name.replace(/\.(zip|mo)$/i, '');
    return this.add(name, async () =>
      /\.mo$/i.test(file.name) ? [{ path: file.name, size: file.size, content: file }] : filesInZip(file),
    );
  }

  async addDropped(data: DataTransfer): Promise<void> {
    for (const entry of droppedEntries(data))
      if (entry.isDirectory) await this.add(entry.name, () => filesBelow(entry));
      else await this.addFile(await fileOf(entry as FileSystemFileEntry));
  }

  private async add(name: string, find: () => Promise<readonly FoundFile[]>): Promise<void> {
    this.progress.set(texts.readingLibrary(name));
    try {
      const made = packOf(name, await find());
      const isKnown = this.store.libraries.now.some((pack) => pack.name === made.name);
      if (isKnown && !(await confirmed(texts.replaceLibrary(made.name), texts.replace)))
        return this.progress.set('');
      const pack = await this.kept(made);
      this.set([...this.store.libraries.now.filter((one) => one.name !== pack.name), pack]);
      this.progress.set(texts.libraryAdded(pack.name, pack.paths.length));
    } catch (problem) {
      const why = problem instanceof LibraryProblem ? problem.message : texts.notReadable;
      this.store.notify({ text: texts.libraryWrong(name, why), severity: 'error' });
      this.progress.set('');
    }
  }

  /** What the browser has kept counts: files of a folder may change, or go, while the page is open. */
  private async kept(pack: LibraryPack): Promise<LibraryPack> {
    if (await this.browser.isLasting)
      try {
        await this.browser.libraries.put(pack.name, pack);
        const kept = await this.browser.libraries.get(pack.name);
        if (kept) return kept;
      } catch (problem) {
        const why = (problem as Error).message;
        this.store.notify({ text: texts.libraryNotKept(pack.name, why), severity: 'warning' });
      }
    return { ...pack, content: new Blob([await pack.content.arrayBuffer()]) };
  }

  async remove(name: string): Promise<void> {
    if (!(await confirmed(texts.askRemoveLibrary(name), texts.remove))) return;
    this.progress.set('');
    await this.browser.libraries.remove(name).catch(() => {});
    this.set(this.store.libraries.now.filter((one) => one.name !== name));
  }
}
