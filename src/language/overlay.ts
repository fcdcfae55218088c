/**
 * The files of a workspace: open documents over what lies on the disk, or wherever `FileSystem` reads from. Folders are listed once, until somebody
 * says that they have changed.
 */
import { remember } from '../collections/memo.ts';
import type { FileSystem, FolderEntry } from '../model/classes/files.ts';
import { folderOf, inFolder, nameOf, plainPath } from './paths.ts';

/** Files that are listed of one workspace, and how deep its folders are looked into. */
const MOST_FILES = 20_000;
const DEEPEST = 20;

export class Overlay implements FileSystem {
  private readonly open = new Map<string, string>();
  private readonly lists = new Map<string, { readonly entries: readonly FolderEntry[] | undefined }>();

  constructor(private readonly files: FileSystem | undefined) {}

  put(path: string, text: string): void {
    if (!this.open.has(path)) this.lists.clear();
    this.open.set(path, text);
  }

  remove(path: string): void {
    this.open.delete(path);
    this.lists.clear();
  }

  /** Files were added or removed. */
  forget(): void {
    this.lists.clear();
  }

  list(path: string): readonly FolderEntry[] | undefined {
    const folder = plainPath(path);
    return remember(this.lists, folder, () => ({ entries: this.listed(folder) })).entries;
  }

  private listed(folder: string): readonly FolderEntry[] | undefined {
    const entries = new Map<string, FolderEntry>();
    const known = this.files?.list(folder === '' ? '.' : folder);
    for (const entry of known ?? []) entries.set(entry.name, entry);
    for (const path of this.open.keys())
      for (let at = path; at !== '' && at !== '/'; at = folderOf(at))
        if (folderOf(at) === folder) entries.set(nameOf(at), { name: nameOf(at), folder: at !== path });
    if (!known && entries.size === 0) return undefined;
    return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  read(path: string): string | undefined {
    const plain = plainPath(path);
    return this.open.get(plain) ?? this.files?.read(path);
  }

  bytes(path: string): Uint8Array | undefined {
    const text = this.open.get(plainPath(path));
    if (text !== undefined) return new TextEncoder().encode(text);
    if (this.files?.bytes) return this.files.bytes(path);
    const stored = this.files?.read(path);
    return stored === undefined ? undefined : new TextEncoder().encode(stored);
  }

  absolute(path: string): string {
    return this.files?.absolute?.(path) ?? (path.startsWith('/') ? path : `/${path}`);
  }

  has(folder: string, name: string): boolean {
    return this.list(folder)?.some((entry) => entry.name === name && !entry.folder) ?? false;
  }

  /** The Modelica files below a folder; hidden folders, and those of other people's packages, are passed over. */
  modelsBelow(folder: string, depth = 0, found: string[] = []): string[] {
    if (depth > DEEPEST) return found;
    for (const entry of this.list(folder) ?? []) {
      if (found.length >= MOST_FILES) break;
      const path = inFolder(folder, entry.name);
      if (!entry.folder) {
        if (entry.name.endsWith('.mo')) found.push(path);
      } else if (!entry.name.startsWith('.') && entry.name !== 'node_modules')
        this.modelsBelow(path, depth + 1, found);
    }
    return found;
  }
}
