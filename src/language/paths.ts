/** Paths of documents: with `/`, relative ones without `./` before them. */

/** The one way in which a path is written. */
export function plainPath(path: string): string {
  const slashed = path.replaceAll('\\', '/').replace(/\/{2,}/g, '/');
  const plain = slashed.replace(/^(?:\.\/)+/, '').replace(/(.)\/$/, '$1');
  return plain === '.' ? '' : plain;
}

/** The folder of a file; that of one without folders is empty. */
export function folderOf(path: string): string {
  const at = path.lastIndexOf('/');
  return at < 0 ? '' : at === 0 ? '/' : path.slice(0, at);
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const inFolder = (folder: string, name: string): string =>
  folder === '' ? name : folder.endsWith('/') ? folder + name : `${folder}/${name}`;

export const isBelow = (path: string, folder: string): boolean =>
  folder === '' ? !path.startsWith('/') : path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

/** How far apart two folders are: steps up and down. */
export function distance(a: string, b: string): number {
  const [one, other] = [a.split('/'), b.split('/')];
  let common = 0;
  while (common < one.length && one[common] === other[common]) common++;
  return one.length + other.length - 2 * common;
}
