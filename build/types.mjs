/**
 * Copies the declarations that the entry points lead to into `dist/types/`, which is what the package holds of them: others describe what
 * programs cannot reach. `node build/types.mjs [folder]`; the folder is `dist` by default.
 */
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = process.argv[2] ?? fileURLToPath(new URL('../dist', import.meta.url));

rmSync(join(dist, 'types'), { recursive: true, force: true });
const found = new Set([
  'index.d.ts',
  'actions.d.ts',
  'animation.d.ts',
  'bodies.d.ts',
  'results.d.ts',
  'models.d.ts',
]);
for (const file of found) {
  const target = join(dist, 'types', file);
  mkdirSync(dirname(target), { recursive: true });
  // TypeScript before 5.7 knows typed arrays without the kind of their buffers.
  const text = readFileSync(join(dist, file), 'utf8').replace(/Array<ArrayBuffer(?:Like)?>/g, 'Array');
  writeFileSync(target, text);
  for (const [, path] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g))
    found.add(join(dirname(file), path.replace(/\.[jt]s$/, '.d.ts')));
}

// Some name things that the library `dom` of TypeScript declares. Programs that do without it get by with empty ones; where it is there, these add nothing.
const declare = (file, text) => appendFileSync(join(dist, 'types', file), `declare global {\n${text}}\n`);
declare(
  'index.d.ts',
  '    namespace WebAssembly {\n        interface Memory {}\n        interface Module {}\n    }\n',
);
declare('results.d.ts', '    interface HTMLElement {}\n');
