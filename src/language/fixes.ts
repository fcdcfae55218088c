/** Quick fixes: what a diagnostic says that would put it right, as changes of the texts of the workspace. */
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import type { TextChange } from '../syntax/change.ts';
import { locationOf } from './places.ts';
import type { Workspace } from './workspace.ts';

export interface QuickFix {
  readonly title: string;
  readonly changes: ReadonlyMap<string, readonly TextChange[]>;
}

/** The fix of a diagnostic; none where it would change a library. */
export function quickFix(workspace: Workspace, { fix }: Diagnostic): QuickFix | undefined {
  if (!fix) return undefined;
  const changes = new Map<string, TextChange[]>();
  for (const { span, insert } of fix.changes) {
    const { path, from, to } = locationOf(span);
    const document = workspace.document(path);
    // A text that has changed since does not fit any more.
    if (!document || workspace.isOfLibrary(path) || document.text !== span.source.text) return undefined;
    changes.set(path, [...(changes.get(path) ?? []), { from, to, insert }]);
  }
  for (const list of changes.values()) list.sort((a, b) => a.from - b.from);
  return { title: fix.title, changes };
}
