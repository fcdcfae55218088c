/**
 * Files below one folder, for whoever may change them from outside (`serve.ts`): paths are relative, and neither `..` nor a link leads out; hidden
 * files and those of unknown kinds do not exist. A file has a version, that of its bytes: it is replaced, or removed, only as whoever asks
 * for it has seen it.
 */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isBelow } from './files.ts';
import { type Drafting, writeWhole } from './write.ts';

/** Texts of models, data that they read, and pictures that they show. */
const kinds = /\.(mo|order|csv|txt|json|mat|obj|stl|dxf|png|jpe?g|gif|bmp|svg|md)$/i;

/** More are not listed; nobody finds anything among them. */
export const MOST_FILES = 20_000;
/** Bytes of a file: the largest of the Modelica Standard Library has two millions. */
export const LARGEST_FILE = 16 * 1024 * 1024;
/** Of all texts together. */
const MOST_TEXT = 128 * 1024 * 1024;
const LONGEST_PATH = 1000;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export interface ListedFile {
  readonly path: string;
  readonly size: number;
  /** When it was changed, in milliseconds: says which files to look at again. */
  readonly changed: number;
}

export interface ReadFile {
  readonly bytes: Uint8Array;
  readonly version: string;
}

/** Why something cannot be done with a file. */
export class FileProblem extends Error {
  constructor(
    readonly kind: 'missing' | 'refused' | 'large' | 'changed' | 'failed',
    message: string,
  ) {
    super(message);
  }
}

export class Folder {
  private readonly root: string;

  /** Throws what the system says where there is no such folder. */
  constructor(
    private readonly io: Drafting,
    path: string,
  ) {
    this.root = realpathSync(path);
    // Of what is no folder, there is nothing to list.
    readdirSync(this.root);
  }

  get name(): string {
    return basename(this.root);
  }

  /** The files that there are, in order; `isAll` is false where they are too many. */
  list(): { readonly files: readonly ListedFile[]; readonly isAll: boolean } {
    const files: ListedFile[] = [];
    const folders = [''];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for (const entry of entriesOf(join(this.root, folder))) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory() && isFolderName(entry.name)) folders.push(path);
        else if (isPath(path)) files.push(...this.listed(path));
        if (files.length > MOST_FILES) return { files: files.slice(0, MOST_FILES), isAll: false };
      }
    }
    return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), isAll: true };
  }

  private listed(path: string): ListedFile[] {
    const real = this.real(path);
    const stats = real === undefined ? undefined : statSync(real, { throwIfNoEntry: false });
    return stats?.isFile() ? [{ path, size: stats.size, changed: stats.mtimeMs }] : [];
  }

  /** The texts of models, all that are not too much for one answer, as they are in UTF-8; what cannot be read, or is written otherwise, has to be asked for by itself. */
  texts(): readonly (ListedFile & { readonly text: string; readonly version: string })[] {
    let size = 0;
    return this.list().files.flatMap((file) => {
      size += file.size;
      if (!/\.(mo|order)$/i.test(file.path) || size > MOST_TEXT || file.size > LARGEST_FILE) return [];
      try {
        const { bytes, version } = this.read(file.path);
        return [{ ...file, text: utf8.decode(bytes), version }];
      } catch {
        return [];
      }
    });
  }

  read(path: string): ReadFile {
    const bytes = this.bytes(this.place(path));
    if (!bytes) throw new FileProblem('missing', `There is no file ${path}.`);
    return { bytes, version: versionOf(bytes) };
  }

  /** Writes a file that has this version, or does not exist where that is left out; gives the new version. */
  write(path: string, bytes: Uint8Array, version?: string): string {
    const place = this.place(path);
    this.expect(path, place, version);
    attempt(() => {
      mkdirSync(dirname(place), { recursive: true });
      writeWhole(this.io, place, [bytes]);
    });
    return versionOf(bytes);
  }

  remove(path: string, version: string): void {
    const place = this.place(path);
    this.expect(path, place, version);
    attempt(() => rmSync(place));
  }

  private expect(path: string, place: string, version: string | undefined): void {
    const bytes = this.bytes(place);
    const present = bytes && versionOf(bytes);
    if (present === version) return;
    const what = present === undefined ? 'does not exist any more' : 'was changed meanwhile';
    throw new FileProblem('changed', `The file ${path} ${what}.`);
  }

  private bytes(place: string): Uint8Array | undefined {
    const stats = statSync(place, { throwIfNoEntry: false });
    if (!stats) return undefined;
    // A pipe or a device may have no end.
    if (!stats.isFile()) throw new FileProblem('refused', 'It is not a file.');
    if (stats.size > LARGEST_FILE)
      throw new FileProblem('large', `The file has more than ${LARGEST_FILE / 2 ** 20} MB.`);
    return attempt(() => readFileSync(place));
  }

  /** Where a file is, or will be, on the disk, all links followed. */
  private place(path: string): string {
    if (!isPath(path)) throw new FileProblem('refused', 'The path is none of a file in this folder.');
    const found = this.real(path);
    if (found !== undefined) return found;
    // A link that leads nowhere would be written through.
    if (lstatSync(join(this.root, path), { throwIfNoEntry: false })) throw outside();
    const parts = path.split('/');
    for (let n = parts.length - 1; n >= 0; n--) {
      const real = this.real(parts.slice(0, n).join('/'));
      if (real !== undefined) return join(real, ...parts.slice(n));
      if (lstatSync(join(this.root, ...parts.slice(0, n)), { throwIfNoEntry: false })) throw outside();
    }
    throw new FileProblem('missing', 'The folder does not exist any more.');
  }

  /** Undefined where it does not exist, or is outside. */
  private real(path: string): string | undefined {
    try {
      const real = realpathSync(join(this.root, path));
      return isBelow(real, this.root) ? real : undefined;
    } catch {
      return undefined;
    }
  }
}

const outside = (): FileProblem => new FileProblem('refused', 'A link leads out of the folder.');

const isFolderName = (name: string): boolean => !name.startsWith('.') && name !== 'node_modules';

/** Characters that no name should have: control characters, and those that Windows understands as something else. */
const strange = /[\\:\p{Cc}]/u;

/** Parts between `/` that are plain names, none of them hidden, and an ending that is known. */
function isPath(path: string): boolean {
  const isName = (part: string): boolean => part !== '' && !part.startsWith('.');
  const parts = path.split('/');
  return path.length <= LONGEST_PATH && !strange.test(path) && parts.every(isName) && kinds.test(path);
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // It may have been removed, or be unreadable: then there is nothing in it.
    return [];
  }
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (problem) {
    throw new FileProblem('failed', (problem as NodeJS.ErrnoException).message);
  }
}

const versionOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 32);
