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
    const path = this.pathOf(name);
    return path !== undefined && this.isAllowed(path) ? this.files.bytes(path) : undefined;
  }

  list(name: string): readonly FolderEntry[] | undefined {
    const path = this.pathOf(name);
    return path !== undefined && this.isAllowed(path) ? this.files.list(path) : undefined;
  }

  /** The full path that a name stands for; undefined where it names a class that does not exist, or has no file. */
  fullName(name: string): string | undefined {
    const path = this.pathOf(name);
    return path === undefined ? undefined : normal(this.files.absolute(path));
  }

  /** Without links: those are the matter of the file system. */
  private isAllowed(path: string): boolean {
    const full = normal(this.files.absolute(path));
    const folders = ['.', ...this.roots].map((root) => normal(this.files.absolute(root)));
    return folders.some((folder) => full === folder || full.startsWith(folder === '/' ? '/' : `${folder}/`));
  }

  private pathOf(name: string): string | undefined {
    const [, owner, rest] = /^modelica:\/\/([^/]*)\/?(.*)$/i.exec(name) ?? [];
    if (owner === undefined) return name.replace(/^file:\/\/(?=\/)/i, '');
    const folder = this.folderOf(owner);
    return folder === undefined ? undefined : `${folder}/${rest}`;
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
