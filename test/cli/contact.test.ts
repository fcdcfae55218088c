/** First contact: what a newcomer types, and what the command answers. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, run } from './terminal.ts';

const home = folder({
  'Tank.mo': `model Tank "A tank"
  type Valve = enumeration(closed, half, open);
  parameter Real k(unit = "1/s") = 2 "Outflow";
  final parameter Real limit = 2*k;
  parameter Valve valve = Valve.half;
  parameter Integer n = 2;
  input Real inflow(unit = "m/s") "What flows in";
  input Boolean pump;
  Real h(start = 1, fixed = true, unit = "m", displayUnit = "mm") "Level";
  output Real T(unit = "K", displayUnit = "degC") = 300;
  Real x[n](each start = 0, each fixed = true);
  Boolean high = h > 0.5;
  Valve seen = if high then Valve.open else Valve.closed;
protected
  Real secret = 1;
equation
  der(h) = if pump then inflow else 0;
  der(x) = fill(0, n);
end Tank;`,
  'inputs.csv': 'time,inflow,pump\n0,0,false\n1,2,true\n2,2,true\n2,0,false\n',
  'Drive.mo': `model Drive
  import Mutabor.Rotational.*;
  Gear gear;
end Drive;`,
  'Fails.mo': `model Fails
  Real x(start = 1, fixed = true), y;
  Boolean late = time >= 0.25;
equation
  der(x) = -1;
  if late then x = 5; x = 6; else y = x; end if;
end Fails;`,
  'lib/P/package.mo': 'package P model Good Real x = 1; end Good; end P;',
});
const mutabor = (line: string, input = '') => run(line.split(' '), { cwd: home, input });

describe('a model by itself', () => {
  it('is simulated', async () => {
    const { status, out } = await mutabor('Tank.mo --set inflow=1 --set pump=true --json');
    expect(status).toBe(0);
    expect(JSON.parse(out).final.h).toBeCloseTo(2, 9);
  });

  it('can come from standard input, with options before and after it', async () => {
    const text = 'model Decay Real x(start = 1, fixed = true); equation der(x) = -x; end Decay;';
    for (const line of ['- --json', 'simulate --json -', 'simulate - --stop 1 --json']) {
      const { status, json } = await mutabor(line, text);
      expect(status).toBe(0);
      expect(json.final.x).toBeCloseTo(Math.exp(-1), 5);
    }
  });

  it('from standard input has its mistakes told with line and column', async () => {
    const { status, err } = await mutabor('-', 'model M\n  Real x = y;\nend M;');
    expect(status).toBe(1);
    expect(err).toContain('standard input:2:12: error: There is no `y` in M. [unknown-name]');
  });
});

describe('names that do not exist', () => {
  const hint = async (line: string) => /hint: (.*)/.exec((await mutabor(line)).err)?.[1];

  it.each([
    ['Tnak.mo', 'Did you mean `Tank.mo`?'],
    ['simulate Tank', 'Did you mean `Tank.mo`?'],
    ['Tank', 'Did you mean `Tank.mo`?'],
    ['Tank.mo -plot x.svg', 'Did you mean `--plot`?'],
    ['Tank.mo -stop=3', 'Did you mean `--stop`?'],
    ['smulate Tank.mo', 'Did you mean `simulate`?'],
    ['simulate --model Mutabor.Rotational.Gear', 'Did you mean `Mutabor.Rotational.IdealGear`?'],
    ['simulate --model Mutabr.Rotational.IdealGear', 'Did you mean `Mutabor.Rotational.IdealGear`?'],
    ['simulate lib/P/package.mo --model Good', 'Did you mean `P.Good`?'],
    ['run Tank.mo', 'Did you mean `simulate`?'],
    ['Tank.mo -o r.csv', 'Did you mean `--output`?'],
    ['inputs.csv', 'Did you mean `results inputs.csv`?'],
    ['list Mutabor.Electrical', 'If it is a class of a library, write `--model Mutabor.Electrical`.'],
    ['Tank.mo --model tank', 'Did you mean `Tank`?'],
    ['check Drive.mo', 'Did you mean `IdealGear`?'],
    ['list Tank.mo --variables inflo', 'Did you mean `inflow`?'],
  ])('%s', async (line, expected) => {
    expect(await hint(line)).toBe(expected);
  });
});

describe('values that cannot be', () => {
  it.each([
    ['pump=maybe', 'Write `true` or `false`'],
    ['pump.start=maybe', 'Write `true` or `false`'],
    ['h.fixed=maybe', 'Write `true` or `false`'],
    ['seen.start=ajar', 'It has closed, half, open.'],
    ['n=zwei', 'Write a number'],
  ])('--set %s', async (value, expected) => {
    const { status, err } = await mutabor(`Tank.mo --set ${value}`);
    expect(status).toBe(1);
    expect(err).toContain(`hint: ${expected}`);
    expect(err).not.toContain('text');
  });

  it('of two files for one option, none is lost in silence', async () => {
    for (const option of ['--input', '--output', '--plot', '--variables']) {
      const { status, err } = await mutabor(`Tank.mo ${option} a.csv ${option} b.csv`);
      expect(status).toBe(2);
      expect(err).toContain(`\`${option}\` is given twice, with \`a.csv\` and with \`b.csv\`.`);
    }
  });

  it('of a table end without words on formats', async () => {
    writeFileSync(join(home, 'wrong.csv'), 'time,inflow,pump\n0,1,true\n1,two,true\n');
    const { status, err } = await mutabor('Tank.mo --input wrong.csv');
    expect(status).toBe(2);
    expect(err).toBe('error: `wrong.csv`: Line 3, column 2: `inflow` is "two", not a number. [bad-file]\n');
    writeFileSync(join(home, 'other.csv'), 'model M end M;');
    expect((await mutabor('Tank.mo --input other.csv')).err).toContain('can be CSV, MATLAB');
  });
});

it('a run that fails at its start does not blame --variables', async () => {
  writeFileSync(
    join(home, 'Inside.mo'),
    `model Inside
       import Mutabor.Bodies.*;
       World world(rigidContact = true);
       Box table(parent = "world", contact = true);
       Box box(fixed = false, contact = true, mass = 1);
     end Inside;`,
  );
  const { status, err } = await run(['Inside.mo', '--variables', 'box.r[2]'], { cwd: home, input: '' });
  expect(status).toBe(1);
  expect(err).toContain('are in each other at the start');
  expect(err).not.toContain('No variable matches');
});

it('a name that --variables misspells ends before the run, and nothing is written', async () => {
  for (const names of ['seeen', 'h,seeen', 'der(hh)', 'x[3]', 'no*']) {
    const started = { cwd: home, input: '' };
    const line = ['Tank.mo', '--set', 'inflow=1', '--set', 'pump=true', '--variables', names];
    const { status, err, out } = await run([...line, '--output', 'lost.csv', '--plot', 'lost.svg'], started);
    expect({ names, status, out }).toEqual({ names, status: 2, out: '' });
    expect(err).toContain('No variable matches');
    expect(existsSync(join(home, 'lost.csv')) || existsSync(join(home, 'lost.svg'))).toBe(false);
  }
  for (const names of ['der(h)', 'x', 'x[2]', 'x[1:2],s*', 'secret', 'k,T']) {
    const line = ['Tank.mo', '--set', 'inflow=1', '--set', 'pump=true', '--variables', names];
    expect(await run(line, { cwd: home, input: '' })).toMatchObject({ status: 0, err: '' });
  }
});

it('a module that is no model says how it can be used', async () => {
  writeFileSync(
    join(home, 'ramp.mjs'),
    `export const ramp = { name: 'ramp', allocate: () => ({}), begin: () => ({}) };`,
  );
  const { status, err } = await mutabor('ramp.mjs');
  expect(status).toBe(2);
  expect(err).toContain('There is the built-in component `ramp`, but no model that has it.');
  expect(err).toContain('`node`');
});

describe('list', () => {
  it('shows what a model has before a run, with values and units', async () => {
    const { status, out } = await mutabor('list Tank.mo --set k=3');
    expect(status).toBe(0);
    expect(out.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['Tank: 4 parameters, 2 inputs, 1 output, 4 variables'],
      ['name', 'kind', 'type', 'unit', 'size', 'value', 'description'],
      ['k', 'parameter', 'Real', '1/s', '3', 'Outflow'],
      ['limit', 'parameter', 'Real', '6 (final)'],
      ['valve', 'parameter', 'enumeration(closed, half, open)', 'half'],
      ['n', 'parameter', 'Integer', '2'],
      ['inflow', 'input', 'Real', 'm/s', 'What flows in'],
      ['pump', 'input', 'Boolean'],
      ['h', 'variable', 'Real', 'm (mm)', 'start 1000 mm, fixed', 'Level'],
      ['T', 'output', 'Real', 'K (degC)'],
      ['x', 'variable', 'Real', '[2]', 'start 0, fixed'],
      ['high', 'variable', 'Boolean'],
      ['seen', 'variable', 'enumeration(closed, half, open)'],
      [''],
    ]);
  });

  it('is an object with --json, and hidden variables are listed where they are named', async () => {
    const { json } = await mutabor('list Tank.mo --json --variables k,secret,h,valve');
    expect(json).toMatchObject({
      model: 'Tank',
      status: 'done',
      variables: [
        { name: 'k', kind: 'parameter', type: 'Real', unit: '1/s', value: 2, declared: '2', final: false },
        { name: 'valve', value: 'half', declared: 'Tank.Valve.half' },
        { name: 'h', kind: 'variable', start: '1', fixed: true, displayUnit: 'mm' },
        { name: 'secret', kind: 'variable', hidden: true },
      ],
      diagnostics: [],
    });
  });
});

describe('constants and displayed values of a list', () => {
  const place = folder({
    'C.mo': `model C
      type E = enumeration(a, b);
      constant Real g = 9.81, gg = 2*g, v[2] = {g, 1};
      constant Integer k = 3; constant Boolean on = true; constant E e = E.b; constant String s = "x";
      parameter Real T0(unit = "K", displayUnit = "degC") = 293.15, p[2](each unit = "Pa", each displayUnit = "bar") = {1e5, 2.5e5};
      Real T(start = T0, fixed = true, unit = "K", displayUnit = "degC"), d(unit = "m", displayUnit = "kg", start = 2, fixed = true);
    equation der(T) = 0; der(d) = 0; end C;`,
  });

  it('are numbers and names, in the display unit where there is one', async () => {
    const { out } = await run(['list', 'C.mo'], { cwd: place });
    const value = (name: string): string | undefined =>
      out
        .split('\n')
        .map((line) => line.trim().split(/ {2,}/))
        .find(([own]) => own === name)
        ?.at(-1);
    expect(['g', 'gg', 'v', 'k', 'on', 'e', 's'].map(value)).toEqual([
      ...['9.81', '19.62', '{9.81, 1}', '3', 'true', 'b', 'x'],
    ]);
    expect(['T0', 'p', 'T', 'd'].map(value)).toEqual([
      ...['20 degC', '{1, 2.5} bar', 'start T0, fixed', 'start 2, fixed'],
    ]);
  });

  it('are in the unit of the model with --json', async () => {
    const { json } = await run(['list', 'C.mo', '--json'], { cwd: place });
    const of = (name: string) => json.variables.find((one: { name: string }) => one.name === name);
    expect(['g', 'gg', 'v', 'k', 'on', 'e', 's'].map((name) => of(name).value)).toEqual([
      ...[9.81, 19.62, [9.81, 1], 3, true, 'b', 'x'],
    ]);
    expect(of('gg')).not.toHaveProperty('start');
    expect(of('T0').value).toBe(293.15);
    expect(of('T')).toMatchObject({ start: 'T0', fixed: true });
    expect(of('T')).not.toHaveProperty('value');
  });
});

it('equations and states are counted as scalars, with inputs from a table and with arrays', async () => {
  const place = folder({
    'Row.mo': `model Row input Real q, b[2]; input Integer n; Real h[200](each start = 0.1, each fixed = true), s;
      equation der(h[1]) = q - h[1]; for i in 2:200 loop der(h[i]) = h[i - 1] - h[i]; end for; s = n*b[1] + b[2]; end Row;`,
    'q.csv': 'time,q,b[1],b[2],n\n0,0,1,2,1\n1,1,1,2,2\n',
  });
  // 201 unknowns, and the inputs: q, b[1], b[2], n.
  for (const hold of [[], ['--hold']]) {
    const driven = await run(['Row.mo', '--input', 'q.csv', '--json', ...hold], { cwd: place });
    expect(driven.json.statistics).toMatchObject({ unknowns: 205, equations: 205 });
    expect(driven.json.segments[0]).toMatchObject({ states: 200, variant: 0 });
  }
  const set = await run(['Row.mo', '--set', 'q=1', '--set', 'b={1,2}', '--set', 'n=1', '--json'], {
    cwd: place,
  });
  expect(set.json.statistics).toMatchObject({ unknowns: 205, equations: 205 });
});

it('an input that is not connected is all that is said', async () => {
  const place = folder({
    'G.mo':
      'model G\n  Mutabor.Blocks.Gain g(k = 2);\n  Mutabor.Blocks.Integrator i;\nequation\n  connect(g.y, i.u);\nend G;',
  });
  for (const command of ['check', 'simulate']) {
    const { status, err } = await run([command, 'G.mo'], { cwd: place });
    expect(status).toBe(1);
    expect(err).toMatch(/^G\.mo:2:23: error: The input `g\.u` is not connected\. \[unbalanced\]\n/);
    expect(err.match(/note:/g)).toHaveLength(1);
    expect(err).not.toContain('too few');
  }
});

describe('what is too much to show', () => {
  const place = folder({
    'Rod.mo':
      'model Rod Real T[30](each start = 1, each fixed = true), q = time; equation der(T) = -T; end Rod;',
    'Two.mo': 'model Two Real x(start = 1, fixed = true), y = 2*x; equation der(x) = -x; end Two;',
  });

  it('of final values is counted', async () => {
    const { out } = await run(['Rod.mo'], { cwd: place });
    expect(out.match(/ {2}T\[\d+\] += 0\.3678/g)).toHaveLength(8);
    expect(out).toContain('\n  … and 22 more\n');
    expect((await run(['Two.mo'], { cwd: place })).out).not.toContain('more');
  });

  it('of states is counted by check', async () => {
    const { out } = await run(['check', 'Rod.mo'], { cwd: place });
    expect(out).toMatch(/states +T\[1\], T\[2\], .*T\[12\] and 18 more\n/);
    const { json } = await run(['check', 'Rod.mo', '--json'], { cwd: place });
    expect(json.initialMode.states).toHaveLength(30);
  });

  it('of a part of an array is not counted among its sizes', async () => {
    await run(['Rod.mo', '--quiet', '--output', 'r.json'], { cwd: place });
    const size = async (part: string) =>
      / \[(\d+)\] /.exec((await run(['results', 'r.json', '--variables', part], { cwd: place })).out)?.[1];
    expect(await Promise.all([size('T'), size('T[2:4]'), size('T[1],T[30]')])).toEqual(['30', '3', '2']);
  });
});

it('list of a package shows its classes, with what they are', async () => {
  const { status, out } = await mutabor('list --model Mutabor.Electrical');
  expect(status).toBe(0);
  expect(out).toMatch(/^Mutabor\.Electrical: \d+ classes\n/);
  expect(out).toMatch(/ {2}Mutabor\.Electrical\.Pin +connector +Pin of an electrical component\n/);
  expect(out).toMatch(/ {2}Mutabor\.Electrical\.TwoPin +partial model +\w/);
  const { json } = await mutabor('list --model Mutabor --json');
  expect(json.classes.map(({ name }: { name: string }) => name)).toContain('Mutabor.Rotational');
});

it('options may stand before the model', async () => {
  const { json } = await mutabor('--json --set inflow=1 --set pump=true Tank.mo');
  expect(json.final.h).toBeCloseTo(2, 9);
});

describe('values', () => {
  it('are shown by name and in their display unit on the terminal', async () => {
    const { out } = await mutabor('Tank.mo --set inflow=0 --set pump=false --variables h,T,high,seen,valve');
    expect(out).toContain('h     = 1000 mm\n');
    expect(out).toContain('T     = 26.85 degC\n');
    expect(out).toContain('high  = true\n');
    expect(out).toContain('seen  = open\n');
    expect(out).toContain('valve = half\n');
  });

  it('are Booleans and names in JSON, numbers in the unit of the model, and numbers in CSV', async () => {
    const { json } = await mutabor('Tank.mo --set inflow=0 --set pump=false --json --output r.csv');
    expect(json.final).toMatchObject({ h: 1, T: 300, high: true, seen: 'open', valve: 'half', pump: false });
    const results = await mutabor('results r.csv --json');
    expect(results.json.final).toMatchObject({ high: 1, seen: 3 });
    await mutabor('Tank.mo --set inflow=0 --set pump=false --quiet --output r.arrow');
    expect((await mutabor('results r.arrow --json')).json.final).toMatchObject({ high: true, seen: 'open' });
    await mutabor('Tank.mo --set inflow=0 --set pump=false --quiet --output r.json');
    expect((await mutabor('results r.json')).out).toMatch(/ seen +.*open\n/);
  });
});

describe('--input', () => {
  it('drives inputs by a table; two rows of one time are a step', async () => {
    const { status, json, err } = await mutabor('Tank.mo --input inputs.csv --stop 3 --json');
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(json.final.h).toBeCloseTo(1 + 2, 9);
    expect(json.final).toMatchObject({ inflow: 0, pump: false });
  });

  it('holds values with --hold', async () => {
    const { json } = await mutabor('Tank.mo --input inputs.csv --stop 3 --hold --json');
    expect(json.final.h).toBeCloseTo(3, 9);
  });

  it.each([
    ['time;inflow\n0;1\n', 'Line 1: Columns are separated by semicolons; use commas, and points in numbers.'],
    ['0,1\n1,2\n', 'Line 1: There is no header: the first line must name the columns, time first.'],
    ['t,inflow\n0,1\n', 'Line 1: The first column must be named time.'],
    ['time,inflow\n0,1\n1,x\n', 'Line 3, column 2: `inflow` is "x", not a number.'],
    ['time,inflow\n0,1\n\n1,\n', 'Line 4, column 2: `inflow` has no value.'],
    ['time,inflow,pump\n0,1,maybe\n', 'Line 2, column 3: `pump` is "maybe", not true or false.'],
    ['time,inflow\n1,1\n0,1\n', 'Line 3, column 1: The time decreases.'],
    ['time,inflow\n0,1,2\n', 'Line 2: 3 fields where the header has 2.'],
    ['', 'Line 1: The first column must be named time.'],
  ])('%j is told with its line and column', async (text, message) => {
    const cwd = folder({ 'in.csv': text, 'M.mo': 'model M input Real inflow; input Boolean pump; end M;' });
    const { status, err } = await run(['M.mo', '--input', 'in.csv'], { cwd });
    expect(status).toBe(2);
    expect(err).toContain(`error: \`in.csv\`: ${message} [bad-file]`);
  });

  it('reads enumerations by name, and passes over columns of words that are no inputs', async () => {
    const cwd = folder({
      'in.csv': 'time, gear, remark\n0,low,cold start\n1,M.Gear.high,\n',
      'M.mo':
        'model M type Gear = enumeration(low, high); input Gear gear; Real x(start = 0, fixed = true); equation der(x) = if gear == Gear.high then 5 else 1; end M;',
    });
    const { json, err } = await run(['M.mo', '--input', 'in.csv', '--stop', '2', '--json'], { cwd });
    expect(err).toBe('');
    expect(json.final.x).toBeCloseTo(6, 9);
    expect(json.diagnostics.map((item: { message: string }) => item.message)).toEqual([
      'The model has no input `remark`; what the table has for it is not used.',
    ]);
  });

  it('a file that does not exist is told', async () => {
    const { status, err } = await mutabor('Tank.mo --input nosuch.csv');
    expect(status).toBe(2);
    expect(err).toContain('error: `nosuch.csv` does not exist. [file-not-found]');
  });
});

it('a run that fails says at which time', async () => {
  const { status, err, out } = await mutabor('Fails.mo');
  expect(status).toBe(1);
  expect(out).toContain('failed at 0.25 s');
  expect(err).toContain('time 0.25');
});

describe('a model with bodies', () => {
  const bodies = folder({
    'Fall.mo': `model Fall
  Mutabor.Bodies.World world;
  Mutabor.Bodies.Box box(fixed = false, mass = 1, velocity = {1, 0, 0});
  Mutabor.Bodies.Box other(fixed = false, mass = 1);
  Mutabor.Bodies.Weld weld(obj1 = "box", obj2 = "other", active = time > 0.5);
end Fall;`,
  });

  it('has states, which check counts', async () => {
    const { out } = await run(['check', 'Fall.mo'], { cwd: bodies });
    expect(out).toMatch(/states +26 hidden \(box\.q, other\.q, box\.qd, other\.qd\)\n/);
    const { json } = await run(['check', 'Fall.mo', '--json'], { cwd: bodies });
    expect(json.initialMode.hidden).toContainEqual({ name: 'box.q', count: 7 });
  });

  it('has results, which list shows with their units', async () => {
    const { out } = await run(['list', 'Fall.mo'], { cwd: bodies });
    expect(out).toMatch(/^Fall: .*, 8 results\n/);
    expect(out).toMatch(/\n {2}box\.v +result +Real +m\/s +\[3\] +Velocity\n/);
  });

  it('has impulses with units', async () => {
    const { out } = await run(['Fall.mo'], { cwd: bodies });
    expect(out).toMatch(/impulse at 0\.5 s {2}weld\.f\[1\] {2}0\.5 N\.s\n/);
    const { json } = await run(['Fall.mo', '--json'], { cwd: bodies });
    expect(json.impulses).toContainEqual(expect.objectContaining({ variable: 'weld.f[1]', unit: 'N.s' }));
  });
});
