/** The files of the workspace as a library reads them. */
import { remember } from '../../collections/memo.ts';
import type { FileSystem, FolderEntry } from '../../model/classes/files.ts';
import type { Content, FileChanges } from '../protocol.ts';

export class WorkspaceFiles implements FileSystem {
  private readonly contents = new Map<string, Content>();
  /** Made when somebody asks. */
  private folders: Map<string, Map<string, FolderEntry>> | undefined;

  change(changes: FileChanges): void {
    for (const [path, content] of Object.entries(changes)) {
      if (this.contents.has(path) !== (content !== null)) this.folders = undefined;
      if (content === null) this.contents.delete(path);
      else this.contents.set(path, content);
    }
  }

  list(path: string): readonly FolderEntry[] | undefined {
    this.folders ??= foldersOf(this.contents.keys());
    const entries = this.folders.get(path === '.' ? '' : path);
    return entries && [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  read(path: string): string | undefined {
    const content = this.contents.get(path);
    return content instanceof Uint8Array ? new TextDecoder().decode(content) : content;
  }

  bytes(path: string): Uint8Array | undefined {
    const content = this.contents.get(path);
    return typeof content === 'string' ? new TextEncoder().encode(content) : content;
  }
}

/** Other files, of which one knows what was read. */
export class HeardFiles implements FileSystem {
  constructor(
    private readonly files: FileSystem,
    private readonly heard: Map<string, Content>,
  ) {}

  list(path: string): readonly FolderEntry[] | undefined {
    return this.files.list(path);
  }

  read(path: string): string | undefined {
    return this.hear(path, this.files.read(path));
  }

  bytes(path: string): Uint8Array | undefined {
    return this.hear(path, this.files.bytes?.(path));
  }

  private hear<C extends Content>(path: string, content: C | undefined): C | undefined {
    if (content !== undefined && !this.heard.has(path)) this.heard.set(path, content);
    return content;
  }
}

/** Entries by folder; the top one has the empty path. */
function foldersOf(paths: Iterable<string>): Map<string, Map<string, FolderEntry>> {
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
