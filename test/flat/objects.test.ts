/** External objects in flat text: their classes are written with constructor and destructor, so that the text can be read and run again. */
import { expect, test } from 'vitest';
import { printFlat } from '../../src/flat/print/class.ts';
import { loadModel, simulate } from '../../src/index.ts';

const classes = `
  class O extends ExternalObject;
    function constructor input Real a[:]; input Integer k = 2; output O o; external "C" o = mk(a, size(a, 1), k); end constructor;
    function destructor input O o; external "C" rm(o); end destructor;
  end O;
  function get input O o; input Real u; output Real y; external "C" y = get(o, u); end get;`;

/** Objects are their numbers; the made ones and those that are no more are counted. */
function implementations() {
  const lives = { begun: 0, ended: 0 };
  const externals = {
    mk: (a: unknown, n: unknown, k: unknown) => {
      lives.begun++;
      return { sum: [...(a as Iterable<number>)].reduce((x, y) => x + y, 0), n: Number(n), k: Number(k) };
    },
    rm: () => void lives.ended++,
    get: (o: unknown, u: unknown) => {
      const { sum, n, k } = o as { sum: number; n: number; k: number };
      return (sum + 100 * n + 1000 * k) * Number(u);
    },
  };
  return { lives, externals };
}

test('objects of arrays of several sizes, that functions hand on', async () => {
  const text = `model M ${classes}
    function twice input O o; input Real u; output Real y; algorithm y := 2*get(o, u); end twice;
    parameter Real t[3] = {1, 2, 3};
    O o = O(t), p = O({1, 2}, 5);
    Real x = get(o, time), z = twice(p, time);
  end M;`;
  const written = printFlat(loadModel(text, 'M', {}, { externals: implementations().externals }));
  expect(written).toContain(`  class 'M.O'
    extends ExternalObject;
    function constructor
      input Real[:] a;
      input Integer k;
      output 'M.O' o;
      external "C" o = mk(a, size(a, 1), k);
    end constructor;
    function destructor
      input 'M.O' o;
      external "C" rm(o);
    end destructor;
  end 'M.O';`);
  expect(written).toContain("parameter 'M.O' p = 'M.O'({1, 2}, 5);");
  for (const one of [text, written]) {
    const { lives, externals } = implementations();
    const { table, status } = await simulate(loadModel(one, 'M', {}, { externals }), { stopTime: 1 });
    // (1 + 2 + 3 + 300 + 2000) and twice (1 + 2 + 200 + 5000).
    expect([status, table.value('x', 1), table.value('z', 1)]).toEqual(['done', 2306, 10406]);
    expect(lives).toEqual({ begun: 2, ended: 2 });
  }
});

test('an object of a function has no words', () => {
  const text = `model M ${classes}
    function once input Real u; output Real y; protected O o = O({u}); algorithm y := get(o, u); end once;
    Real x = once(time);
  end M;`;
  const written = printFlat(loadModel(text, 'M', {}, { externals: implementations().externals }));
  expect(written).toContain('The function M.once has external objects of its own.');
  expect(written).toContain('partial model M');
});
