/**
 * Joins the scripts of pages, each into one text, and puts them into the modules from which the functions that write pages take them:
 *
 *     results/plot/page.js        plots                     results/plot/script.js
 *     animation/player/page.js    animations, with three    animation/script.js
 *
 * `node build/page.mjs [folder]`; the folder is `dist` by default.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The module of each script, and the one that it begins with; without their extensions. */
const pages = { 'results/plot/script': 'results/plot/page', 'animation/script': 'animation/player/page' };

/** A script, from a folder with modules that end in `extension`. */
async function pageScript(folder, page, extension) {
  const { outputFiles } = await build({
    entryPoints: [join(folder, `${page}.${extension}`)],
    // Where three is, also for folders that are not below it.
    nodePaths: [fileURLToPath(new URL('../node_modules', import.meta.url))],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'warning',
  });
  return outputFiles[0].text;
}

/** The text of a module that holds a script, from the folder of the sources; undefined for any other module. */
export async function scriptModule(source, path) {
  const page = Object.keys(pages).find((module) => path.endsWith(`/src/${module}.ts`));
  return page && moduleOf(await pageScript(source, pages[page], 'ts'));
}

const moduleOf = (script) => `export const pageScript = ${JSON.stringify(script)};\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = process.argv[2] ?? fileURLToPath(new URL('../dist', import.meta.url));
  for (const [module, page] of Object.entries(pages))
    writeFileSync(join(dist, `${module}.js`), moduleOf(await pageScript(dist, page, 'js')));
}
