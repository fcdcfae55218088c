/**
 * Writes the libraries of `models/` as a module, for programs that cannot read files: an object that maps paths to texts. The
 * package imports it as `#models` and exports it as `mutabor/models`. `node build/models.mjs [folder]`; the folder is `dist` by default.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../models', import.meta.url));

/** The texts by their paths. */
export function modelTexts() {
  const paths = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
  return Object.fromEntries(
    paths.map((path) => [path.slice(source.length + 1).replaceAll('\\', '/'), readFileSync(path, 'utf8')]),
  );
}

/** The text of the module. */
export function moduleOf() {
  const texts = Object.entries(modelTexts()).map(
    ([name, text]) => `  ${JSON.stringify(name)}: ${JSON.stringify(text)},\n`,
  );
  return `export const models = {\n${texts.join('')}};\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const target = process.argv[2] ?? fileURLToPath(new URL('../dist', import.meta.url));
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'models.js'), moduleOf());
  writeFileSync(
    join(target, 'models.d.ts'),
    '/** The texts of the libraries that come with Mutabor, by path. */\nexport declare const models: Readonly<Record<string, string>>;\n',
  );
}
