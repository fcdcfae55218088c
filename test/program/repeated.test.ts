/** Components are told whether a run has the parameters of the run before. */
import { expect, test } from 'vitest';
import { type BuiltIn, instantiate, loadModel, type Merge } from '../../src/index.ts';

/** What a component that reads `c`, and starts at `y`, is told in one run after the other. */
async function told(declarations: string, merges: readonly Merge[]) {
  const seen: (object | undefined)[] = [];
  const builtIn: BuiltIn<undefined> = {
    name: 'own',
    outputs: { y: [] },
    allocate: (instance) => void seen.push(instance.values),
    begin: () => undefined,
    stateOutputs: (_, { y }) => void (y[0] = 1),
  };
  const text = `
    function root input Real x; output Real y; algorithm y := sqrt(x); end root;
    model Own parameter Real c[2]; output Real y; annotation(__Mutabor(builtIn = "own")); end Own;
    model M
      parameter Real p = 2;
      parameter String name = "a";
      ${declarations}
    end M;`;
  const model = instantiate(loadModel(text, 'M', {}, { builtIns: [builtIn] }));
  for (const merge of merges) expect((await model.simulate({ stopTime: 1, merge })).status).toBe('done');
  return seen;
}

test('the same object in runs with the same parameters, another one where one of them is another', async () => {
  const seen = await told('Own own(c = {p, 1}, y(start = p));', [
    {},
    {},
    { p: 3 },
    { p: 3 },
    { name: 'b' },
    { own: { c: [2, 5] } },
    { own: { c: [2, 5] } },
    {},
  ]);
  expect(seen).not.toContain(undefined);
  const isSame = seen.slice(1).map((one, k) => one === seen[k]);
  expect(isSame).toEqual([true, false, true, false, false, expect.any(Boolean), false]);
});

test('nothing is said where a function gives what a component reads', async () => {
  expect(await told('Own own(c = {root(p), 1});', [{}, {}])).toEqual([undefined, undefined]);
});
