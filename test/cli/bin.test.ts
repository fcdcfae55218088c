/** The installed command: built as the package is, started as a process of its own. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildInto } from './built.ts';
import { folder } from './terminal.ts';

/** A component whose state is the time, and which does something besides. */
const clock = (name: string, trick: string): string => `export const ${name} = {
  name: '${name}',
  outputs: { y: [] },
  allocate: () => ({}),
  begin: (_, segment) => void segment.state('x', { start: 0 }),
  stateOutputs: (_, { x, y }) => void (y[0] = x[0]),
  derivatives: (_, { t, dx }) => {
    dx[0] = 1;
    ${trick}
  },
};
`;

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
  'timer.mjs': `import { Model, modelica, Var } from 'mutabor';
setInterval(() => {}, 1000);
export default Model({ x: Var({ init: 1 }), equations: modelica\`der(x) = -x\` });
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
  'stuck.mjs': clock('stuck', 'while (t > 0.5);'),
  'Stuck.mo': 'model Stuck Real y; annotation(__Mutabor(builtIn = "stuck")); end Stuck;',
  'exit.mjs': clock('exit', 'if (t > 0.5) process.exit(0);'),
  'Exit.mo': 'model Exit Real y; annotation(__Mutabor(builtIn = "exit")); end Exit;',
  'reject.mjs': clock('reject', "if (t > 0.5) Promise.reject(new Error('out of order'));"),
  'Reject.mo': 'model Reject Real y; annotation(__Mutabor(builtIn = "reject")); end Reject;',
  'Search.mo': `model Search
${Array.from({ length: 40 }, (_, k) => `  Real x${k}, y${k};`).join('\n')}
equation
${Array.from({ length: 40 }, (_, k) => `  if time > ${k} then x${k} = 1; y${k}^3 + y${k} = x${k}; else y${k} = 2; x${k}^5 + x${k} = y${k}; end if;`).join('\n')}
end Search;`,
  'Slow.mo': `model Slow
  function f input Real x; output Real y = 0; algorithm while y < 9e6 loop y := y + x; end while; end f;
  parameter Real p[20] = {f(1) for i in 1:20};
  Real x(start = 0, fixed = true);
equation
  der(x) = sum(p);
end Slow;`,
  'uncaught.mjs': `import { loadModel } from 'mutabor';
loadModel(\`model M
  Real x = y;
end M;\`);
`,
  'rejected.mjs': `import { Model, modelica, Var, instantiate } from 'mutabor';
const run = async () => instantiate(Model({ x: Var({ init: 1 }), equations: modelica\`der(x) = -y\` })).simulate();
setTimeout(run, 0);
`,
  'none.mjs': 'export const five = 5;',
  'model.ts': 'export default 5 as number;',
  'Uses.mo': 'model Uses extends Lag(T = 1); end Uses;',
  'Decay.mo': 'model Decay Real x(start = 1, fixed = true); equation der(x) = -x; end Decay;',
});

interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

interface Kill {
  readonly signal: NodeJS.Signals;
  /** Milliseconds from the start. */
  readonly after: number;
}

const tool = `${process.execPath} ${join(home, 'bin/mutabor.js')}`;

function mutabor(line: string, kill?: Kill): Promise<Ended> {
  return ended(
    spawn(process.execPath, [join(home, 'bin/mutabor.js'), ...line.split(' ')], { cwd: home }),
    kill,
  );
}

const shell = (line: string): Promise<Ended> => ended(spawn('bash', ['-c', line], { cwd: home }));

function ended(child: ChildProcessWithoutNullStreams, kill?: Kill): Promise<Ended> {
  const texts = { out: '', err: '' };
  child.stdout.on('data', (data) => {
    texts.out += data;
  });
  child.stderr.on('data', (data) => {
    texts.err += data;
  });
  // Twice: `timeout` does so, and it is one signal all the same.
  const send = (signal: NodeJS.Signals) => {
    child.kill(signal);
    setTimeout(() => child.kill(signal), 20);
  };
  const timer = kill && setTimeout(() => send(kill.signal), kill.after);
  return new Promise((done) =>
    child.on('close', (status, signal) => {
      clearTimeout(timer);
      done({ status, signal, ...texts });
    }),
  );
}

beforeAll(() => buildInto(home), 120_000);

describe('bin/mutabor.js', () => {
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
    expect((await mutabor('check none.mjs')).err).toContain(
      'Write `export default Model({ … })`, or run it with `node none.mjs` where it is a program.',
    );
    const script = await mutabor('check model.ts');
    expect(script.status).toBe(2);
    if (!('typescript' in process.features)) expect(script.err).toContain('npx esbuild model.ts');
  });

  it.each([
    ['uncaught.mjs', 'model.mo:2:12: error: There is no `y` in M. [unknown-name]\n  2 |   Real x = y;\n'],
    ['rejected.mjs', 'rejected.mjs:2:96: error: There is no `y` in Model. [unknown-name]\n'],
  ])(
    'is used by a program that catches nothing: %s ends with the message and its place',
    async (file, said) => {
      const { status, err } = await ended(spawn(process.execPath, [join(home, file)], { cwd: home }));
      expect(status).toBe(1);
      expect(err).toContain(said);
      expect(err).toContain(`${file}:2`);
      // What Node adds: the line that threw, the calls, its version.
      expect(err.length).toBeLessThan(3000);
      for (const line of err.split('\n')) expect(line.length).toBeLessThan(400);
    },
  );

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'stops at %s and writes the results so far',
    async (signal) => {
      const line = 'simulate Long.mo --intervals 1000000 --output long.csv --json';
      let after = await enough();
      let ended = await mutabor(line, { signal, after });
      // On a busy machine the run may not have begun by then, and there is nothing to keep.
      for (let n = 0; n < 4 && ended.signal !== null; n++)
        ended = await mutabor(line, { signal, after: (after *= 2) });
      const { status, out } = ended;
      expect(status).toBe(1);
      const result = JSON.parse(out);
      expect(result.status).toBe('stopped');
      expect(result.time).toBeLessThan(1e6);
      const rows = readFileSync(join(home, 'long.csv'), 'utf8').trim().split('\n');
      expect(rows[0]).toMatch(/^time,/);
      expect(rows.length).toBeGreaterThan(2);
    },
  );

  it('ends at once by a signal where there is nothing to keep', async () => {
    const after = await enough();
    const began = performance.now();
    const { status, signal } = await mutabor('modes Search.mo --limit 100000', { signal: 'SIGTERM', after });
    expect({ status, signal }).toEqual({ status: null, signal: 'SIGTERM' });
    expect(performance.now() - began).toBeLessThan(after + 20_000);
  });

  it('ends at once by a signal where a run has no initial values yet', async () => {
    const kill = { signal: 'SIGINT', after: await enough() } as const;
    const { status, signal, err } = await mutabor('simulate Slow.mo --output slow.csv', kill);
    expect({ status, signal, err }).toEqual({ status: null, signal: 'SIGINT', err: '' });
    expect(readdirSync(home)).not.toContain('slow.csv');
  });

  it('gives up a run that code of the model holds up', async () => {
    const { signal, err } = await mutabor('simulate Stuck.mo stuck.mjs', {
      signal: 'SIGINT',
      after: await enough(),
    });
    expect(signal).toBe('SIGINT');
    expect(err).toContain('info: The run is being stopped. [interrupted]\n  hint: Another signal ends');
    expect(err).toContain('error: The run does not stop: code of the model does not return.');
  });

  it('says nothing but errors when it is quiet, also where it is interrupted', async () => {
    const { err } = await mutabor('simulate Stuck.mo stuck.mjs --quiet', {
      signal: 'SIGINT',
      after: await enough(),
    });
    expect(err).toMatch(/^error: The run does not stop: code of the model does not return\./);
  });

  it('tells of code of the model that ends its thread or fails beside a run', async () => {
    const exit = await mutabor('simulate Exit.mo exit.mjs');
    expect(exit.status).toBe(1);
    expect(exit.err).toBe(
      'error: Code of the model has ended the command, by `process.exit(0)`. [component]\n',
    );
    const rejected = await mutabor('simulate Reject.mo reject.mjs --json');
    expect(rejected.status).toBe(1);
    const { status, diagnostics } = JSON.parse(rejected.out);
    expect(status).toBe('failed');
    expect((await mutabor('simulate timer.mjs --quiet')).status).toBe(0);
    expect(diagnostics[0].message).toContain('outside of the functions that Mutabor calls: out of order.');
  });

  it.runIf(process.platform === 'linux')(
    'tells that standard output is full, and ends in silence where it is closed',
    async () => {
      for (const command of ['simulate Decay.mo', 'check Decay.mo', 'flatten Decay.mo', '--help']) {
        const { status, err } = await shell(`${tool} ${command} > /dev/full`);
        expect(status).toBe(1);
        expect(err).toBe(
          'error: Standard output cannot be written: ENOSPC: no space left on device, write. [output-failed]\n',
        );
      }
      const pipe = await shell(`(sleep 1; ${tool} flatten Decay.mo; echo $? >&2) | true`);
      // As of any other command that writes to `| head`.
      expect(pipe.err).toBe('141\n');
    },
  );

  it.runIf(process.platform === 'linux')('keeps a file where there is no room for another', async () => {
    writeFileSync(join(home, 'kept.csv'), 'old');
    const { status, err } = await shell(`ulimit -f 8; ${tool} simulate Decay.mo --output kept.csv`);
    expect(status).toBe(1);
    expect(err).toContain('`--output kept.csv` could not be written: EFBIG');
    expect(readFileSync(join(home, 'kept.csv'), 'utf8')).toBe('old');
    expect(drafts()).toEqual([]);
  });
});

/** The machine decides how long a start takes: a signal that comes after this time meets a run. */
async function enough(): Promise<number> {
  const began = performance.now();
  await mutabor('simulate Decay.mo');
  return 3 * (performance.now() - began);
}

/** Files that were begun and not removed. */
function drafts(): string[] {
  return readdirSync(home).filter((name) => name.endsWith('.part'));
}
