/** `mutabor linearize` and `mutabor steady`: files, JSON, and what they refuse. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCsv } from '../../src/results.ts';
import { folder, run } from './terminal.ts';

const home = folder({
  'Tank.mo': `model Tank "runs out as fast as it is filled"
  input Real q(start = 2);
  output Real out = sqrt(h);
  Real h(start = 1, fixed = true);
equation
  der(h) = q - out;
end Tank;
`,
  'Grows.mo': 'model Grows Real x(start = 0, fixed = true); equation der(x) = 1; end Grows;\n',
  'flow.csv': 'time,q\n0,0\n10,20\n',
});
const at = { cwd: home };
const read = (name: string): string => readFileSync(join(home, name), 'utf8');

describe('mutabor linearize', () => {
  it('prints point, poles and matrices', async () => {
    const { status, out, err } = await run(['linearize', 'Tank.mo', '--steady'], at);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toBe(`Tank: linear model at 0 s
  1 state, 1 input, 1 output, exact derivatives
  state  h = 4
  input  q = 2
  output out = 2
  pole   −0.25 1/s, time constant 4 s
  A = −0.25
  B = 1
  C = 0.25
  D = 0
`);
  });

  it('says that a point is not steady', async () => {
    const { out } = await run(['linearize', 'Tank.mo', '--set', 'q=5'], at);
    expect(out).toContain('not a steady state: der(h) = 4\n');
    expect(out).toContain('input  q = 5\n');
  });

  it('gives one JSON object, and writes the same', async () => {
    const { status, json } = await run(
      ['linearize', 'Tank.mo', '--steady', '--json', '--output', 'tank.json', '--variables', 'h,der(h)'],
      at,
    );
    expect(status).toBe(0);
    expect(json).toMatchObject({
      model: 'Tank',
      status: 'done',
      time: 0,
      A: [[-0.25]],
      C: [[1], [-0.25]],
      diagnostics: [],
    });
    const { status: _, diagnostics: __, ...rest } = json;
    expect(JSON.parse(read('tank.json'))).toEqual(rest);
    await run(['linearize', 'Tank.mo', '--output', 'tank.m', '--quiet'], at);
    expect(read('tank.m')).toContain("uName = {'q'};");
  });

  it('follows inputs to a time', async () => {
    const { json } = await run(['linearize', 'Tank.mo', '--input', 'flow.csv', '--at', '2', '--json'], at);
    expect(json.inputs).toEqual([{ name: 'q', unit: '', value: 4 }]);
    const held = await run(
      ['linearize', 'Tank.mo', '--input', 'flow.csv', '--hold', '--at', '2', '--json'],
      at,
    );
    expect(held.json.inputs[0].value).toBe(0);
  });

  it.each([
    [['--at', 'soon'], '`--at soon` is not a number.'],
    [['--at', '-1'], 'The time -1 lies before the start time 0.'],
    [['--output', 'tank.csv'], 'the type of the file is not known'],
    [['--variables', 'hh'], 'No variable matches `hh` in `--variables`.'],
    [['--hold'], '`--hold` says how inputs follow a table, but there is none.'],
    [['--stop', '3'], '`linearize` has no option `--stop`.'],
    [['--input', 'missing.csv'], 'missing.csv'],
  ])('refuses %j', async (words, message) => {
    const { status, err } = await run(['linearize', 'Tank.mo', ...words], at);
    expect(err).toContain(message);
    expect(status).toBe(2);
  });
});

describe('mutabor steady', () => {
  it('prints values, and writes a row of results', async () => {
    const { status, out, err } = await run(['steady', 'Tank.mo', '--set', 'q=3', '--output', 'rest.csv'], at);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toBe('Tank: steady at 0 s\n  out = 3\n  h   = 9\n  wrote rest.csv\n');
    const table = readCsv(read('rest.csv'));
    expect(table.rowCount).toBe(1);
    expect(table.at('h', 0)).toBeCloseTo(9, 12);
  });

  it('gives one JSON object', async () => {
    const { json } = await run(['steady', 'Tank.mo', '--json', '--variables', 'h'], at);
    expect(json).toMatchObject({
      model: 'Tank',
      status: 'done',
      time: 0,
      mode: '',
      final: { h: 4 },
      undetermined: [],
    });
    expect(json.residual).toBeLessThan(1e-12);
  });

  it('names what moves where there is none', async () => {
    const { status, err } = await run(['steady', 'Grows.mo'], at);
    expect(status).toBe(1);
    expect(err).toContain('der(x) = 1');
    const { json } = await run(['steady', 'Grows.mo', '--json'], at);
    expect(json).toMatchObject({ model: 'Grows', status: 'failed', stage: 'initialise' });
  });
});

describe('mutabor simulate --from', () => {
  const decay = folder({
    'Decay.mo':
      'model Decay parameter Real k = 1; Real x(start = 1, fixed = true); protected Real y(start = 1, fixed = true); equation der(x) = -k*x; der(y) = -y; end Decay;\n',
    'broken.csv': 'time,x\n0,1\n1\n',
  });
  const there = { cwd: decay };

  it('goes on from a file', async () => {
    await run(
      ['simulate', 'Decay.mo', '--tolerance', '1e-9', '--output', 'all.mat', '--variables', '*', '--quiet'],
      there,
    );
    const { status, json } = await run(
      ['simulate', 'Decay.mo', '--tolerance', '1e-9', '--from', 'all.mat', '--stop', '3', '--json'],
      there,
    );
    expect(status).toBe(0);
    expect(json.final.x).toBeCloseTo(Math.exp(-3), 7);
    expect(json.diagnostics).toEqual([]);
    const half = await run(
      ['simulate', 'Decay.mo', '--tolerance', '1e-9', '--from', 'all.mat', '--from-time', '0.5', '--json'],
      there,
    );
    expect(half.json.time).toBe(1.5);
    expect(half.json.final.x).toBeCloseTo(Math.exp(-1.5), 7);
  });

  it('names what files do not hold', async () => {
    await run(['simulate', 'Decay.mo', '--output', 'visible.csv', '--quiet'], there);
    const { status, err } = await run(
      ['simulate', 'Decay.mo', '--from', 'visible.csv', '--set', 'k=2'],
      there,
    );
    expect(status).toBe(0);
    expect(err).toContain('The result does not have `y`; start values are used.');
    expect(err).toContain("--variables '*'");
  });

  it.each([
    [['--from', 'missing.mat'], 'missing.mat'],
    [['--from', 'broken.csv'], 'broken.csv'],
    [['--from', 'Decay.mo'], 'Decay.mo'],
    [['--from', 'all.mat', '--from-time', '7'], 'it goes from 0 s to 1 s'],
    [['--from', 'all.mat', '--from-time', 'x'], '`--from-time x` is not a number.'],
    [['--from', 'all.mat', '--stop', '0.5'], 'The stop time 0.5 lies before the start time 1.'],
    [['--from-time', '1'], 'Add `--from FILE`.'],
    [['--from', 'all.mat', '--from', 'visible.csv'], 'given twice'],
  ])('refuses %j', async (words, message) => {
    const { status, err } = await run(['simulate', 'Decay.mo', ...words], there);
    expect(err).toContain(message);
    expect(status).toBe(2);
  });
});
