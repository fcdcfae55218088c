/** Parts that are one component: sliders on a line, one of which catches a body on its way. */
import { expect, test } from 'vitest';
import type { BuiltIn } from '../../src/builtin/component.ts';
import type { BuiltInPart, Whole } from '../../src/builtin/whole.ts';
import { flatten } from '../../src/flat/flatten.ts';
import { loadText } from '../../src/load.ts';
import { instantiate } from '../../src/model/instances/instantiate.ts';
import { simulate } from '../../src/simulate/index.ts';

interface Memory {
  readonly masses: readonly number[];
  caught: boolean;
  momentum: number;
}

/** At time 1 the first slider catches a body of mass 2 that moves with speed 3. */
const [mass, speed, instant] = [2, 3, 1];

const line: Whole = {
  name: 'line',
  join(parts) {
    const of = (name: string) => parts.map(({ path }) => `${path}.${name}`);
    const n = parts.length;
    const builtIn: BuiltIn<Memory> = {
      name: 'line',
      inputs: [...of('x'), ...of('v'), ...of('a')],
      outputs: { M: of('x'), h: of('x'), k: [] },
      stepped: ['k'],
      absorbs: of('a'),
      allocate: (instance) => ({
        masses: of('m').map((name) => instance.number(name)),
        caught: false,
        momentum: 0,
      }),
      begin(memory, segment) {
        if (!memory.caught) segment.state('body.x', { start: -speed });
        if (!memory.caught) segment.nextEvent(instant);
      },
      stateOutputs({ momentum }, { y }) {
        y.fill(0, n * n + n);
        y[n * n + n] = momentum;
      },
      directOutput({ masses, caught }, { y }, output) {
        y.fill(0, output === 0 ? 0 : n * n, output === 0 ? n * n : n * n + n);
        if (output === 0) for (const [k, own] of masses.entries()) y[k * n + k] = own;
        if (output === 0 && caught) y[0]! += mass;
      },
      derivatives: (_, { dx }) => {
        dx.fill(speed);
      },
      event(memory, event) {
        if (!event.due) return;
        memory.caught = true;
        memory.momentum += mass * (event.point.u[n]! - speed);
        event.restart();
      },
    };
    return {
      builtIn: builtIn as BuiltIn,
      variables: [
        { name: 'M', dims: [n, n] },
        { name: 'h', dims: [n] },
        { name: 'k', dims: [n] },
      ],
      equations: parts.map((part, i) => ({
        part,
        terms: [
          { sign: -1, factors: [{ name: `${part.path}.f` }] },
          ...parts.map((other, j) => ({
            sign: 1 as const,
            factors: [{ name: 'M', index: [i + 1, j + 1] }, { name: `${other.path}.a` }],
          })),
          { sign: 1, factors: [{ name: 'h', index: [i + 1] }] },
          { sign: 1, factors: [{ name: 'k', index: [i + 1], derivative: true }] },
        ],
      })),
    };
  },
};

const slider: BuiltInPart = { name: 'slider', inputs: ['x', 'v', 'a', 'f'], whole: line };

const classes = `
  model Slider
    parameter Real m = 1;
    Real x, v, a, f;
  equation
    v = der(x);
    a = der(v);
    annotation(__Mutabor(builtIn = "slider"));
  end Slider;`;

function run(model: string, stopTime = 2) {
  const library = loadText(`${classes}\n${model}`);
  const flat = flatten(instantiate(library, 'Test').root!, library, [slider]);
  expect(flat.diagnostics).toEqual([]);
  return simulate(flat.model!, { stopTime, tolerance: 1e-10 });
}

test('forces of the model act through the matrix of the whole', async () => {
  const { table } = await run(
    `
    model Test
      Slider s1(m = 2, f = 6, x(start = 0, fixed = true), v(start = 1, fixed = true));
      Slider s2(m = 5, f = -10, x(start = 0, fixed = true), v(start = 0, fixed = true));
    end Test;`,
    0.9,
  );
  expect(table.value('s1.x', 0.9)).toBeCloseTo(0.9 + (3 * 0.81) / 2, 9);
  expect(table.value('s2.v', 0.9)).toBeCloseTo(-1.8, 9);
});

test('a coordinate that is given needs a force, by reduction of the index', async () => {
  const { table } = await run(
    `
    model Test
      Slider s1(m = 2, x = sin(time));
      Slider s2(m = 5, x = 3*s1.x);
    end Test;`,
    0.9,
  );
  expect(table.value('s2.f', 0.9)).toBeCloseTo(-15 * Math.sin(0.9), 9);
});

test('what is caught brings its momentum, and what is geared to the catcher takes part in it', async () => {
  const { table, impulses } = await run(`
    model Test
      Slider s1(m = 4, x(start = 0, fixed = true), v(start = -1, fixed = true));
      Slider s2(m = 5);
      Real f(start = 0);
    equation
      s2.x = 2*s1.x;
      s1.f = -2*f;
      s2.f = f;
    end Test;`);
  // Along s1 the masses count 4 + 2^2 5 = 24, and the body 2.
  const after = (24 * -1 + mass * speed) / 26;
  expect(table.value('s1.v', 1.5)).toBeCloseTo(after, 9);
  expect(table.value('s2.v', 1.5)).toBeCloseTo(2 * after, 9);
  const own = impulses.find(({ variable }) => variable === 'f');
  expect(own?.weight).toBeCloseTo(5 * 2 * (after + 1), 9);
});
