/**
 * Scenario 2a of A. Neumayr and M. Otter (Electronics 12(3), 2023): a robot of 18 states takes a ball from its plate, lifts it and puts it back, for 13.5 s, with four changes
 * of structure. They measured 0.22 s for its simulation, translated before. A process of its own tells what the first run costs, one stage after the other, and what
 * a simulation of the same instance costs after it.
 *
 *     node bench/robot.mjs
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const { PI } = Math;
const [open, grip] = [0.06, 0.048];
const lifted = (opening) => [PI, 0, PI / 2, 0, 0, opening];
const atPlate = (q4, opening) => [PI, PI / 4, PI / 4, q4, 0, opening];

/** The cell, of the modules that it needs. */
function cell({ Class, Model, modelica }, { Program }, { Object3D, Sphere, World }) {
  const program = Program('Work', {
    axes: {
      speed: [2.68512, 2.68512, 4.8879, 5.8997, 5.8997, 2],
      acceleration: [1.5, 1.5, 1.5, 1.5, 1.5, 0.5],
    },
    parts: { piece: 'lock' },
    places: { plate: 'robot.plateLock', hand: 'robot.gripper.lock' },
    reach: 0.05,
    speed: 0.02,
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
  });
  return Model('Cell', {
    world: World({ direction: [0, 0, -1] }),
    piece: Sphere({ fixed: false, translation: [-0.78, 0, 0.1792], diameter: 0.05, material: 'DryWood' }),
    lock: Object3D({ parent: 'piece', translation: [0, 0.025, 0] }),
    program,
    robot: Class('Mutabor.Robots.YouBot').with({
      position: [-0.569, 0, 0.084],
      arm: modelica`program.position[1:5]`,
      opening: modelica`program.position[6]`,
    }),
  });
}

/** One process: milliseconds of its stages, as JSON. */
async function stages() {
  const started = performance.now();
  const mutabor = await import('../dist/bundle/index.js');
  const model = cell(
    mutabor,
    await import('../dist/bundle/actions.js'),
    await import('../dist/bundle/bodies.js'),
  );
  const loaded = performance.now();
  const instance = mutabor.instantiate(model);
  const flattened = performance.now();
  const run = async () => {
    const began = performance.now();
    const { status, table, statistics } = await instance.simulate({ stopTime: 13.5, tolerance: 1e-7 });
    const whole = performance.now() - began;
    if (status !== 'done' || Math.abs(table.value('robot.link2.joint.phi', 13.5) - 0.06412355377) > 1e-6)
      throw new Error(`wrong result: ${status}`);
    return { whole, ...statistics };
  };
  const first = await run();
  const ended = performance.now();
  const again = [];
  for (let n = 0; n < 9; n++) again.push((await run()).whole);
  const spent = {
    'load the package': loaded - started,
    'make a flat model': flattened - loaded,
    'sort equations': first.translateMs,
    'make code': first.compileMs,
    'the first simulation': first.simulateMs,
    'all of the first run': ended - started,
    'a simulation, translated before': again.sort((a, b) => a - b)[4],
  };
  console.log(JSON.stringify(spent));
}

/** Rows { name, ms }: medians of several processes. */
export function runRobot(repeats = 5) {
  const file = fileURLToPath(import.meta.url);
  const all = Array.from({ length: repeats }, () =>
    JSON.parse(execFileSync(process.execPath, [file, 'stages'], { encoding: 'utf8' })),
  );
  const median = (name) => all.map((spent) => spent[name]).sort((a, b) => a - b)[repeats >> 1];
  return Object.keys(all[0]).map((name) => ({ name, ms: median(name) }));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv[2] === 'stages') await stages();
  else
    for (const { name, ms } of runRobot()) console.log(`${name.padEnd(32)} ${ms.toFixed(0).padStart(5)} ms`);
}
