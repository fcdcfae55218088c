// From a cold start of Node to the result: of a first-order model by the command, and by a program that imports the package; and, where MODELICAPATH names a folder
// with it, of examples of the Modelica Standard Library by the command. Wall time, time of all processors, and memory.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const text = `model FirstOrder
  parameter Real T = 0.2;
  Real u = sin(time), x(start = 0.3, fixed = true);
equation
  T*der(x) + x = u;
  annotation(experiment(StopTime = 10));
end FirstOrder;`;
const program = `import { instantiate } from '${root}dist/node/index.js';
const { table } = await instantiate(${JSON.stringify(text)}).simulate();
if (Math.abs(table.value('x', 10) + 0.36173731) > 1e-5) throw new Error('wrong result');`;

/** Small examples of several domains. */
const examples = [
  'Electrical.Analog.Examples.CauerLowPassAnalog',
  'Mechanics.Rotational.Examples.First',
  'Blocks.Examples.PID_Controller',
  'Mechanics.Translational.Examples.Damper',
  'Thermal.HeatTransfer.Examples.TwoMasses',
  'Electrical.Analog.Examples.ShowVariableResistor',
  'Magnetic.FluxTubes.Examples.BasicExamples.SaturatedInductor',
  'Clocked.Examples.Elementary.RealSignals.Sample1',
].map((name) => `Modelica.${name}`);

/** Makes a process tell in its last line what it has used: microseconds of all processors, kilobytes. */
const telling = `data:text/javascript,${encodeURIComponent(`
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread) process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    process.stderr.write('\\n' + JSON.stringify([userCPUTime + systemCPUTime, maxRSS]));
  });`)}`;

/** Seconds of each way, the median of several starts; seconds of all processors, and megabytes. */
export function runStart(repeats = 7) {
  const folder = mkdtempSync(join(tmpdir(), 'mutabor-'));
  try {
    writeFileSync(join(folder, 'FirstOrder.mo'), text);
    writeFileSync(join(folder, 'program.mjs'), program);
    const ways = [
      ['node alone', ['-e', '0']],
      ['mutabor simulate', [`${root}bin/mutabor.js`, 'simulate', 'FirstOrder.mo', '--quiet']],
      ['program', ['program.mjs']],
    ];
    return ways.map(([name, args]) => ({ name, ...median(repeats, args, folder) }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The same for examples of the Modelica Standard Library; none where MODELICAPATH does not name its folder. */
export function runLibraryStart(repeats = 5) {
  const folders = (process.env.MODELICAPATH ?? '').split(delimiter);
  if (!folders.some((folder) => existsSync(join(folder, 'Modelica', 'package.mo')))) return [];
  return examples.map((name) => {
    const args = [`${root}bin/mutabor.js`, 'simulate', '--model', name, '--quiet'];
    return { name, ...median(repeats, args, tmpdir()) };
  });
}

function median(repeats, args, cwd) {
  const starts = Array.from({ length: repeats }, () => start(args, cwd));
  const middle = (key) => starts.map((one) => one[key]).sort((a, b) => a - b)[repeats >> 1];
  return { seconds: middle('seconds'), processor: middle('processor'), megabytes: middle('megabytes') };
}

/** Runs Node with these arguments: what it printed, and what it used. */
export function start(args, cwd) {
  const began = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', telling, ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const seconds = (performance.now() - began) / 1e3;
  if (status !== 0) throw new Error(stderr);
  const [microseconds, kilobytes] = JSON.parse(stderr.split('\n').at(-1));
  return { seconds, processor: microseconds / 1e6, megabytes: kilobytes / 1024, stdout };
}
