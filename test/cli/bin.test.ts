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
  'lag.mjs': `import { Model, modelica, Var } from 'mutabor';
export const Lag = Model({ T: 0.5, x: Var({ init: 1 }), equations: modelica\`T*der(x) = -x\` });
export const Fast = Lag.with({ T: 0.25 });
export default Lag;
`,
  'wrong.mjs': `import { Model, modelica, Var } from 'mutabor';
export default Model({
  x: Var({ init: 1 }),
  equations: modelica\`
    der(x) = -2*y;
  \`,
});
`,
  'broken.mjs': `import { Model, modelica } from 'mutabor';
export default Model({ equations: modelica\`x = = 2\` });
`,
  'ramp.mjs': `export const ramp = {
  name: 'ramp',
  outputs: { y: [] },
  allocate: (instance) => instance.number('slope'),
  begin: (slope, segment) => void segment.state('x', { start: 0 }),
  stateOutputs: (slope, { x, y }) => void (y[0] = x[0]),
  derivatives: (slope, { dx }) => void (dx[0] = slope),
};
`,
  'Ramp.mo':
    'model Ramp parameter Real slope = 2; Real y; annotation(__Mutabor(builtIn = "ramp")); end Ramp;',
  'none.mjs': 'export const five = 5;',
  'model.ts': 'export default 5 as number;',
  'Uses.mo': 'model Uses extends Lag(T = 1); end Uses;',
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
    for (const name of ['page', 'bundle'])
      spawnSync(process.execPath, [join(root, `build/${name}.mjs`), target]);
  }, 120_000);

  it('makes pages with the script that shows them', async () => {
    expect(await mutabor('simulate Decay.mo --plot decay.html --quiet')).toMatchObject({
      status: 0,
      err: '',
    });
    const page = readFileSync(join(home, 'decay.html'), 'utf8');
    expect(page).toContain('mutabor-viewer');
  });

  it('answers with the exit status', async () => {
    expect(await mutabor('--version')).toMatchObject({ status: 0, err: '' });
    expect((await mutabor('simulate nosuch.mo')).status).toBe(2);
    const { status, out } = await mutabor('simulate Decay.mo --json');
    expect(status).toBe(0);
    expect(JSON.parse(out).final.x).toBeCloseTo(Math.exp(-1), 4);
  });

  it('runs models of JavaScript modules, with Modelica files beside them', async () => {
    const final = async (line: string): Promise<number> => JSON.parse((await mutabor(line)).out).final.x;
    expect(await final('simulate lag.mjs --json')).toBeCloseTo(Math.exp(-2), 5);
    expect(await final('simulate lag.mjs --model Fast --json')).toBeCloseTo(Math.exp(-4), 5);
    expect(await final('simulate lag.mjs --set T=1 --json')).toBeCloseTo(Math.exp(-1), 5);
    expect(await final('simulate lag.mjs Uses.mo --json')).toBeCloseTo(Math.exp(-1), 5);
    const ramp = await mutabor('simulate Ramp.mo ramp.mjs --set slope=3 --json');
    expect(JSON.parse(ramp.out).final.y).toBeCloseTo(3, 6);
    expect((await mutabor('check lag.mjs')).out).toContain('Class Lag has 1 equation(s) and 1 variable(s)');
    expect((await mutabor('flatten lag.mjs')).out).toContain('der(x)');
    expect((await mutabor('modes lag.mjs')).status).toBe(0);
  });

  it('points into the module where a model is wrong', async () => {
    const { status, err } = await mutabor('simulate wrong.mjs');
    expect(status).toBe(1);
    expect(err).toMatch(
      /wrong\.mjs:5:17: error: There is no `y` in \w+\. \[unknown-name\]\n {2}5 \| {5}der\(x\) = -2\*y;\n/,
    );
    const broken = await mutabor('simulate broken.mjs');
    expect(broken.status).toBe(1);
    expect(broken.err).toMatch(/broken\.mjs:2:48: error: expected an expression/);
    expect(await mutabor('check none.mjs')).toMatchObject({ status: 2 });
    expect((await mutabor('check none.mjs')).err).toContain('Write `export default Model({ … })`.');
    const script = await mutabor('check model.ts');
    expect(script.status).toBe(2);
    if (!('typescript' in process.features)) expect(script.err).toContain('npx esbuild model.ts');
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
