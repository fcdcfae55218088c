import { describe, expect, test } from 'vitest';
import { problems } from '../flat/notation.ts';
import { close, done } from './notation.ts';

/** Planar mechanics: an orientation has two numbers, and one degree of freedom. */
const planar = `
record Orientation Real c; Real s;
  function equalityConstraint input Orientation a; input Orientation b; output Real residue[1];
  algorithm residue := {a.s*b.c - a.c*b.s}; end equalityConstraint;
end Orientation;
connector Frame Real x; Real y; Orientation R; flow Real fx; flow Real fy; flow Real t; end Frame;
model Fixed parameter Real x = 0; parameter Real y = 0; Frame f;
equation Connections.root(f.R); f.x = x; f.y = y; f.R.c = 1; f.R.s = 0; end Fixed;
model Bar parameter Real L = 1; Frame a, b; Boolean up = Connections.rooted(a.R);
equation Connections.branch(a.R, b.R);
  b.x = a.x + L*a.R.c; b.y = a.y + L*a.R.s;
  if Connections.rooted(a.R) then b.R = a.R; else a.R = b.R; end if;
  a.fx + b.fx = 0; a.fy + b.fy = 0; a.t + b.t + L*(a.R.c*b.fy - a.R.s*b.fx) = 0; end Bar;
model Revolute Frame a, b; Real phi; Real tau;
equation Connections.branch(a.R, b.R); a.x = b.x; a.y = b.y;
  if Connections.rooted(a.R) then b.R.c = a.R.c*cos(phi) - a.R.s*sin(phi); b.R.s = a.R.s*cos(phi) + a.R.c*sin(phi);
  else a.R.c = b.R.c*cos(phi) + b.R.s*sin(phi); a.R.s = b.R.s*cos(phi) - b.R.c*sin(phi); end if;
  a.fx + b.fx = 0; a.fy + b.fy = 0; a.t + b.t = 0; tau = b.t; end Revolute;
`;

/** Alternating current: all that is connected turns with one reference angle, which no equation may say twice. */
const reference = `
type Angle = Real(unit = "rad");
type Reference extends Angle; function equalityConstraint input Reference a; input Reference b; output Real residue[0]; algorithm end equalityConstraint; end Reference;
connector Pin Real v; flow Real i; Reference theta; end Pin;
model Source parameter Real w; parameter Integer priority = 0; Pin p; Boolean leads = Connections.isRoot(p.theta); Real sum(start = 0, fixed = true);
equation Connections.potentialRoot(p.theta, priority); if Connections.isRoot(p.theta) then p.theta = w*time; end if; der(sum) = if leads then 1 else 0; p.v = 1; end Source;
model Line Pin a, b; equation Connections.branch(a.theta, b.theta); a.theta = b.theta; a.i + b.i = 0; a.v - b.v = a.i; end Line;
`;

describe('overconstrained connections', () => {
  test('a tree needs no constraint, whichever side its root is on', async () => {
    const text = `${planar} model M Fixed world; Bar bar(L = 2), other(L = 3); Revolute joint;
      equation connect(world.f, bar.b); connect(bar.a, joint.b); connect(joint.a, other.b); joint.phi = 0.5; end M;`;
    const { table } = await done(text, { stopTime: 1 });
    close(table.value('bar.a.x', 0), -2);
    close(table.value('other.a.x', 0), -2 - 3 * Math.cos(0.5));
    close(table.value('other.a.y', 0), 3 * Math.sin(0.5));
    expect(table.value('bar.up', 0)).toBe(0);
  });

  test('a loop is cut once: a parallelogram', async () => {
    const text = `${planar} model M Fixed left, right(x = 1); Bar crank(L = 2), coupler, rocker(L = 2);
      Revolute j1, j2(phi(start = -0.3)), j3(phi(start = 0.3)), j4(phi(start = -0.3)); 
      equation connect(left.f, j1.a); connect(j1.b, crank.a); connect(crank.b, j2.a); connect(j2.b, coupler.a); connect(coupler.b, j3.a);
      connect(j3.b, rocker.b); connect(rocker.a, j4.a); connect(j4.b, right.f);
      j1.phi = 0.3 + time; j2.tau = 0; j3.tau = 0; j4.tau = 0; end M;`;
    const { table } = await done(text, { stopTime: 1 });
    for (const t of [0, 1]) {
      const phi = 0.3 + t;
      close(table.value('j2.phi', t), -phi);
      close(table.value('j3.phi', t), phi);
      close(table.value('j4.phi', t), -phi);
      close(table.value('coupler.b.x', t), 1 + 2 * Math.cos(phi));
      close(table.value('coupler.b.y', t), 2 * Math.sin(phi));
    }
  });

  test('connecting in a ring says nothing new', async () => {
    const text = `${planar} model M Fixed w; Bar a, b; equation connect(w.f, a.a); connect(a.a, b.a); connect(b.a, w.f); end M;`;
    const { table } = await done(text, { stopTime: 1 });
    expect(table.value('b.b.x', 0)).toBe(1);
  });

  test('one potential root leads, that of the least priority, else the first', async () => {
    const text = (
      second: string,
    ): string => `${reference} model M Source s(w = 1, priority = 2), t(w = 2, priority = ${second}); Line l;
      equation connect(s.p, l.a); connect(l.b, t.p); end M;`;
    const leads = async (second: string) => {
      const { table } = await done(text(second), { stopTime: 1 });
      return [table.value('s.leads', 0), table.value('t.leads', 0), table.value('s.p.theta', 1)];
    };
    expect(await leads('1')).toEqual([0, 1, 2]);
    expect(await leads('2')).toEqual([1, 0, 1]);
  });

  test('roots are chosen anew when a connection opens and closes', async () => {
    const text = `${reference} model M Source s(w = 1), t(w = 2); Line l; Boolean closed = time < 0.25 or time > 0.75;
      equation connect(s.p, l.a); if closed then connect(l.b, t.p); end if; end M;`;
    const { table } = await done(text, { stopTime: 1 });
    for (const [time, angle, leads] of [
      [0.2, 0.2, 0],
      [0.5, 1, 1],
      [1, 1, 0],
    ] as const) {
      close(table.value('t.p.theta', time), angle);
      expect(table.value('t.leads', time)).toBe(leads);
      close(table.value('l.b.theta', time), time);
    }
    close(table.value('t.sum', 1), 0.5);
    close(table.value('s.sum', 1), 1);
  });

  test('roots are chosen anew when a state with branches is left', async () => {
    const text = `${reference} model Gone end Gone;
      model M Source s(w = 1), t(w = 2); Line joined; Gone gone;
      equation connect(s.p, joined.a); connect(joined.b, t.p); initialState(joined); transition(joined, gone, time > 0.5); end M;`;
    const { table } = await done(text, { stopTime: 1 });
    close(table.value('t.p.theta', 0.25), 0.25);
    close(table.value('t.p.theta', 1), 2);
    close(table.value('t.sum', 1), 0.5);
  });
});

describe('wrong graphs', () => {
  test.each([
    [
      'no root',
      `${reference} model M Line l; end M;`,
      'bad-graph 8:15 Nothing that is connected with `l.a.theta` is a root. | Connect it with a component that has `Connections.root` or `Connections.potentialRoot`, such as a source, a world or a ground.',
    ],
    [
      'a loop of branches',
      `${reference} model M Pin p, q, r; equation Connections.root(p.theta); Connections.branch(p.theta, q.theta); Connections.branch(q.theta, r.theta); Connections.branch(r.theta, p.theta); end M;`,
      'bad-graph 8:135 `Connections.branch(r.theta, p.theta)` closes a loop of branches, or joins two definite roots. | Branches and definite roots must form trees with one root each: leave out one of them, or make it a potential root.',
    ],
    [
      'two definite roots on a branch',
      `${planar} model M Frame p, q; equation Connections.root(p.R); Connections.root(q.R); Connections.branch(p.R, q.R); end M;`,
      'bad-graph 19:77 `Connections.branch(p.R, q.R)` closes a loop of branches, or joins two definite roots. | Branches and definite roots must form trees with one root each: leave out one of them, or make it a potential root.',
    ],
    [
      'no overdetermined type',
      `${reference} model M Pin p; equation Connections.root(p.v); end M;`,
      'bad-call 8:43 `Connections.root` takes an overdetermined type or record of a connector, not `p.v`. | Name a type or record of a connector that has a function `equalityConstraint`: `frame_a.R`.',
    ],
    [
      'a branch under a condition that changes',
      `${reference} model M Pin p, q; equation Connections.root(p.theta); if time < 1 then Connections.branch(p.theta, q.theta); end if; end M;`,
      'variability 8:73 `Connections.branch` stands in an if-equation whose condition can change. | Its condition must be a parameter expression. Connects and states of state machines may change: they choose new roots.',
    ],
    [
      'a root in when',
      `${reference} model M Pin p; equation when time > 1 then Connections.root(p.theta); end when; end M;`,
      'bad-call 8:45 `Connections.root` cannot stand inside `when`. | Write it in an equation section, by itself or in an if-equation or for-equation.',
    ],
    [
      'a root in an algorithm',
      `${reference} model M Pin p; algorithm Connections.root(p.theta); end M;`,
      'bad-call 8:27 `Connections.root` cannot stand inside an algorithm. | Write it in an equation section, by itself or in an if-equation or for-equation.',
    ],
    [
      'a root in an initial equation',
      `${reference} model M Pin p; initial equation Connections.root(p.theta); end M;`,
      'bad-call 8:34 `Connections.root` cannot stand here. | Write it in an equation section, outside of `when` and of initial equations.',
    ],
    [
      'rooted without a branch',
      `${reference} model M Pin p; Boolean b = Connections.rooted(p.theta); equation Connections.root(p.theta); end M;`,
      'bad-graph 8:29 `rooted` needs a `Connections.branch` at `p.theta`. | Without one, it is not known which side of it is meant.',
    ],
  ])('%s', (_, text, problem) => {
    expect(problems(text)).toContain(problem);
  });
});

describe('cardinality', () => {
  test('counts each round of a loop', async () => {
    const { table } = await done(`
      connector Pin Real v; flow Real i; end Pin;
      model Hub Pin p; Integer n = cardinality(p); equation p.v = 1; end Hub;
      model Load Pin p; equation p.v = 2*p.i; end Load;
      model Counted Pin p; Integer n = cardinality(p); equation p.v = 2*p.i; end Counted;
      model M
        Hub a, b, c;
        Load grid[4, 2], some[3];
        Counted row[3];
      equation
        for i in 1:4, j in 1:2 loop connect(a.p, grid[i, j].p); end for;
        for i in 1:2 loop connect(b.p, row[i].p); end for;
        connect(row[2].p, row[3].p);
        connect(c.p, some[1].p);
        if time > 0.5 then for i in 2:3 loop connect(c.p, some[i].p); end for; end if;
      end M;`);
    expect(['a.n', 'b.n', 'row[1].n', 'row[2].n', 'row[3].n'].map((name) => table.value(name, 0))).toEqual([
      8, 2, 1, 2, 1,
    ]);
    expect([table.value('c.n', 0.25), table.value('c.n', 0.75)]).toEqual([1, 3]);
  });

  const pin = 'connector Pin Real v; flow Real i; end Pin;';

  test('counts connects inside and outside, and those of elements', async () => {
    const text = `${pin}
      model Box Pin p; Pin q[3]; Integer n = cardinality(p); Integer m[3] = {cardinality(q[k]) for k in 1:3}; Box2 inner2;
      equation connect(p, inner2.p); for k in 1:3 loop q[k].v = k; end for; end Box;
      model Box2 Pin p; equation p.v = 1; end Box2;
      model Load Pin p; equation p.i = 1; end Load;
      model M Box box; Load a, b, c; equation connect(a.p, box.p); connect(b.p, box.p); connect(box.q[2], c.p); end M;`;
    const { table } = await done(text, { stopTime: 1, model: 'M' });
    expect(['box.n', 'box.m[1]', 'box.m[2]', 'box.m[3]'].map((name) => table.value(name, 0))).toEqual([
      3, 0, 1, 0,
    ]);
  });

  test('counts only what is connected', async () => {
    const text = `${pin}
      model Two Pin p; Integer n = cardinality(p); equation p.v = 1; end Two;
      model Load Pin p; equation p.i = p.v; end Load;
      model M Two t; Load l, k; equation connect(t.p, k.p); if time < 0.5 then connect(t.p, l.p); end if; end M;`;
    const { table } = await done(text, { stopTime: 1 });
    expect(table.value('t.n', 0.2)).toBe(2);
    expect(table.value('t.n', 0.8)).toBe(1);
    close(table.value('t.p.i', 0.2), -2);
    close(table.value('t.p.i', 0.8), -1);
  });

  test('of something else', () => {
    expect(problems('model M Real x = 1; Integer n = cardinality(x); end M;')).toEqual([
      'bad-call 1:45 `cardinality` takes one connector.',
    ]);
  });
});
