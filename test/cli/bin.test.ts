/** The installed command: built as the package is, started as a process of its own. */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { folder } from './terminal.ts';

const home = folder({
  'Long.mo': `model Long
  Real x(start = 1, fixed = true);
  Real y(start = 0, fixed = true);
equation
  der(x) = y;
  der(y) = -1000*x;
  annotation(experiment(StopTime = 1e6, Tolerance = 1e-9));
end Long;`,
  'Decay.mo': 'model Decay Real x(start = 1, fixed = true); equation der(x) = -x; end Decay;',
});

interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

function mutabor(line: string, signalAfter?: number): Promise<Ended> {
  const child = spawn(process.execPath, [join(home, 'bin/mutabor.js'), ...line.split(' ')], { cwd: home });
  const texts = { out: '', err: '' };
  child.stdout.on('data', (data) => {
    texts.out += data;
  });
  child.stderr.on('data', (data) => {
    texts.err += data;
  });
  if (signalAfter !== undefined) setTimeout(() => child.kill('SIGINT'), signalAfter);
  return new Promise((done) => child.on('close', (status) => done({ status, ...texts })));
}

describe('bin/mutabor.js', () => {
  beforeAll(() => {
    const root = resolve(import.meta.dirname, '../..');
    cpSync(join(root, 'bin'), join(home, 'bin'), { recursive: true });
    cpSync(join(root, 'package.json'), join(home, 'package.json'));
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const target = join(home, 'dist');
    spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json'), '--outDir', target]);
  }, 120_000);

  it('answers with the exit status', async () => {
    expect(await mutabor('--version')).toMatchObject({ status: 0, err: '' });
    expect((await mutabor('simulate nosuch.mo')).status).toBe(2);
    const { status, out } = await mutabor('simulate Decay.mo --json');
    expect(status).toBe(0);
    expect(JSON.parse(out).final.x).toBeCloseTo(Math.exp(-1), 4);
  });

  it('stops at Ctrl-C and writes the results so far', async () => {
    // The machine decides how long a start takes; Ctrl-C must not come before the run has begun.
    const began = performance.now();
    await mutabor('simulate Decay.mo');
    const patience = 3 * (performance.now() - began);
    const { status, out } = await mutabor(
      'simulate Long.mo --intervals 1000000 --output long.csv --json',
      patience,
    );
    expect(status).toBe(1);
    const result = JSON.parse(out);
    expect(result.status).toBe('stopped');
    expect(result.time).toBeLessThan(1e6);
    const rows = readFileSync(join(home, 'long.csv'), 'utf8').trim().split('\n');
    expect(rows[0]).toMatch(/^time,/);
    expect(rows.length).toBeGreaterThan(2);
  });
});
