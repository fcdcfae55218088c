/** Compiles the fuzzer and runs it: Node does not read TypeScript. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'mutabor-fuzz-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.env.MUTABOR_ROOT = root;
await build({
  entryPoints: ['fuzz', 'worker', 'watch'].map((name) => join(root, `test/fuzz/${name}.ts`)),
  outdir: folder,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
});
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
await import(pathToFileURL(join(folder, 'fuzz.js')).href);
