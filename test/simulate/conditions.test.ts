import { describe, expect, test } from 'vitest';
import { problems } from '../flat/notation.ts';
import { done } from './notation.ts';

const parts = `
connector Pin Real v; flow Real i; end Pin;
connector In = input Real;
connector Out = output Real;
expandable connector Bus end Bus;
model Source Pin p; parameter Real v = 3; equation p.v = v; end Source;
model Load Pin p; Real v = p.v; equation p.i = p.v; end Load;
model Branch parameter Boolean use = true; Pin u if use; Load load; equation connect(u, load.p); end Branch;
block Constant parameter Real k = 1; Out y = k; end Constant;
block Probe In u; Real v = u; end Probe;
block Switch parameter Boolean use = true; In u if use; Constant zero(k = 0) if not use; Real y = inside; protected In inside;
  equation connect(u, inside); connect(zero.y, inside); end Switch;
model Node Bus bus; end Node;
`;

const values = async (body: string, names: readonly string[]): Promise<number[]> => {
  const { table } = await done(`${parts} model M ${body} end M;`, { stopTime: 1 });
  return names.map((name) => table.value(name, 1));
};

describe('each element of an array has its own conditions', () => {
  // Loads of 1 Ohm: the current of source k into the branches that are there is k.
  const sources = 'Source s[3](v = 1:3);';
  const currents = ['s[1].p.i', 's[2].p.i', 's[3].p.i'];

  test.each([
    ['false, false, true', [0, 0, -3]],
    ['true, false, false', [-1, 0, 0]],
    ['true, false, true', [-1, 0, -3]],
    ['false, true, false', [0, -2, 0]],
    ['false, false, false', [0, 0, 0]],
    ['true, true, true', [-1, -2, -3]],
  ])('use = {%s}: in loops and in connects of arrays', async (use, expected) => {
    const array = `${sources} Branch b[3](use = {${use}});`;
    const bodies = [
      `${array} equation for i in 1:3 loop connect(s[i].p, b[i].u); end for;`,
      `${array} equation connect(s.p, b.u);`,
      `${array} equation connect(b[:].u, s[1:3].p);`,
      `${array} equation connect(s[{3, 1}].p, b[{3, 1}].u); connect(s[2].p, b[2].u);`,
    ];
    for (const body of bodies) expect((await values(body, currents)).map((i) => i + 0)).toEqual(expected);
  });

  test('a connect with a single element means this one', async () => {
    const body = 'Source s; Branch b[2](use = {false, true}); equation connect(s.p, b[2].u);';
    expect(await values(body, ['s.p.i', 'b[1].load.v', 'b[2].load.v'])).toEqual([-3, 0, 3]);
  });

  test('inputs', async () => {
    const body =
      'Constant k[3](k = 1:3); Switch a[3](use = {false, true, true}); equation connect(k.y, a.u);';
    expect(await values(body, ['a[1].y', 'a[2].y', 'a[3].y'])).toEqual([0, 2, 3]);
  });

  test('arrays in arrays, and arrays that are counted by types', async () => {
    const nested = `model Rack parameter Boolean use[2] = {true, true}; Branch b[2](use = use); end Rack; Source s[2, 2](v = {{1, 2}, {3, 4}});
      Rack r[2](use = {{false, true}, {true, false}}); equation connect(s.p, r.b.u);`;
    expect(
      (await values(nested, ['s[1,1].p.i', 's[1,2].p.i', 's[2,1].p.i', 's[2,2].p.i'])).map((i) => i + 0),
    ).toEqual([0, -2, -3, 0]);
    const counted = `type E = enumeration(one, two); Source s[E](v = {1, 2}); Source t[Boolean](v = {3, 4});
      Branch b[E](use = {false, true}); Branch c[Boolean](use = {false, true}); equation connect(s.p, b.u); connect(t.p, c.u);`;
    expect(
      (await values(counted, ['s[1].p.i', 's[2].p.i', 't[1].p.i', 't[2].p.i'])).map((i) => i + 0),
    ).toEqual([0, -2, 0, -4]);
  });

  test('sizes must fit, and be the same for all of those that are there', () => {
    const message = (body: string): string[] => problems(`${parts} model M ${body} end M;`);
    const sizes = message('Source s[3]; Branch b[2](use = {false, true}); equation connect(s.p, b.u);');
    expect(sizes.join()).toContain('`s.p` and `b.u` have different sizes: [3] and [2]');
    const wide = message(
      `model Wide parameter Boolean use = true; parameter Integer n = 1; In u[n] if use; end Wide; Constant k[3, 2]; Wide w[3](use = {false, true, true}, n = {1, 2, 3});
      equation connect(k.y, w.u);`,
    );
    expect(wide.join()).toContain('`w[2].u` and `w[3].u` have different sizes: [2] and [3]');
  });

  test('expandable connectors', async () => {
    const body = `Node n[2]; Constant j(k = 3), k(k = 4); Probe p, q;
      equation connect(j.y, n[1].bus.x); connect(n[1].bus.x, p.u); connect(k.y, n[2].bus.y); connect(n[2].bus.y, q.u);`;
    expect(await values(body, ['p.v', 'q.v'])).toEqual([3, 4]);
  });
});
