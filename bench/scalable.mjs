// Families of models of growing size, from the ScalableTestSuite (casella/ScalableTestSuite): from a cold start of the command to the result, and how that grows.
// MODELICAPATH names a folder with it and with the Modelica Standard Library.
//
//   node bench/scalable.mjs [TEXT...]       families whose names contain one of the texts; prints a table
//   node bench/scalable.mjs --update        keeps it as well, in docs/reference/speed.md
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { start } from './start.mjs';

const command = fileURLToPath(new URL('../bin/mutabor.js', import.meta.url));
const page = new URL('../docs/reference/speed.md', import.meta.url);

/** Whole models, the texts before and after their sizes, and the sizes. */
const families = [
  [
    'DC network',
    'Electrical.DistributionSystemDC',
    'DistributionSystemModelica_N_',
    [10, 20, 28, 40, 56],
    (n) => `${n}_M_${n}`,
  ],
  [
    'AC network',
    'Electrical.DistributionSystemAC',
    'DistributionSystemLinear_N_',
    [10, 14, 20, 28],
    (n) => `${n}_M_${n}`,
  ],
  [
    'transmission line of components',
    'Electrical.TransmissionLine',
    'TransmissionLineModelica_N_',
    [80, 320, 1280],
  ],
  [
    'transmission line of equations',
    'Electrical.TransmissionLine',
    'TransmissionLineEquations_N_',
    [80, 320, 1280],
  ],
  ['heating system', 'Thermal.DistrictHeating', 'HeatingSystem_N_', [5, 10, 20, 40]],
  ['heat exchanger', 'Thermal.HeatExchanger', 'CounterCurrentHeatExchangerEquations_N_', [40, 160, 640]],
  [
    'heat conduction of components',
    'Thermal.HeatConduction',
    'OneDHeatTransferTT_Modelica_N_',
    [40, 160, 640],
  ],
  ['advection', 'Thermal.Advection', 'SimpleAdvection_N_', [400, 1600, 6400]],
  ['string of bodies', 'Mechanical.Strings', 'StringModelica_N_', [4, 8, 16, 32]],
  ['flexible beam', 'Mechanical.FlexibleBeam', 'FlexibleBeamModelica_N_', [4, 8, 16, 32]],
  ['cascade of first order', 'Elementary.SimpleODE', 'CascadedFirstOrder_N_', [100, 400, 1600, 6400]],
  ['many events', 'Elementary.WhenEvents', 'ManyEvents_N_', [1000, 2000, 4000], (n) => `${n}_M_10`],
];

const header = ['model', 'size', 'unknowns', 'all s', 'translate s', 'simulate s', 'MB', 'exponent'];

/** Of one model: what the command tells, and what it took. */
function measure(name) {
  const args = [command, 'simulate', '--model', `ScalableTestSuite.${name}`, '--json'];
  const { seconds, megabytes, stdout } = start(args, tmpdir());
  const { translateMs, compileMs, simulateMs, unknowns } = JSON.parse(stdout).statistics;
  return {
    seconds,
    megabytes,
    unknowns,
    translate: (translateMs + compileMs) / 1e3,
    simulate: simulateMs / 1e3,
  };
}

/** Rows of cells; the exponent is that of all seconds over unknowns, from the size before. */
function rowsOf([label, place, model, sizes, suffix = String]) {
  let last;
  return sizes.map((n) => {
    const now = measure(`${place}.ScaledExperiments.${model}${suffix(n)}`);
    const exponent = last && Math.log(now.seconds / last.seconds) / Math.log(now.unknowns / last.unknowns);
    last = now;
    const row = [label, suffix(n).replace('_M_', ' x '), String(now.unknowns)];
    for (const value of [now.seconds, now.translate, now.simulate]) row.push(value.toFixed(2));
    row.push(now.megabytes.toFixed(0), exponent === undefined ? '' : exponent.toFixed(2));
    return row;
  });
}

const wanted = process.argv.slice(2).filter((text) => text !== '--update');
const rows = families
  .filter(([label]) => wanted.length === 0 || wanted.some((text) => label.includes(text)))
  .flatMap((family) => {
    const some = rowsOf(family);
    for (const row of some) console.error(row.join('  '));
    return some;
  });
const line = (cells) => `| ${cells.join(' | ')} |`;
const table = [line(header), line(header.map((_, k) => (k === 0 ? '---' : '--:'))), ...rows.map(line)].join(
  '\n',
);
console.log(table);
if (process.argv.includes('--update')) {
  const date = new Date().toISOString().slice(0, 10);
  const text = `${table}\n\nMeasured on ${date} with Node ${process.version}.`;
  const before = readFileSync(page, 'utf8');
  writeFileSync(
    page,
    before.replace(/(<!-- scalable -->\n)[\s\S]*?(\n<!-- end -->)/, (_, a, b) => a + text + b),
  );
}
