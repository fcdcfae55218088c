/**
 * Texts of libraries, read once: each model has a `Library` of its own, because texts of the workspace change, but those of libraries do not, and what was read of them
 * can be shared. A file that turns out to be wrong is read again by everybody, so that everybody is told.
 */
import { readText } from '../../model/classes/encoding.ts';
import type { FileSystem } from '../../model/classes/files.ts';
import { FilesAndOwn, ownRoot } from '../../model/classes/own.ts';
import { Library } from '../../model/library.ts';
import { type ParseResult, parse } from '../../syntax/parser.ts';
import { HeardFiles, isInLibrary, type WorkspaceFiles } from './files.ts';

export class LibraryTexts {
  private readonly read = new Map<string, ParseResult>();
  /** Who may still be reading, because parts of a text are read when they are needed. */
  private readers: WeakRef<Library>[] = [];

  private readonly all: FilesAndOwn;

  constructor(private readonly files: WorkspaceFiles) {
    this.all = new FilesAndOwn(files);
  }

  forget(): void {
    this.read.clear();
  }

  /** All libraries, after packages in some folders of the workspace. */
  library(files: FileSystem, roots: readonly string[]): Library {
    const library: Library = new Library(
      { files, roots: [...roots, ...this.files.libraryRoots] },
      {
        parsed: (path, read) => {
          const isIn = isInLibrary(path);
          if (isIn && files instanceof HeardFiles) files.libraries.add(path);
          return isIn || path.startsWith(`${ownRoot}/`) ? (this.read.get(path) ?? this.parse(path)) : read();
        },
      },
    );
    this.readers = [...this.readers.filter((one) => one.deref()), new WeakRef(library)];
    return library;
  }

  private parse(path: string): ParseResult | undefined {
    const text = readText(this.all, path);
    if (!text) return undefined;
    const tell = (problems: ParseResult['diagnostics']): void => {
      this.read.delete(path);
      for (const reader of this.readers) reader.deref()?.addProblems(problems);
    };
    const result = parse(text.source, { later: tell });
    this.read.set(path, result);
    if (text.problems.length > 0) tell(text.problems);
    if (result.diagnostics.length > 0) this.read.delete(path);
    return result;
  }
}
