import { describe, expect, it } from 'vitest';
import { folder, run } from './terminal.ts';

const home = folder({
  'Clutch.mo': `model Clutch
  Real w1(start = 1, fixed = true), w2(start = 2, fixed = true), f;
  Boolean closed = time >= 1;
equation
  1*der(w1) = f;
  2*der(w2) = -f;
  if closed then
    w1 = w2;
  else
    f = 0;
  end if;
end Clutch;
`,
  'Sources.mo': `model Sources
  Real v1, v2, i;
  Boolean closed = time > 1, other = time > 2;
  Real x(start = 0, fixed = true);
equation
  v1 = 5;
  v2 = 3;
  if closed then v1 = v2; else i = 0; end if;
  if other then x = 0; else der(x) = 1; end if;
end Sources;
`,
  'Gearbox.mo': `model Gearbox
  type Gear = enumeration(neutral, first, second);
  Gear gear(start = Gear.neutral, fixed = true);
  Real w1(start = 3, fixed = true), w2(start = 1, fixed = true), f;
equation
  der(w1) = f;
  der(w2) = -f;
  if gear == Gear.neutral then f = 0; else w1 = w2; end if;
  when time > 0.5 then gear = Gear.first; end when;
end Gearbox;
`,
  'Many.mo': `model Many
  Real x[30](each start = 1);
equation
  for k in 1:30 loop
    if time > k then x[k] = 2; else der(x[k]) = -1; end if;
  end for;
end Many;
`,
  'Chain.mo': `model Chain
  Real x(start = 1);
  Boolean first = time < 1, second = time < 2;
equation
  if first then x = 1; elseif second then x = 2*time; else der(x) = 1; end if;
end Chain;
`,
  'Curve.mo': `model Curve
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), f;
  Boolean first = time < 1, second = time < 2;
equation
  der(x) = f;
  der(y) = -1;
  x = if first then 3 elseif second then y else time;
end Curve;
`,
  'Wrong.mo': 'model Wrong Real x = y; end Wrong;\n',
});

const library = `model Sharing
  import Mutabor.Electrical.*;
  Capacitor c1(v(start = 1, fixed = true)), c2(v(start = 0, fixed = true));
  Switch switch(closed = time > 1);
  Ground ground;
equation
  connect(c1.p, switch.p);
  connect(switch.n, c2.p);
  connect(c1.n, ground.p);
  connect(c2.n, ground.p);
end Sharing;
`;

const modes = (line: string, ...more: string[]) =>
  run(['modes', ...line.split(' ').filter(Boolean), ...more], { cwd: home });

describe('modes', () => {
  it('names modes by the literals of enumerations, and finds them by these names', async () => {
    const { out } = await run(['modes', 'Gearbox.mo'], { cwd: home });
    expect(out).toMatch(/ {2}gear == Gear\.neutral$/m);
    expect(out).toMatch(/ {2}not \(gear == Gear\.neutral\)$/m);
    const chosen = await run(['modes', 'Gearbox.mo', '--mode', 'gear == Gear.neutral'], { cwd: home });
    expect(chosen.status).toBe(0);
    const wrong = await run(['modes', 'Gearbox.mo', '--mode', 'gear == Gear.third'], { cwd: home });
    expect(wrong.status).toBe(2);
    expect(wrong.err).toContain('Did you mean `gear == Gear.neutral`?');
    const simulated = await run(['Gearbox.mo'], { cwd: home });
    expect(simulated.out).toMatch(/mode 0 s to 0\.5 s {2}gear == Gear\.neutral {2}/);
  });

  it('names the file of a line that is not in the model', async () => {
    const { out } = await run(['modes', 'Sharing.mo'], { cwd: folder({ 'Sharing.mo': library }) });
    expect(out).toContain('+ equation switch.v = 0 (Switch.mo, line 7)\n');
  });

  it('shows a table and the differences', async () => {
    const { status, out, err } = await modes('Clutch.mo');
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toBe(`Clutch: 2 modes, all combinations of 1 condition
  changes  states  index  systems   mode
  0        2       1      none      not closed
  1        1       2      3 linear  closed

not closed
  4 assignments, 0 systems
  states: w1, w2

closed
  2 assignments, 1 system
  system of 3 unknowns: f, der(w2), der(w1)
  states: w1
  against not closed:
  + equation w1 = w2 (line 8)
  - state w2
  - equation f = 0 (line 10)
`);
  });

  it('prints one object', async () => {
    const { status, json, err } = await modes('Clutch.mo --json');
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(json).toMatchObject({ model: 'Clutch', status: 'done', stage: null, diagnostics: [] });
    expect(json.bounded).toEqual({
      examined: 2,
      combinations: 2,
      complete: true,
      conditions: ['closed'],
      machines: [],
    });
    expect(json.modes[1]).toMatchObject({
      signature: 'closed',
      changes: 1,
      predecessor: 'not closed',
      regular: true,
      states: ['w1'],
      index: 2,
      assignments: 2,
      systems: [{ iterated: 1, linear: true }],
      selections: [],
      appears: { states: [], variables: [], equations: [{ text: 'w1 = w2', file: 'Clutch.mo', line: 8 }] },
      disappears: { states: ['w2'], variables: [], equations: [{ text: 'f = 0', line: 10 }] },
      diagnostics: [],
    });
  });

  it('points at what makes modes singular, once for all of them', async () => {
    const { status, out, err } = await modes('Sources.mo');
    expect(status).toBe(1);
    expect(out).toMatch(/^ {2}1 +singular +closed, not other$/m);
    expect(out).toMatch(/^ {2}2 +singular +closed, other$/m);
    expect(err.match(/error:/g)).toHaveLength(1);
    expect(err).toContain('[unbalanced]');
    expect(err).toContain('Sources.mo:8:18: note: new in this mode: v1 = v2');
    expect(err).toContain(
      '  8 |   if closed then v1 = v2; else i = 0; end if;\n    |                  ^^^^^^^',
    );
    expect(err).toContain('note: in the mode: closed, not other');
    expect(err).toContain('note: in the mode: closed, other');
    const { json } = await modes('Sources.mo --json');
    expect(json.status).toBe('singular');
    expect(json.modes.map((m: { regular: boolean }) => m.regular)).toEqual([true, false, true, false]);
    expect(json.modes[1]).toMatchObject({ states: null, index: null, systems: null });
    expect(json.modes[1].diagnostics[0]).toMatchObject({ code: 'unbalanced', file: 'Sources.mo' });
  });

  it('says how far it went', async () => {
    const { out } = await modes('Many.mo --limit 7');
    expect(out).toContain(
      'Many: 7 of at most 1.1e9 combinations of 30 conditions, up to 1 change from the initial mode',
    );
    expect((await modes('Many.mo --limit 3 --json')).json.bounded).toMatchObject({
      examined: 3,
      combinations: 2 ** 30,
      complete: false,
    });
  });

  it('says where a change of conditions changes nothing', async () => {
    const { out } = await modes('Curve.mo');
    expect(out).toContain('Curve: 4 modes, all combinations of 2 conditions\n');
    expect(out.match(/^ {2}the same equations as .*$/gm)).toEqual(['  the same equations as first, second']);
  });

  it('leaves out conditions that choose between nothing', async () => {
    const { out } = await modes('Chain.mo');
    expect(out).toContain('Chain: 3 modes, all that differ, of 2 conditions\n');
    expect(out.match(/^(not )?first.*$/gm)).toEqual(['first', 'not first, second', 'not first, not second']);
    const { status, err } = await modes('Chain.mo', '--mode', 'first, not second');
    expect(status).toBe(2);
    expect(err).toContain('There is no mode `first, not second`: `second` is impossible in it.');
  });

  it('examines the mode that is asked for', async () => {
    const { status, out } = await modes('Sources.mo', '--mode', 'other, not closed');
    expect(status).toBe(0);
    expect(out).toContain('Sources: 1 of at most 4 combinations of 2 conditions\n');
    expect(out).toContain('not closed, other\n');
    expect((await modes('Sources.mo --mode closed --quiet')).out).toBe('');
  });

  it('shows what is solved in a mode, with lines', async () => {
    const { status, out } = await modes('Clutch.mo --mode closed --equations');
    expect(status).toBe(0);
    // One system for the torque: both accelerations are one, because w1 = w2 is differentiated.
    for (const line of [
      'linear system of 3 unknowns, solved for f\n',
      'from der(w1) = f (line 5)',
      'from 2*der(w2) = -f (line 6)',
      'from w1 = w2 (line 8), differentiated',
    ])
      expect(out).toContain(line);
    expect(out).toContain('w2 := w1 (line 8)\n');
    const found = await modes('Clutch.mo --mode closed --equations --json');
    const [mode] = (
      found.json as { modes: { blocks: { kind: string; unknowns: string[]; needs: number[] }[] }[] }
    ).modes;
    expect(mode!.blocks.map(({ kind, unknowns, needs }) => [kind, unknowns.length, needs])).toEqual([
      ['linear', 3, []],
      ['assignment', 1, []],
      ['assignment', 1, []],
    ]);
    expect((await modes('Clutch.mo --mode closed')).out).not.toContain('solved for');
  });

  it.each([
    ['--mode clsed', 'No mode of the model depends on `clsed`.', 'Did you mean `closed`?'],
    ['--limit 0', '`--limit 0` is not a whole number from 1 to 100000.', null],
    ['--limit 2.5', '`--limit 2.5` is not a whole number from 1 to 100000.', null],
    ['--limit many', '`--limit many` is not a whole number from 1 to 100000.', null],
    ['--limits 3', 'There is no option `--limits`.', 'Did you mean `--limit`?'],
    ['--stop 3', '`modes` has no option `--stop`.', '`mutabor help modes` lists the options.'],
  ])('%s is wrong', async (line, message, hint) => {
    const { status, err, out } = await modes(`Clutch.mo ${line}`);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toContain(`error: ${message} [bad-option]`);
    const { status: same, json } = await modes(`Clutch.mo ${line} --json`);
    expect(same).toBe(2);
    expect(json).toMatchObject({ status: 'failed', diagnostics: [{ code: 'bad-option', message, hint }] });
  });

  it('refuses a wrong model as other commands do', async () => {
    const { status, json } = await modes('Wrong.mo --json');
    expect(status).toBe(1);
    expect(json).toMatchObject({ model: 'Wrong', status: 'failed', stage: 'flatten', modes: [] });
    expect((await modes('Wrong.mo')).err).toContain('[unknown-name]');
  });
});
