/** Files as libraries read them: of a disk, or texts in memory (`texts.ts`). */

/** Synchronous reading, so that lookups can load what they need. Paths use `/`. */
export interface FileSystem {
  /** The entries of a folder, or `undefined` if it is none. */
  list(path: string): readonly FolderEntry[] | undefined;
  /** The text of a file, or `undefined` if it cannot be read. */
  read(path: string): string | undefined;
  /** The bytes of a file, where they are not those of its text in UTF-8. */
  bytes?(path: string): Uint8Array | undefined;
  /** The full path of a file, which may not exist; where there is none, the working folder is the top one. */
  absolute?(path: string): string;
}

export interface FolderEntry {
  readonly name: string;
  readonly folder: boolean;
}
