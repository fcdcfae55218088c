/** The libraries that come with Mutabor: every `Library` finds them after all others, wherever it runs. */
import { models } from '#models';
import type { FileSystem, FolderEntry } from './files.ts';
import { TextFiles } from './texts.ts';

/** The folder below which they are; in an installed package it is that of the same texts on the disk. */
export const ownRoot = 'mutabor/models';

/** Which files there are; what they hold is read one by one, since programs may have it elsewhere until then. */
let paths: TextFiles | undefined;

/** Files of the surroundings, if there are any, and those of the own libraries. */
export class FilesAndOwn implements FileSystem {
  constructor(private readonly files: FileSystem | undefined) {}

  list(path: string): readonly FolderEntry[] | undefined {
    return inside(path, listed) ?? this.files?.list(path);
  }

  read(path: string): string | undefined {
    return (
      inside(path, (own) => (Object.hasOwn(models, own) ? models[own] : undefined)) ?? this.files?.read(path)
    );
  }

  bytes(path: string): Uint8Array | undefined {
    const { files } = this;
    if (files?.bytes) return files.bytes(path);
    const text = this.read(path);
    return text === undefined ? undefined : new TextEncoder().encode(text);
  }

  absolute(path: string): string {
    return this.files?.absolute?.(path) ?? (path.startsWith('/') ? path : `/${path}`);
  }
}

function inside<T>(path: string, look: (own: string) => T | undefined): T | undefined {
  if (path !== ownRoot && !path.startsWith(`${ownRoot}/`)) return undefined;
  return look(path.slice(ownRoot.length + 1));
}

function listed(own: string): readonly FolderEntry[] | undefined {
  paths ??= new TextFiles(Object.fromEntries(Object.keys(models).map((path) => [path, ''])));
  return paths.list(own);
}

/** Classes of the own libraries whose name is the last part of their path: each has a file. */
export function ownClasses(name: string): string[] {
  const file = `/${name.replaceAll('.', '/')}`;
  return Object.keys(models)
    .filter((path) => path.endsWith(`${file}.mo`) || path.endsWith(`${file}/package.mo`))
    .map((path) => path.replace(/(\/package)?\.mo$/, '').replaceAll('/', '.'));
}

/** The names of all own classes that have a file. */
export const ownNames = (): string[] =>
  Object.keys(models).map((path) => path.replace(/(\/package)?\.mo$/, '').replace(/^.*\//, ''));
