/** A library as one piece (`LibraryPack`) of the files of a folder or of an archive: those that models can need, in places where lookups find them. */
import type { LibraryPack } from '../../protocol.ts';
import { texts } from '../texts.ts';

/** A file somewhere below what was chosen. */
export interface FoundFile {
  readonly path: string;
  readonly size: number;
  readonly content: Blob | Uint8Array<ArrayBuffer>;
}

/** Why something is no library. */
export class LibraryProblem extends Error {}

/** Texts of models, data that they read, and pictures that they show. */
const kinds = /\.(mo|order|csv|txt|json|mat|obj|stl|dxf|png|jpe?g|gif|bmp|svg|md)$/i;
const isText = (path: string): boolean => /\.(mo|order)$/i.test(path);

/** What one library may have: the Modelica Standard Library has 5600 files with 27 MB. */
export const limits = { files: 50_000, file: 64 * 2 ** 20, bytes: 512 * 2 ** 20, path: 1000 } as const;

/** Whether a file is taken: it is of a known kind, and not hidden. */
export function isWanted(path: string): boolean {
  const parts = path.split('/');
  return kinds.test(path) && !parts.some((part) => part.startsWith('.') || part === 'node_modules');
}

/** Refuses what is too much before it is read. */
export function requireLimits(files: readonly Pick<FoundFile, 'path' | 'size'>[]): void {
  if (files.length > limits.files) throw new LibraryProblem(texts.tooManyFiles(limits.files));
  let bytes = 0;
  for (const { path, size } of files) {
    if (path.length > limits.path) throw new LibraryProblem(texts.badPath(path.slice(0, 80)));
    if (size > limits.file) throw new LibraryProblem(texts.tooLargeFile(path, megabytes(limits.file)));
    bytes += size;
  }
  if (bytes > limits.bytes) throw new LibraryProblem(texts.tooLargeLibrary(megabytes(limits.bytes)));
}

export const megabytes = (bytes: number): string => String(Math.round(bytes / 2 ** 20));

export function packOf(name: string, found: readonly FoundFile[]): LibraryPack {
  const wanted = found.filter(({ path }) => isWanted(path));
  requireLimits(wanted);
  const [folder, files] = withoutFolder(wanted);
  const roots = rootsOf(files.map(({ path }) => path));
  if (roots.length === 0) throw new LibraryProblem(texts.noLibrary);
  const ordered = [...files.filter(({ path }) => isText(path)), ...files.filter(({ path }) => !isText(path))];
  const ends = new Float64Array(ordered.length);
  let end = 0;
  for (const [k, { size }] of ordered.entries()) ends[k] = end += size;
  return {
    name: plainName(folder ?? name),
    roots,
    paths: ordered.map(({ path }) => path),
    ends,
    texts: ordered.filter(({ path }) => isText(path)).length,
    content: new Blob(ordered.map(({ content }) => content)),
  };
}

/** Files of one folder alone are those of that folder, whose name says more than that of an archive. */
function withoutFolder(files: readonly FoundFile[]): [string | undefined, readonly FoundFile[]] {
  const folder = files[0]?.path.split('/')[0];
  const isOnly = files.every(({ path }) => path.startsWith(`${folder}/`));
  if (folder === undefined || !isOnly) return [undefined, files];
  return [folder, files.map((file) => ({ ...file, path: file.path.slice(folder.length + 1) }))];
}

/** The folders in which packages lie, or files with classes that belong to no package; outer ones first. */
function rootsOf(paths: readonly string[]): string[] {
  const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const models = paths.filter((path) => /\.mo$/.test(path));
  const packages = new Set(models.filter((path) => /(^|\/)package\.mo$/.test(path)).map(folderOf));
  if (packages.has('')) return [''];
  const isInPackage = (folder: string): boolean => {
    for (let at = folder; at !== ''; at = folderOf(at)) if (packages.has(at)) return true;
    return false;
  };
  const roots = new Set<string>();
  for (const folder of packages) if (!isInPackage(folderOf(folder))) roots.add(folderOf(folder));
  for (const path of models) if (!isInPackage(folderOf(path))) roots.add(folderOf(path));
  const depth = (root: string): number => (root === '' ? 0 : root.split('/').length);
  return [...roots].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
}

/** A name that can be part of a path. */
const plainName = (name: string): string =>
  name
    .replace(/[/\\:()\p{Cc}]/gu, '_')
    .slice(0, 100)
    .trim() || 'library';
