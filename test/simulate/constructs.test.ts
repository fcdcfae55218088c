/** Constructs of the language where the structure changes: in states of machines, and with connects under conditions that change. Only what is active takes part. */
import { describe, expect, test } from 'vitest';
import { check, loadModel, simulate } from '../../src/index.ts';
import { problems } from '../flat/notation.ts';
import { close, done } from './notation.ts';

/** Name, model, and what variables are at times. */
type Case = readonly [string, string, readonly (readonly [string, number, number])[]];

const follow = (cases: readonly Case[]): void => {
  test.each(cases)('%s', async (_, text, expected) => {
    const { table } = await done(text, { stopTime: 2, model: 'M' });
    for (const [name, time, value] of expected) close(table.value(name, time), value);
  });
};

const twoStates = 'initialState(a); transition(a, b, time > 1);';

describe('streams', () => {
  const fluid = `connector Port Real p; flow Real m; stream Real h; end Port;
    model Source Port c; parameter Real h = 4; equation c.p = 1; c.h = h; end Source;
    model Sink Port c; parameter Real m = 1; Real into = inStream(c.h); equation c.m = m; c.h = 0; end Sink;
    model Flow Port c; parameter Real m = -1; parameter Real h = 3; equation c.m = m; c.h = h; end Flow;`;
  follow([
    [
      'mix what is connected',
      `${fluid} model M Sink k(m = 2); Flow f(h = 10); Source s; Source z(h = 7);
        equation connect(k.c, s.c); if time < 1 then connect(f.c, s.c); else connect(f.c, z.c); end if; end M;`,
      [
        ['k.into', 0.5, 7],
        ['k.into', 1.5, 4],
        ['z.c.m', 1.5, 1],
        ['s.c.m', 0.5, -1],
        ['s.c.m', 1.5, -2],
      ],
    ],
    [
      'give a volume that is disconnected what it holds',
      `${fluid} model Volume Port c; Real h(start = 0, fixed = true); equation c.p = 2*c.m; c.h = h; der(h) = inStream(c.h) - h; end Volume;
        model M Sink k(m = 2); Volume f; Source s; equation connect(k.c, s.c); if time < 1 then connect(f.c, s.c); end if; end M;`,
      [
        ['f.h', 0.5, 4 * (1 - Math.exp(-0.5))],
        ['f.h', 2, 4 * (1 - Math.exp(-1))],
        ['f.c.m', 0.5, 0.5],
        ['f.c.m', 1.5, 0],
      ],
    ],
    [
      'mix what states hold inside',
      `${fluid} model A Port c; Flow f(h = 10); equation connect(f.c, c); end A;
        model B Port c; Flow f(m = -3, h = 20); Flow g(h = 0); equation connect(f.c, c); connect(g.c, c); end B;
        model M Sink k(m = 5); Source s; A a; B b; equation connect(k.c, s.c); connect(a.c, s.c); connect(b.c, s.c); ${twoStates} end M;`,
      [
        ['k.into', 0.5, (10 + 4 * 4) / 5],
        ['k.into', 1.5, (3 * 20 + 4) / 5],
      ],
    ],
    [
      'turn round with the state',
      `${fluid} model A Port c; Real h(start = 1, fixed = true); equation c.m = -1; c.h = h; der(h) = 1; end A;
        model B Port c; Real into = inStream(c.h); equation c.m = 1; c.h = 0; end B;
        model M Source s; A a; B b; Sink k(m = 0.5); equation connect(a.c, s.c); connect(b.c, s.c); connect(k.c, s.c); ${twoStates} end M;`,
      [
        ['k.into', 0.5, 1.5],
        ['k.into', 1.5, 4],
        ['b.into', 1.5, 4],
      ],
    ],
  ]);
});

describe('overconstrained connections', () => {
  const angles = `type Angle extends Real; function equalityConstraint input Angle a; input Angle b; output Real r[0]; algorithm end equalityConstraint; end Angle;
    connector Pin Real e; flow Real f; Angle t; end Pin;
    model Root Pin c; parameter Real v = 1; parameter Integer p = 1; Boolean root = Connections.isRoot(c.t);
    equation Connections.potentialRoot(c.t, p); c.e = v; if Connections.isRoot(c.t) then c.t = 10*p; end if; end Root;
    model Wire Pin a; Pin b; equation Connections.branch(a.t, b.t); a.t = b.t; a.f + b.f = 0; a.e - b.e = a.f; end Wire;
    model Load Pin c; equation c.f = 1; end Load;`;
  follow([
    [
      'have other roots where the graph falls apart',
      `${angles} model M Root r1; Root r2(p = 2, v = 3); Wire w; equation connect(r2.c, w.b); if time < 1 then connect(r1.c, w.a); end if; end M;`,
      [
        ['r2.c.t', 0.5, 10],
        ['r2.c.t', 1.5, 20],
        ['w.a.t', 1.5, 20],
        ['r1.c.t', 1.5, 10],
        ['w.a.f', 0.5, -2],
        ['w.a.e', 1.5, 3],
        ['r2.root', 0.5, 0],
        ['r2.root', 1.5, 1],
      ],
    ],
    [
      'have the roots of the active state',
      `${angles} model A Root r; Pin c; equation connect(r.c, c); end A; model B Pin c; Root r(p = 3, v = 5); equation connect(r.c, c); end B;
        model M A a; B b; Wire w; Load l; equation connect(a.c, w.a); connect(b.c, w.a); connect(w.b, l.c); ${twoStates} end M;`,
      [
        ['w.b.t', 0.5, 10],
        ['w.b.t', 1.5, 30],
        ['w.b.e', 0.5, 0],
        ['w.b.e', 1.5, 4],
      ],
    ],
    [
      'break the loops that states close',
      `${angles} model M Root r; Wire w1; Wire w2; Wire a; Wire b;
        equation connect(r.c, w1.a); connect(w1.b, w2.a); connect(a.a, w2.b); connect(a.b, w1.b); connect(b.a, w2.b); connect(b.b, r.c); ${twoStates} end M;`,
      [
        ['w2.b.t', 0.5, 10],
        ['w2.b.t', 1.5, 10],
      ],
    ],
  ]);
});

describe('cardinality', () => {
  const pins = `connector Pin Real e; flow Real f; end Pin; model K Pin c; Real n; equation c.e = 1; n = cardinality(c); end K;
    model Load Pin c; parameter Real f = 1; equation c.f = f; end Load; model R Pin c; equation c.e = c.f; end R;`;
  follow([
    [
      'counts connects while their conditions hold',
      `${pins} model M K k; Load l; R r; equation connect(k.c, l.c); if time < 1 then connect(k.c, r.c); end if; end M;`,
      [
        ['k.n', 0.5, 2],
        ['k.n', 1.5, 1],
        ['k.c.f', 0.5, -2],
        ['k.c.f', 1.5, -1],
      ],
    ],
    [
      'counts connects with states while these are active',
      `${pins} model M K k; R r; Load a; Load b(f = 2); equation connect(k.c, a.c); connect(k.c, b.c); connect(k.c, r.c); ${twoStates} end M;`,
      [
        ['k.n', 0.5, 2],
        ['k.n', 1.5, 2],
        ['k.c.f', 0.5, -2],
        ['k.c.f', 1.5, -3],
      ],
    ],
  ]);
});

describe('expandable connectors', () => {
  const bus = `expandable connector Bus end Bus; connector O = output Real; connector I = input Real;
    block G parameter Real k = 1; O y[2] = {k, 2*k*time}; end G; block S I u[2]; Real z = u[1] + u[2]; end S;`;
  follow([
    [
      'carry what conditions connect',
      `${bus} model M Bus b; G g(k = 3); G h(k = 5); S s; equation connect(b.x, s.u); if time < 1 then connect(g.y, b.x); else connect(h.y, b.x); end if; end M;`,
      [
        ['s.z', 0.5, 6],
        ['s.z', 1.5, 20],
      ],
    ],
    [
      'carry what the active state gives',
      `${bus} model M Bus bus; G a(k = 3); G b(k = 5); S s; equation connect(bus.x, s.u); connect(a.y, bus.x); connect(b.y, bus.x); ${twoStates} end M;`,
      [
        ['s.z', 0.5, 6],
        ['s.z', 1.5, 20],
      ],
    ],
    [
      'join flows of what is connected',
      `expandable connector Bus end Bus; connector Pin Real e; flow Real f; end Pin; model G Pin c; equation c.e = 3; end G; model Z Pin c; equation c.e = 2*c.f; end Z;
        model M Bus b; G g; Z z; Z y; equation connect(b.x, g.c); connect(z.c, b.x); if time < 1 then connect(y.c, b.x); end if; end M;`,
      [
        ['g.c.f', 0.5, -3],
        ['g.c.f', 1.5, -1.5],
        ['y.c.f', 1.5, 0],
      ],
    ],
  ]);
});

describe('the past', () => {
  const again = (reset: boolean) => `block B Real q = timeInState(); end B; A a; B b;
    equation initialState(a); transition(a, b, timeInState() > 0.75); transition(b, a, timeInState() > 0.25, reset = ${reset}); end M;`;
  const delayed = 'model M block A Real y = delay(time, 0.5); end A;';
  const line =
    'model M block A Real a; Real b; Real s(start = 0, fixed = true); equation der(s) = 2; (a, b) = spatialDistribution(time, 0, s, true, {0, 1}, {5, 5}); end A;';
  follow([
    [
      'of a state that is entered anew begins there',
      delayed + again(true),
      [
        ['a.y', 0.7, 0.2],
        ['a.y', 1.25, 1],
        ['a.y', 1.7, 1.2],
      ],
    ],
    [
      'of a state that goes on is what it was',
      delayed + again(false),
      [
        ['a.y', 0.7, 0.2],
        ['a.y', 1.1, 0.6],
        ['a.y', 1.4, 0.75],
        ['a.y', 1.7, 1.2],
      ],
    ],
    [
      'in a line begins with its profile, or rests',
      line + again(true),
      [
        ['a.b', 0.7, 0.2],
        ['a.b', 1.25, 5],
        ['a.b', 1.7, 1.2],
      ],
    ],
    [
      'in a line that goes on rests',
      line + again(false),
      [
        ['a.b', 0.7, 0.2],
        ['a.b', 1.125, 0.375],
        ['a.b', 1.7, 1.2],
      ],
    ],
    [
      'acts in equations of different order',
      `model M Real x(start = 0, fixed = true); Real y; equation der(x) = 1;
        if time < 1 then y = delay(x, 0.25); else der(y) = delay(x, 0.5); end if; end M;`,
      [
        ['y', 0.5, 0.25],
        ['y', 2, 1.75],
      ],
    ],
  ]);
});

describe('operator records', () => {
  const complex = `operator record C Real re; Real im;
      encapsulated operator 'constructor' function f import C; input Real re; input Real im = 0; output C r(re = re, im = im); algorithm end f; end 'constructor';
      encapsulated operator '*' function m import C; input C a; input C b; output C c; algorithm c := C(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re); end m; end '*';
      encapsulated operator '+' function m import C; input C a; input C b; output C c; algorithm c := C(a.re + b.re, a.im + b.im); end m; end '+';
      encapsulated operator '-' function n import C; input C a; output C c; algorithm c := C(-a.re, -a.im); end n; end '-';
      encapsulated operator function '0' import C; output C c; algorithm c := C(0, 0); end '0'; end C;
    connector Pin C v; flow C i; end Pin; model G Pin p; parameter Real k = 1; equation p.v = C(k, 0); end G;
    model Z Pin p; equation p.v = p.i*C(0, 2); end Z; model Y Pin p; equation p.i = C(1, 1); end Y;`;
  follow([
    [
      'are determined by the branch that holds',
      `${complex} model M C x; C y; equation x = C(time, 1); if time < 1 then y = x*x; else y + x = C(0, 0); end if; end M;`,
      [
        ['y.re', 0.5, -0.75],
        ['y.im', 0.5, 1],
        ['y.re', 1.5, -1.5],
        ['y.im', 1.5, -1],
      ],
    ],
    [
      'flow through connects under conditions',
      `${complex} model M G g; G h(k = 3); Z z; equation if time < 1 then connect(g.p, z.p); else connect(h.p, z.p); end if; end M;`,
      [
        ['z.p.i.im', 0.5, -0.5],
        ['g.p.i.im', 0.5, 0.5],
        ['z.p.i.im', 1.5, -1.5],
        ['g.p.i.im', 1.5, 0],
      ],
    ],
    [
      'flow into the active state',
      `${complex} model M G g; Z a; Y b; equation connect(g.p, a.p); connect(g.p, b.p); ${twoStates} end M;`,
      [
        ['g.p.i.im', 0.5, 0.5],
        ['g.p.i.re', 1.5, -1],
        ['g.p.i.im', 1.5, -1],
      ],
    ],
  ]);
});

test('external objects in states and branches are made once and removed once', async () => {
  const made: number[] = [];
  const removed: number[] = [];
  const externals = {
    make: (k: unknown) => {
      made.push(k as number);
      return { k };
    },
    remove: (object: unknown) => {
      removed.push((object as { k: number }).k);
    },
    look: (object: unknown, u: unknown) => (object as { k: number }).k * (u as number),
  };
  const text = `class T extends ExternalObject; function constructor input Real k; output T t; external "C" t = make(k); end constructor;
      function destructor input T t; external "C" remove(t); end destructor; end T;
    function look input T t; input Real u; output Real y; external "C" y = look(t, u); end look;
    model M block A T t = T(2); Real y(start = 0, fixed = true); equation der(y) = look(t, 1); end A;
      block B T t = T(3); Real y(start = 0, fixed = true); equation der(y) = look(t, time); end B;
      A a; B b; T t = T(5); Real z; equation ${twoStates} if time < 1 then z = look(t, time); else z + look(t, time) = 0; end if; end M;`;
  const { table, status } = await simulate(loadModel(text, undefined, {}, { externals }), {
    stopTime: 2,
    tolerance: 1e-8,
  });
  expect(status).toBe('done');
  close(table.value('a.y', 0.5), 1);
  close(table.value('b.y', 2), 4.5);
  close(table.value('z', 0.5), 2.5);
  close(table.value('z', 1.5), -7.5);
  expect(made.toSorted()).toEqual([2, 3, 5]);
  expect(removed.toSorted()).toEqual([2, 3, 5]);
});

describe('what is wrong', () => {
  test.each([
    [
      'connectors of two states that never meet',
      'connector Pin Real e; flow Real f; end Pin; model A Pin c; equation c.e = 1; end A; model M A a; A b; equation connect(a.c, b.c);',
      'never exist together',
    ],
    [
      'a variable of a state that is not active',
      'model M block A Real y = 1; end A; A a; A b; Real z = b.y; equation',
      'exists only while b is active',
    ],
  ])('%s', (_, text, message) => {
    const whole = `${text} ${twoStates} end M;`;
    const found = problems(whole, 'M');
    const { diagnostics } = found.length > 0 ? { diagnostics: [] } : check(loadModel(whole));
    expect([...found, ...diagnostics.map((one) => one.message)].join()).toContain(message);
  });
});
