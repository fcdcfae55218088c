/** Asks what to do with a file that was changed on the disk while it was changed here: both texts are shown, with the lines that differ. */
import { choose } from './dialog.ts';
import { differentLines, type Line } from './difference.ts';
import { make } from './dom.ts';
import { nameOf } from './explorer.ts';
import type { Conflict, Store } from './store.ts';
import { texts } from './texts.ts';
import type { Workspace } from './workspace.ts';

export function askConflicts(store: Store, workspace: Workspace): void {
  store.conflict.follow((conflict) => {
    if (conflict) void ask(conflict, workspace, store);
  });
}

async function ask(conflict: Conflict, workspace: Workspace, store: Store): Promise<void> {
  const { path, mine, theirs, where } = conflict;
  const isTab = where === 'tab';
  const shown = (title: string, lines: readonly Line[]): HTMLElement =>
    make(
      'section',
      {},
      make('h3', {}, title),
      make(
        'pre',
        { tabindex: 0, 'aria-label': title },
        make(
          'code',
          {},
          lines.map(({ text, differs }) => make(differs ? 'mark' : 'span', {}, text)),
        ),
      ),
    );
  const [own, other] = differentLines(mine, typeof theirs?.content === 'string' ? theirs.content : '');
  const chosen = await choose(
    isTab ? texts.conflictTab(nameOf(path)) : texts.conflict(nameOf(path)),
    make(
      'div',
      { class: 'versions' },
      shown(texts.conflictMineText, own),
      shown(isTab ? texts.conflictTheirsTextTab : texts.conflictTheirsText, other),
    ),
    [
      { value: 'theirs', title: isTab ? texts.conflictTheirsTab : texts.conflictTheirs },
      { value: 'mine', title: texts.conflictMine, isPrimary: true },
    ],
  );
  // Closed without an answer, nothing is done: saving asks again.
  if (chosen) await workspace.resolve(path, chosen);
  else if (store.conflict.now === conflict) store.conflict.set(undefined);
}
