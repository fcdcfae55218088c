/** `mutabor export`: to the terminal, into a file, and what it refuses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadModel } from '../../src/index.ts';
import { folder, run } from './terminal.ts';

const home = folder({
  'Clutch.mo': `model Clutch
  parameter Real j = 2;
  Real w1(start = 1, fixed = true), w2(start = 2, fixed = true), f;
  Boolean closed = time >= 1;
equation
  1*der(w1) = f;
  j*der(w2) = -f;
  if closed then
    w1 = w2;
  else
    f = 0;
  end if;
end Clutch;
`,
  'Parts.mo': `model Parts
  model Part
    parameter Real k[2] = {1, 2};
    Real x(start = 3, fixed = true);
  equation
    der(x) = -k[1]*k[2]*x;
  end Part;
  Part a, b(k = {2, 2});
end Parts;
`,
  'Diode.mo': `model Diode
  Real i(start = 0, fixed = true), v, is, id, s(start = -10);
  Boolean on(start = true) = time < 0.5;
  Boolean off(start = true) = s < 0;
equation
  i = is + id;
  0.1*der(i) = v - i;
  if on then v = 10; else is = 0; end if;
  if off then id = 0; -v = s; else v = 0; id = s; end if;
end Diode;
`,
});
const at = { cwd: home };

describe('mutabor export', () => {
  it('prints the text, which is a model', async () => {
    const { status, out, err } = await run(['export', 'Clutch.mo', '--as', 'modelica'], at);
    expect(err).toBe('');
    expect(status).toBe(0);
    expect(out).toContain('reinit(w1, (w1 + j*w2)/(j + 1));');
    expect(loadModel(out).machines).toEqual([]);
  });

  it('writes a file, and other values of parameters', async () => {
    const args = ['export', 'Clutch.mo', '--as', 'modelica', '--output', 'out.mo', '--set', 'j=5'];
    const { status, out } = await run(args, at);
    expect([status, out]).toEqual([0, '']);
    expect(readFileSync(join(home, 'out.mo'), 'utf8')).toContain('parameter Real j = 5;');
    const again = await run(['simulate', 'out.mo', '--single-mode', '--stop', '2'], at);
    expect(again.err).toBe('');
    expect(again.out).toMatch(/w1 += 1\.83333/);
  });

  it('writes a model with one structure as it is, with names between quotes', async () => {
    const { out } = await run(['export', 'Parts.mo', '--as', 'modelica'], at);
    expect(out).toContain("parameter Real[2] 'a.k' = {1, 2};");
    expect(out).toContain("Real 'b.x'(start = 3, fixed = true);");
    expect(out).toContain("der('a.x') = ");
    expect(out).not.toContain('mode ==');
    const model = loadModel(out);
    expect(model.variables.map((v) => v.name)).toEqual(["'a.k'", "'a.x'", "'b.k'", "'b.x'"]);
  });

  it('prints JSON', async () => {
    const { json, status } = await run(['export', 'Clutch.mo', '--as', 'modelica', '--json'], at);
    expect(status).toBe(0);
    expect(json).toMatchObject({ model: 'Clutch', status: 'done', diagnostics: [] });
    expect(json.text).toContain('model Clutch');
  });

  it('refuses what it cannot write, with the place', async () => {
    const { status, err, out } = await run(['export', 'Diode.mo', '--as', 'modelica'], at);
    expect([status, out]).toEqual([1, '']);
    expect(err).toContain('error: The condition off depends on s, which the mode itself determines');
    expect(err).toContain('[not-exportable]');
    const { json } = await run(['export', 'Diode.mo', '--as', 'modelica', '--json'], at);
    expect(json).toMatchObject({ status: 'failed', stage: 'translate' });
  });

  it.each([
    [['--as', 'fmu'], '`fmu` is not a value of `--as`.'],
    [['--as'], 'The option `--as` needs a value.'],
    [['--as', 'modelica', '--output', 'x.csv'], '`--output x.csv`: the type of the file is not known.'],
    [['--as', 'modelica', '--output', 'no/x.mo'], '`--output no/x.mo` cannot be written: the folder'],
    [['--as', 'modelica', '--limit', '0'], '`--limit 0` is not a whole number'],
    [['--as', 'modelica', '--stop', '3'], '`export` has no option `--stop`.'],
  ])('%j is wrong usage', async (options, message) => {
    const { status, err } = await run(['export', 'Clutch.mo', ...options], at);
    expect(status).toBe(2);
    expect(err).toContain(message);
  });

  it('writes Modelica where no language is named', async () => {
    const named = await run(['export', 'Clutch.mo', '--as', 'modelica'], at);
    const plain = await run(['export', 'Clutch.mo'], at);
    expect([plain.status, plain.out]).toEqual([0, named.out]);
  });

  it('bounds the number of modes', async () => {
    const { status, err } = await run(['export', 'Clutch.mo', '--as', 'modelica', '--limit', '1'], at);
    expect(status).toBe(1);
    expect(err).toContain('The model has up to 2 modes; no more than 1 are written.');
    expect(err).toContain('Clutch.mo:8:6');
  });
});

describe('mutabor simulate --single-mode', () => {
  it('refuses a model that changes its structure', async () => {
    const { status, err } = await run(['simulate', 'Clutch.mo', '--single-mode'], at);
    expect(status).toBe(1);
    expect(err).toContain('Clutch.mo:8:6: error: The condition closed chooses between equations');
    expect(err).toContain('[multi-mode]');
    expect(err).toContain('mutabor export --as modelica');
  });

  it('runs any other', async () => {
    const { status } = await run(['simulate', 'Parts.mo', '--single-mode'], at);
    expect(status).toBe(0);
  });
});
