/**
 * A robot takes a piece from its plate, lifts it and puts it down again, without contact: what is held is fixed. References are final states of
 * Modia3D 0.12.3 (`published`), and those of an independent computation with right inertias (`exact`).
 */

import { describe, expect, test } from 'vitest';
import { type AnyModel, loadModel, type SimulationResult, simulate } from '../../src/index.ts';
import { expectContinuedAtRestarts, Run } from '../simulate/continued.ts';
import {
  appearing,
  atPlate,
  ball,
  cellOf,
  cube,
  grip,
  lifted,
  open,
  type Steps,
  stateNames,
} from './youbot.ts';

interface Scenario {
  readonly name: string;
  readonly piece: () => AnyModel;
  readonly run: Steps;
  readonly stopTime: number;
  /** When the piece changes hands. */
  readonly changes: readonly number[];
  readonly exact: readonly number[];
  readonly published: readonly number[];
  /** How far final states are from the references, which let a hand that moves take a piece without slowing down. */
  readonly braked?: number;
}

const scenarios: readonly Scenario[] = [
  {
    name: 'a ball is lifted twice',
    piece: () => ball(0.1792),
    *run({ attach, handOver, move }) {
      yield attach('piece', 'plate');
      yield move(atPlate(0, open), atPlate(1.04, open), atPlate(1.04, grip));
      yield handOver('piece', 'hand');
      yield move(lifted(grip), atPlate(1.04, grip), atPlate(1.04, open));
      yield handOver('piece', 'plate');
      yield move(lifted(open), atPlate(1.04, open), atPlate(1.04, grip));
      yield handOver('piece', 'hand');
      yield move(lifted(grip));
    },
    stopTime: 13.5,
    changes: [4.869576, 8.510081, 12.150585],
    exact: [
      3.14159265309, 4.2e-10, 0.06412355377, -0.38052257793, 1.50666602067, 0.38051733026, 0.08493903919,
      -0.50388170924, -2.1e-8, 1.2e-8, -1.445e-6, -0.37696907541, -0.39024017678, -0.14172504709, 4.01718e-4,
      2.92e-5, 0.04800059579, -5.9566e-7,
    ],
    published: [
      3.1415926520586592, 5.686e-9, 0.06412362163909635, -0.3805226293938952, 1.50666605638018,
      0.3805172766429968, 0.08493911074550455, -0.5038817608300088, -2.2152e-8, 1.3239e-8, 8.71794e-7,
      -0.3769087845467734, -0.39014966339476387, -0.14159770836684699, 4.1636157883e-4, 2.9200010868e-5,
      0.04800059578682383, -5.955842e-7,
    ],
  },
  {
    name: 'a cube is lifted twice',
    piece: () => cube(),
    *run({ attach, handOver, move, wait }) {
      const lift = () => move(lifted(grip), atPlate(1.057, open));
      yield attach('piece', 'plate');
      yield move(atPlate(1.057, open));
      for (const place of ['hand', 'plate', 'hand'] as const) {
        yield handOver('piece', place);
        yield wait(0.1);
        yield lift();
      }
    },
    stopTime: 11,
    changes: [2.894405, 6.352182, 9.809959],
    exact: [
      3.14159265277, 2.9e-10, 0.20679222642, -0.67861183674, 1.36400106232, 0.67860087695, 0.27833094441,
      -0.91326390983, -1.78e-8, 1.39e-8, -8.487e-6, -0.41144029039, -0.38750594474, -0.14098037632,
      4.09130931e-4, -6.15835e-5, 0.0511546743, -0.01036317767,
    ],
    published: [
      3.1415926496583433, 1.0042e-8, 0.20679231560743255, -0.678611893171294, 1.364001110627563,
      0.6786007884442663, 0.2783310416711431, -0.9132639724487994, -1.9267e-8, 1.4244e-8, -1.006e-5,
      -0.41121440225119926, -0.3873564052219396, -0.1407710255094298, 4.2250381e-4, -6.1586494e-5,
      0.051154674365589244, -0.010363185451413967,
    ],
    braked: 5e-6,
  },
  {
    name: 'a ball is carried to another place of the plate',
    piece: () => ball(0.1845),
    *run({ attach, handOver, move }) {
      const [up, down] = [Math.PI / 4 - 0.1, Math.PI / 4 - 0.015];
      yield attach('piece', 'plate');
      yield move(atPlate(0, open), atPlate(1.04, open), atPlate(1.04, grip));
      yield handOver('piece', 'hand');
      yield move(atPlate(1.04, grip, up), lifted(grip), atPlate(1.04, grip, down));
      yield move(atPlate(1.04, open, down), atPlate(1.04, open));
      yield handOver('piece', 'plate');
      yield move(lifted(open), atPlate(1.04, open), atPlate(1.04, grip));
      yield handOver('piece', 'hand');
      yield move(atPlate(1.04, grip, up), lifted(grip));
    },
    stopTime: 13.5,
    changes: [4.869576, 9.226479, 12.866983],
    exact: [
      3.14159265338, 1.7e-9, 0.68059432215, -0.0956575687, 0.79090955374, 0.10951985981, 1.03270262317,
      -0.14501151473, 1.9e-8, -3.23e-8, -1.9005e-6, -0.41641152181, -0.36369240812, -0.11241412709,
      3.54242075e-4, 6.00355e-5, 0.04800122493, -1.22459e-6,
    ],
    published: [
      3.1415926553482936, 3.94e-9, 0.6805942761756493, -0.0956576899775176, 0.7909095290954901,
      0.10951977177943406, 1.0327025673843655, -0.14501159844620148, 1.93e-8, -3.28e-8, -4.1609e-6,
      -0.41631100515552766, -0.36361306819749833, -0.1122726475747107, 3.657180323e-4, 6.003535501e-5,
      0.04800122492323228, -1.22439e-6,
    ],
  },
];

/**
 * Moments of the meshes about their origins for unit density: xx, yy, zz, xy, xz, yz. Modia3D takes these, times the mass, for moments about the centre of mass; it
 * does not turn those of the gripper, which is turned by 180° about z, into the axes of the body that carries it; and the left finger has none.
 */
const moments = {
  links: [
    [1.298127708e-6, 1.452806179e-6, 8.755747587e-7, 5.839843938e-8, 3.798913682e-8, -2.654152939e-8],
    [5.286314698e-7, 3.220831443e-6, 2.899726777e-6, -2.58114768e-8, 7.755106427e-7, 1.400274263e-8],
    [2.002478277e-6, 2.631194251e-7, 1.848420015e-6, 4.730487899e-9, 8.30871026e-10, -4.106787457e-7],
    [4.791976574e-7, 1.35129901e-7, 4.241009432e-7, 7.995355497e-10, -1.381542592e-10, -2.085786102e-9],
    [1.159599096e-7, 8.720538903e-8, 7.335989847e-8, 2.441524754e-10, -1.032709478e-9, -1.302562841e-9],
  ],
  base: [1.756559056e-7, 1.323866569e-7, 7.75665838e-8, 4.693686384e-10, -9.102680575e-11, 9.907511742e-11],
  finger: [
    1.774055377e-9, 1.745492476e-9, 2.365233507e-10, -2.154854336e-12, -5.770906862e-12, -2.287749972e-10,
  ],
} as const;

function modiaInertias(): object {
  const masses = [1.39, 1.318, 0.821, 0.769, 0.687];
  const tensor = (mass: number, [xx, yy, zz, xy, xz, yz]: readonly number[], turn: 1 | -1) => [
    [mass * xx!, mass * xy!, turn * mass * xz!],
    [mass * xy!, mass * yy!, turn * mass * yz!],
    [turn * mass * xz!, turn * mass * yz!, mass * zz!],
  ];
  const links = masses.map((mass, k) => [`link${k + 1}`, { inertia: tensor(mass, moments.links[k]!, 1) }]);
  const zero = [0, 0, 0];
  return {
    ...Object.fromEntries(links),
    gripper: {
      base: { inertia: tensor(0.199, moments.base, -1) },
      rightFinger: { inertia: tensor(0.01, moments.finger, -1) },
      leftFinger: { centre: zero, inertia: [zero, zero, zero] },
    },
  };
}

async function finalStates(
  { piece, run, stopTime }: Scenario,
  changes?: object,
  others?: object,
): Promise<SimulationResult> {
  const model = loadModel(cellOf(piece(), run, changes, others));
  const result = await simulate(model, { stopTime, tolerance: 1e-8 });
  expect(result.diagnostics).toEqual([]);
  expect(result.status).toBe('done');
  return result;
}

const statesAt = ({ table }: SimulationResult, time: number) =>
  stateNames.map((name) => table.value(name, time));

const furthest = (actual: readonly number[], expected: readonly number[]) =>
  Math.max(...expected.map((value, k) => Math.abs(actual[k]! - value)));

describe.each(scenarios)('$name', (scenario) => {
  const { stopTime, braked = 1e-6 } = scenario;

  test('with right inertias', async () => {
    const result = await finalStates(scenario);
    const off = furthest(statesAt(result, stopTime), scenario.exact);
    expect(off).toBeLessThan(braked);
    // What a part takes of the momentum of the hand is seen.
    expect(off > 1e-6).toBe(scenario.braked !== undefined);
    expect(result.segments.map(({ states }) => states)).toEqual([18, 18, 18, 18]);
    // What is attached and released is no other model: nothing is translated again.
    const { translations, modesCompiled, modeChanges, restarts } = result.statistics;
    expect([translations, modesCompiled, modeChanges, restarts]).toEqual([1, 1, 0, 4]);
    const changes = result.segments.slice(1).map(({ from }) => Number(from.toFixed(6)));
    expect(changes).toEqual(scenario.changes);
  });

  test('with the inertias that Modia3D has', async () => {
    const result = await finalStates(scenario, modiaInertias());
    expect(furthest(statesAt(result, stopTime), scenario.published)).toBeLessThan(braked);
    // Those are not the same.
    expect(furthest(scenario.exact, scenario.published)).toBeGreaterThan(1e-4);
  });
});

describe('a cube that does not slow the hand down when it is taken', () => {
  // The references conserve no momentum: a piece has the velocity of the hand from the instant on at which it is taken. So here it appears in the hand with that velocity.
  const scenario = scenarios[1]!;
  const { stopTime } = scenario;

  test.each([
    ['right inertias', undefined, scenario.exact],
    ['the inertias that Modia3D has', modiaInertias(), scenario.published],
  ])('with %s', async (_, inertias, expected) => {
    const { table, segments } = await finalStates(scenario, inertias);
    const [taken, put, again] = segments.slice(1).map(({ from }) => from) as [number, number, number];
    const place = (time: number) => [1, 2, 3].map((k) => table.value(`inHand.r[${k}]`, time));
    const others = {
      ...appearing('first', place(taken), taken, put),
      ...appearing('second', place(again), again, 100),
    };
    const stays: Steps = function* ({ attach, move, wait }) {
      yield attach('piece', 'plate');
      yield move(atPlate(1.057, open));
      for (let k = 0; k < 3; k++) {
        yield wait(0.1);
        yield move(lifted(grip), atPlate(1.057, open));
      }
    };
    const result = await finalStates({ ...scenario, run: stays }, inertias, others);
    expect(furthest(statesAt(result, stopTime), expected)).toBeLessThan(1e-6);
  });
});

test('a run of the robot goes on from its state, also where the ball changes hands', () => {
  const anywhere = { reach: 2, speed: 5, turn: 5 };
  const cell = cellOf(ball(0.1845), function* ({ attach, handOver, wait }) {
    yield attach('piece', 'plate');
    yield wait(0.05);
    yield handOver('piece', 'hand', anywhere);
    yield wait(0.05);
    yield handOver('piece', 'plate', anywhere);
  });
  expectContinuedAtRestarts(new Run(loadModel(cell), { stopTime: 0.15 }), 2);
});

test.each([-3, 1e5])('a program begins with its run, at %s s', async (startTime) => {
  const cell = cellOf(ball(0.1845), function* ({ attach, handOver, move }) {
    yield attach('piece', 'plate');
    yield move(atPlate(0, open), atPlate(1.04, open));
    yield handOver('piece', 'hand');
  });
  const { segments } = await simulate(loadModel(cell), {
    startTime,
    stopTime: startTime + 5,
    tolerance: 1e-7,
  });
  expect(segments.map(({ from }) => Number((from - startTime).toFixed(6)))).toEqual([0, 4.559738]);
});
