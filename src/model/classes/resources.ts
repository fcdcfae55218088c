/**
 * Files that models name and that are no classes: tables, texts. They are read below the folders of libraries and below the working folder, through the
 * `FileSystem` of the library. `modelica://Package.Name/path` is a path from the folder in which the class is written (specification 3.6, section 13.5).
 */
import type { FileSystem, FolderEntry } from './files.ts';

export class Resources {
  constructor(
    private readonly files: Required<FileSystem>,
    private readonly roots: readonly string[],
    /** The folder of a class by its qualified name. */
    private readonly folderOf: (name: string) => string | undefined,
  ) {}

  /** Undefined where there is no such file, or it may not be read. */
  read(name: string): Uint8Array | undefined {
    const path = this.allowed(name);
    return path === undefined ? undefined : this.files.bytes(path);
  }

  list(name: string): readonly FolderEntry[] | undefined {
    const path = this.allowed(name);
    return path === undefined ? undefined : this.files.list(path);
  }

  /** The full path that a name stands for; undefined where it names a class that does not exist or has no file, or leads out of its library. */
  fullName(name: string): string | undefined {
    const path = partsOf(name) ? this.allowed(name) : this.pathOf(name);
    return path === undefined ? undefined : normal(this.files.absolute(path));
  }

  /** Where a name leads, if that may be read: below the library that it names, or below a folder of libraries or the working folder. Links are the matter of the file system. */
  private allowed(name: string): string | undefined {
    const path = this.pathOf(name);
    if (path === undefined) return undefined;
    const library = partsOf(name)?.owner.split('.')[0];
    const home = library === undefined ? undefined : this.folderOf(library);
    const folders = library === undefined ? ['.', ...this.roots] : home === undefined ? [] : [home];
    const full = normal(this.files.absolute(path));
    const isBelow = folders
      .map((folder) => normal(this.files.absolute(folder)))
      .some((folder) => full === folder || full.startsWith(folder === '/' ? '/' : `${folder}/`));
    return isBelow ? path : undefined;
  }

  private pathOf(name: string): string | undefined {
    const parts = partsOf(name);
    if (!parts) return name.replace(/^file:\/\/(?=\/)/i, '');
    const folder = this.folderOf(parts.owner);
    return folder === undefined ? undefined : `${folder}/${parts.rest}`;
  }
}

/** `modelica://Owner/rest`; signs may be written as `%20`. */
function partsOf(name: string): { owner: string; rest: string } | undefined {
  const [, owner, rest] = /^modelica:\/\/([^/]*)\/?(.*)$/i.exec(name) ?? [];
  return owner === undefined ? undefined : { owner, rest: unescaped(rest!) };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Without `.`, `..` and empty parts. */
function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.replaceAll('\\', '/').split('/'))
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  const start = path.startsWith('/') ? '/' : '';
  return start + parts.join('/');
}
