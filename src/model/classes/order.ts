/** The file `package.order` of a folder (specification 3.6, section 13.4.1): the names of classes and constants of its package, one in a line, in their order. */
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts';
import { nearest } from '../../diagnostic/nearest.ts';
import { Source } from '../../diagnostic/source.ts';
import type { FileSystem } from './files.ts';
import { isIdentifier } from './shelf.ts';

const fileIn = (folder: string): string => `${folder}/package.order`;

/** Names in the folder of a package: those of the file first, then the others. */
export function namesInFolder(files: FileSystem, folder: string): string[] {
  const order = files.read(fileIn(folder));
  const listed = order ? order.split(/\r?\n/).map((line) => line.trim()) : [];
  return [...listed, ...classesInFolder(files, folder)].filter(isIdentifier);
}

/** Names of files and folders that may be classes. */
function classesInFolder(files: FileSystem, folder: string): string[] {
  return (files.list(folder) ?? [])
    .filter((entry) => entry.folder || (entry.name.endsWith('.mo') && entry.name !== 'package.mo'))
    .map((entry) => (entry.folder ? entry.name : entry.name.slice(0, -3)));
}

/**
 * What is wrong with the file, if there is one: names that the package does not have, names that are there twice, and classes that it does not name.
 * `own` are the names that `package.mo` declares.
 */
export function orderProblems(files: FileSystem, folder: string, own: ReadonlySet<string>): Diagnostic[] {
  const text = files.read(fileIn(folder));
  if (text === undefined) return [];
  const source = new Source(fileIn(folder), text);
  const stored = classesInFolder(files, folder).filter(
    (name) =>
      files.read(`${folder}/${name}.mo`) !== undefined ||
      files.read(`${folder}/${name}/package.mo`) !== undefined,
  );
  const known = new Set([...own, ...stored]);
  const listed = new Set<string>();
  const problems: Diagnostic[] = [];
  for (const { 0: name, index } of text.matchAll(/[^\r\n\s](?:[^\r\n]*[^\r\n\s])?/g)) {
    const span = { source, start: index, end: index + name.length };
    if (listed.has(name)) {
      problems.push(
        warning('duplicate-name', `\`${name}\` is listed twice.`, { span, hint: 'Leave one of them out.' }),
      );
    } else if (!known.has(name)) {
      const near = nearest(name, known);
      const hint = near ? `Did you mean \`${near}\`?` : 'Leave it out, or add the file that is missing.';
      problems.push(
        warning('unknown-class', `\`${name}\` is listed, but the package has no such class or constant.`, {
          span,
          hint,
        }),
      );
    }
    listed.add(name);
  }
  const missing = [...known].filter((name) => !listed.has(name)).map((name) => `\`${name}\``);
  if (missing.length > 0) {
    const message = `The package also has ${missing.join(', ')}, which the file does not list.`;
    const hint = 'List all classes and constants, in the order in which they are to be shown.';
    problems.push(warning('unknown-class', message, { span: { source, start: 0, end: 0 }, hint }));
  }
  return problems;
}
