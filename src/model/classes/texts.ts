/** Texts in memory as a file system for libraries, where there is no disk: in browsers, in tests. */
import { remember } from '../../collections/memo.ts';
import type { FileSystem, FolderEntry } from './files.ts';

export class TextFiles implements FileSystem {
  private readonly texts = new Map<string, string>();
  private readonly folders = new Map<string, Map<string, FolderEntry>>();

  /** `texts` maps paths such as `Lib/package.mo` to what the files hold. Folders follow from the paths. */
  constructor(texts: Readonly<Record<string, string>>) {
    for (const [path, text] of Object.entries(texts)) this.add(plain(path), text);
  }

  list(path: string): readonly FolderEntry[] | undefined {
    const entries = this.folders.get(plain(path));
    return entries && [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  read(path: string): string | undefined {
    return this.texts.get(plain(path));
  }

  private add(path: string, text: string): void {
    this.texts.set(path, text);
    const parts = path.split('/');
    for (let i = 0; i < parts.length; i++) {
      const folder = parts.slice(0, i).join('/');
      const entries = remember(this.folders, folder, () => new Map());
      entries.set(parts[i]!, { name: parts[i]!, folder: i < parts.length - 1 });
    }
  }
}

/** Without `/` at the beginning and the end; the top folder is the empty path. */
const plain = (path: string): string => path.replace(/^\/+|\/+$/g, '');
