/**
 * The examples that the literature on varying structure gives, as they are shipped, against closed forms and the numbers of
 * independent computations: figures 1 to 15 of Elmqvist, Mattsson and Otter (2014), example 1 of Urquia and Dormido
 * (2003), and the rocket and the gripper of segmented simulation.
 */
import { describe, expect, test } from 'vitest';
import type { SimulationResult } from '../../src/index.ts';
import { close, done, example, run } from './notation.ts';

/** Signature, number of states and index of the modes that were visited. */
const visited = ({ modes }: SimulationResult) => modes.map((m) => [m.signature, m.states.length, m.index]);
const weight = ({ impulses }: SimulationResult, name: string) =>
  impulses.find((i) => i.variable === name)!.weight;

/** Value and rate of x'' + d x' + c x = 0 after a time, below critical damping. */
function oscillate(c: number, d: number, x: number, v: number, t: number): [number, number] {
  const decay = d / 2;
  const w = Math.sqrt(c - decay ** 2);
  const amplitude = (v + decay * x) / w;
  const [sin, cos] = [Math.sin(w * t), Math.cos(w * t)];
  const value = Math.exp(-decay * t) * (x * cos + amplitude * sin);
  return [value, Math.exp(-decay * t) * w * (amplitude * cos - x * sin) - decay * value];
}

function root(f: (t: number) => number, low: number, high: number): number {
  for (let k = 0; k < 100; k++) {
    const t = (low + high) / 2;
    if (f(t) < 0 === f(low) < 0) low = t;
    else high = t;
  }
  return high;
}

describe('causal states', () => {
  test('figure 1: states that have nothing in common', async () => {
    const result = await done(example('UnrelatedStates'), { model: 'UnrelatedStates' });
    const { table } = result;
    close(table.value('state1.p', 1.5, 'before'), Math.cos(1.5));
    close(table.value('state2.x3', 2.5), 0.8753479805);
    expect(table.value('state1.q', 2)).toBeNaN();
    expect(visited(result)).toEqual([
      ['state1', 2, 0],
      ['state2', 3, 0],
    ]);
  });

  test('figure 10: blocks with inputs and outputs', async () => {
    const result = await done(example('FirstSecondOrder'), { intervals: 150 });
    const { table } = result;
    close(table.value('sink.u', 0.5), 0.8111243972);
    for (const [t, y] of [
      [0.6, 0.8791035691],
      [0.8, 1.0430857245],
      [1, 1.0143710172],
      [1.5, 1.0029558451],
    ] as const) {
      const [error] = oscillate(100, 8, -Math.exp(-0.5 / 0.3), 0, t - 0.5);
      close(1 + error, y, 1e-9);
      close(table.value('sink.u', t), y);
    }
    close(table.value('secondOrder.yd', 0.5, 'after'), 0);
    expect(visited(result)).toEqual([
      ['firstOrder', 1, 1],
      ['secondOrder', 2, 1],
    ]);
    expect(result.impulses).toEqual([]);
  });
});

describe('electrical states', () => {
  test('figure 5: two machines side by side, and a diode', async () => {
    const result = await done(example('TwoMachines'), { intervals: 1200 });
    const { table } = result;
    const w = 4 * Math.PI;
    const source = (t: number) => 5 * Math.sin(w * t);
    /** The capacitor fed by a resistance to the source: C v' = (u - v)/1, u from the currents at the node. */
    const driven = (resistance: number, from: number, v: number, t: number) => {
      const g = 1 / resistance;
      const b = (20 * (g + 0.1)) / (g + 1.1);
      const a = (20 * g * 5) / (g + 1.1) / (b ** 2 + w ** 2);
      const forced = (s: number) => a * (b * Math.sin(w * s) - w * Math.cos(w * s));
      return forced(t) + (v - forced(from)) * Math.exp(-b * (t - from));
    };
    /** The diode blocks when the current from the source ends. */
    const blocks = (from: number, v: number) =>
      root((t) => 1.1 * source(t) - driven(1, from, v, t), from + 1e-3, from + 0.24);
    const discharge = (from: number, v: number, t: number) => v * Math.exp((-20 / 11) * (t - from));

    const first = blocks(0, 0);
    const kept = discharge(first, driven(1, 0, 0, first), 0.3);
    const second = blocks(0.7, kept);
    const atSecond = driven(1, 0.7, kept, second);
    const broken = discharge(second, atSecond, 0.9);
    for (const [t, value, listed] of [
      [0.1, driven(1, 0, 0, 0.1), 1.8659051],
      [0.2, driven(1, 0, 0, 0.2), 3.1792382],
      [0.8, discharge(second, atSecond, 0.8), 2.2321055],
      [0.9, broken, 1.8610245],
      [1.2, driven(1001, 0.9, broken, 1.2), 1.0814367],
    ] as const) {
      close(value, listed, 1e-5);
      close(table.value('c.vC', t), value);
    }
    close(table.value('c.vC', 0.3, 'before'), 2.6509039);
    expect(table.value('c.vC', 0.5)).toBeNaN();
    close(table.value('c.vC', 0.7, 'after'), kept);
    close(table.value('load.v', 0.6), source(0.6) / (1 + 1 / (2 + 0.1)) / (2 + 0.1));
    close(table.value('load.v', 0.6), 1.5339621);

    expect(result.modes.map((m) => [m.states.length, m.index])).toEqual([
      [1, 1],
      [1, 1],
      [0, 1],
      [0, 1],
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    for (const [k, t] of [0, first, 0.3, 0.5, 0.7, second, 0.9].entries())
      close(result.modes[k]!.from, t, 1e-6);
    expect(result.modes[3]!.signature).toBe('diode, r2, not diode.off');
    expect(result.modes[6]!.signature).toMatch(/^brokenDiode, c/);
    expect(result.impulses).toEqual([]);
  });

  test('figures 7 and 8: a state machine and a switch give the same', async () => {
    const machine = await done(example('ReplacedCapacitor'), { model: 'ReplacedCapacitor.Machine' });
    const switched = await done(example('ReplacedCapacitor'), { model: 'ReplacedCapacitor.Switched' });
    for (const { table } of [machine, switched]) {
      close(table.value('r1.n.v', 0.2), 10 * (1 - Math.exp(-2)));
      close(table.value('r1.n.v', 0.5, 'before'), 9.93262053);
      close(table.value('r1.n.v', 0.5, 'after'), 10 / 3);
      close(table.value('r1.i', 0.5, 'after'), 2 / 3);
    }
    expect(visited(machine)).toEqual([
      ['c', 1, 1],
      ['r2', 0, 1],
    ]);
    // Beside the switch, the capacitor remains: it discharges into the small conductance.
    expect(switched.modes.map((m) => m.states.length)).toEqual([1, 1]);
  });

  test.each([
    [true, 4.9277319379, 9.8190519429],
    [false, 2.2239839474, 9.7225984551],
  ])('figure 14: parallel capacitors, history = %s', async (history, after, final) => {
    const result = await done(example('ParallelCapacitors'), { set: { history } });
    const { table } = result;
    close(table.value('c2.v', 0.5), 8.1112439716);
    close(table.value('c2.v', 1, 'before'), 3.335975921);
    close(table.value('c2.v', 1, 'after'), after);
    close(table.value('c1.v', 2), final);
    close(weight(result, 'c1.i'), -2e-3 * (after - 3.335975921));
    if (history) close(weight(result, 'c1.i'), -3.1835120337e-3);
    expect(visited(result)).toEqual([
      ['c1', 1, 2],
      ['r2', 1, 1],
      ['c1', 1, 2],
    ]);
  });
});

describe('mechanical states', () => {
  test('figure 12: an inertia breaks in two', async () => {
    const result = await done(example('BreakingInertia'));
    const { table } = result;
    const [sway, w] = oscillate(1000 / 12, 2 / 12, -0.01, 0, 0.5);
    const phi = 0.01 + sway;
    close(phi, 0.01150316);
    close(w, -0.0866051);
    close(table.value('inertia3.phi', 0.5, 'before'), phi);
    close(table.value('inertia3.w', 0.5, 'before'), w);
    close(table.value('inertia3.w', 0.5, 'after'), w);
    close(table.value('state2.inertia2a.phi', 0.5, 'after'), phi);
    close(table.value('state2.inertia2b.phi', 0.5, 'after'), phi);
    close(table.value('state2.inertia2b.w', 0.5, 'after'), w);
    const free = phi + w / 2 + 10 / 11 / 8;
    close(free, 0.08183697);
    close(table.value('inertia3.phi', 1), free);
    close(table.value('inertia3.w', 1), w + 5 / 11);
    close(w + 5 / 11, 0.36794036);
    const [phi2b, w2b] = oscillate(1000, 2, phi, w, 0.5);
    close(table.value('state2.inertia2b.phi', 1), phi2b);
    close(table.value('state2.inertia2b.w', 1), w2b);
    close(phi2b, -0.00680777, 2e-6);
    close(w2b, 0.07318345, 1e-5);
    expect(visited(result)).toEqual([
      ['state1', 2, 3],
      ['state2', 4, 3],
    ]);
    expect(result.impulses).toEqual([]);
  });

  const attached = (
    constraint: string,
    start: string,
  ) => `model Attached "A body that appears at 1 s beside two others"
      model Body
        Real s, v, f;
      equation
        der(s) = v;
        der(v) = f;
      end Body;
      model None end None;
      Body a(s(start = 3, fixed = true), v(start = 2, fixed = true));
      Body b(s(start = 4, fixed = true), v(start = 2, fixed = true));
      Body late${start};
      None none;
      Real f "Force between a and the new body", g "Force between b and the new body";
    equation
      a.f = f;
      b.f = g;
      if activeState(late) then
        late.f = -f - g;
        ${constraint}
      else
        f = 0;
        g = 0;
      end if;
      initialState(none);
      transition(none, late, time >= 1);
    end Attached;`;

  test('a body that appears is where it is attached, whatever its start values', async () => {
    const { table, modes, impulses } = await done(
      attached('late.s = 2*a.s; late.s = b.s + 4;', '(s(start = 7), v(start = 1))'),
      { model: 'Attached', stopTime: 2 },
    );
    // a is at 5, b at 6: one constraint places the body, the other one agrees.
    close(table.value('late.s', 1, 'after'), 10);
    // 2*a.v = late.v = b.v, and the new body brings no momentum: a.v + b.v stays 4.
    close(table.value('a.v', 1, 'after'), 4 / 3);
    close(table.value('b.v', 1, 'after'), 8 / 3);
    close(table.value('late.v', 1, 'after'), 8 / 3);
    close(table.value('late.s', 2), 10 + 8 / 3);
    expect(modes.map((m) => m.states.length)).toEqual([4, 2]);
    close(impulses.find((i) => i.variable === 'g')!.weight, 2 / 3);
  });

  test('a body that appears between bodies that do not fit is an error that names the constraint', async () => {
    const { status, diagnostics } = await run(attached('late.s = a.s; late.s = b.s;', ''), {
      model: 'Attached',
      stopTime: 2,
    });
    expect(status).toBe('failed');
    const problem = diagnostics.find((d) => d.code === 'impossible-change')!;
    expect(problem.message).toMatch(/the constraint late.s = [ab].s is violated by -?1/);
  });

  test('figure 15: a shaft breaks and is joined again', async () => {
    const result = await done(example('BreakingShaft'));
    const { table } = result;
    close(table.value('inertia1.w', 0.5), 0.5);
    close(table.value('inertia1.w', 1.5, 'before'), 2);
    close(table.value('inertia2.w', 1.5, 'before'), 0.5);
    close(table.value('inertia1.w', 1.5, 'after'), 1.5);
    close(table.value('inertia2.w', 1.5, 'after'), 1.5);
    close(table.value('inertia2.w', 2), 2);
    // Angles 1.375 and 0.625 when they are joined: what is between them stays.
    close(table.value('rejoined.offset', 2), 0.75);
    close(table.value('twist', 2), 0.75);
    close(weight(result, 'inertia2.a.tau'), 1);
    close(weight(result, 'inertia1.b.tau'), -1);
    expect(visited(result)).toEqual([
      ['joined', 2, 3],
      ['free', 4, 1],
      ['rejoined', 2, 3],
    ]);
  });

  test('a rocket with two stages', async () => {
    const result = await done(example('Rocket'));
    const { table } = result;
    close(table.value('stage1.v', 5), 75.95);
    close(table.value('stage1.h', 5), 294.0416666667);
    close(table.value('stage2.h', 5), 296.5416666667);
    // After separation the first stage is thrown upwards.
    close(table.value('stage1.h', 10, 'before'), 294.0416666667 + 5 * 75.95 - 9.81 * 12.5);
    expect(table.value('stage1.h', 12)).toBeNaN();
    close(table.value('stage2.v', 15), 77.85);
    close(table.value('stage2.h', 15), 1232.2083333333);
    expect(visited(result)).toEqual([
      ['joint, stage1', 2, 3],
      ['separated, stage1', 4, 1],
      ['separated, discarded', 2, 1],
    ]);
    expect(result.impulses).toEqual([]);
  });

  test.each([
    ['Throw', Math.PI, []],
    ['Snatch', Math.PI / 2, [['f', 2]]],
  ])('a gripper: %s', async (model, attach, impulses) => {
    const result = await done(example('Gripper'), { model: `Gripper.${model}` });
    const { table } = result;
    close(result.modes[1]!.from, attach, 1e-12);
    close(table.value('v', attach, 'after'), Math.sin(attach));
    close(table.value('x', 1.2 * Math.PI), 1 - Math.cos(1.2 * Math.PI));
    close(table.value('v', 1.5 * Math.PI, 'after'), -1);
    close(table.value('x', 2 * Math.PI), -0.5707963268);
    expect(visited(result)).toEqual([
      ['not attached', 2, 1],
      ['attached', 0, 3],
      ['not attached', 2, 1],
    ]);
    expect(result.impulses.map((i) => [i.variable, Math.round(i.weight * 1e9) / 1e9])).toEqual(impulses);
  });

  test('a train of clutches that close one after the other', async () => {
    const n = 6;
    const result = await done(
      `model Train "Inertia k is k, speed 10/k: clutch k joins the first k + 1 with momentum 10 each"
         parameter Integer n = ${n};
         Real w[n](start = {10/k for k in 1:n}, each fixed = true);
         Real tau[n + 1] "Torque between k - 1 and k";
         Boolean closed[n - 1] = {time >= k for k in 1:n - 1};
       equation
         tau[1] = 0;
         tau[n + 1] = 0;
         for k in 1:n loop
           k*der(w[k]) = tau[k] - tau[k + 1];
         end for;
         for k in 1:n - 1 loop
           if closed[k] then w[k] = w[k + 1]; else tau[k + 1] = 0; end if;
         end for;
       end Train;`,
      { stopTime: n },
    );
    const { table, modes, impulses } = result;
    for (let k = 1; k < n; k++) {
      const joint = 20 / (k + 2);
      for (let i = 1; i <= k + 1; i++) close(table.value(`w[${i}]`, k, 'after'), joint);
      const blow = impulses.find((p) => p.time === k && p.variable === `tau[${k + 1}]`)!;
      close(blow.weight, (k + 1) * joint - 10);
    }
    expect(modes.map((m) => [m.states.length, m.index])).toEqual([
      [6, 1],
      [5, 2],
      [4, 2],
      [3, 2],
      [2, 2],
      [1, 2],
    ]);
  });
});

describe('a vessel with a fluid that boils: temperature and mass of vapour take turns as state', () => {
  test('at given times', async () => {
    const result = await done(example('Recipient'), { model: 'Recipient.Forced' });
    const { table } = result;
    close(table.value('T', 10, 'before'), 310);
    close(table.value('T', 10, 'after'), 373);
    close(table.value('T', 15), 373);
    close(table.value('mvap', 20, 'before'), 40);
    close(table.value('mliq', 20, 'before'), 60);
    close(table.value('mvap', 20, 'after'), 100);
    close(table.value('T', 28), 393);
    close(table.value('T', 30, 'before'), 388);
    close(table.value('T', 30, 'after'), 373);
    close(table.value('mvap', 40), 60);
    close(table.value('mliq', 40), 40);
    expect(result.modes.map((m) => [m.signature, m.from, m.states.map((s) => s), m.index])).toEqual([
      ['liquid', 0, ['T'], 1],
      ['equilibrium', 10, ['mvap'], 1],
      ['vapour', 20, ['T'], 1],
      ['equilibrium', 30, ['mvap'], 1],
    ]);
  });

  test('where temperature and masses say so', async () => {
    const result = await done(example('Recipient'), { model: 'Recipient.Physical' });
    const { table, modes } = result;
    expect(modes.map((m) => m.signature)).toEqual([
      'liquid',
      'equilibrium',
      'vapour',
      'equilibrium',
      'liquid',
    ]);
    for (const [k, t] of [0, 73, 98, 142, 167].entries()) close(modes[k]!.from, t);
    close(table.value('T', 120), 428);
    close(table.value('T', 200), 340);
    expect(modes.map((m) => m.states)).toEqual([['T'], ['mvap'], ['T'], ['mvap'], ['T']]);
    expect(result.impulses).toEqual([]);
  });
});
