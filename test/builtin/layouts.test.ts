/** Segments that declare again what others did, in the same places or elsewhere: results are those of the names. */
import { expect, test } from 'vitest';
import { type BuiltIn, loadModel, type Segment, simulate, type VariableOptions } from '../../src/index.ts';

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

type Declare = (segment: Segment, size: number) => void;

/** Segment k lasts a second: in odd ones the states are swapped, and `w` is longer. All is constant in it. */
function parts(declare: Declare) {
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
      const before = segment.previous('last')?.[0] ?? Number.NaN;
      if (k > 0 && before !== 1 - k) throw new Error(`last was ${before}`);
      const states = k % 2 ? ['b', 'a'] : ['a', 'b'];
      for (const name of states) segment.state(name, { start: name === 'a' ? 10 + k : 20 + k });
      declare(segment, 2 + (k % 2));
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

const oneByOne =
  (options: (size: number) => VariableOptions): Declare =>
  (segment, size) => {
    segment.variable('w', options(size));
    segment.variable('last', last);
  };
const mutable = { size: 0, unit: 'm' };
const frozen = [2, 3].map((size) => Object.freeze({ size, unit: 'm' }));
const ofSize = (size: number) => frozen[size - 2]!;
const listOf = (size: number) => [
  Object.freeze({ name: 'w', options: ofSize(size) }),
  Object.freeze({ name: 'last' }),
];
const frozenLists = [2, 3].map((size) => Object.freeze(listOf(size)));
const mutableList = listOf(2);
const lastAlone = Object.freeze([Object.freeze({ name: 'last', options: last })]);
const inList: Declare = (segment, size) => segment.variables(frozenLists[size - 2]!);
test.each<[string, Declare]>([
  ['new options', oneByOne((size) => ({ size, unit: 'm' }))],
  ['frozen options, which are the same again', oneByOne(ofSize)],
  ['the same options, changed', oneByOne((size) => Object.assign(mutable, { size }))],
  ['new lists', (segment, size) => segment.variables(listOf(size))],
  ['frozen lists, which are the same again', inList],
  [
    'the same list, changed',
    (segment, size) => segment.variables(Object.assign(mutableList, { 0: listOf(size)[0]! })),
  ],
  [
    'the same list, in other places',
    (segment, size) => {
      segment.variable('w', ofSize(size));
      segment.variables(lastAlone);
    },
  ],
])('%s', async (_, declare) => {
  const model = loadModel(source, 'M', {}, { builtIns: [parts(declare)] });
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

test.each<[string, Declare, Declare]>([
  ['with frozen options', oneByOne(ofSize), (segment) => segment.variable('last', last)],
  ['one of a list', inList, (segment) => segment.variable('last', last)],
  ['in two lists', inList, (segment) => segment.variables(lastAlone)],
  ['a state and one of a list', inList, (segment) => segment.state('last', { start: 0 })],
  ['one of a list after it', oneByOne(ofSize), (segment) => segment.variables(lastAlone)],
])('what is declared twice is told: %s', async (_, declare, again) => {
  const once = parts(declare);
  const twice: BuiltIn = {
    ...once,
    begin(memory, segment) {
      once.begin(memory as { k: number }, segment);
      if (segment.time > 1) again(segment, 2);
    },
  };
  const { diagnostics } = await simulate(loadModel(source, 'M', {}, { builtIns: [twice] }), { stopTime: 3 });
  expect(diagnostics[0]!.message).toContain('last is declared twice');
});

test('a list that was declared before does not hide that its names are taken', async () => {
  const once = parts((segment) => void segment.variables(lastAlone));
  const late: BuiltIn = {
    ...once,
    begin(memory, segment) {
      if (segment.time > 1) segment.state('last', { start: 0 });
      once.begin(memory as { k: number }, segment);
    },
  };
  const { diagnostics } = await simulate(loadModel(source, 'M', {}, { builtIns: [late] }), { stopTime: 3 });
  expect(diagnostics[0]!.message).toContain('last is declared twice');
});
