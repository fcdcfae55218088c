/** Segments that declare again what others did, in the same places or elsewhere: results are those of the names. */
import { expect, test } from 'vitest';
import { type BuiltIn, loadModel, simulate } from '../../src/index.ts';

const source = `
model Part
  input Real u;
  output Real y;
  annotation(__Mutabor(builtIn = "part"));
end Part;
model M
  Part part(u = time);
end M;`;

const last = Object.freeze({});

/** Segment k lasts a second: in odd ones the states are swapped, and `w` is longer. All is constant in it. */
function parts(options: (size: number) => { readonly size: number; readonly unit: string }) {
  interface Memory {
    k: number;
  }
  const builtIn: BuiltIn<Memory> = {
    name: 'part',
    inputs: ['u'],
    outputs: { y: [] },
    allocate: () => ({ k: -1 }),
    begin(memory, segment) {
      const k = ++memory.k;
      const states = k % 2 ? ['b', 'a'] : ['a', 'b'];
      for (const name of states) segment.state(name, { start: name === 'a' ? 10 + k : 20 + k });
      segment.variable('w', options(2 + (k % 2)));
      segment.variable('last', last);
      segment.nextEvent(k + 1);
    },
    stateOutputs(_, { x, y }) {
      y[0] = x[0]!;
    },
    derivatives(_, { dx }) {
      dx.fill(0);
    },
    variables({ k }, { w }) {
      for (let i = 0; i < w.length; i++) w[i] = i === w.length - 1 ? -k : 100 * k + i;
    },
    event(_, { due, restart }) {
      if (due) restart();
    },
  };
  return builtIn;
}

const mutable = { size: 0, unit: 'm' };
const frozen = [2, 3].map((size) => Object.freeze({ size, unit: 'm' }));
test.each([
  ['new options', (size: number) => ({ size, unit: 'm' })],
  ['frozen options, which are the same again', (size: number) => frozen[size - 2]!],
  ['the same options, changed', (size: number) => Object.assign(mutable, { size })],
] as const)('%s', async (_, options) => {
  const model = loadModel(source, 'M', {}, { builtIns: [parts(options)] });
  const { status, table, segments } = await simulate(model, { stopTime: 5.5, intervals: 11 });
  expect(status).toBe('done');
  expect(segments).toHaveLength(6);
  for (let k = 0; k < 6; k++) {
    const at = (name: string) => table.value(`part.${name}`, k + 0.5);
    expect([at('a'), at('b'), at('w[1]'), at('w[2]'), at('last')]).toEqual([
      10 + k,
      20 + k,
      100 * k,
      100 * k + 1,
      -k,
    ]);
    if (k % 2) expect(at('w[3]')).toBe(100 * k + 2);
    else expect(at('w[3]')).toBeNaN();
  }
});

test('what is declared twice is told, with frozen options, too', async () => {
  const once = parts(() => frozen[0]!);
  const twice: BuiltIn = {
    ...once,
    begin(memory, segment) {
      once.begin(memory as { k: number }, segment);
      if (segment.time > 0) segment.variable('last', last);
    },
  };
  const { diagnostics } = await simulate(loadModel(source, 'M', {}, { builtIns: [twice] }), { stopTime: 2 });
  expect(diagnostics[0]!.message).toContain('last is declared twice');
});
