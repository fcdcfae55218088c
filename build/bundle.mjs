/**
 * Joins the modules of `dist/` into a few files, `dist/bundle/`, which the package and its command load: a cold start spends its
 * time on reading modules, and hundreds of small ones take three times as long. What commands load late stays apart.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

rmSync(`${dist}/bundle`, { recursive: true, force: true });
const { metafile } = await build({
  metafile: true,
  entryPoints: {
    index: `${dist}/index.js`,
    actions: `${dist}/actions.js`,
    animation: `${dist}/animation.js`,
    bodies: `${dist}/bodies.js`,
    results: `${dist}/results.js`,
    models: `${dist}/models.js`,
    host: `${dist}/cli/host.js`,
    work: `${dist}/cli/work.js`,
    checker: `${dist}/cli/lsp/checker.js`,
    generate: `${dist}/cli/lsp/generate.js`,
  },
  outdir: `${dist}/bundle`,
  bundle: true,
  nodePaths: [fileURLToPath(new URL('../node_modules', import.meta.url))],
  plugins: [nodeModules],
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Names stay, so that the stack of a bug can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  // Node prints the line of an error that nobody caught.
  lineLimit: 120,
  logLevel: 'warning',
});

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
