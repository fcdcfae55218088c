/** The files of the workspace, and those of libraries below a folder of their own, as a library reads them. */
import type { FileSystem, FolderEntry } from '../../model/classes/files.ts';
import { readForm } from '../form.ts';
import { type Content, type FileChanges, LIBRARIES, type LibraryPack } from '../protocol.ts';
import { foldersOf } from './folders.ts';
import { PackedFiles } from './packed.ts';

export class WorkspaceFiles implements FileSystem {
  private readonly contents = new Map<string, Content>();
  /** Made when somebody asks. */
  private folders: Map<string, Map<string, FolderEntry>> | undefined;
  private packs: ReadonlyMap<string, PackedFiles> = new Map();
  /** Folders with packages of libraries. */
  libraryRoots: readonly string[] = [];

  mount(packs: readonly LibraryPack[]): void {
    this.packs = new Map(packs.map((pack) => [pack.name, new PackedFiles(pack)]));
    this.libraryRoots = packs.flatMap(({ name, roots }) =>
      roots.map((root) => (root === '' ? `${LIBRARIES}/${name}` : `${LIBRARIES}/${name}/${root}`)),
    );
  }

  change(changes: FileChanges): void {
    for (const [path, content] of Object.entries(changes)) {
      if (this.contents.has(path) !== (content !== null)) this.folders = undefined;
      if (content === null) this.contents.delete(path);
      else this.contents.set(path, content);
    }
  }

  list(path: string): readonly FolderEntry[] | undefined {
    const packed = this.packed(path);
    if (packed) return packed.files.list(packed.path);
    this.folders ??= foldersOf(this.contents.keys());
    const entries = this.folders.get(path === '.' ? '' : plain(path));
    return entries && [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  read(path: string): string | undefined {
    const packed = this.packed(path);
    if (packed) return packed.files.read(packed.path);
    const content = this.contents.get(plain(path));
    return content instanceof Uint8Array ? readForm(content).text : content;
  }

  bytes(path: string): Uint8Array | undefined {
    const packed = this.packed(path);
    if (packed) return packed.files.bytes(packed.path);
    const content = this.contents.get(plain(path));
    return typeof content === 'string' ? new TextEncoder().encode(content) : content;
  }

  /** The library that a path leads into. */
  private packed(path: string): { readonly files: PackedFiles; readonly path: string } | undefined {
    const [, name, rest] = LIBRARY_PATH.exec(path) ?? [];
    const files = name === undefined ? undefined : this.packs.get(name);
    return files && { files, path: rest ?? '' };
  }
}

/** Other files, of which one knows what was read of the workspace. */
export class HeardFiles implements FileSystem {
  constructor(
    private readonly files: FileSystem,
    private readonly heard: Map<string, Content>,
    /** Paths of files of libraries, whose texts are read elsewhere. */
    readonly libraries: Set<string> = new Set(),
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
    const own = plain(path);
    if (content !== undefined && !isInLibrary(path) && !this.heard.has(own)) this.heard.set(own, content);
    return content;
  }
}

/** Whether a path is that of a file of a library. */
export const isInLibrary = (path: string): boolean => LIBRARY_PATH.test(path);

/** Without `/` or `./` at its beginning: the workspace is the top folder. */
const plain = (path: string): string => path.replace(/^(?:\.?\/)+/, '');

const LIBRARY_PATH = /^(?:\.?\/)*\(libraries\)\/([^/]+)(?:\/(.*))?$/;
