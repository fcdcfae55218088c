/** Other people's readers, where Python and its packages are installed: a second opinion on the files that are written. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether a package can be imported. */
export function pythonHas(name: string): boolean {
  return spawnSync('python3', ['-c', `import ${name}`], { timeout: 20_000 }).status === 0;
}

/** Runs a program that finds a file at `path` and prints JSON. */
export function python<T>(program: string, file: Uint8Array): T {
  const folder = mkdtempSync(join(tmpdir(), 'mutabor-'));
  try {
    const path = join(folder, 'file');
    writeFileSync(path, file);
    return JSON.parse(
      execFileSync('python3', ['-c', `path = ${JSON.stringify(path)}\n${program}`], { encoding: 'utf8' }),
    ) as T;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
