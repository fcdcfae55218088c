/**
 * Joins the modules of `dist/` into a few files, `dist/bundle/`, which the package and its command load: a cold start spends its
 * time on reading modules, and hundreds of small ones take three times as long. What commands load late stays apart.
 */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Another folder than `dist/` can be given. */
const dist = process.argv[2] ?? fileURLToPath(new URL('../dist', import.meta.url));

rmSync(`${dist}/bundle`, { recursive: true, force: true });
await build({
  entryPoints: {
    index: `${dist}/index.js`,
    actions: `${dist}/actions.js`,
    animation: `${dist}/animation.js`,
    bodies: `${dist}/bodies.js`,
    results: `${dist}/results.js`,
    models: `${dist}/models.js`,
    host: `${dist}/cli/host.js`,
    work: `${dist}/cli/work.js`,
  },
  outdir: `${dist}/bundle`,
  bundle: true,
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
