/**
 * Parts of a model whose potentials nothing determines: circuits without ground, and what ideal switches and diodes cut off.
 * Currents and voltages do not depend on the choice that is made for them.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check, exportModelica, loadModel, loadText, surveyModes } from '../../src/index.ts';
import { close, done, run } from './notation.ts';
import { parts } from './parts.ts';

const floatingOf = (diagnostics: readonly { code: string; severity: string; message: string }[]) =>
  diagnostics.filter((d) => d.code === 'floating').map((d) => [d.severity, d.message] as const);

/** Two inductors in series with two resistors in parallel. */
const series = (extra = '', modifier = '') => `${parts}
model Series
  Inductor l1(L = 0.1, i(start = 0.1, fixed = true)), l2(L = 0.2);
  Resistor r1(R = 10), r2(R = 20);
  Constant source(V = 10${modifier});
  ${extra.includes('ground') ? 'Ground ground;' : ''}
equation
  connect(source.p, l1.p);
  connect(l1.n, r1.p);
  connect(l1.n, r2.p);
  connect(r1.n, l2.p);
  connect(r2.n, l2.p);
  connect(l2.n, source.n);
  ${extra}
end Series;`;

describe('a circuit without ground', () => {
  test('has the currents of one with a ground', async () => {
    const { table, diagnostics, modes } = await done(series(), { stopTime: 1 });
    const current = (t: number) => 1.5 - 1.4 * Math.exp((-t * 20) / 3 / 0.3);
    for (const t of [0.02, 0.1, 1]) close(table.value('l2.i', t), current(t));
    close(table.value('l1.i', 1), 1.49999999969, 1e-8);
    close(table.value('r2.i', 1), 0.5);
    expect(modes.map((m) => m.states)).toEqual([['l1.i']]);
    const found = diagnostics.filter((d) => d.code === 'floating');
    expect(found).toHaveLength(1);
    expect(found[0]!.severity).toBe('warning');
    expect(found[0]!.message).toMatch(/^Nothing determines the potential \w+\.n\.v: .* keeps the value 0\.$/);
    expect(found[0]!.span!.source.text.slice(found[0]!.span!.start, found[0]!.span!.end)).toMatch(
      /^connect\(/,
    );
  });

  test('begins with a start value where one is given', async () => {
    const { table, diagnostics } = await done(series('', ', n(v(start = 7))'), { stopTime: 1 });
    close(table.value('l2.n.v', 0.5), 7);
    close(table.value('l1.p.v', 0.5), 17);
    expect(floatingOf(diagnostics)[0]![1]).toContain('source.n.v');
  });

  test('with a ground nothing is said', async () => {
    const { table, diagnostics } = await done(series('connect(source.p, ground.p);'), { stopTime: 1 });
    close(table.value('source.n.v', 1), -10);
    expect(floatingOf(diagnostics)).toEqual([]);
  });

  test('observers of potentials, continuous and discrete, do not tie them', async () => {
    const { table } = await done(
      `${parts}
model Observed
  Constant source(V = 6, n(v(start = 2)));
  Resistor r(R = 3);
  Real product = r.p.v*r.n.v;
  Real integral(start = 0, fixed = true);
  discrete Real seen(start = 0, fixed = true);
equation
  connect(source.p, r.p);
  connect(r.n, source.n);
  der(integral) = r.p.v;
  when time > 0.5 then
    seen = r.p.v;
  end when;
end Observed;`,
      { stopTime: 1 },
    );
    close(table.value('product', 1), 16);
    close(table.value('integral', 1), 8);
    close(table.value('seen', 1), 8);
  });

  test('is shown by check and by the list of modes', () => {
    const model = loadModel(loadText(series()), 'Series');
    const checked = check(model);
    expect(checked.status).toBe('ok');
    expect(checked.floating).toHaveLength(1);
    expect(floatingOf(checked.diagnostics)).toHaveLength(1);
    const { status, modes } = surveyModes(model);
    expect(status).toBe('ok');
    expect(modes[0]!.structure!.floating).toEqual(checked.floating);
  });

  test('is not written for other tools', () => {
    const model = loadModel(loadText(series()), 'Series');
    expect(() => exportModelica(model)).toThrow(/Nothing determines the potential/);
  });
});

test('each part floats for itself', async () => {
  const { table, diagnostics } = await done(
    `${parts}
model Parts
  Constant s[3](V = {1, 2, 3});
  Resistor r[3](R = {1, 2, 3});
  Ground ground;
equation
  for k in 1:3 loop
    connect(s[k].p, r[k].p);
    connect(s[k].n, r[k].n);
  end for;
  connect(s[2].n, ground.p);
end Parts;`,
  );
  for (const k of [1, 2, 3]) close(table.value(`r[${k}].i`, 1), 1);
  expect(floatingOf(diagnostics).map(([, message]) => /\[\d\]/.exec(message)![0])).toEqual(['[1]', '[3]']);
});

test('sums of losses tie nothing, nor do voltages that nobody asks for', async () => {
  const { table, diagnostics } = await done(
    `${parts}
model Losses "Between two switches, a capacitor beside a resistor that floats"
  Constant source(V = 10);
  Switch left(closed = time < 1), right(closed = time < 1);
  Capacitor c(C = 1, v(start = 0, fixed = true));
  Resistor r(R = 4);
  Ground ground;
  Real lost = left.v*left.i + right.v*right.i, total = lost + used, used = r.v*r.i;
equation
  connect(source.p, left.p);
  connect(left.n, c.p);
  connect(c.n, r.p);
  connect(r.n, right.p);
  connect(right.n, source.n);
  connect(source.n, ground.p);
end Losses;`,
    { stopTime: 2 },
  );
  const before = 10 * Math.exp(-1 / 4);
  close(table.value('total', 1, 'before'), before ** 2 / 4);
  close(table.value('total', 2), 0);
  close(table.value('c.v', 2), 10 - before);
  expect(floatingOf(diagnostics)).toHaveLength(1);
});

describe('what cannot be chosen stays an error', () => {
  const wrong = async (model: string) => {
    const { status, diagnostics } = await run(`${parts}${model}`);
    expect(status).toBe('failed');
    return diagnostics.at(-1)!;
  };

  test('currents that contradict each other', async () => {
    const problem = await wrong(`
model Source "Current source"
  extends TwoPin;
  parameter Real I = 1;
equation
  i = I;
end Source;
model Contradiction
  Source a(I = 2), b(I = 3);
equation
  connect(a.p, b.n);
  connect(a.n, b.p);
end Contradiction;`);
    expect(problem.code).toBe('structurally-singular');
    expect(problem.notes.map((n) => n.message).join('\n')).toMatch(/i = I|a\.i = a\.I/);
  });

  test('voltages that contradict each other, in a circuit without ground', async () => {
    const problem = await wrong(`
model Contradiction
  Constant a(V = 2), b(V = 3);
equation
  connect(a.p, b.p);
  connect(a.n, b.n);
end Contradiction;`);
    expect(problem.code).toBe('structurally-singular');
  });

  test('the currents of two switches in parallel', async () => {
    const problem = await wrong(`
model Parallel
  Constant source(V = 2);
  Resistor r;
  Switch a(closed = true), b(closed = time >= 0);
  Ground ground;
equation
  connect(source.p, r.p);
  connect(r.n, a.p);
  connect(r.n, b.p);
  connect(a.n, source.n);
  connect(b.n, source.n);
  connect(source.n, ground.p);
end Parallel;`);
    expect(problem.code).toBe('structurally-singular');
  });

  test('two switches in parallel that join capacitors', async () => {
    const problem = await wrong(`
model Joined
  Real u(start = 1, fixed = true), v(start = 2, fixed = true), i, j;
equation
  der(u) = i + j;
  der(v) = -i - j;
  if time > 0.5 then u = v; else i = 0; end if;
  if time > 0.5 then v = u; else j = 0; end if;
end Joined;`);
    expect(problem.code).toBe('structurally-singular');
    expect(problem.message).toContain('nothing determines all of u, v, i, j');
  });

  test('an equation that is written twice, of variables that are no potentials', async () => {
    const problem = await wrong(`
model Twice
  Real x, y, z;
equation
  x - y = 1;
  y - x = -1;
  z = x;
end Twice;`);
    expect(problem.code).toBe('structurally-singular');
    expect(problem.message).toBe(
      'The equations cannot determine the variables: nothing determines all of x, y, and 1 equation determines no unknown.',
    );
    expect(problem.notes.map((n) => n.message).join()).toContain('y - x = -1');
  });
});

describe('parts that switches cut off', () => {
  const cut = `${parts}
model Cut
  Constant source(V = 10);
  Resistor r(R = 2);
  Capacitor c(C = 0.5, v(start = 0, fixed = true));
  Switch above(closed = time < 1 or time >= 2), below(closed = time < 1 or time >= 2);
  Ground ground;
equation
  connect(source.p, r.p);
  connect(r.n, above.p);
  connect(above.n, c.p);
  connect(c.n, below.p);
  connect(below.n, ground.p);
  connect(source.n, ground.p);
end Cut;`;

  test('keep charge and potential, and go on with them', async () => {
    const { table, diagnostics, impulses, modes } = await done(cut, { stopTime: 3 });
    const opened = 10 * (1 - Math.exp(-1));
    close(table.value('c.v', 1.5), opened);
    close(table.value('c.p.v', 1.5), opened);
    close(table.value('above.v', 1.5), 10 - opened);
    close(table.value('below.v', 1.5), 0);
    close(table.value('c.v', 3), 10 - (10 - opened) * Math.exp(-1));
    expect(impulses).toEqual([]);
    expect(modes.map((m) => m.states)).toEqual([['c.v'], ['c.v'], ['c.v']]);
    const [[severity, message], ...more] = floatingOf(diagnostics) as [readonly [string, string]];
    expect(more).toEqual([]);
    expect(severity).toBe('warning');
    expect(message).toMatch(/in the mode not above\.closed, not below\.closed/);
  });

  test('are not written for other tools', () => {
    expect(() => exportModelica(loadModel(loadText(cut), 'Cut'))).toThrow(/Nothing determines the potential/);
  });
});

describe('parts that diodes cut off', () => {
  test('lie midway: two diodes in series share the voltage that they block', async () => {
    const { table, diagnostics, modes } = await done(
      `${parts}
model Two
  Sine source(V = 10, w = 6, phase = -0.5);
  Diode d1, d2;
  Resistor r(R = 4);
  Ground ground;
equation
  connect(source.p, d1.p);
  connect(d1.n, d2.p);
  connect(d2.n, r.p);
  connect(r.n, ground.p);
  connect(source.n, ground.p);
end Two;`,
      { stopTime: 1 },
    );
    close(table.value('d1.v', 0.04), (10 * Math.sin(0.24 - 0.5)) / 2);
    close(table.value('d2.v', 0.04), (10 * Math.sin(0.24 - 0.5)) / 2);
    close(table.value('r.i', 0.3), (10 * Math.sin(1.8 - 0.5)) / 4);
    expect(new Set(modes.map((m) => m.signature))).toEqual(
      new Set(['d1.off, d2.off', 'not d1.off, not d2.off']),
    );
    expect(floatingOf(diagnostics)).toEqual([]);
  });

  test('thyristors of a bridge that all block until they are fired', async () => {
    const { table, modes } = await done(
      `${parts}
model Converter
  Sine source(V = 10, w = 6);
  Thyristor t1(fire = fire), t2(fire = fire), t3(fire = fire), t4(fire = fire);
  Resistor r(R = 4);
  Ground ground;
  Boolean fire = sin(6*time - 1) > 0 and sin(6*time - 1.2) < 0 or sin(6*time - 1) < 0 and sin(6*time - 1.2) > 0;
equation
  connect(source.p, t1.p);
  connect(t2.n, t1.p);
  connect(source.n, t3.p);
  connect(t4.n, t3.p);
  connect(t3.n, t1.n);
  connect(t2.p, ground.p);
  connect(t4.p, ground.p);
  connect(t1.n, r.p);
  connect(r.n, ground.p);
end Converter;`,
      { stopTime: 1 },
    );
    const conducting = modes.map((m) => m.signature.match(/not t\d/g)?.join(' ') ?? 'none');
    expect(conducting).toEqual(['none', 'not t1 not t4', 'none', 'not t2 not t3']);
    close(modes[1]!.from, 1 / 6);
    close(modes[1]!.to, Math.PI / 6);
    close(modes[3]!.from, (Math.PI + 1) / 6);
    close(table.value('r.v', 0.4), 10 * Math.sin(2.4));
    close(table.value('r.v', 0.9), -10 * Math.sin(5.4));
    close(table.value('source.n.v', 0.1) + table.value('source.p.v', 0.1), 0);
  });
});

test('random networks without ground: differences of potentials are those of Kirchhoff', async () => {
  const nodes = 5;
  const branch = fc.tuple(
    fc.integer({ min: 0, max: nodes - 1 }),
    fc.integer({ min: 0, max: nodes - 1 }),
    fc.integer({ min: 1, max: 9 }),
    fc.integer({ min: -9, max: 9 }),
  );
  const network = fc.array(
    branch.filter(([a, b]) => a !== b),
    { maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(network, async (extra) => {
      // A ring makes the network one; every branch is a resistor in series with a source.
      const ring = Array.from({ length: nodes }, (_, k) => [k, (k + 1) % nodes, k + 1, 2 - k] as const);
      const branches = [...ring, ...extra];
      const { table, diagnostics } = await done(
        `${parts}
model Network
  Pin node[${nodes}];
  Constant s[${branches.length}](V = {${branches.map((b) => b[3]).join(', ')}});
  Resistor r[${branches.length}](R = {${branches.map((b) => b[2]).join(', ')}});
equation
${branches
  .map(
    ([a, b], k) => `  connect(s[${k + 1}].n, node[${a + 1}]); connect(s[${k + 1}].p, r[${k + 1}].p);
  connect(r[${k + 1}].n, node[${b + 1}]);`,
  )
  .join('\n')}
end Network;`,
      );
      expect(floatingOf(diagnostics)).toHaveLength(1);
      const sums = new Array<number>(nodes).fill(0);
      for (const [k, [a, b, resistance, voltage]] of branches.entries()) {
        const current = table.value(`r[${k + 1}].i`, 1);
        const drop = table.value(`node[${a + 1}].v`, 1) - table.value(`node[${b + 1}].v`, 1);
        expect(drop + voltage).toBeCloseTo(resistance * current, 8);
        sums[a]! -= current;
        sums[b]! += current;
      }
      for (const sum of sums) expect(sum).toBeCloseTo(0, 8);
    }),
    { numRuns: 15 },
  );
});

describe('a pipe whose density depends on the pressure', () => {
  const pipe = (ends: string, connections: string) => `
connector Port Real p(start = 2); flow Real q; end Port;
model Shut Port a; equation a.q = 0; end Shut;
model Open parameter Real P; Port a; equation a.p = P; end Open;
model Pipe
  Port a, b;
  Real rho;
equation
  a.q + b.q = 0;
  rho = 1 + 0.1*b.p^2;
  a.p - b.p = rho*(a.q + 3);
end Pipe;
model Same Port a, b; equation a.p = b.p; a.q + b.q = 0; end Same;
model M
  Pipe pipe;
  ${ends}
equation
  ${connections}
end M;`;

  test('shut at both ends, keeps a pressure, and says so', async () => {
    const text = pipe('Shut s1, s2;', 'connect(s1.a, pipe.a); connect(pipe.b, s2.a);');
    const { table, diagnostics } = await done(text, { stopTime: 1 });
    const [a, b] = [table.value('pipe.a.p', 1), table.value('pipe.b.p', 1)];
    expect([a, b]).toContain(2);
    close(a - b, 3 * (1 + 0.1 * b * b));
    expect(floatingOf(diagnostics)).toHaveLength(1);
  });

  test('behind two ways without resistance, still has no flow in each that could be chosen', async () => {
    const ways = 'connect(w1.a, s1.a); connect(w2.a, s1.a); connect(w1.b, pipe.a); connect(w2.b, pipe.a);';
    const text = pipe('Open s1(P = 9), s2(P = 2); Same w1, w2;', `${ways} connect(pipe.b, s2.a);`);
    const { diagnostics } = await run(text, { stopTime: 1 });
    expect(diagnostics.filter((d) => d.severity === 'error').map((d) => d.code)).toEqual([
      'structurally-singular',
    ]);
  });

  test('may stand in a model several times, each with its own pressure', async () => {
    const text = pipe(
      'Shut s1, s2, s3(a(p(start = 5))), s4(a(p(start = 5))); Pipe other(a(p(start = 5)), b(p(start = 5)));',
      'connect(s1.a, pipe.a); connect(pipe.b, s2.a); connect(s3.a, other.a); connect(other.b, s4.a);',
    );
    const { table, diagnostics } = await done(text, { stopTime: 1 });
    const pressures = (name: string) =>
      [table.value(`${name}.a.p`, 1), table.value(`${name}.b.p`, 1)] as const;
    for (const [name, start] of [
      ['pipe', 2],
      ['other', 5],
    ] as const) {
      const [a, b] = pressures(name);
      expect([a, b]).toContain(start);
      close(a - b, 3 * (1 + 0.1 * b * b));
    }
    expect(floatingOf(diagnostics)).toHaveLength(2);
  });
});

describe('a pressure behind a valve that is closed', () => {
  const parts = `
connector Port Real p(start = 3); flow Real q; end Port;
model Shut Port a; equation a.q = 0; end Shut;
model Source parameter Real q; Port a; equation a.q = -q; end Source;
model Open parameter Real P = 1; Port a; equation a.p = P; end Open;
model Valve "Opens after a while"
  Port a, b;
  parameter Real k = 1, from = 1;
  Real opening, dp(start = 2);
equation
  opening = if time < from then 0 else min(1, time - from);
  a.q + b.q = 0;
  dp = a.p - b.p;
  a.q = k*opening*dp;
end Valve;
`;

  test('stays, with a warning, until the valve opens', async () => {
    const { table, diagnostics } = await done(
      `${parts}
model M
  Shut s;
  Valve v;
  Open o;
equation
  connect(s.a, v.a);
  connect(v.b, o.a);
end M;`,
      { stopTime: 2 },
    );
    close(table.value('s.a.p', 0.5), 3);
    close(table.value('v.dp', 0.5), 2);
    for (const t of [1.25, 2]) close(table.value('s.a.p', t), 1);
    close(table.value('v.a.q', 2), 0);
    expect(floatingOf(diagnostics)).toEqual([
      [
        'warning',
        'Nothing determines the potential s.a.p, which follows from v.dp at time 0: its coefficients in the equations are zero. It keeps the value 3.',
      ],
    ]);
  });

  test('between several valves follows those that open', async () => {
    const { table, diagnostics } = await done(
      `${parts}
model M
  Valve v[3](k = {1, 2, 3}, from = {1, 2, 10});
  Open o[3](P = {1, 4, 9});
equation
  for i in 1:3 loop
    connect(v[i].b, o[i].a);
  end for;
  connect(v[2].a, v[1].a);
  connect(v[3].a, v[1].a);
end M;`,
      { stopTime: 5 },
    );
    const before = table.value('v[1].a.p', 0.5);
    expect(floatingOf(diagnostics)).toHaveLength(1);
    expect(floatingOf(diagnostics)[0]![1]).toContain(`keeps the value ${before}.`);
    for (const k of [1, 2, 3]) close(table.value(`v[${k}].a.q`, 0.5), 0);
    close(table.value('v[1].a.p', 1.5), 1);
    // At 2.5 s: 1*(p - 1) + 2*0.5*(p - 4) = 0.
    close(table.value('v[1].a.p', 2.5), 2.5);
    close(table.value('v[1].a.q', 2.5), 1.5);
    close(table.value('v[1].a.p', 4), 3);
  });

  test('is what it was when the valve closes', async () => {
    const { table, diagnostics } = await done(
      `${parts.replace('if time < from then 0 else min(1, time - from)', 'if time < from then from - time else 0')}
model M
  Shut s;
  Valve v;
  Open o(P = 7);
equation
  connect(s.a, v.a);
  connect(v.b, o.a);
end M;`,
      { stopTime: 2 },
    );
    for (const t of [0.5, 1.5, 2]) close(table.value('s.a.p', t), 7);
    expect(floatingOf(diagnostics)[0]![1]).toContain('at time 1:');
  });

  test('is impossible where something has to flow through it', async () => {
    const { status, diagnostics } = await run(
      `${parts}
model M
  Source s(q = 1);
  Valve v;
  Open o;
equation
  connect(s.a, v.a);
  connect(v.b, o.a);
end M;`,
      { stopTime: 0.5 },
    );
    expect(status).toBe('failed');
    expect(diagnostics.at(-1)!.code).toBe('singular-system');
  });

  test('is not chosen where a flow depends on it', async () => {
    const { status, diagnostics } = await run(
      `${parts}
model Leak Port a, b; equation a.q + b.q = 0; a.q = 0.1*(a.p - b.p); end Leak;
model Follower "A pump that delivers as much as a pressure elsewhere says"
  Port a, b;
  input Real p;
equation
  a.q + b.q = 0;
  a.q = p;
end Follower;
model M
  Shut s;
  Valve v;
  Open o, low, high;
  Follower pump(p = s.a.p);
equation
  connect(s.a, v.a);
  connect(v.b, o.a);
  connect(low.a, pump.a);
  connect(pump.b, high.a);
end M;`,
      { stopTime: 0.5 },
    );
    expect(status).toBe('failed');
    expect(diagnostics.at(-1)!.code).toBe('singular-system');
  });
});
