/**
 * Files of the host for `model/`: reading below allowed folders only. A path is resolved with all its links before it
 * is compared, so neither `..` nor a link leads out.
 */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { FileSystem, FolderEntry } from '../model/classes/files.ts';
import { LARGEST_INPUT } from './io.ts';

export class HostFiles implements FileSystem {
  private readonly roots: string[] = [];
  private readonly known = new Set<string>();

  /** Relative paths start from `cwd`. */
  constructor(private readonly cwd: string) {}

  /** Allows reading below a folder, or one file. */
  allow(path: string): void {
    const real = this.real(path);
    if (real !== undefined) this.roots.push(real);
  }

  /** Allows reading below a folder of libraries, and in the libraries that stand in it as links: other links do not lead out. */
  allowLibraries(path: string): void {
    this.allow(path);
    for (const library of linkedLibraries(this.absolute(path))) this.allow(library);
  }

  list(path: string): readonly FolderEntry[] | undefined {
    const real = this.allowed(path);
    if (real === undefined) return undefined;
    try {
      return readdirSync(real, { withFileTypes: true })
        .map((entry) => ({
          name: entry.name,
          folder: entry.isDirectory() || (entry.isSymbolicLink() && this.isFolder(`${path}/${entry.name}`)),
        }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch {
      return undefined;
    }
  }

  read(path: string): string | undefined {
    return this.bytes(path)?.toString('utf8');
  }

  bytes(path: string): Buffer | undefined {
    const real = this.allowed(path);
    if (real === undefined) return undefined;
    try {
      const stats = statSync(real);
      // A pipe or a device may have no end.
      if (!stats.isFile() || stats.size > LARGEST_INPUT) return undefined;
      this.known.add(real);
      return readFileSync(real);
    } catch {
      return undefined;
    }
  }

  /** The files that were read, without links. */
  get sources(): readonly string[] {
    return [...this.known];
  }

  isFile(path: string): boolean {
    const real = this.real(path);
    return real !== undefined && statSync(real).isFile();
  }

  isFolder(path: string): boolean {
    const real = this.real(path);
    return real !== undefined && statSync(real).isDirectory();
  }

  isAllowed(path: string): boolean {
    return this.allowed(path) !== undefined;
  }

  exists(path: string): boolean {
    return this.real(path) !== undefined;
  }

  absolute(path: string): string {
    return resolve(this.cwd, path);
  }

  private allowed(path: string): string | undefined {
    const real = this.real(path);
    return real !== undefined && this.roots.some((root) => isBelow(real, root)) ? real : undefined;
  }

  private real(path: string): string | undefined {
    try {
      return realpathSync(this.absolute(path));
    } catch {
      return undefined;
    }
  }
}

/** The libraries in a folder that are links to folders of packages: somebody who keeps libraries made them. */
export function linkedLibraries(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink() && existsSync(`${folder}/${entry.name}/package.mo`))
      .map((entry) => `${folder}/${entry.name}`);
  } catch {
    return [];
  }
}

export function isBelow(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
