import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** All files below a folder. */
export async function filesBelow(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** The file system as libraries want it: what is not there is `undefined`, and links to folders are folders. */
export const fileSystem = {
  list: (path) =>
    attempt(() =>
      readdirSync(path, { withFileTypes: true }).map((entry) => ({
        name: entry.name,
        folder: entry.isDirectory() || (entry.isSymbolicLink() && isFolder(join(path, entry.name))),
      })),
    ),
  read: (path) => attempt(() => readFileSync(path, 'utf8')),
  bytes: (path) => attempt(() => readFileSync(path)),
  absolute: (path) => resolve(path),
};

const isFolder = (path) => attempt(() => statSync(path).isDirectory()) ?? false;

function attempt(work) {
  try {
    return work();
  } catch {
    return undefined;
  }
}
