/** What a link would hold now: the model that is chosen, with all that a reader needs to see the same. */
import { isGoodPath, type LinkProblem, MOST_CHARACTERS, packLink, SHARED, type Shared } from '../../link.ts';
import { LIBRARIES, type SourcesReport } from '../../protocol.ts';
import type { Engine } from '../engine.ts';
import type { Store } from '../store.ts';
import { EXAMPLES, type Workspace } from '../workspace.ts';

export interface Gathered {
  readonly shared: Shared;
  /** The fragment of an address, or why there is none. */
  readonly link: string | LinkProblem;
  /** Files that the model needs and that a link cannot hold. */
  readonly left: readonly string[];
  /** Libraries that readers need as well. */
  readonly libraries: readonly string[];
}

/** Undefined where there is no model. */
export async function gather(
  store: Store,
  workspace: Workspace,
  engine: Engine,
): Promise<Gathered | undefined> {
  const [file, model] = [store.open.now, store.model.now];
  if (file === undefined || model === undefined) return undefined;
  const files: Record<string, string> = {};
  const left: string[] = [];
  const sources = await sourcesOf(store, engine, { file, model });
  for (const path of new Set([file, ...sources.files])) {
    if (path.startsWith(`${LIBRARIES}/`)) continue;
    const text = workspace.text(path);
    const plain = path.replace(/^\([a-z]+\)\//, '');
    if (text === undefined || !isGoodPath(plain)) left.push(plain);
    // What stands beside the model comes before what is at the top of the workspace.
    else if (!Object.hasOwn(files, plain) || isSpecial(path)) files[plain] = text;
  }
  const main = file.replace(/^\([a-z]+\)\//, '');
  if (left.includes(main)) return undefined;
  const shared = {
    files,
    file: main,
    model,
    settings: store.settings.now,
    values: store.values.now,
    view: viewOf(store),
  };
  return { shared, link: await packLink(shared), left, libraries: sources.libraries };
}

const isSpecial = (path: string): boolean => path.startsWith(EXAMPLES) || path.startsWith(SHARED);

/** Both workers may have read files for it: one to check it, one to run it. */
async function sourcesOf(
  store: Store,
  engine: Engine,
  of: { readonly file: string; readonly model: string },
): Promise<SourcesReport> {
  const isBusy = store.active.now !== undefined && !store.active.now.isOver;
  const asked = [engine.service, ...(isBusy ? [] : [engine.runner])].map((backend) =>
    backend.ask('sources', of).catch((): SourcesReport => ({ files: [], libraries: [] })),
  );
  const all = await Promise.all(asked);
  return {
    files: all.flatMap(({ files }) => files),
    libraries: [...new Set(all.flatMap(({ libraries }) => libraries))],
  };
}

function viewOf({ isSuggested, diagrams, window, isFollowing, cursor, hidden, tabs }: Store): Shared['view'] {
  // Links hold diagrams over the time; others are figures of the model, which readers have as well.
  const plain = diagrams.now.filter(({ over }) => over === undefined).map(({ signals }) => signals);
  return {
    ...(!isSuggested.now && (plain.length > 0 || diagrams.now.length === 0) && { diagrams: plain }),
    ...(window.now && { window: [window.now.from, window.now.to] as const }),
    ...(!isFollowing.now && Number.isFinite(cursor.now) && { cursor: cursor.now }),
    ...(hidden.now.size > 0 && { hidden: [...hidden.now] }),
    tabs: tabs.now,
  };
}

/** Programs that send texts on may cut addresses that are longer. */
export const LONG_LINK = Math.min(8000, MOST_CHARACTERS);

/** The address of this studio with a link. */
export const addressOf = (link: string): string =>
  `${location.protocol}//${location.host}${location.pathname}#${link}`;

/** Whether others can open that address. */
export const isPublic = (): boolean =>
  location.protocol !== 'file:' && !/^(localhost|127\.|\[::1\])/.test(location.hostname);
