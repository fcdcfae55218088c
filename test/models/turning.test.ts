/**
 * Dry friction where a mechanism turns: a piston in its dead centre stands still for an instant, but nothing holds the crank. Against one degree of freedom,
 * stepped here.
 */
import { describe, expect, test } from 'vitest';
import { loadModel, loadText, type SimulationResult, simulate } from '../../src/index.ts';
import { close, library } from './notation.ts';

/** What follows from the angle of the crank: inertia about its axis, potential energy, and how the braked joint moves with it. */
interface Place {
  readonly inertia: number;
  readonly potential: number;
  readonly ratio: number;
  /** The braked joint and the other ones, with their changes by the angle. */
  readonly joints: Readonly<Record<string, readonly [number, number]>>;
}

type Mechanism = (phi: number) => Place;

const { sin, cos, abs, sign, hypot, atan2, acos, asin } = Math;
const barInertia = (length: number) => 0.001 + length ** 2 / 12;

/** Crank of 0.3 m, rod of 1 m, piston of 2 kg; a rotor turns with the crank. */
function piston(rotor: number, gravity: number): Mechanism {
  const [a, b] = [0.3, 1];
  return (phi) => {
    const rod = asin((-a * sin(phi)) / b);
    const turn = (-a * cos(phi)) / (b * cos(rod));
    const ratio = -a * sin(phi) - b * turn * sin(rod);
    const [vx, vy] = [-a * sin(phi) - (b / 2) * turn * sin(rod), a * cos(phi) + (b / 2) * turn * cos(rod)];
    const bars = barInertia(a) + a ** 2 / 4 + vx ** 2 + vy ** 2 + barInertia(b) * turn ** 2;
    return {
      inertia: bars + 2 * ratio ** 2 + rotor,
      potential: gravity * ((3 / 2) * a * sin(phi) + (b / 2) * sin(rod)),
      ratio,
      joints: {
        j2: [rod - phi, turn - 1],
        j3: [a * cos(phi) + b * cos(rod), ratio],
        j4: [-rod, -turn],
      },
    };
  };
}

/** Four bars, whose rocker goes to and fro while the crank turns. */
function rocker(rotor: number, gravity: number): Mechanism {
  const [a, b, c, ground] = [0.5, 1.2, 1, 1.4];
  return (phi) => {
    const [x, y] = [a * cos(phi), a * sin(phi)];
    const d = hypot(ground - x, y);
    const rod = atan2(-y, ground - x) + acos((b * b + d * d - c * c) / (2 * b * d));
    const swing = atan2(y + b * sin(rod), x + b * cos(rod) - ground);
    const det = b * c * (sin(rod) * cos(swing) - cos(rod) * sin(swing));
    const turn = (a * c * (cos(phi) * sin(swing) - sin(phi) * cos(swing))) / det;
    const ratio = (a * b * (cos(phi) * sin(rod) - sin(phi) * cos(rod))) / det;
    const [vx, vy] = [-y - (b / 2) * turn * sin(rod), x + (b / 2) * turn * cos(rod)];
    const bars = barInertia(a) + a ** 2 / 4 + vx ** 2 + vy ** 2 + barInertia(b) * turn ** 2;
    return {
      inertia: bars + (barInertia(c) + c ** 2 / 4) * ratio ** 2 + rotor,
      potential: gravity * ((3 / 2) * y + (b / 2) * sin(rod) + (c / 2) * sin(swing)),
      ratio,
      joints: { j2: [rod - phi, turn - 1], j3: [swing, ratio], j4: [swing - rod, ratio - turn] },
    };
  };
}

/** The derivative by differences of sixth order. */
function slope(f: (x: number) => number, x: number): number {
  const h = 4e-3;
  const pair = (k: number) => f(x + k * h) - f(x - k * h);
  return (45 * pair(1) - 9 * pair(2) + pair(3)) / (60 * h);
}

interface Motion {
  readonly phi: number;
  readonly w: number;
  /** When the crank comes to rest for good. */
  readonly rest?: number;
  /** How often the braked joint turns. */
  readonly turns: number;
}

/** Steps of Runge and Kutta; they end where the braked joint turns. `from` is when the friction begins. */
function stepped(
  mechanism: Mechanism,
  phi: number,
  w: number,
  force: number,
  stop: number,
  from = 0,
): Motion {
  const accelerated = (p: number, u: number, friction: number): number => {
    const { inertia, ratio } = mechanism(p);
    const bend = slope((q) => mechanism(q).inertia, p) / 2;
    return (-bend * u * u - slope((q) => mechanism(q).potential, p) - friction * ratio) / inertia;
  };
  const step = (p: number, u: number, h: number, f: number): [number, number] => {
    const a1 = accelerated(p, u, f);
    const [u2, u3] = [u + (h / 2) * a1, u + (h / 2) * accelerated(p + (h / 2) * u, u + (h / 2) * a1, f)];
    const a2 = accelerated(p + (h / 2) * u, u2, f);
    const a3 = accelerated(p + (h / 2) * u2, u3, f);
    const u4 = u + h * a3;
    const a4 = accelerated(p + h * u3, u4, f);
    return [p + (h / 6) * (u + 2 * u2 + 2 * u3 + u4), u + (h / 6) * (a1 + 2 * a2 + 2 * a3 + a4)];
  };
  let [p, u, t, turns] = [phi, w, 0, 0];
  let direction = sign(mechanism(p).ratio * u);
  while (t < stop - 1e-12) {
    const isFree = t < from - 1e-12;
    const friction = isFree ? 0 : force;
    const whole = Math.min(5e-4, (isFree ? from : stop) - t);
    const end = (h: number) => step(p, u, h, direction * friction);
    const isTurned = ([q, v]: [number, number]) => mechanism(q).ratio * v * direction < 0;
    let h = whole;
    if (isTurned(end(whole))) {
      for (let [low, k] = [0, 0]; k < 60; k++) {
        const middle = (low + h) / 2;
        if (isTurned(end(middle))) h = middle;
        else low = middle;
      }
    }
    [p, u] = end(h);
    t += h;
    if (h === whole) continue;
    turns++;
    direction = -direction;
    if (abs(u) > 1e-6) continue;
    // The crank itself has come to rest: the friction holds it, or it goes back.
    const needed = -slope((q) => mechanism(q).potential, p) / mechanism(p).ratio;
    if (abs(needed) <= friction) return { phi: p, w: 0, rest: t, turns };
    [u, direction] = [0, sign(needed)];
  }
  return { phi: p, w: u, turns };
}

/** The same from bodies; `flanges` are joints with flanges, `braked` says what acts on j3. */
function text(
  kind: 'piston' | 'rocker',
  mechanism: Mechanism,
  phi: number,
  w: number,
  flanges: readonly string[],
  gravity: number,
  braked: string,
): string {
  const { joints } = mechanism(phi);
  const joint = (name: string, of: string): string => {
    const [q, ratio] = name === 'j1' ? [phi, 1] : joints[name]!;
    const isSlide = name === 'j3' && kind === 'piston';
    const flanged = flanges.includes(name);
    const [c, s] = isSlide ? ['s', 'v'] : ['phi', 'w'];
    const fixed = flanged ? `, ${c}(fixed = true), ${s}(fixed = true)` : '';
    const type = `${isSlide ? 'Prismatic' : 'Revolute'}${flanged ? 'WithFlange' : ''}`;
    const axis = isSlide ? 'axis = {1, 0, 0}, ' : '';
    return `${type} ${name}(${axis}${of}, ${c}0 = ${q}, ${s}0 = ${ratio * w}${fixed});`;
  };
  const bar = (name: string, length: number): string => {
    const inertia = barInertia(length);
    return `Object3D ${name}(mass = 1, centre = {${length / 2}, 0, 0}, inertia = diagonal({0.001, ${inertia}, ${inertia}}));
      Object3D ${name}E(parent = "${name}", translation = {${length}, 0, 0});`;
  };
  const bodies =
    kind === 'piston'
      ? `${bar('A', 0.3)} ${bar('B', 1)} Object3D P(mass = 2, inertia = 0.1*identity(3));
         ${joint('j3', 'obj1 = "world", obj2 = "P"')} ${joint('j4', 'obj1 = "BE", obj2 = "P"')}`
      : `${bar('A', 0.5)} ${bar('B', 1.2)} ${bar('C', 1)} Object3D pivot(parent = "world", translation = {1.4, 0, 0});
         ${joint('j3', 'obj1 = "pivot", obj2 = "C"')} ${joint('j4', 'obj1 = "BE", obj2 = "CE"')}`;
  const rotor = flanges.includes('j1');
  return `model Turning
    import Mutabor.Bodies.*; import Mutabor.Rotational; import Mutabor.Translational;
    World world(g = ${gravity}, direction = {0, -1, 0});
    ${joint('j1', 'obj1 = "world", obj2 = "A"')} ${joint('j2', 'obj1 = "AE", obj2 = "B"')}
    ${bodies}
    ${rotor ? 'Rotational.IdealGear gear(ratio = 2); Rotational.Inertia rotor(J = 0.2);' : ''}
    ${braked}
    connect(brake.flange_a, j3.flange);
    ${rotor ? 'connect(j1.flange, gear.flange_b); connect(gear.flange_a, rotor.flange_b);' : ''}
  end Turning;`;
}

async function run(model: string, stopTime: number, tolerance: number): Promise<SimulationResult> {
  const loaded = loadModel(loadText(model, 'Turning.mo', library()), 'Turning');
  const result = await simulate(loaded, { stopTime, tolerance, intervals: 10 });
  expect(result.diagnostics).toEqual([]);
  expect(result.status).toBe('done');
  expect(result.impulses).toEqual([]);
  return result;
}

const tolerances = [1e-4, 1e-6, 1e-8, 1e-10];
/** Of the mechanism whose beginning is found most quickly. */
const manyTolerances = [...tolerances, 1e-5, 3e-7, 1e-7, 3e-8, 3e-9, 1e-9];
const slip = (force: number) => `Translational.Friction brake(f_slip = ${force}); equation`;
const bearing = (force: number) => `Rotational.BearingFriction brake(tau_friction = ${force}); equation`;
const late = (force: number) =>
  `Rotational.Brake brake(tau_max = ${force}); equation brake.pressure = if time > 0.5 then 1 else 0;`;

describe.each([
  { name: 'friction of a piston', kind: 'piston', flanges: ['j3'], phi: 0.7, force: 1, brake: slip },
  {
    name: 'friction of a piston, a rotor',
    kind: 'piston',
    flanges: ['j1', 'j3'],
    phi: 0.7,
    force: 1,
    brake: slip,
  },
  { name: 'and gravity', kind: 'piston', flanges: ['j1', 'j3'], phi: 0.7, force: 1, g: 9.81, brake: slip },
  { name: 'friction of a rocker', kind: 'rocker', flanges: ['j3'], phi: 1, force: 0.5, brake: bearing },
  {
    name: 'friction of a rocker, a rotor',
    kind: 'rocker',
    flanges: ['j1', 'j3'],
    phi: 1,
    force: 0.5,
    brake: bearing,
  },
  {
    name: 'a brake of a rocker',
    kind: 'rocker',
    flanges: ['j1', 'j3'],
    phi: 1,
    force: 2,
    g: 9.81,
    from: 0.5,
    brake: late,
  },
] as const)('$name', ({ kind, flanges, phi, force, brake, ...more }) => {
  const { g = 0, from = 0 } = more as { readonly g?: number; readonly from?: number };
  const hasRotor = flanges.includes('j1' as never);
  const mechanism = (kind === 'piston' ? piston : rocker)(hasRotor ? 0.8 : 0, g);
  const expected = stepped(mechanism, phi, 6, force, 3, from);
  const model = text(kind, mechanism, phi, 6, flanges, g, brake(force));

  test.each(kind === 'rocker' && !hasRotor ? manyTolerances : tolerances)(
    'goes on in the other direction, tolerance %f',
    async (tolerance) => {
      const { table, modes } = await run(model, 3, tolerance);
      expect(expected.turns).toBeGreaterThan(3);
      expect(modes.length).toBe(1 + expected.turns);
      close(table.value('A.w[3]', 3), expected.w, 100 * tolerance);
    },
  );
});

describe('a crank that stops', () => {
  test.each([1e-4, 1e-6, 1e-8, 1e-10])('stays where it is, tolerance %f', async (tolerance) => {
    const mechanism = piston(0.8, 0);
    const expected = stepped(mechanism, 0.7, 6, 12, 4);
    const model = text('piston', mechanism, 0.7, 6, ['j1', 'j3'], 0, slip(12));
    const { table, modes } = await run(model, 4, tolerance);
    expect(expected.turns).toBe(3);
    expect(modes.at(-1)!.signature).toBe('not brake.forward, not brake.backward');
    close(modes.at(-1)!.from, expected.rest!, 100 * tolerance);
    close(table.value('j1.phi', 4), expected.phi, 100 * tolerance);
    expect(abs(table.value('A.w[3]', 4))).toBeLessThan(100 * tolerance);
  });

  test('is held against gravity, or goes back', async () => {
    for (const force of [2, 40]) {
      const mechanism = rocker(0.8, 9.81);
      const expected = stepped(mechanism, 1, 3, force, 3, 0.5);
      const model = text('rocker', mechanism, 1, 3, ['j1', 'j3'], 9.81, late(force));
      const { table, modes } = await run(model, 3, 1e-8);
      expect(expected.rest !== undefined).toBe(force === 40);
      if (expected.rest !== undefined) close(modes.at(-1)!.from, expected.rest);
      close(table.value('j1.phi', 3), expected.phi);
      expect(table.value('A.w[3]', 3)).toBeCloseTo(expected.w, 5);
    }
  });
});

/** Yokes on one shaft, x = 0.3 cos(phi - offset): energy and the way of each mass say how fast the shaft turns. */
describe('yokes as equations', () => {
  const way = (phi: number): number => {
    const half = Math.floor(phi / Math.PI);
    return 0.3 * (2 * half + 1 - cos(phi - half * Math.PI));
  };

  test.each([
    ['one', [0]],
    ['two that turn at one instant', [0, Math.PI]],
    ['three', [0, 2, 4]],
    ['five', [0, 0.3, 0.9, 2, 2.5]],
  ])('%s', async (_, offsets) => {
    const model = `model Turning
      import Mutabor.Rotational; import Mutabor.Translational;
      model Yoke
        parameter Real offset = 0;
        Rotational.Flange shaft; Translational.Flange rod;
      equation
        rod.s = 0.3*cos(shaft.phi - offset);
        shaft.tau = 0.3*sin(shaft.phi - offset)*rod.f;
      end Yoke;
      Rotational.Inertia fly(J = 0.5, phi(start = 0.7, fixed = true), w(start = 6, fixed = true));
      ${offsets.map((offset, k) => `Yoke y${k}(offset = ${offset}); Translational.Mass m${k}; Translational.Friction b${k}(f_slip = 0.3);`).join('\n')}
    equation
      ${offsets.map((_, k) => `connect(fly.flange_b, y${k}.shaft); connect(y${k}.rod, m${k}.flange_a); connect(m${k}.flange_b, b${k}.flange_a);`).join('\n')}
    end Turning;`;
    for (const tolerance of [1e-6, 1e-8, 1e-10]) {
      const { table } = await run(model, 3, tolerance);
      const [phi, w] = [table.value('fly.phi', 3), table.value('fly.w', 3)];
      const energy = (p: number, u: number) =>
        offsets.reduce((sum, offset) => sum + (0.3 * sin(p - offset) * u) ** 2 / 2, (0.5 * u * u) / 2);
      const lost = offsets.reduce((sum, o) => sum + 0.3 * (way(phi - o) - way(0.7 - o)), 0);
      expect(phi).toBeGreaterThan(10);
      close(energy(phi, w), energy(0.7, 6) - lost, 100 * tolerance);
    }
  });
});
