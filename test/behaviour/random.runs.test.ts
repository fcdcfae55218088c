/** Runs of one simulation object with random values: each gives, bit by bit, what it gives alone. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instantiate, loadModel, loadText, type Merge, type MergeValue, simulate } from '../../src/index.ts';
import { library as ownLibrary } from '../models/notation.ts';
import { outcome } from '../outcome.ts';

/** Models with what a run could leave behind; the numbers are parameters that may be changed. */
const texts: Record<string, string> = Object.fromEntries(
  readdirSync(new URL('../../examples/', import.meta.url))
    .filter((name) => name.endsWith('.mo'))
    .map((name) => [
      name.replace('.mo', ''),
      readFileSync(new URL(`../../examples/${name}`, import.meta.url), 'utf8'),
    ])
    // Contact with values at random takes too long; `test/bodies/contact/elastic.test.ts` has given ones.
    .filter(([, text]) => !text!.includes('contact = true')),
);

const library = (text: string) => loadText(text, 'example.mo', ownLibrary());

describe.each(Object.keys(texts))('%s', (name) => {
  const text = texts[name]!;

  test('a run gives what it gives alone, whatever ran before', async () => {
    const simulation = instantiate(library(text));
    const changeable = simulation
      .parameters()
      .filter((p) => p.type === 'Real' && p.dims.length === 0 && !p.structural && p.declared !== undefined)
      .filter(({ name }) => !simulation.model.variables.find((v) => v.name === name)?.locked?.value);
    const factor = fc.constantFrom(0, 0.5, 0.9, 1.1, 1.3);
    const merges = fc.dictionary(fc.constantFrom(...changeable.map(({ name }) => name), 'none'), factor, {
      maxKeys: 3,
    });
    const values = (factors: Record<string, number>): Merge => {
      const entries = Object.entries(factors).flatMap(([name, by]): [string, MergeValue][] => {
        const parameter = changeable.find((p) => p.name === name);
        return parameter ? [[name, (parameter.value as number) * by]] : [];
      });
      return Object.fromEntries(entries);
    };
    await fc.assert(
      fc.asyncProperty(fc.array(merges, { minLength: 2, maxLength: 2 }), async (series) => {
        for (const factors of series) {
          const merge = values(factors);
          const options = { intervals: 20 };
          const again = outcome(await simulation.simulate({ ...options, merge }));
          expect(again).toEqual(outcome(await instantiate(library(text)).simulate({ ...options, merge })));
          const flat = loadModel(library(text), undefined, merge as Record<string, number>);
          expect(again).toEqual(outcome(await simulate(flat, options)));
        }
      }),
      { numRuns: 1 },
    );
  });
});

/** What a run could leave behind, feature by feature, with the values that may be merged. */
const features: Record<
  string,
  { readonly text: string; readonly values: Record<string, readonly MergeValue[]> }
> = {
  'conditions that parameters decide': {
    text: `model Conditions
      parameter Boolean open = true, fast = false;
      type Kind = enumeration(linear, cubic);
      parameter Kind kind = Kind.linear;
      parameter Integer n = 2;
      parameter Real x0 = 1;
      Real x(start = 1), y, z(start = 0);
    equation
      if open then der(x) = -x; y = 2*x; else x = cos(time); der(y) = x; end if;
      z + (if kind == Kind.cubic then z^3 else n*z) = if fast then x else y;
    initial equation
      if open then x = x0; else y = x0; end if;
    end Conditions;`,
    values: {
      open: [true, false],
      fast: [true, false],
      kind: ['linear', 'cubic'],
      n: [0, 1, 3],
      x0: [0, 0.5],
      'z.start': [0.5, 1],
    },
  },
  'conditions that become structural while running': {
    text: `model Promoted
      parameter Real level = 0.5, c = 1, d = 0.2;
      Real x(start = 0, fixed = true), v(start = 1, fixed = true), a, b;
    equation
      der(x) = v;
      der(v) = -a;
      a + b = c*x;
      b = if x > level then d*a else d*v;
    end Promoted;`,
    values: { level: [0.2, 0.5, 2], c: [0, 1, 4], d: [0, 0.2, 0.5], 'x.start': [0, 0.6], 'v.start': [1, -1] },
  },
  'state machines': {
    text: `model Machine
      parameter Real up = 1, down = -2, top = 1, bottom = 0.2;
      inner Real x(start = 0.3, fixed = true);
      model State
        outer output Real x;
        parameter Real rate = 1;
        Real y(start = 5, fixed = true);
      equation
        der(x) = rate;
        der(y) = -y;
      end State;
      State rising(rate = up), falling(rate = down);
    equation
      initialState(rising);
      transition(rising, falling, x > top);
      transition(falling, rising, x < bottom);
    end Machine;`,
    values: {
      up: [0.5, 1, 3],
      down: [-2, -5],
      top: [0.8, 1],
      'x.start': [0.3, 0.9],
      'rising.rate': [2],
      'falling.y.start': [1],
    },
  },
  clocks: {
    text: `model Clocked
      parameter Real period = 0.1, k = 2, r = 1;
      Real x(start = 0, fixed = true), xd, u, i(start = 0);
    equation
      xd = sample(x, Clock(period));
      i = previous(i) + k*(r - xd);
      u = hold(i);
      der(x) = -x + u;
    end Clocked;`,
    values: { k: [0, 1, 2], r: [0, 1, -1], 'x.start': [0, 0.5], 'i.start': [0, 1] },
  },
  'free parameters': {
    text: `model Free
      parameter Real m(fixed = false, start = 1), goal = 3;
      parameter Real w = 2;
      Real x(start = 1, fixed = true), y(start = 0.1);
    equation
      m*der(x) = -w*x;
      y + y^3 = m*x;
    initial equation
      m*goal = w;
    end Free;`,
    values: { goal: [1, 3, -2], w: [1, 2, 4], 'x.start': [1, 2], 'y.start': [0, 1] },
  },
  'states that are chosen while running': {
    text: `model Pendulum
      parameter Real L = 1, g = 9.81, phi = 1;
      Real x(start = L*sin(phi)), y(start = -L*cos(phi)), vx(start = 0), vy, F;
    equation
      der(x) = vx; der(y) = vy; der(vx) = -F*x; der(vy) = -F*y - g; x^2 + y^2 = L^2;
    end Pendulum;`,
    values: { L: [0.5, 1, 2], phi: [0.5, 1, 3], g: [9.81, 1.62], 'vx.start': [0, 5] },
  },
  'gears, whose ratio decides about states': {
    text: `model Gear
      parameter Real ratio = 2, J1 = 1, J2 = 1, tau = 1;
      Real phi1(start = 0), w1(start = 0), phi2, w2, t1, t2;
    equation
      phi1 = ratio*phi2; ratio*t1 = -t2; der(phi1) = w1; der(phi2) = w2; J1*der(w1) = tau - t1; J2*der(w2) = -t2;
    end Gear;`,
    values: { ratio: [0.001, 2, -3, 1000, 0], J1: [1, 2], J2: [0, 1], tau: [0, 1] },
  },
  'events, impacts and remembered values': {
    text: `model Impact
      parameter Real e = 0.7, g = 9.81, T = 0.1;
      Real h(start = 1, fixed = true), v(start = 0, fixed = true);
      Integer n(start = 0, fixed = true);
      discrete Real best(start = 0, fixed = true);
    equation
      der(h) = v; der(v) = -g;
      when h < 0 then reinit(v, -e*pre(v)); n = pre(n) + 1; end when;
      when sample(0, T) then best = max(pre(best), h); end when;
    end Impact;`,
    values: {
      e: [0, 0.7, 0.9],
      g: [1.62, 9.81],
      T: [0.07, 0.1],
      'h.start': [0.5, 1],
      'n.start': [0, 10],
      'best.start': [3],
    },
  },
};

describe.each(Object.keys(features))('%s', (name) => {
  const { text, values } = features[name]!;

  test('leave nothing behind', async () => {
    const simulation = instantiate(text);
    const merges = fc.record(
      Object.fromEntries(Object.entries(values).map(([key, list]) => [key, fc.constantFrom(...list)])),
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(merges, { minLength: 3, maxLength: 5 }), async (series) => {
        for (const merge of series as Merge[]) {
          const options = { merge, intervals: 20, stopTime: 1.5 };
          const again = outcome(await simulation.simulate(options));
          expect(again).toEqual(outcome(await instantiate(text).simulate(options)));
        }
      }),
      { numRuns: 2 },
    );
    expect((await simulation.simulate()).status).toBe('done');
  });
});
