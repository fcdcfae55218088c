/**
 * A robot lifts a ball twice: held by welds, so that the structure changes (a), and gripped by contact alone (b). In A. Neumayr and M. Otter, Electronics 12(3), 2023,
 * (a) takes 0.22 s and (b) 6.67 s. Both are measured in turns in the same run; the first run of each translates its model, the best of the others counts. A run of (a) is
 * over before its code is compiled as well as that of (b): there are more of them.
 *
 *     node bench/gripping.mjs
 */
import { pathToFileURL } from 'node:url';
import { Program } from '../dist/actions.js';
import { ContactLaw, Object3D, Sphere, World } from '../dist/bodies.js';
import { Class, instantiate, Model, modelica } from '../dist/index.js';

const [open, grip] = [0.06, 0.048];
const atPlate = (q4, opening) => [Math.PI, Math.PI / 4, Math.PI / 4, q4, 0, opening];
const lifted = (opening) => [Math.PI, 0, Math.PI / 2, 0, 0, opening];
const rows = [atPlate(0, open), atPlate(1.04, open), atPlate(1.04, grip)];
const there = [lifted(grip), atPlate(1.04, grip), atPlate(1.04, open)];
const back = [lifted(open), atPlate(1.04, open), atPlate(1.04, grip)];

function* byWelds({ attach, handOver, move }) {
  yield attach('ball', 'plate');
  yield move(...rows);
  yield handOver('ball', 'hand');
  yield move(...there);
  yield handOver('ball', 'plate');
  yield move(...back);
  yield handOver('ball', 'hand');
  yield move(lifted(grip));
}

function* byContact({ move }) {
  yield move(...rows, ...there, ...back, lifted(grip));
}

const cell = (contact) =>
  Model('Cell', {
    world: World({ direction: [0, 0, -1] }),
    law: ContactLaw({ restitution: 0.6, friction: 0.3, rolling: 0.001, stiffness: 1e-3 }),
    ball: Sphere({
      fixed: false,
      translation: [-0.211, 0, 0.1842],
      diameter: 0.05,
      material: 'DryWood',
      contact,
    }),
    lock: Object3D({ parent: 'ball', translation: [0, 0.025, 0] }),
    program: Program('Lift', {
      axes: {
        speed: [2.68512, 2.68512, 4.8879, 5.8997, 5.8997, 2],
        acceleration: [1.5, 1.5, 1.5, 1.5, 1.5, 0.5],
      },
      parts: { ball: 'lock' },
      places: { plate: 'robot.plateLock', hand: 'robot.gripper.lock' },
      reach: 0.05,
      speed: 0.02,
      run: contact ? byContact : byWelds,
    }),
    robot: Class('Mutabor.Robots.YouBot').with({
      contact,
      arm: modelica`program.position[1:5]`,
      opening: modelica`program.position[6]`,
    }),
  });

/** Seconds of the first and of the best run with welds and by contact, and their steps. */
export async function runGripping(times = 5, repeated = 15) {
  const ways = [
    { model: instantiate(cell(false)), runs: repeated },
    { model: instantiate(cell(true)), runs: 1 },
  ];
  const all = ways.map(() => ({ first: 0, best: Number.POSITIVE_INFINITY, steps: 0 }));
  for (let n = 0; n < times; n++)
    for (const [k, { model, runs }] of ways.entries())
      for (let run = 0; run < runs; run++) {
        const started = performance.now();
        const { status, statistics } = await model.simulate({ stopTime: 13.5, tolerance: 1e-7 });
        if (status !== 'done') throw new Error('the robot fails');
        const seconds = (performance.now() - started) / 1000;
        const own = all[k];
        own.first ||= seconds;
        own.best = Math.min(own.best, seconds);
        own.steps = statistics.steps;
      }
  return { welds: all[0], contact: all[1], ratio: all[1].best / all[0].best };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { welds, contact, ratio } = await runGripping();
  for (const [name, { first, best, steps }] of Object.entries({ welds, contact }))
    console.log(`${name}: ${best.toFixed(3)} s, first ${first.toFixed(3)} s, ${steps} steps`);
  console.log(`by contact it takes ${ratio.toFixed(1)} times as long`);
}
