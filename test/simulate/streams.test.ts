import { describe, expect, test } from 'vitest';
import { problems } from '../flat/notation.ts';
import { close, done } from './notation.ts';

/** Sources that give a flow and an enthalpy of their own, and one that holds the pressure. */
const fluid = `
connector Port Real p; flow Real m; stream Real h; end Port;
model Flow Port c; input Real m = 1; parameter Real h = 0; Real into = inStream(c.h); Real actual = actualStream(c.h);
equation c.m = -m; c.h = h; end Flow;
model Sink Port c; parameter Real h = 0; Real into = inStream(c.h); Real actual = actualStream(c.h); equation c.p = 1; c.h = h; end Sink;
model Sensor Port c(m(min = 0)); Real h = inStream(c.h); equation c.m = 0; c.h = 0; end Sensor;
`;

const at = async (text: string, names: readonly string[], time = 0): Promise<number[]> => {
  const { table } = await done(text, { stopTime: Math.max(1, time) });
  return names.map((name) => table.value(name, time));
};

describe('streams', () => {
  test('alone, what streams in is what streams out', async () => {
    const [into] = await at(`${fluid} model M Sink a(h = 7); end M;`, ['a.into']);
    expect(into).toBe(7);
  });

  test('two ends give each other their values exactly, whatever flows', async () => {
    const text = `${fluid} model M Flow a(h = 7, m = 1e-30); Sink b(h = 9); equation connect(a.c, b.c); end M;`;
    expect(await at(text, ['a.into', 'b.into', 'a.actual', 'b.actual'])).toEqual([9, 7, 7, 7]);
  });

  test('what streams in has a derivative', async () => {
    const [x, y] = await at(
      `${fluid} model S Port c; equation c.m = -1; c.h = sin(time); end S;
      model K Port c; Real x, y; equation c.p = 0; c.h = 0; x = der(inStream(c.h)); y = der(inStream(c.h) + time); end K;
      model M S s; K k; equation connect(s.c, k.c); end M;`,
      ['k.x', 'k.y'],
      0.5,
    );
    close(x!, Math.cos(0.5));
    close(y!, 1 + Math.cos(0.5));
  });

  test('flows mix in their proportion', async () => {
    const text = `${fluid} model M Flow a(m = 2, h = 10), b(m = 3, h = 20); Sink s(h = 99);
      equation connect(a.c, b.c); connect(a.c, s.c); end M;`;
    const [s, a, b] = await at(text, ['s.into', 'a.into', 'b.into']);
    close(s!, (2 * 10 + 3 * 20) / 5, 1e-12);
    // Into a source that gives, the mixture of the others streams: the sink gives nothing.
    close(a!, 20, 1e-12);
    close(b!, 10, 1e-12);
  });

  test('small flows mix as well; where nothing flows, all count alike', async () => {
    const text = (
      m: string,
    ): string => `${fluid} model M Flow a(m = 2*${m}, h = 10), b(m = 3*${m}, h = 20); Sink s(h = 99);
      equation connect(a.c, b.c); connect(a.c, s.c); end M;`;
    close((await at(text('1e-8'), ['s.into']))[0]!, 16, 1e-12);
    close((await at(text('0'), ['s.into']))[0]!, 15, 1e-12);
  });

  test('a nominal flow says what is little', async () => {
    const text = `${fluid} model M Flow a(c(m(nominal = 1e-9)), m = 2e-12, h = 10), b(m = 3e-12, h = 20); Sink s;
      equation connect(a.c, b.c); connect(a.c, s.c); end M;`;
    close((await at(text, ['s.into']))[0]!, 16, 1e-12);
  });

  test('what nothing can flow out of gives nothing', async () => {
    const text = `${fluid} model M Flow a(m = 0, h = 10), b(m = 0, h = 20); Sensor t; Sink s(h = 99);
      equation connect(a.c, b.c); connect(a.c, s.c); connect(a.c, t.c); end M;`;
    const [s, t] = await at(text, ['s.into', 't.h']);
    close(s!, 15, 1e-12);
    close(t!, (10 + 20 + 99) / 3, 1e-12);
  });

  test('values pass through components, from both sides', async () => {
    const text = `${fluid}
      model Pipe Port a, b; Real left = inStream(a.h); Real right = inStream(b.h); equation connect(a, b); end Pipe;
      model Twice Port a, b; Pipe p, q; equation connect(a, p.a); connect(p.b, q.a); connect(q.b, b); end Twice;
      model M Flow f(h = 7); Sink s(h = 9); Twice t; equation connect(f.c, t.a); connect(t.b, s.c); end M;`;
    const names = ['s.into', 'f.into', 't.p.left', 't.p.right', 't.q.left', 't.q.right', 't.a.h', 't.b.h'];
    expect(await at(text, names)).toEqual([7, 9, 7, 9, 7, 9, 9, 7]);
  });

  test('outside connectors mix with inside ones', async () => {
    const text = `${fluid}
      model Mixer Port a, b; Flow f(m = 1, h = 30); Sensor t; equation connect(a, b); connect(a, f.c); connect(b, t.c); end Mixer;
      model M Flow f(m = 2, h = 6); Sink s(h = 99); Mixer x; equation connect(f.c, x.a); connect(x.b, s.c); end M;`;
    const [s, t, f] = await at(text, ['s.into', 'x.t.h', 'x.f.into']);
    close(s!, (2 * 6 + 30) / 3, 1e-12);
    close(t!, (2 * 6 + 30) / 3, 1e-12);
    close(f!, 6, 1e-12);
  });

  test('flow that reverses takes its value from the other side', async () => {
    const text = `${fluid} model M Flow f(m = 1 - 2*time, h = 7); Sink s(h = 9); Real e(start = 0, fixed = true);
      equation connect(f.c, s.c); der(e) = s.c.m*actualStream(s.c.h); end M;`;
    const { table } = await done(text, { stopTime: 1 });
    expect(table.value('s.actual', 0.25)).toBe(7);
    expect(table.value('s.actual', 0.75)).toBe(9);
    close(table.value('e', 0.5), 7 / 4);
    close(table.value('e', 1), 7 / 4 - 9 / 4);
  });

  test('flows that reverse while others mix conserve what they carry', async () => {
    const text = `${fluid}
      model Tank Port c; parameter Real h0; Real M(start = 2, fixed = true); Real H(start = 2*h0, fixed = true);
      equation der(M) = c.m; der(H) = c.m*actualStream(c.h); c.h = H/M; end Tank;
      model M Tank a(h0 = 1), b(h0 = 2), d(h0 = 4); Real sum = a.H + b.H + d.H;
      equation connect(a.c, b.c); connect(a.c, d.c); a.c.m = sin(time); b.c.m = 0.5*cos(2*time); a.c.p = 0; end M;`;
    const { table } = await done(text, { stopTime: 6 });
    for (const t of [1.5, 3, 4.5, 6]) {
      close(table.value('sum', t), 14, 1e-7);
      close(table.value('a.M', t), 3 - Math.cos(t), 1e-6);
    }
  });

  test('several streams and arrays of them go with one flow', async () => {
    const text = `connector Port Real p; flow Real m; stream Real x[2]; stream Real none[0]; end Port;
      model Flow Port c; parameter Real m; parameter Real x[2]; equation c.m = -m; c.x = x; end Flow;
      model Sink Port c; Real into[2] = inStream(c.x); Real n[0] = inStream(c.none); Real act[2] = actualStream(c.x);
      equation c.p = 1; c.x = {0, 0}; end Sink;
      model M Flow a(m = 1, x = {1, 2}), b(m = 3, x = {5, 6}); Sink s; equation connect(a.c, s.c); connect(b.c, s.c); end M;`;
    const [x, y, z] = await at(text, ['s.into[1]', 's.into[2]', 's.act[2]']);
    close(x!, (1 + 3 * 5) / 4, 1e-12);
    close(y!, (2 + 3 * 6) / 4, 1e-12);
    close(z!, 5, 1e-12);
  });

  test('arrays of connectors and of components', async () => {
    const text = `${fluid}
      model Volume parameter Integer n; Port c[n]; Real into[n] = inStream(c.h); Real act[n]; Real all[n] = actualStream(c.h);
      equation for i in 1:n loop c[i].p = 1; c[i].h = 50; act[i] = actualStream(c[i].h); end for; end Volume;
      model Cell Port a, b; Real up; equation connect(a, b); up = inStream(a.h); end Cell;
      model M Volume v(n = 3); Flow f[3](m = {1, -1, 2}, h = {7, 8, 9}); Cell cell[20]; Flow g(m = 1, h = 5); Sink s(h = 6);
      equation for i in 1:3 loop connect(f[i].c, v.c[i]); end for;
        connect(g.c, cell[1].a); for i in 1:19 loop connect(cell[i].b, cell[i + 1].a); end for; connect(cell[20].b, s.c); end M;`;
    const { table } = await done(text, { stopTime: 1 });
    const row = (name: string) => [1, 2, 3].map((k) => table.value(`${name}[${k}]`, 0));
    expect(row('v.into')).toEqual([7, 8, 9]);
    expect(row('v.act')).toEqual([7, 50, 9]);
    expect(row('v.all')).toEqual([7, 50, 9]);
    expect(table.value('cell[20].up', 0)).toBe(5);
    expect(table.value('g.into', 0)).toBe(6);
  });

  test('only what is connected takes part', async () => {
    const text = `${fluid} model M Flow a(m = 2, h = 10); Flow b(m = if time < 0.5 then 3 else 0, h = 20); Sink s(h = 99), rest(h = 1);
      equation connect(a.c, s.c); if time < 0.5 then connect(b.c, s.c); else connect(b.c, rest.c); end if; end M;`;
    const { table } = await done(text, { stopTime: 1 });
    close(table.value('s.into', 0.2), 16, 1e-12);
    expect(table.value('s.into', 0.8)).toBe(10);
    expect(table.value('b.into', 0.8)).toBe(1);
    expect(table.value('rest.into', 0.2)).toBe(1);
    expect(table.value('rest.into', 0.8)).toBe(20);
  });

  test('a mixture can be differentiated', async () => {
    const text = `${fluid} model M Flow a(m = 2 + time, h = 10), b(m = 3, h = 20); Sink s; Real d; Real x;
      equation connect(a.c, s.c); connect(b.c, s.c); x = s.into; d = der(x); end M;`;
    const [d] = await at(text, ['d'], 1);
    // x = (10 (2 + t) + 60)/(5 + t)
    close(d!, -30 / 36);
  });
});

describe('what streams must be', () => {
  test.each([
    [
      'not in a connector',
      'model M stream Real x = 1; end M;',
      'bad-stream 1:21 `x` is a stream variable, but not in a connector. | Declare it in a connector, or without `stream`.',
    ],
    [
      'without a flow',
      'connector C stream Real s; end C; model M C c(s = 1); end M;',
      'bad-stream 1:25 The connector `C` has streams, so it needs exactly one flow variable; it has none. | Declare one scalar `flow` variable in the connector: what carries the streams.',
    ],
    [
      'with two flows',
      'connector C Real e, d; flow Real f, g; stream Real s; end C; model M C c(s = 1); end M;',
      'bad-stream 1:52 The connector `C` has streams, so it needs exactly one flow variable; it has `f`, `g`. | Declare one scalar `flow` variable in the connector: what carries the streams.',
    ],
    [
      'with an array of flows',
      'connector C Real e[2]; flow Real f[2]; stream Real s; end C; model M C c(s = 1); end M;',
      'bad-stream 1:52 The connector `C` has streams, so it needs exactly one flow variable; it has `f`, which is not a scalar Real. | Declare one scalar `flow` variable in the connector: what carries the streams.',
    ],
    [
      'not Real',
      'connector C Real e; flow Real f; stream Integer s; end C; model M C c(s = 1); end M;',
      'not-allowed 1:49 `c.s` is `stream`, and Integer. | Only Reals can be `stream`.',
    ],
    [
      'inStream of something else',
      'connector C Real e; flow Real f; stream Real s; end C; model M C c(s = 1); Real x = inStream(c.e); end M;',
      'bad-call 1:94 `inStream` takes a stream variable of a connector. | Write `inStream(connector.variable)` with a variable that the connector declares as `stream`.',
    ],
    [
      'actualStream of a connector',
      'connector C Real e; flow Real f; stream Real s; end C; model M C c(s = 1); Real x = actualStream(c); end M;',
      'bad-call 1:98 `actualStream` takes a stream variable of a connector. | Write `actualStream(connector.variable)` with a variable that the connector declares as `stream`.',
    ],
  ])('%s', (_, text, problem) => {
    expect(problems(text)).toEqual([problem]);
  });

  test('what a flow carries bends where the flow changes its direction, and needs no event', async () => {
    const { table, statistics } = await done(
      `${fluid} model Vessel Port c; Real E(start = 0, fixed = true);
      equation c.p = 0; c.h = 3; der(E) = c.m*actualStream(c.h); end Vessel;
      model Source Port c; equation c.m = -sin(time); c.h = 10; end Source;
      model M Vessel v; Source s; equation connect(v.c, s.c); end M;`,
      { stopTime: 4 * Math.PI },
    );
    // 10 comes in, 3 goes out: 20 - 6 in each period.
    close(table.value('v.E', Math.PI), 20);
    close(table.value('v.E', 2 * Math.PI), 14);
    close(table.value('v.E', 4 * Math.PI), 28);
    expect(statistics.events).toBe(0);
  });

  test('a flow that comes to rest does not go to and fro', async () => {
    // Stiff: the pressure follows the outer one within some 1e-6 s, and the flow is what is left.
    const { table, statistics } = await done(
      `${fluid} model Vessel Port c; Real p(start = 2, fixed = true), E(start = 0, fixed = true);
      equation c.p = p; c.h = 3; der(p) = 1e6*c.m; der(E) = c.m*actualStream(c.h); end Vessel;
      model Outside Port c; Real p = 1 + exp(-time); equation c.m = c.p - p; c.h = 10; end Outside;
      model M Vessel v; Outside s; equation connect(v.c, s.c); end M;`,
      { stopTime: 40, tolerance: 1e-6 },
    );
    close(table.value('v.p', 40), 1);
    expect(Math.abs(table.value('v.E', 40) + 3e-6)).toBeLessThan(1e-4);
    expect(statistics.events).toBe(0);
    expect(statistics.steps).toBeLessThan(500);
  });

  test('where it must be solved for what only one direction contains, the direction chooses', async () => {
    // What leaves a junction that holds nothing: h from 0 = sum of m*actual, with the flow to and fro.
    const { table } = await done(
      `
      model M Real x = cos(time), h; equation x*(if x > 0 then 5 else h) = if x > 0 then 5*x + h - 2 else 7*x; end M;`,
      { stopTime: 3 },
    );
    close(table.value('h', 1), 2);
    close(table.value('h', 2), 7);
  });
});

test('an assertion that parameters make true causes no events; where they do not, it is looked at', async () => {
  const text = (allow: boolean): string => `
    model M parameter Real a = 0; parameter Boolean allow = ${allow}; Real x = sin(10*time), y(start = 0, fixed = true);
    equation der(y) = x; assert(x > -a or allow, "the other way"); end M;`;
  const { statistics, table } = await done(text(true), { stopTime: 2 });
  expect(statistics.events).toBe(0);
  close(table.value('y', 2), (1 - Math.cos(20)) / 10);
  await expect(done(text(false), { stopTime: 2 })).rejects.toThrow('assertion');
});
