/** Selective extension (specification 3.6, section 7.4): classes without some components and connections of the class that they extend. */
import { describe, expect, test } from 'vitest';
import { loadModel, simulate } from '../../src/index.ts';
import { problems, show, tree } from './notation.ts';

/** A signal of 2, twice amplified. */
const chain = `
  connector In = input Real; connector Out = output Real;
  block Source Out y = 2; end Source;
  block Gain parameter Real k = 3; In u; Out y = k*u; end Gain;
  model Base
    Source s; Gain g; Gain h(k = 5);
    Gain n if false;
  equation
    connect(s.y, g.u);
    connect(g.y /* the first */, h.u);
    connect(n.y, n.u);
  end Base;
`;

/** The values of variables of the last model of a text at the end of a run. */
async function ends(text: string, names: readonly string[]): Promise<number[]> {
  const { table } = await simulate(loadModel(chain + text, 'M'), { stopTime: 1 });
  return names.map((name) => table.value(name, 1));
}

describe('what is left out', () => {
  test('nothing', async () => {
    expect(await ends('model M extends Base; end M;', ['g.y', 'h.y'])).toEqual([6, 30]);
  });

  test('a connection, so that something can be put into it', async () => {
    const text = `model M extends Base(break connect(h.u, g . y)); Gain f(k = 7);
      equation connect(g.y, f.u); connect(f.y, h.u); end M;`;
    expect(await ends(text, ['g.y', 'f.y', 'h.y'])).toEqual([6, 42, 210]);
  });

  test('a component with its connections, so that another one can have its name', async () => {
    const text = `block Other In v; Out y = v + 1; end Other;
      model M extends Base(break g, h(k = 10)); Other g; equation connect(s.y, g.v); connect(g.y, h.u); end M;`;
    expect(await ends(text, ['g.y', 'h.y'])).toEqual([3, 30]);
  });

  test('a component that is conditional, or of a partial class', () => {
    const partly =
      'partial model P end P; model D P p; Real x = 1; end D; model M extends D(break p); end M;';
    expect(show(tree(partly))).toEqual(['x = 1']);
    expect(problems(`${chain} model M extends Base(break n); end M;`)).toEqual([]);
  });

  test('connections in loops and branches, as they are written', async () => {
    const text = `model D parameter Boolean b = true; Source s[4]; Gain g[4]; equation
        if b then for i in 1:2 loop connect(s[i].y, g[2*i].u); end for;
        else for i in 1:2 loop connect(g[2 * i].u, s[i].y); end for; end if;
        connect(s[3].y, g[1].u); connect(s[4].y, g[3].u);
      end D;
      model M extends D(break connect(s[i].y, g[2*i].u)); equation g[2].u = 10; g[4].u = 20; end M;`;
    expect(await ends(text, ['g[1].y', 'g[2].y', 'g[3].y', 'g[4].y'])).toEqual([6, 30, 6, 60]);
  });

  test('what is left out on the way stays out, and is no subtype', () => {
    const half = 'model Half extends Base(break h); end Half;';
    const names = show(tree(`${chain} ${half} model M extends Half(break g); end M;`)).map(
      (line) => line.split(' ')[0],
    );
    expect(names).toEqual(['s.y']);
    const text = `${chain} ${half} model D replaceable Base b; end D; model M\nD d(redeclare Half b); end M;`;
    expect(problems(text)).toEqual([
      '14:5 type-mismatch `Half` cannot replace `Base`: it has no element `h`.',
    ]);
  });
});

test.each([
  ['break k', '2:7 unknown-modifier `Base` has no component `k` that could be left out.'],
  ['break Gian', '2:7 unknown-modifier `Base` has no component `Gian` that could be left out.'],
  [
    'break connect(g.y, s.y)',
    '2:7 unknown-modifier `Base` has no `connect(g.y, s.y)` that could be left out. | Write both arguments as they are written there, without components that are left out.',
  ],
  [
    'break g, break connect(s.y, g.u)',
    '2:16 unknown-modifier `Base` has no `connect(s.y, g.u)` that could be left out. | Write both arguments as they are written there, without components that are left out.',
  ],
  ['break g, g(k = 1)', '2:10 not-allowed `g` is left out: it cannot be modified. | Remove one of the two.'],
])('%s', (argument, problem) => {
  const found = problems(`${chain.replaceAll('\n', ' ')} model M extends Base(\n${argument}); end M;`);
  expect(found).toEqual([problem]);
});

test('only models, blocks and connectors can be left out', () => {
  const text = 'model A Real x = 1; type T = Real; end A; model M extends A(\n';
  expect(problems(`${text}break x); end M;`)).toEqual([
    '2:7 not-allowed `x` cannot be left out: it is no model, block or connector. | Give it another value, or take its value away: `x = break`.',
  ]);
  expect(problems(`${text}break T); end M;`)).toEqual([
    '2:7 not-allowed `T` is a class: only components can be left out.',
  ]);
});
