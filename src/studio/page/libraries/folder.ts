/** Files of a folder that a person chooses, or lets fall on the page. */

import { texts } from '../texts.ts';
import { type FoundFile, isWanted, LibraryProblem, limits } from './pack.ts';

/** Those of a field that chooses a folder. */
export const chosenFiles = (list: FileList): FoundFile[] =>
  [...list].flatMap((file) => {
    const path = file.webkitRelativePath || file.name;
    return isWanted(path) ? [{ path, size: file.size, content: file }] : [];
  });

/** What falls on the page: it has to be asked for at once, because it is gone later. */
export const droppedEntries = (data: DataTransfer): FileSystemEntry[] =>
  [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);

const DEEPEST = 40;

/** The files below a folder that has fallen. */
export async function filesBelow(top: FileSystemEntry): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const queue: { readonly entry: FileSystemEntry; readonly path: string; readonly depth: number }[] = [
    { entry: top, path: top.name, depth: 0 },
  ];
  for (let next = queue.pop(); next; next = queue.pop()) {
    const { entry, path, depth } = next;
    if (isFile(entry)) {
      if (!isWanted(path)) continue;
      const file = await fileOf(entry);
      found.push({ path, size: file.size, content: file });
      if (found.length > limits.files) throw new LibraryProblem(texts.tooManyFiles(limits.files));
    } else if (isFolder(entry) && depth < DEEPEST && !entry.name.startsWith('.'))
      for (const inner of await entriesOf(entry))
        queue.push({ entry: inner, path: `${path}/${inner.name}`, depth: depth + 1 });
  }
  return found;
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

export const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/** Browsers give the entries of a folder in parts. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return all;
    all.push(...part);
  }
}
