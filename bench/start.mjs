// From a cold start of Node to the result of a first-order model: by the command, and by a program that imports the package.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const text = `model FirstOrder
  parameter Real T = 0.2;
  Real u = sin(time), x(start = 0.3, fixed = true);
equation
  T*der(x) + x = u;
  annotation(experiment(StopTime = 10));
end FirstOrder;`;
const program = `import { instantiate } from '${root}dist/bundle/index.js';
const { table } = await instantiate(${JSON.stringify(text)}).simulate();
if (Math.abs(table.value('x', 10) + 0.36173731) > 1e-5) throw new Error('wrong result');`;

/** Seconds of each way, the median of several starts. */
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
    return ways.map(([name, args]) => ({ name, seconds: median(repeats, () => start(args, folder)) }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function start(args, cwd) {
  const began = performance.now();
  execFileSync(process.execPath, args, { cwd });
  return (performance.now() - began) / 1e3;
}

function median(repeats, measure) {
  const times = Array.from({ length: repeats }, measure).sort((a, b) => a - b);
  return times[repeats >> 1];
}
