/**
 * The libraries below the folders of libraries, by their names and versions (specification 3.6, sections 13.4 and 18.8.4): `Name/package.mo`, `Name.mo`,
 * `Name 1.2/package.mo`, `Name 1.2.mo`. A folder of libraries may be that of a library itself; then it may have any name, as unpacked archives do (`Name-main`).
 */
import { remember } from '../../collections/memo.ts';
import type { FileSystem, FolderEntry } from './files.ts';
import { compareVersions } from './versions.ts';

/** A library in one version. */
export interface Edition {
  /** The file with the class. */
  readonly path: string;
  /** The folder whose other files hold further classes. */
  readonly folder: string | undefined;
  /** The version in the name of the folder or file. */
  readonly label: string | undefined;
  /** Whether the folder of the library itself was named. */
  readonly named: boolean;
}

export class Shelf {
  /** Names of packages whose folders are named. */
  private readonly packages = new Map<string, string>();

  constructor(
    private readonly files: FileSystem,
    private readonly roots: readonly string[],
  ) {}

  /** What there is of a library, that which goes first without further wishes first. */
  editions(name: string): Edition[] {
    return this.roots.flatMap((root) => {
      const entries = this.files.list(root) ?? [];
      if (!isPackage(entries)) return below(root, entries, name);
      const own = lastPart(root);
      // The file is looked into only where the name of the folder does not say it.
      if (topName(own) !== name && this.packageIn(root) !== name) return [];
      return [{ path: `${root}/package.mo`, folder: root, label: labelIn(own), named: true }];
    });
  }

  /** The name of the package in a folder: that in its file, where it can be read. */
  private packageIn(folder: string): string {
    return remember(this.packages, folder, () => {
      const text = this.files.read(`${folder}/package.mo`) ?? '';
      const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n\r]*|"(?:[^"\\]|\\[\s\S])*"/g, ' ');
      return /\bpackage\s+([A-Za-z_]\w*)/.exec(code)?.[1] ?? topName(lastPart(folder));
    });
  }

  names(): Set<string> {
    const names = new Set<string>();
    for (const root of this.roots) {
      const entries = this.files.list(root) ?? [];
      if (isPackage(entries)) names.add(this.packageIn(root));
      else
        for (const entry of entries) {
          const name = topName(stem(entry));
          if (isIdentifier(name) && isClass(entry)) names.add(name);
        }
    }
    return names;
  }
}

/** Names become parts of paths: nothing but identifiers may. */
export const isIdentifier = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);

/** Those without a version in their name first, then the newest. */
function below(root: string, entries: readonly FolderEntry[], name: string): Edition[] {
  const own = entries.filter((entry) => isClass(entry) && topName(stem(entry)) === name);
  const editions = own.map((entry) => {
    const path = `${root}/${entry.name}`;
    const [file, folder] = entry.folder ? [`${path}/package.mo`, path] : [path, undefined];
    return { path: file, folder, label: labelIn(stem(entry)), named: false };
  });
  return editions.sort((a, b) => {
    if (a.label === undefined || b.label === undefined)
      return Number(a.label !== undefined) - Number(b.label !== undefined) || preferFolder(a, b);
    return compareVersions(b.label, a.label) || preferFolder(a, b);
  });
}

const preferFolder = (a: Edition, b: Edition): number =>
  Number(a.folder === undefined) - Number(b.folder === undefined);

const isClass = (entry: FolderEntry): boolean => entry.folder || entry.name.endsWith('.mo');

const stem = ({ name, folder }: FolderEntry): string => (folder ? name : name.replace(/\.mo$/, ''));

/** `Modelica 4.1.0`: the name, and the version after it. */
const topName = (name: string): string => name.replace(/ [0-9][^/]*$/, '');
const labelIn = (name: string): string | undefined => / ([0-9][^/]*)$/.exec(name)?.[1];

/** A root may be the folder of a library itself: then its files are classes of the library, not of the top level. */
const isPackage = (entries: readonly FolderEntry[]): boolean =>
  entries.some((entry) => entry.name === 'package.mo');

const lastPart = (path: string): string => path.replace(/\/+$/, '').split('/').at(-1) ?? '';
