import { describe, expect, test } from 'vitest';
import { problems } from '../flat/notation.ts';
import { close, done } from './notation.ts';

const bus = `
connector In = input Real;
connector Out = output Real;
connector Pin Real v; flow Real i; end Pin;
expandable connector Bus end Bus;
model Sensor Out y(unit = "m"); parameter Real k = 1; equation y = k; end Sensor;
model Gain In u; Real y = 2*u; end Gain;
`;

const values = async (text: string, names: readonly string[]): Promise<number[]> => {
  const { table } = await done(text, { stopTime: 1 });
  return names.map((name) => table.value(name, 0));
};

describe('expandable connectors', () => {
  test('a connect adds what it names, and equations can read it', async () => {
    const text = `${bus} model M Bus b; Sensor s(k = 3); Gain g; Real x = b.speed; equation connect(s.y, b.speed); connect(b.speed, g.u); end M;`;
    expect(await values(text, ['b.speed', 'g.y', 'x'])).toEqual([3, 6, 3]);
  });

  test('connected connectors share their members, through components and nested ones', async () => {
    const text = `${bus}
      expandable connector Main Bus left; Bus right; Real unused; end Main;
      model Giver Bus b; Sensor s(k = 4); equation connect(s.y, b.a); end Giver;
      model Taker Bus b; Gain g; equation connect(b.a, g.u); end Taker;
      model Plant Main m; Giver f; equation connect(m.right, f.b); end Plant;
      model M Main m; Plant p; Taker t; Gain g; equation connect(t.b, m.right); connect(p.m, m); connect(m.right.a, g.u); end M;`;
    expect(await values(text, ['t.g.y', 'g.y', 'p.m.right.a'])).toEqual([8, 8, 4]);
  });

  test('arrays get the size of the greatest subscript, also in loops', async () => {
    const text = `${bus} model M Bus b; Sensor s[3](k = {1, 2, 3}); Gain g; Real sum = b.y[1] + b.y[2] + b.y[3]; Sensor t[2](k = {5, 7}); Real z = b.w*{1, 10};
      equation for k in 1:3 loop connect(s[k].y, b.y[k]); end for; connect(b.y[2], g.u); connect(t.y, b.w); end M;`;
    expect(await values(text, ['sum', 'g.y', 'z'])).toEqual([6, 4, 75]);
  });

  test('connects with absent components add nothing, where giver and taker of a signal are both optional', async () => {
    const text = `${bus}
      model Giver parameter Boolean has = false; Bus b; Sensor s(k = 4); Sensor t if has; equation connect(s.y, b.a); connect(t.y, b.c); end Giver;
      model Taker parameter Boolean has = false; Bus b; Gain g; Gain h if has; equation connect(b.a, g.u); connect(b.c, h.u); end Taker;
      model M Giver f; Taker t; equation connect(f.b, t.b); end M;`;
    expect(await values(text, ['t.g.y'])).toEqual([8]);
    const alone = text.replace('Taker t;', 'Taker t(has = true);');
    expect(problems(alone).join()).toContain('Nothing gives a value to `t.b.c`');
  });

  test('connectors with flows are joined as everywhere', async () => {
    const text = `${bus} model Source Pin p; equation p.v = 6; end Source; model R Pin p; parameter Real r = 1; equation p.v = r*p.i; end R;
      model Box Bus b; R x(r = 3); equation connect(x.p, b.pin); end Box;
      model M Bus b; Source s; R r(r = 2); Box box; equation connect(s.p, b.pin); connect(r.p, b.pin); connect(box.b, b); end M;`;
    const [i, x] = await values(text, ['s.p.i', 'box.x.p.i']);
    close(i!, -5);
    close(x!, 2);
  });

  test('what is declared and not connected does not exist', async () => {
    const text = `${bus} expandable connector Two Real a; Real b; Real c[:]; end Two;
      model M Two b; Sensor s(k = 3); Sensor t[2](k = {1, 2}); Real x = b.a + b.c[2]; equation connect(s.y, b.a); connect(t.y, b.c); end M;`;
    const { table } = await done(text, { stopTime: 1 });
    expect(table.value('x', 0)).toBe(5);
    expect(() => table.value('b.b', 0)).toThrow('There is no signal');
  });
});

describe('wrong expandable connectors', () => {
  test.each([
    [
      'an ordinary connector',
      'model M Bus b; Pin p; equation connect(b, p); end M;',
      'connector-mismatch 8:33 `b` and `p` cannot be connected: only one of them is expandable.',
    ],
    [
      'nothing says what it is',
      'model M Bus a, b; equation connect(a.x, b.x); end M;',
      'unknown-name 8:37 `a.x` is connected with nothing that says what `x` of `a` is. | Connect it with a declared connector, or declare `x` in `Bus`.',
    ],
    [
      'only inputs',
      'model M Bus b; Gain g; equation connect(b.x, g.u); end M;',
      'connector-mismatch 8:34 Nothing gives a value to `b.x`: only inputs are connected with it. | Connect it with an output, too.',
    ],
    [
      'read but not connected',
      'expandable connector Two Real a; end Two; model M Two b; Real x = b.a; end M;',
      'unknown-name 8:68 `b.a` is not present: no connect names it. | What an expandable connector declares exists where it is connected.',
    ],
    [
      'a flow',
      'expandable connector Two Real v; flow Real i; end Two; model M Two b; end M;',
      'bad-connector 8:45 `b.i` is a flow, which an expandable connector cannot have. | Put it, with its potential, into a connector of its own that the expandable connector contains.',
    ],
    [
      'a value',
      'expandable connector Two Real v; end Two; model M Two b(v = 1); end M;',
      'bad-connector 8:62 `b.v` is given a value, but it exists only where it is connected. | Connect it with a component that gives the value.',
    ],
  ])('%s', (_, text, problem) => {
    expect(problems(`${bus} ${text}`)).toContain(problem);
  });
});
