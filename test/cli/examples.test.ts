/** Whole runs of the command line on models whose answers are known in closed form. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readCsv } from '../../src/results/files/csv.ts';
import { readJson } from '../../src/results/files/json.ts';
import { folder, run } from './terminal.ts';

const home = folder({
  'Decay.mo': `model Decay "closed form: x0 exp(-k t)"
  parameter Real k = 1;
  parameter Real x0 = 1;
  Real x(start = x0, fixed = true, unit = "kg");
  protected Real twice = 2*x;
equation
  der(x) = -k*x;
  annotation(experiment(StopTime = 2, Tolerance = 1e-9, Interval = 0.5));
end Decay;`,
  'Ball.mo': `model Ball
  Real h(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.7*pre(v));
  end when;
  annotation(experiment(StopTime = 1, Tolerance = 1e-9));
end Ball;`,
  'Clutch.mo': `model Clutch
  Real w1(start = 1, fixed = true);
  Real w2(start = 1.5, fixed = true);
  Real f;
  Boolean closed = time >= 5 and time < 7;
equation
  der(w1) = -0.01*w1 + f;
  2*der(w2) = -0.0125*w2 - f;
  if closed then
    w1 = w2;
  else
    f = 0;
  end if;
  annotation(experiment(StopTime = 7, Tolerance = 1e-9));
end Clutch;`,
  'Many.mo': 'model Many Real x[60]; equation for i in 1:60 loop x[i] = i*time; end for; end Many;',
  'Ends.mo':
    'model Ends Real x = time; equation when time > 0.25 then terminate("enough"); end when; end Ends;',
  'Unknown.mo': 'model Unknown\n  Real speed;\nequation\n  der(spede) = 1;\nend Unknown;',
  'Loose.mo': 'model Loose\n  Real x;\n  Real y;\nequation\n  x = 1;\nend Loose;',
  'Domain.mo':
    'model Domain\n  Real x(start = 1, fixed = true);\n  Real y(start = 0, fixed = true);\nequation\n  der(x) = -1;\n  der(y) = log(x);\nend Domain;',
  'Lib/package.mo': 'within ; package Lib end Lib;',
  'Lib/Good.mo': 'within Lib; model Good Part part(k = 3); end Good;',
  'Lib/Part.mo': 'within Lib; model Part parameter Real k; Real y = k*time; end Part;',
  'Lib/Bad.mo': 'within Lib; model Bad Real x; equation x = ; end Bad;',
  'Lib/UsesBad.mo': 'within Lib; model UsesBad Bad bad; end UsesBad;',
});

const mutabor = (line: string) => run(line.split(' '), { cwd: home });

describe('simulate', () => {
  it('gives the final values of the closed form', async () => {
    const { status, json } = await mutabor('simulate Decay.mo --json');
    expect(status).toBe(0);
    expect(json).toMatchObject({ model: 'Decay', status: 'done', time: 2, diagnostics: [] });
    expect(json.final.x).toBeCloseTo(Math.exp(-2), 7);
    expect(json.final.k).toBe(1);
    expect(json.statistics).toMatchObject({ states: ['x'], modesCompiled: 1, events: 0 });
    expect(json.modes).toHaveLength(1);
  });

  it('obeys --set, --stop and --start', async () => {
    const { json } = await mutabor('simulate Decay.mo --json --set k=1/2 --set x0=3 --start 1 --stop 3');
    expect(json.final.x).toBeCloseTo(3 * Math.exp(-1), 6);
    const begun = await mutabor('simulate Decay.mo --json --set x.start=5 --stop 1');
    expect(begun.json.final.x).toBeCloseTo(5 * Math.exp(-1), 6);
    const wrong = await mutabor('simulate Decay.mo --json --set q=1');
    expect(wrong.status).toBe(1);
    expect(wrong.json).toMatchObject({ stage: 'flatten', diagnostics: [{ code: 'unknown-modifier' }] });
  });

  it('writes the grid of output points', async () => {
    await mutabor('simulate Decay.mo --output d.csv');
    const table = readCsv(readFileSync(join(home, 'd.csv'), 'utf8'));
    expect([...table.time]).toEqual([0, 0.5, 1, 1.5, 2]);
    expect(table.names).not.toContain('twice');
    for (const t of table.time) expect(table.value('x', t)).toBeCloseTo(Math.exp(-t), 7);
    expect(table.value('der(x)', 1)).toBeCloseTo(-Math.exp(-1), 6);
    await mutabor('simulate Decay.mo --output d.json --variables tw*,x --intervals 10');
    const some = readJson(readFileSync(join(home, 'd.json'), 'utf8'));
    expect(some.names.toSorted()).toEqual(['twice', 'x']);
    expect(some.rowCount).toBe(11);
    expect(some.info('x')).toMatchObject({ unit: 'kg', role: 'state' });
  });

  it('draws every signal that is named', async () => {
    const { status, err } = await mutabor('simulate Many.mo --plot many.svg --variables x*');
    expect({ status, err }).toEqual({ status: 0, err: '' });
    const svg = readFileSync(join(home, 'many.svg'), 'utf8');
    expect(svg).toContain('x[1] … x[60]');
    expect(svg).toContain('class="cells"');
  });

  it('writes events as two rows of equal time', async () => {
    const impact = Math.sqrt(2 / 9.81);
    const { json } = await mutabor('simulate Ball.mo --output b.csv --plot b.svg --json --intervals 10');
    expect(json.statistics.events).toBeGreaterThanOrEqual(1);
    const table = readCsv(readFileSync(join(home, 'b.csv'), 'utf8'));
    expect(table.rowCount).toBe(11 + 2 * json.statistics.events);
    const event = table.time.findIndex((t, i) => table.time[i + 1] === t);
    expect(table.time[event]).toBeCloseTo(impact, 8);
    expect(table.value('v', table.time[event]!, 'before')).toBeCloseTo(-9.81 * impact, 6);
    expect(table.value('v', table.time[event]!, 'after')).toBeCloseTo(0.7 * 9.81 * impact, 6);
    expect(readFileSync(join(home, 'b.svg'), 'utf8').match(/class="curve"/g)).toHaveLength(2);
  });

  it('tells modes and impulses', async () => {
    const { json } = await mutabor('simulate Clutch.mo --json --plot c.html');
    expect(
      json.modes.map(({ from, states, index }: Record<string, unknown>) => [
        from,
        (states as string[]).length,
        index,
      ]),
    ).toEqual(
      [
        [0, 2, expect.any(Number)],
        [5, 1, expect.any(Number)],
        [7, 2, expect.any(Number)],
      ].slice(0, json.modes.length),
    );
    expect(json.modes.length).toBeGreaterThanOrEqual(2);
    expect(json.modes[0].signature).not.toBe(json.modes[1].signature);
    const [before1, before2] = [Math.exp(-0.05), 1.5 * Math.exp(-0.03125)];
    const common = (before1 + 2 * before2) / 3;
    const impulse = json.impulses.find(({ variable }: { variable: string }) => variable === 'f');
    expect(impulse.time).toBeCloseTo(5, 9);
    expect(impulse.weight).toBeCloseTo(common - before1, 6);
    expect(json.final.w1).toBeCloseTo(common * Math.exp((-0.0225 / 3) * 2), 6);
    expect(readFileSync(join(home, 'c.html'), 'utf8')).toContain('class="impulse"');
  });

  it('ends where the model wants it', async () => {
    const { status, json } = await mutabor('simulate Ends.mo --json');
    expect(json.status).toBe('terminated');
    expect(json.time).toBeCloseTo(0.25, 9);
    expect(status).toBe(0);
  });

  it.each([
    ['Unknown.mo', 'flatten', 'unknown-name', 4],
    ['Loose.mo', 'translate', 'unbalanced', undefined],
    ['Domain.mo --stop 2', 'simulate', 'bad-evaluation', undefined],
    ['--library Lib --model Lib.UsesBad', 'syntax', 'syntax-error', 1],
  ])('%s fails in stage %s', async (line, stage, code, at) => {
    const { status, json } = await mutabor(`simulate ${line} --json`);
    expect(status).toBe(1);
    expect(json).toMatchObject({ status: 'failed', stage });
    const problem = json.diagnostics.find((item: { code: string }) => item.code === code);
    expect(problem).toMatchObject({ severity: 'error' });
    if (at !== undefined) expect(problem.line).toBe(at);
  });

  it('keeps what was computed before a failure', async () => {
    await mutabor('simulate Domain.mo --stop 2 --output domain.csv --quiet');
    const table = readCsv(readFileSync(join(home, 'domain.csv'), 'utf8'));
    expect(table.time.at(-1)).toBeGreaterThan(0.9);
    expect(table.value('x', 0.5)).toBeCloseTo(0.5, 5);
  });

  it('reads libraries', async () => {
    const { json } = await mutabor('simulate --library Lib --model Lib.Good --stop 2 --json');
    expect(json.final['part.y']).toBeCloseTo(6, 9);
  });
});

const shipped = fileURLToPath(new URL('../../examples/', import.meta.url));

describe('check', () => {
  it.each(readdirSync(shipped).filter((name) => name.endsWith('.mo')))(
    'finds nothing wrong with %s, which a run can begin',
    async (name) => {
      const { status, json } = await run(['check', join(shipped, name), '--json'], { cwd: home });
      expect(status).toBe(0);
      expect(json.equations).toBe(json.unknowns);
    },
  );

  it('counts and shows the structure', async () => {
    const { status, out } = await mutabor('check Ball.mo');
    expect(status).toBe(0);
    expect(out).toContain('Class Ball has 2 equation(s) and 2 variable(s).');
    expect(out).toContain('states        h, v');
    const { json } = await mutabor('check Loose.mo --json');
    expect(json).toMatchObject({ status: 'failed', stage: 'translate', unknowns: 2, equations: 1 });
    expect(json.diagnostics[0].code).toBe('unbalanced');
  });

  it('translates all models of a package, and checks those in full that nothing else must connect', async () => {
    const files = folder({
      'P/package.mo': 'package P partial model Base end Base; function f end f; end P;',
      'P/Q/package.mo': 'within P; package Q model Whole Real x = time; end Whole; end Q;',
      'P/Pin.mo': 'within P; connector Pin Real v; flow Real i; end Pin;',
      'P/Part.mo': 'within P; model Part Pin p; equation p.v = 1; end Part;',
      'P/Gain.mo': 'within P; block Gain input Real u; output Real y = 2*u; end Gain;',
    });
    const check = (line: string) => run(`check ${line}`.split(' '), { cwd: files });
    const right = await check('P');
    expect(right).toMatchObject({ status: 0, err: '' });
    expect(right.out).toBe(
      'Package P: 3 models and blocks translated, 1 of them checked in full; no errors.\n',
    );
    expect((await check('P --model P.Q --json')).json).toMatchObject({
      model: 'P.Q',
      status: 'done',
      classes: [{ name: 'P.Q.Whole', status: 'done', whole: true }],
    });
    writeFileSync(join(files, 'P/Bad.mo'), 'within P; model Bad Real x = y; end Bad;');
    writeFileSync(join(files, 'P/Loose.mo'), 'within P; model Loose Real x; end Loose;');
    const wrong = await check('P');
    expect(wrong.status).toBe(1);
    expect(wrong.out).toContain('errors in P.Bad, P.Loose.');
    expect(wrong.err).toContain('[unknown-name]');
    expect(wrong.err).toContain('[unbalanced]');
    const simulated = await run(['simulate', 'P/Q/package.mo', '--model', 'P'], { cwd: files });
    expect(simulated.status).toBe(2);
    expect(simulated.err).toContain('`P` is a package, not a model. [no-model]');
  });

  it('shows the code', async () => {
    const { out } = await mutabor('check Ball.mo --show wat');
    expect(out).toContain('f64');
  });

  it('shows what each stage makes of a model', async () => {
    const { out, status } = await mutabor(`check ${shipped}Pendulum.mo --show stages`);
    expect(status).toBe(0);
    const stages = out
      .split('\n')
      .flatMap((line) => /^(\w+) {2,}(.*)/.exec(line)?.slice(1, 3).join(': ') ?? []);
    expect(stages.slice(0, 4)).toEqual([
      'flat: 6 variables, 3 parameters, 6 equations',
      'fields: no arrays that could stay arrays',
      'modes: 6 unknowns, 0 relations, 0 conditions that choose the mode',
      'structure: index 3, 2 states, 6 blocks',
    ]);
    expect(out).toContain('differentiated twice: x^2 + y^2 = L^2');
    const { out: json } = await mutabor(`check ${shipped}IdealClutch.mo --show stages --json`);
    const modes = JSON.parse(json).stages.find((s: { stage: string }) => s.stage === 'modes');
    expect(modes.details).toEqual(['initial mode: not closed', 'mode by closed']);
  });

  it('says what it can show', async () => {
    const { err, status } = await mutabor('check Ball.mo --show steps');
    expect(status).toBe(2);
    expect(err).toContain('stages');
  });
});

describe('flatten', () => {
  it('prints a library model without its hierarchy', async () => {
    const { out, status } = await mutabor('flatten --library Lib --model Lib.Good');
    expect(status).toBe(0);
    expect(out).toContain("parameter Real 'part.k' = 3;");
    expect(out).toMatch(/^ {2}'part\.y' = .*time.*;$/m);
  });

  it('prints Base Modelica', async () => {
    const { out, status } = await mutabor('flatten --base --library Lib --model Lib.Good');
    expect(status).toBe(0);
    expect(out).toMatch(
      /^\/\/! base 0\.1\.0\npackage 'Lib\.Good'\n {2}model 'Lib\.Good'.*\n(.*\n)* {2}end 'Lib\.Good';\nend 'Lib\.Good';\n$/,
    );
    expect(out).toContain("parameter Real 'part.k' = 3;");
  });
});

describe('the summary of a run', () => {
  it('shows the final values of the variables that were named', async () => {
    const { out } = await mutabor('simulate Decay.mo --variables twice,k');
    expect(out).toMatch(/twice = 0\.27067/);
    expect(out).toMatch(/k {5}= 1/);
    expect(out).not.toMatch(/x0/);
  });
});
