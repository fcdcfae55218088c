/**
 * Joins the script of plots that are pages, `results/plot/page.js`, into one text, and puts it into `results/plot/script.js`, from which
 * `plotHtml` takes it. `node build/page.mjs [folder]`; the folder is `dist` by default.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The script, from a folder with modules that end in `extension`. */
export async function pageScript(folder, extension) {
  const { outputFiles } = await build({
    entryPoints: [join(folder, `results/plot/page.${extension}`)],
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

/** The module that holds the script, from the folder of the sources: for bundlers that take these. */
export async function scriptModule(source) {
  return moduleOf(await pageScript(source, 'ts'));
}

const moduleOf = (script) => `export const pageScript = ${JSON.stringify(script)};\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = process.argv[2] ?? fileURLToPath(new URL('../dist', import.meta.url));
  writeFileSync(join(dist, 'results/plot/script.js'), moduleOf(await pageScript(dist, 'js')));
}
