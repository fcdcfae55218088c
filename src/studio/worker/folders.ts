/** Folders, as they follow from the paths of files. */
import { remember } from '../../collections/memo.ts';
import type { FolderEntry } from '../../model/classes/files.ts';

/** Entries by folder; the top one has the empty path. */
export function foldersOf(paths: Iterable<string>): Map<string, Map<string, FolderEntry>> {
  const folders = new Map<string, Map<string, FolderEntry>>();
  for (const path of paths) {
    const parts = path.split('/');
    for (const [i, name] of parts.entries()) {
      const entries = remember(folders, parts.slice(0, i).join('/'), () => new Map());
      entries.set(name, { name, folder: i < parts.length - 1 });
    }
  }
  return folders;
}
