/**
 * Joins the modules of `dist/` into a few files, which the package and its command load: a cold start spends its time on reading modules, and hundreds of small ones take three
 * times as long.
 *
 * - `dist/bundle/`: modules, for pages, for whoever bundles them, and for the language server. What is loaded late stays apart.
 * - `dist/node/`: the same as one script, whose compiled form can be kept (`src/cli/kept.ts`), and for each entry a module that gives what the script exports.
 *   In `package.json` the condition `node-addons` leads there: Node sets it, but no bundler for Node does, which has to get modules.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Another folder than `dist/` can be given. */
const dist = process.argv[2] ?? fileURLToPath(new URL('../dist', import.meta.url));

/** Packages in the form of CommonJS `require` modules of Node, which an ES module has to import. */
const nodeModules = {
  name: 'node-modules',
  setup(build) {
    build.onResolve({ filter: /^(node:)?[a-z_]+$/ }, ({ path, kind }) => {
      const isRequired = kind === 'require-call' && isBuiltin(path);
      return isRequired ? { path: path.replace(/^node:/, ''), namespace: 'node-modules' } : undefined;
    });
    build.onLoad({ filter: /.*/, namespace: 'node-modules' }, ({ path }) => ({
      contents: `export * from 'node:${path}'; export { default } from 'node:${path}';`,
    }));
  },
};

/** A script has no imports: modules that are loaded late are there from the beginning, and those of users are loaded by a function that it is given. */
const withoutImports = {
  name: 'without-imports',
  setup(build) {
    build.onLoad({ filter: /\/cli\/\w+\.js$/ }, ({ path }) => {
      const late = [];
      const text = readFileSync(path, 'utf8')
        .replace(/\bimport\('(\.[^']+)'\)/g, (_, from) => `late${late.push(from)}`)
        .replace(/\bimport\(/g, '__load(');
      const imports = late.map((from, k) => `import * as late${k + 1} from '${from}';\n`);
      return { contents: imports.join('') + text };
    });
  },
};

/** What programs can import. */
const entries = ['index', 'actions', 'animation', 'bodies', 'results', 'models'];

const common = {
  metafile: true,
  bundle: true,
  nodePaths: [fileURLToPath(new URL('../node_modules', import.meta.url))],
  platform: 'node',
  target: 'node20',
  // Names stay, so that the stack of a bug can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  // Node prints the line of an error that nobody caught.
  lineLimit: 120,
  logLevel: 'warning',
};

for (const folder of ['bundle', 'node']) rmSync(`${dist}/${folder}`, { recursive: true, force: true });
const { metafile } = await build({
  ...common,
  entryPoints: {
    ...Object.fromEntries(entries.map((name) => [name, `${dist}/${name}.js`])),
    host: `${dist}/cli/host.js`,
    checker: `${dist}/cli/lsp/checker.js`,
    generate: `${dist}/cli/lsp/generate.js`,
  },
  outdir: `${dist}/bundle`,
  plugins: [nodeModules],
  splitting: true,
  format: 'esm',
});

const { outputFiles } = await build({
  ...common,
  stdin: {
    contents: [...entries, 'cli/work']
      .map((path) => `export * as ${path.replace('cli/', '')} from './${path}.js';`)
      .join('\n'),
    resolveDir: dist,
  },
  plugins: [withoutImports],
  format: 'cjs',
  legalComments: 'none',
  define: { 'import.meta.url': '__url' },
  banner: { js: "(function(require,__load,__url){'use strict';const module={};" },
  footer: { js: 'return module.exports})' },
  write: false,
});
// It is read as Latin-1, which is fast: what is foreign in it, in regular expressions, is written by its code.
const text = outputFiles[0].text.replace(
  /[^\0-\x7f]/g,
  (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
);
const script = `code-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.js`;
mkdirSync(`${dist}/node`);
writeFileSync(`${dist}/node/${script}`, text);
await build({
  ...common,
  entryPoints: [`${dist}/cli/kept.js`],
  outdir: `${dist}/node`,
  format: 'esm',
  define: { SCRIPT: JSON.stringify(`./${script}`) },
});
const exportsOf = (name) =>
  Object.entries(metafile.outputs).find(([path]) => path.endsWith(`/bundle/${name}.js`))[1].exports;
for (const name of entries)
  writeFileSync(
    `${dist}/node/${name}.js`,
    `import { modules } from './kept.js';\nexport const { ${exportsOf(name).join(', ')} } = modules.${name};\n`,
  );
writeFileSync(
  `${dist}/node/work.js`,
  "import { keep, modules } from './kept.js';\nif (await modules.work.work(process.argv.slice(2))) keep();\n",
);

/** The packages that are joined in, by their folders, with the licences that ask to be kept. */
const packages = new Set(
  Object.keys(metafile.inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
);
const licences = [...packages].sort().flatMap((folder) => {
  const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const file = ['LICENSE', 'License.txt', 'LICENSE.txt', 'LICENSE.md'].find((one) =>
    existsSync(`${folder}/${one}`),
  );
  return file ? [`${name} ${version}\n\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`] : [];
});
writeFileSync(`${dist}/bundle/licences.txt`, licences.join('\n'));
