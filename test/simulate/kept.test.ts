/** What is kept from mode to mode changes nothing but the time it takes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadModel } from '../../src/load.ts';
import { lowerModel } from '../../src/modes/lower.ts';
import type { ConditionValues, Mode } from '../../src/modes/mode.ts';
import { analyseMode } from '../../src/program/mode/analyse.ts';
import { CompiledMode } from '../../src/program/mode/compiled.ts';
import { Runtime } from '../../src/program/runtime.ts';
import { simulate } from '../../src/simulate/index.ts';
import { Engine } from '../../src/simulate/run/engine.ts';
import { settingsOf } from '../../src/simulate/settings.ts';
import { KnownBlocks } from '../../src/structure/sort.ts';

/** Capacitors that are charged from each other through switches, one after the other, and joined where two are closed. */
const bank = `model Bank
  parameter Integer n = 5;
  Real v[n](start = {1 + k for k in 1:n}, each fixed = true), i[n], s[n], node;
  Boolean closed[n](each start = false, each fixed = true);
  Integer next(start = 0, fixed = true);
equation
  for k in 1:n loop
    k*der(v[k]) = i[k] - 0.1*v[k];
    v[k] + s[k] = node;
    if closed[k] then s[k] = 0; else i[k] = 0; end if;
  end for;
  node + sum(i) = sin(time);
  when sample(0.1, 0.1) then
    next = mod(pre(next), n) + 1;
    for k in 1:n loop
      closed[k] = if k == next then not pre(closed[k]) else pre(closed[k]);
    end for;
  end when;
end Bank;`;

test('modes that were forgotten are made again, with the same results', async () => {
  const flat = loadModel(bank);
  const options = { stopTime: 4.05, tolerance: 1e-8 };
  const all = await simulate(flat, options);
  const few = await simulate(flat, { ...options, keptModes: 3 });
  expect([all.status, few.status]).toEqual(['done', 'done']);
  // 5 switches that close one after the other and then open: 10 modes, seen again and again in 40 changes.
  expect(all.statistics).toMatchObject({ modeChanges: 40, modesCompiled: 10 });
  expect(few.statistics).toMatchObject({ modeChanges: 40, modesCompiled: 41 });
  expect(few.table.names).toEqual(all.table.names);
  for (const name of all.table.names) expect(few.table.get(name)).toEqual(all.table.get(name));
  expect(few.impulses).toEqual(all.impulses);
  expect(all.impulses.length).toBeGreaterThan(0);
});

test('memory does not grow with changes', () => {
  const runtime = new Runtime(lowerModel(loadModel(bank)));
  runtime.begin();
  const engine = new Engine(runtime, settingsOf({}, { stopTime: 6, intervals: 1, keptModes: 3 }));
  engine.initialise();
  const sizes: number[] = [];
  while (engine.advance()) {
    expect(engine.bank.size).toBeLessThanOrEqual(3);
    sizes.push(runtime.values.memory.layout.size);
  }
  expect(engine.counters.modeChanges).toBe(60);
  const seenOnce = sizes[Math.floor(sizes.length / 2)];
  expect(sizes.at(-1)).toBe(seenOnce);
});

// ---------------------------------------------------------------- laws

type Kind = 'resistor' | 'capacitor' | 'inductor' | 'switch';

interface Element {
  readonly kind: Kind;
  readonly from: number;
  readonly to: number;
}

/** A closed switch makes one variable of the voltages at its ends. */
const equationOf: Record<Kind, (k: number, from: string, to: string) => string> = {
  resistor: (k) => `u[${k}] = ${k + 1}*i[${k}];`,
  capacitor: (k) => `${k + 1}*der(u[${k}]) = i[${k}];`,
  inductor: (k) => `${k + 1}*der(i[${k}]) = u[${k}];`,
  switch: (k, from, to) => `if closed[${k}] then ${from} = ${to}; else i[${k}] = 0; end if;`,
};

/** A network as equations of branches and nodes; every node has a resistor to ground, so that none floats. */
function network(nodes: number, elements: readonly Element[]): string {
  const currents = (node: number, direction: 'from' | 'to') =>
    elements.flatMap((e, k) => (e[direction] === node ? [`i[${k + 1}]`] : [])).join(' + ') || '0';
  const voltage = (node: number) => (node === 0 ? '0' : `v[${node}]`);
  const lines = elements.flatMap((e, k) => [
    equationOf[e.kind](k + 1, voltage(e.from), voltage(e.to)),
    `u[${k + 1}] = ${voltage(e.from)} - ${voltage(e.to)};`,
  ]);
  for (let node = 1; node <= nodes; node++)
    lines.push(`(${currents(node, 'from')}) - (${currents(node, 'to')}) + v[${node}]/7 = time;`);
  return `model Network
  Real v[${nodes}], u[${elements.length}], i[${elements.length}];
  Boolean closed[${elements.length}] = {mod(floor(time*k), 2) > 0 for k in 1:${elements.length}};
equation
  ${lines.join('\n  ')}
end Network;`;
}

const networks = fc.integer({ min: 2, max: 5 }).chain((nodes) =>
  fc.record({
    nodes: fc.constant(nodes),
    elements: fc.array(
      fc
        .record({
          kind: fc.constantFrom<Kind>('resistor', 'capacitor', 'inductor', 'switch', 'switch'),
          from: fc.integer({ min: 0, max: nodes }),
          step: fc.integer({ min: 1, max: nodes }),
        })
        .map(({ kind, from, step }): Element => ({ kind, from, to: (from + step) % (nodes + 1) })),
      { minLength: 3, maxLength: 9 },
    ),
    walk: fc.array(fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }), { minLength: 2, maxLength: 6 }),
  }),
);

/** The structure of a mode, and the values of all variables at arbitrary values of the states; or why there is none. */
function analysed(runtime: Runtime, mode: Mode, values: ConditionValues, known?: KnownBlocks) {
  const { sorted, diagnostics } = analyseMode(runtime, mode, undefined, known);
  if (!sorted) return { problems: diagnostics.map((d) => d.message), values: new Map<string, number>() };
  const compiled = new CompiledMode(runtime, mode, sorted, values);
  compiled.activate();
  compiled.place(
    1.5,
    Float64Array.from(sorted.states, (_, k) => Math.sin(k + 1)),
  );
  const isDetermined = compiled.evaluateOutputs();
  const continuous = mode.variables.filter((v) => !v.discrete);
  return {
    states: sorted.states.map((s) => runtime.wording.nameOfRef(s)),
    index: sorted.index,
    aliases: sorted.aliases,
    c: sorted.equations.map(({ c }) => c),
    d: sorted.variables.map(({ d }) => d),
    sizes: sorted.blocks.map((block) => (block.kind === 'assign' ? 1 : block.equations.length)).sort(),
    values: new Map(
      continuous.map(({ symbol }) => [
        runtime.wording.nameOf(symbol),
        isDetermined ? runtime.values.get(runtime.values.pool.ref(symbol)) : Number.NaN,
      ]),
    ),
  };
}

function prepared(text: string): Runtime {
  const runtime = new Runtime(lowerModel(loadModel(text)));
  runtime.begin();
  runtime.values.prepare();
  return runtime;
}

function expectSame(values: ReadonlyMap<string, number>, expected: ReadonlyMap<string, number>): void {
  for (const [name, value] of expected) {
    if (Number.isFinite(value)) expect(values.get(name)).toBeCloseTo(value, 8);
    else expect(values.get(name)).not.toSatisfy(Number.isFinite);
  }
}

test('a mode that is reached from others is the one that is found from scratch', () => {
  fc.assert(
    fc.property(networks, ({ nodes, elements, walk }) => {
      const text = network(nodes, elements);
      const walking = prepared(text);
      const known = new KnownBlocks(10_000);
      for (const step of walk) {
        const values = walking.model.conditions.map((_, k) => step[k]!);
        const mode = walking.select(values);
        const { values: reached, ...structure } = analysed(walking, mode, values, known);
        const fresh = prepared(text);
        const { values: found, ...expected } = analysed(fresh, fresh.select(values), values);
        expect(structure).toEqual(expected);
        expectSame(reached, found);
      }
    }),
    { numRuns: 50 },
  );
});

test('what is equal in all modes could as well be eliminated in each of them', () => {
  fc.assert(
    fc.property(networks, ({ nodes, elements, walk }) => {
      const runtime = prepared(network(nodes, elements));
      for (const step of walk) {
        const values = runtime.model.conditions.map((_, k) => step[k]!);
        const mode = runtime.select(values);
        const once = analysed(runtime, mode, values);
        const again = analysed(runtime, { ...mode, lasting: undefined }, values);
        expect(once.problems?.length).toBe(again.problems?.length);
        expect(once.states?.length).toBe(again.states?.length);
        expect(once.index).toBe(again.index);
        // Of two states that are equal to a third variable, the one or the other may stand for it.
        if (once.states?.join() === again.states?.join()) expectSame(once.values, again.values);
      }
    }),
    { numRuns: 50 },
  );
});
