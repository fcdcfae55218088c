/**
 * Opens links: their texts stand beside all other files, marked as what they are, until the reader keeps them. Nothing runs before somebody says so, and no file of the reader is
 * changed without a question.
 */
import { isLink, type LinkProblem, openLink, SHARED } from '../../link.ts';
import { choose } from '../dialog.ts';
import { make } from '../dom.ts';
import type { Store } from '../store.ts';
import { texts } from '../texts.ts';
import type { Workspace } from '../workspace.ts';

const words = texts.sharing;

export class Opening {
  constructor(
    private readonly store: Store,
    private readonly workspace: Workspace,
  ) {
    addEventListener('hashchange', () => void this.openAddress());
  }

  /** The link in the address of the page; false where there is none that can be opened. */
  async openAddress(): Promise<boolean> {
    if (!isLink(location.hash)) return false;
    const problem = await this.open(location.hash);
    if (problem) this.store.notify({ text: words.problems[problem], severity: 'error' });
    return problem === undefined;
  }

  /** What is wrong with it, if anything is. */
  async open(link: string): Promise<LinkProblem | undefined> {
    const { store, workspace } = this;
    const shared = await openLink(link);
    if (typeof shared === 'string') return shared;
    const { files, model, settings, values, view } = shared;
    await workspace.share(files);
    const file = SHARED + shared.file;
    store.open.set(file);
    // What was chosen for the file before is forgotten when it is opened.
    store.model.set(model);
    store.settings.set(settings);
    store.values.set(values);
    store.wanted.set({ file, model, view });
    store.wantedTabs.set(view.tabs ?? []);
    store.notify({
      text: words.opened(model, Object.keys(values).length),
      severity: 'info',
      actions: [{ title: words.keep, run: () => void this.keep() }],
    });
    return undefined;
  }

  /** The texts become files of the reader, with all changes that were made to them. */
  async keep(): Promise<void> {
    const { store, workspace } = this;
    const paths = workspace.shared;
    const plain = (path: string): string => path.slice(SHARED.length);
    const taken = paths.map(plain).filter((path) => workspace.has(path));
    const answer =
      taken.length === 0
        ? 'beside'
        : await choose(words.taken(taken), make('p', {}, words.takenHelp), [
            { value: 'no', title: texts.cancel },
            { value: 'replace', title: words.replaceMine },
            { value: 'beside', title: words.keepBoth, isPrimary: true },
          ]);
    if (answer === undefined || answer === 'no') return;
    const folder = answer === 'replace' ? '' : this.freeFolder(paths.map(plain));
    const { open, model, values, settings } = store;
    const before = { path: open.now, model: model.now, values: values.now, settings: settings.now };
    for (const path of paths) {
      const text = workspace.text(path);
      if (text === undefined) continue;
      if (workspace.has(folder + plain(path))) workspace.replace(folder + plain(path), text);
      else if (!(await workspace.create(folder + plain(path), text))) return;
    }
    if (isLink(location.hash)) history.replaceState(null, '', location.pathname + location.search);
    workspace.endSharing();
    if (!before.path?.startsWith(SHARED)) return;
    store.open.set(folder + plain(before.path));
    store.model.set(before.model);
    store.values.set(before.values);
    store.settings.set(before.settings);
  }

  /** Where none of the paths is taken: the top, or a folder. */
  private freeFolder(paths: readonly string[]): string {
    for (let k = 0; ; k++) {
      const folder = k === 0 ? '' : k === 1 ? 'shared/' : `shared${k}/`;
      if (!paths.some((path) => this.workspace.has(folder + path))) return folder;
    }
  }

  /** Puts them away. */
  end(): void {
    if (isLink(location.hash)) history.replaceState(null, '', location.pathname + location.search);
    this.workspace.endSharing();
  }
}
