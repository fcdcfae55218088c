/**
 * Makes the studio of `src/studio`, as static files that run from a server or from the disk:
 *
 *     index.html, studio.css    the page
 *     page.js                   its script
 *     engine.js                 what runs in workers: the simulator (`parts.mjs`)
 *     late.js, models.js        code that workers load when somebody asks for what it does, and the texts of the own libraries, when one of them is read
 *     scene.js                  what draws in space, which the page loads when it is needed
 *     documentation.js          what makes elements of HTML in documentation, which is loaded in the same way
 *     examples.js               the texts of the examples
 *
 * Scripts are classic ones, because modules cannot be loaded from the disk. `node build/studio.mjs [folder]`; the folder is `dist/studio` by default.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { modelTexts, moduleOf } from './models.mjs';
import { scriptModule } from './page.mjs';
import { buildParts } from './parts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src');

/** Modules that other parts of the build make, from what there is now. */
const made = {
  name: 'made',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^#models$/ }, () => ({ path: 'models', namespace: 'made' }));
    onLoad({ filter: /./, namespace: 'made' }, () => ({ contents: lateModels(), loader: 'js' }));
    onLoad({ filter: /\/script\.ts$/ }, async ({ path }) => {
      const contents = await scriptModule(source, path.replaceAll('\\', '/'));
      return contents && { contents, loader: 'js' };
    });
  },
};

const common = {
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [made],
};

/** The texts of the own libraries by their paths, of which the first that is read loads all. */
function lateModels() {
  const paths = JSON.stringify(Object.keys(modelTexts()));
  return `const text = (path) => mutaborPart('models.js').models[path];
    export const models = {};
    for (const path of ${paths}) Object.defineProperty(models, path, { enumerable: true, get: () => text(path) });`;
}

/** Builds the studio into a folder, which is emptied before. */
export async function buildStudio(target) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const page = join(source, 'studio/page');
  await Promise.all([
    build({ ...common, entryPoints: [join(page, 'main.ts')], outfile: join(target, 'page.js') }),
    build({
      ...common,
      entryPoints: [join(page, 'documentation/sanitised.ts')],
      outfile: join(target, 'documentation.js'),
    }),
    build({ ...common, entryPoints: [join(page, 'space/scene.ts')], outfile: join(target, 'scene.js') }),
    build({ ...common, entryPoints: [join(page, 'studio.css')], outfile: join(target, 'studio.css') }),
    buildParts({ ...common, entryPoints: { engine: join(source, 'studio/worker/main.ts') } }, target, {
      'models.js': moduleOf(),
    }),
  ]);
  cpSync(join(page, 'index.html'), join(target, 'index.html'));
  writeFileSync(join(target, 'examples.js'), examplesScript());
}

/** Sets a global object that maps the names of examples to their texts. */
function examplesScript() {
  const folder = join(root, 'examples');
  const names = readdirSync(folder).filter((name) => name.endsWith('.mo'));
  const texts = names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
  return `globalThis.mutaborExamples=${JSON.stringify(Object.fromEntries(texts))};\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await buildStudio(process.argv[2] ?? join(root, 'dist/studio'));
