/** The package, built into a folder as it is installed: started by `bin/mutabor.js` there. */
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';

export function buildInto(home: string): void {
  const root = resolve(import.meta.dirname, '../..');
  for (const name of ['bin', 'models', 'package.json'])
    cpSync(join(root, name), join(home, name), { recursive: true });
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const target = join(home, 'dist');
  spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json'), '--outDir', target]);
  for (const step of ['models', 'page', 'bundle'])
    spawnSync(process.execPath, [join(root, `build/${step}.mjs`), target]);
}
