/** Files as libraries read them: of a disk, or texts in memory (`texts.ts`). */

/** Synchronous reading, so that lookups can load what they need. Paths use `/`. */
export interface FileSystem {
  /** The entries of a folder, or `undefined` if it is none. */
  list(path: string): readonly FolderEntry[] | undefined;
  /** The text of a file, or `undefined` if it cannot be read. */
  read(path: string): string | undefined;
}

export interface FolderEntry {
  readonly name: string;
  readonly folder: boolean;
}
