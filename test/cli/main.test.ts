import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCsv } from '../../src/results/files/csv.ts';
import { readResults } from '../../src/results/files/formats.ts';
import { readJson } from '../../src/results/files/json.ts';
import { type FakeOptions, fake } from './fake.ts';
import { folder, run } from './terminal.ts';

const home = folder({
  'ball.mo': 'model First end First; model Ball Real x; end Ball;',
  'broken.mo': 'model M\n  Real x\nend M;',
  'functions.mo': 'function f end f; partial model P end P;',
  'empty/readme.txt': 'nothing here',
});

const simulate = (line: string, options: FakeOptions = {}) =>
  run(['simulate', ...line.split(' ').filter(Boolean)], { cwd: home, core: fake(options) });

describe('mutabor', () => {
  it('shows help and version', async () => {
    expect(await run(['--help'])).toMatchObject({ status: 0, err: '' });
    expect((await run(['help'])).out).toContain('Usage: mutabor [COMMAND]');
    expect((await run(['help', 'simulate'])).out).toContain('--tolerance TOL');
    expect((await run(['simulate', '--help'])).out).toContain('--tolerance TOL');
    expect((await run(['--version'])).out).toMatch(/^mutabor \d+\.\d+\.\d+\n$/);
  });

  it('says what is wrong with the command', async () => {
    const nothing = await run([]);
    expect(nothing).toMatchObject({ status: 2, out: '' });
    expect(nothing.err).toContain('Usage');
    const typo = await run(['simluate', 'x.mo']);
    expect(typo.status).toBe(2);
    expect(typo.err).toBe(
      'error: There is no command `simluate`. [bad-option]\n  hint: Did you mean `simulate`?\n',
    );
    expect((await run(['help', 'nonsense'])).status).toBe(2);
    expect((await run(['--json'])).err + (await run(['--json'])).out).toContain(
      'There is no model to work on',
    );
    expect((await run(['toString'])).err).toContain('There is no command');
  });

  it('reports its own bugs as such', async () => {
    const core = { ...fake(), simulate: () => Promise.reject(new TypeError('oops')) };
    const text = await run(['simulate', 'ball.mo'], { cwd: home, core });
    expect(text.status).toBe(1);
    expect(text.err).toContain('error: Mutabor itself has a problem here: oops [internal]');
    const { json, err } = await run(['simulate', 'ball.mo', '--json'], { cwd: home, core });
    expect(json.diagnostics[0].code).toBe('internal');
    expect(err).toBe('');
  });
});

describe('simulate', () => {
  it('takes the last model of the file and the defaults', async () => {
    const { status, core } = await simulate('ball.mo');
    expect(status).toBe(0);
    expect(core.asked.name).toBe('Ball');
    expect(core.asked.options).toMatchObject({
      startTime: 0,
      stopTime: 1,
      tolerance: 1e-6,
      intervals: 500,
      method: 'auto',
    });
  });

  it('takes defaults from the experiment annotation, and options before them', async () => {
    const experiment = { startTime: 1, stopTime: 3, tolerance: 1e-9, interval: 0.1 };
    expect((await simulate('ball.mo', { experiment })).core.asked.options).toMatchObject({
      startTime: 1,
      stopTime: 3,
      tolerance: 1e-9,
      intervals: 20,
    });
    const line = 'ball.mo --model First --start 0 --stop 2 --tolerance 1e-4 --intervals 7 --method rk';
    const { core } = await simulate(line, { experiment });
    expect(core.asked.name).toBe('First');
    expect(core.asked.options).toMatchObject({
      startTime: 0,
      stopTime: 2,
      tolerance: 1e-4,
      intervals: 7,
      method: 'rk',
    });
  });

  it.each([
    [{ stopTime: -1 }, 'The stop time -1 lies before the start time 0.'],
    [{ tolerance: 0 }, 'The tolerance 0 of the experiment annotation does not lie between 0 and 1.'],
    [
      { interval: 1e-12 },
      'The number of intervals 1000000000000 of the experiment annotation is not a whole number from 1 to 10000000.',
    ],
  ])('refuses the experiment annotation %j', async (experiment, message) => {
    const { status, err } = await simulate('ball.mo', { experiment });
    expect(status).toBe(2);
    expect(err).toContain(message);
  });

  it('reads values to set as expressions', async () => {
    const { core } = await simulate('ball.mo --set a.b=2*3 --set c={1,2}');
    expect(core.asked.overrides!.map(({ name, value }) => [name, value.kind])).toEqual([
      ['a.b', 'binary'],
      ['c', 'array'],
    ]);
  });

  it('prints a summary', async () => {
    const { out, err } = await simulate('ball.mo');
    expect(out.split('\n').slice(0, 6)).toEqual([
      'Ball: done at 1 s (from 0 s to 1 s, tolerance 1e-6)',
      '  mode 0 s to 0.5 s  closed=false  2 states, index 1',
      '  mode 0.5 s to 1 s  closed=true   1 state, index 2',
      '  impulse at 0.5 s  x  0.25 m.s',
      '  x = 5 m',
      '  y = missing',
    ]);
    expect(out).toContain('10 steps, 1 event, 2 modes compiled');
    expect(err).toContain('warning: take care');
  });

  it('says nothing but errors when quiet', async () => {
    expect(await simulate('ball.mo --quiet')).toMatchObject({ status: 0, out: '', err: '' });
    const failed = await simulate('ball.mo --quiet', { status: 'failed' });
    expect(failed).toMatchObject({ status: 1, out: '' });
    expect(failed.err).toBe('error: stuck [step-too-small]\n');
  });

  it('prints the JSON object of the contract', async () => {
    const { json, err } = await simulate('ball.mo --json');
    expect(err).toBe('');
    expect(json).toMatchObject({
      model: 'Ball',
      status: 'done',
      stage: null,
      time: 1,
      final: { p: 3, x: 5, y: null },
      impulses: [{ time: 0.5, variable: 'x', weight: 0.25 }],
      diagnostics: [
        { code: 'no-value', severity: 'warning', message: 'take care', file: null, hint: null, notes: [] },
      ],
    });
    expect(json.final).not.toHaveProperty('secret');
    expect(json.modes[1]).toEqual({ signature: 'closed=true', from: 0.5, to: 1, states: ['x'], index: 2 });
    expect(json.statistics).toMatchObject({ steps: 10, states: ['x', 'y'], unknowns: 7, equations: 7 });
    expect(json.statistics.translateMs).toBeGreaterThan(1);
  });

  it('gives status 1 and the stage when the run fails', async () => {
    const { status, json } = await simulate('ball.mo --json', { status: 'failed' });
    expect(status).toBe(1);
    expect(json).toMatchObject({ status: 'failed', stage: 'simulate' });
    const thrown = await simulate('ball.mo --json', { failure: 'initialise' });
    expect(thrown.status).toBe(1);
    expect(thrown.json).toMatchObject({
      model: 'Ball',
      status: 'failed',
      stage: 'initialise',
      time: null,
      final: {},
    });
    expect(thrown.json.diagnostics.at(-1)).toMatchObject({ code: 'not-converged' });
  });

  it('writes files of the visible signals, or of those named', async () => {
    await simulate('ball.mo --output all.csv --plot all.svg');
    expect(readCsv(readFileSync(join(home, 'all.csv'), 'utf8')).names).toEqual(['p', 'x', 'y']);
    expect(readFileSync(join(home, 'all.svg'), 'utf8').match(/class="curve"/g)).toHaveLength(2);
    const { out } = await simulate('ball.mo --output some.json --plot some.html --variables s*,x,p');
    expect(readJson(readFileSync(join(home, 'some.json'), 'utf8')).names).toEqual(['p', 'x', 'secret']);
    expect(readFileSync(join(home, 'some.html'), 'utf8').match(/class="curve"/g)).toHaveLength(3);
    expect(out).toContain('  wrote some.json\n  wrote some.html\n');
  });

  it('draws the diagrams that are asked for, also of hidden signals', async () => {
    const line = ['simulate', 'ball.mo', '--plot', 'grid.svg'];
    const layout = ['--diagrams', 'x, y | secret; x over y', '--title', 'A title'];
    const done = await run([...line, ...layout], { cwd: home, core: fake() });
    expect(done.status).toBe(0);
    const svg = readFileSync(join(home, 'grid.svg'), 'utf8');
    expect(svg.match(/class="curve"/g)).toHaveLength(4);
    expect(svg).toContain('>A title</text>');
    const wrong = await run([...line, '--diagrams', 'x; zz'], { cwd: home, core: fake() });
    expect(wrong.status).toBe(2);
    expect(wrong.err).toContain('error: `--diagrams`: There is no signal named zz. [bad-option]');
  });

  it.each(['csv', 'mat', 'arrow', 'json'])('writes .%s files that can be read back', async (extension) => {
    const { out } = await simulate(`ball.mo --output all.${extension}`);
    expect(out).toContain(`  wrote all.${extension}\n`);
    const table = readResults(new Uint8Array(readFileSync(join(home, `all.${extension}`))));
    expect(table.names).toEqual(['p', 'x', 'y']);
    expect([...table.time]).toEqual([0, 0.5, 0.5, 1]);
    expect([...table.get('x')]).toEqual([1, 1.5, 4, 5]);
    expect([...table.get('y')]).toEqual([2, 3, Number.NaN, Number.NaN]);
  });

  it('keeps the results so far at Ctrl-C', async () => {
    let interrupt = () => {};
    const core = fake({ during: () => interrupt() });
    const done = await run(['simulate', 'ball.mo', '--output', 'stopped.csv', '--json'], {
      cwd: home,
      core,
      interrupt: (action) => {
        interrupt = action;
      },
    });
    expect(done.json.status).toBe('stopped');
    expect(done.status).toBe(1);
    expect(readFileSync(join(home, 'stopped.csv'), 'utf8').split('\n')).toHaveLength(6);
  });

  it('uses colours on a terminal only, and not with NO_COLOR', async () => {
    const sequence = '\u001b[';
    const line = ['simulate', 'ball.mo'];
    expect((await run(line, { cwd: home, core: fake(), terminal: true })).out).toContain(sequence);
    const plain = await run(line, { cwd: home, core: fake(), terminal: true, env: { NO_COLOR: '1' } });
    expect(plain.out + plain.err).not.toContain(sequence);
  });

  it.each([
    ['--stop abc', '`--stop abc` is not a number.'],
    ['--start 1e999', '`--start 1e999` is not a number.'],
    ['--tolerance 0', '`--tolerance 0` does not lie between 0 and 1.'],
    ['--tolerance -1e-6', '`--tolerance -1e-6` does not lie between 0 and 1.'],
    ['--intervals 0', '`--intervals 0` is not a whole number from 1 to 10000000.'],
    ['--intervals 2.5', '`--intervals 2.5` is not a whole number from 1 to 10000000.'],
    ['--intervals 1e9', '`--intervals 1e9` is not a whole number from 1 to 10000000.'],
    ['--start 5 --stop 1', 'The stop time 1 lies before the start time 5.'],
    ['--start 5 --stop 4.9', 'The stop time 4.9 lies before the start time 5.'],
    ['--method adams', '`adams` is not a value of `--method`.'],
    ['--hold', '`--hold` says how inputs follow a table, but there is none.'],
    ['--output r.txt', '`--output r.txt`: the type of the file is not known.'],
    ['--output r', '`--output r`: the type of the file is not known.'],
    ['--diagrams x', '`--diagrams` says what a plot looks like, but there is none.'],
    ['--title x', '`--title` says what a plot looks like, but there is none.'],
    ['--plot p.gif', '`--plot p.gif`: the type of the file is not known.'],
    ['--set x', '`--set x` has no value.'],
    ['--set =3', '`--set =3` has no name.'],
    ['--variables nosuch', 'No variable matches `nosuch` in `--variables`.'],
  ])('%s is a wrong command line', async (line, message) => {
    const { status, err } = await simulate(`ball.mo ${line}`);
    expect(err).toContain(`error: ${message} [bad-option]`);
    expect(status).toBe(2);
    const { json, err: silence } = await simulate(`ball.mo --json ${line}`);
    expect(json.diagnostics.map((item: { message: string }) => item.message)).toContain(message);
    expect(silence).toBe('');
  });

  it('refuses values to set that are no expressions', async () => {
    for (const text of ['x=', 'x=1+', 'x=)']) {
      const { status, err } = await simulate(`ball.mo --set ${text}`);
      expect(err).toContain(`The value in \`--set ${text}\` is not an expression`);
      expect(status).toBe(2);
    }
  });

  it('refuses to write into a folder that is not there, before the run', async () => {
    const { status, err, core } = await simulate('ball.mo --output nowhere/r.csv');
    expect(status).toBe(2);
    expect(err).toContain('cannot be written: the folder');
    expect(core.asked.options).toBeUndefined();
    expect((await simulate('ball.mo --plot empty/x.svg/y.svg')).status).toBe(2);
  });

  it.each([
    ['nosuch.mo', 'file-not-found', '`nosuch.mo` does not exist.'],
    ['empty', 'no-model', 'The folder `empty` holds no Modelica files.'],
    [
      'functions.mo',
      'no-model',
      'There is no model that can be simulated, only the function `f`, partial model `P`.',
    ],
    ['', 'no-model', 'There is no model to work on.'],
    ['ball.mo --model Bal', 'unknown-class', 'There is no class `Bal`.'],
    ['ball.mo --library nosuch', 'file-not-found', '`nosuch` does not exist.'],
    ['ball.mo --library ball.mo', 'file-not-found', '`ball.mo` is not a folder.'],
  ])('%s: %s', async (line, code, message) => {
    const { status, json } = await simulate(`${line} --json`);
    expect(status).toBe(2);
    expect(json).toMatchObject({ status: 'failed', stage: null, diagnostics: [{ code, message }] });
  });

  it('shows syntax errors at their place', async () => {
    const { status, json } = await simulate('broken.mo --json');
    expect(status).toBe(1);
    expect(json).toMatchObject({ status: 'failed', stage: 'syntax' });
    expect(json.diagnostics[0]).toMatchObject({ file: 'broken.mo', code: 'syntax-error', severity: 'error' });
    expect([2, 3]).toContain(json.diagnostics[0].line);
    expect((await simulate('broken.mo')).err).toMatch(/broken\.mo:\d+:\d+: error:/);
  });
});

describe('check', () => {
  const check = (line: string) => run(['check', ...line.split(' ')], { cwd: home, core: fake() });

  it('prints counts and structure', async () => {
    const { out, status } = await check('ball.mo');
    expect(status).toBe(0);
    expect(out).toBe(
      [
        'Class Ball has 7 equation(s) and 7 variable(s).',
        '  initial mode  closed=false',
        '  states        x, y',
        '  index         1',
        '  blocks        2 assignments, 1 system: 3 unknowns, 1 iterated (nonlinear)',
        '',
      ].join('\n'),
    );
  });

  it('prints JSON and code', async () => {
    expect((await check('ball.mo --json')).json).toMatchObject({
      model: 'Ball',
      status: 'done',
      statistics: { unknowns: 7, equations: 7, states: ['x', 'y'] },
      initialMode: { index: 1, assignments: 2, systems: [{ iterated: 1 }] },
    });
    expect((await check('ball.mo --show wat')).out).toContain('\n(module)\n');
    expect((await check('ball.mo --show wat --json')).json.code).toBe('(module)');
    expect((await check('ball.mo --show asm')).status).toBe(2);
  });
});

describe('flatten', () => {
  it('prints the text', async () => {
    const { out, status } = await run(['flatten', 'ball.mo', '--model', 'Ball'], { cwd: home, core: fake() });
    expect(status).toBe(0);
    expect(out).toMatch(/^model Ball\n {2}parameter Real p = 3;\n(.*\n)*end Ball;\n$/);
  });
});
