// Whole simulations against the same models written by hand in C on SUNDIALS (bench/native), as ratios of the time to simulate: in a fresh process (cold) and
// the best of several runs in one process (warm). Errors are those of final values against a run of the C program at tolerance 1e-10, beside those that the C program has at
// the same tolerance. `end to end` is the time from the text to the result beside that of gcc and the program.
//
//   node bench/native.mjs [NAME...]       prints a table
//   node bench/native.mjs --update        keeps it as well, in bench/history.json and docs/reference/speed.md
//
// SUNDIALS is that of SUNDIALS_DIR where it is set, else the one of the system (Debian: libsundials-dev).
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { diodeLine } from './lines.mjs';

const intervals = 500;
const tolerance = 1e-6;
const referenceTolerance = 1e-10;
/** Repetitions in one process, in number and in milliseconds. */
const repetitions = 6;
const milliseconds = 1500;
/** Fresh processes; the fastest counts. */
const processes = 3;

/** `shown`: the variables that the program prints. `n`: the size, where it is another one than that of the model. */
export const cases = [
  { name: 'DoublePendulum', shown: ['phi1', 'phi2', 'w1', 'w2'] },
  { name: 'LotkaVolterra', shown: ['prey', 'predators'] },
  { name: 'Oscillators', shown: ['x[10]', 'x[100]', 'x[150]'] },
  { name: 'VanDerPol', shown: ['x', 'y'] },
  { name: 'Robertson', shown: ['y1', 'y2', 'y3'] },
  { name: 'RobertsonDae', shown: ['y1', 'y2', 'y3'] },
  { name: 'Cascade', n: 1000, shown: ['x[500]', 'x[980]', 'x[1000]'] },
  { name: 'Cascade', n: 10_000, shown: ['x[5000]', 'x[9800]', 'x[10000]'] },
  { name: 'HeatRod', n: 1000, shown: ['T[1]', 'T[500]', 'T[1000]'] },
  { name: 'HeatRod', n: 10_000, shown: ['T[1]', 'T[5000]', 'T[10000]'] },
  { name: 'Brusselator', shown: ['u[100]', 'v[100]', 'u[250]', 'v[250]'] },
  { name: 'Ladder', shown: ['i[1]', 'v[1]', 'i[500]', 'v[500]'] },
  { name: 'DiodeLine', n: 500, shown: ['c1.v', 'd1.v', 'c6.v', 'c500.v'] },
  { name: 'CartesianPendulum', shown: ['x', 'y'] },
  { name: 'PendulumChain', shown: ['x[1]', 'y[1]', 'x[8]', 'y[8]'] },
  { name: 'Sawtooth', shown: ['x', 'count'] },
  { name: 'BouncingBall', shown: ['h', 'v', 'count'] },
  { name: 'ChargePump', shown: ['u2', 'count'] },
  { name: 'Buck', shown: ['i', 'v', 'count'] },
];

const labelOf = ({ name, n }) => (n ? `${name} ${n}` : name);

function textOf({ name, n }) {
  if (name === 'DiodeLine') return diodeLine(n);
  const text = readFileSync(new URL(`models/${name}.mo`, import.meta.url), 'utf8');
  return n ? text.replace(/(parameter Integer n = )\d+/, `$1${n}`) : text;
}

const libraries = [
  'cvode',
  'ida',
  'nvecserial',
  'sunlinsoldense',
  'sunlinsolband',
  'sunmatrixdense',
  'sunmatrixband',
  'sunnonlinsolfixedpoint',
].map((name) => `-lsundials_${name}`);

const own = process.env.SUNDIALS_DIR;

export const hasSundials = () => existsSync(join(own ?? '/usr', 'include/cvode/cvode.h'));

/** Compiles a program and runs it: { gcc, cold, warm, values, reference, peer }, in seconds. */
function native({ name, n }, folder) {
  const sources = fileURLToPath(new URL('native/', import.meta.url));
  const program = join(folder, name + (n ?? ''));
  const places = own ? [`-I${own}/include`, `-L${own}/lib`, `-Wl,-rpath,${own}/lib`] : [];
  const options = ['-O3', ...(n ? [`-DSIZE=${n}`] : []), ...places];
  const seconds = (work) => {
    const begun = performance.now();
    work();
    return (performance.now() - begun) / 1e3;
  };
  const gcc = seconds(() =>
    execFileSync('gcc', [...options, '-o', program, join(sources, `${name}.c`), ...libraries, '-lm']),
  );
  const run = (...options) => JSON.parse(execFileSync(program, options.map(String), { encoding: 'utf8' }));
  const { values: reference } = run(referenceTolerance, 'once');
  return { ...run(tolerance), gcc, reference };
}

/** One case in this process: { cold, warm, whole, values }, in seconds. */
async function measure(one, isWarm) {
  const { loadModel, simulate } = await import('../dist/node/index.js');
  const begun = performance.now();
  const model = loadModel(textOf(one));
  const options = { tolerance, intervals };
  let result = await simulate(model, options);
  const whole = performance.now() - begun;
  const cold = result.statistics.simulateMs;
  let warm = cold;
  for (let k = 1; isWarm && (k < repetitions || performance.now() - begun < milliseconds); k++) {
    result = await simulate(model, options);
    warm = Math.min(warm, result.statistics.simulateMs);
  }
  if (result.status !== 'done')
    throw new Error(`${one.name}: ${result.diagnostics.map((d) => d.message).join(' ')}`);
  const final = result.table.final();
  const values = one.shown.map((signal) => Number(final.get(signal)));
  return { cold: cold / 1e3, warm: warm / 1e3, whole: whole / 1e3, values };
}

function ours(one) {
  const script = fileURLToPath(import.meta.url);
  const run = (isWarm) =>
    JSON.parse(
      execFileSync(
        process.execPath,
        [script, '--one', String(cases.indexOf(one)), isWarm ? 'warm' : 'cold'],
        {
          encoding: 'utf8',
        },
      ),
    );
  const runs = Array.from({ length: processes }, (_, k) => run(k === 0));
  const least = (what) => Math.min(...runs.map((result) => result[what]));
  return { values: runs[0].values, warm: runs[0].warm, cold: least('cold'), whole: least('whole') };
}

/** The largest error of the values, each relative to its size and at least to a thousandth of the largest. */
function errorOf(values, reference) {
  const largest = Math.max(...reference.map(Math.abs));
  return Math.max(
    ...reference.map((right, k) => Math.abs(values[k] - right) / Math.max(Math.abs(right), 1e-3 * largest)),
  );
}

/** Rows { label, peer, cold, warm, endToEnd, error, nativeError } with ratios to the C programs. */
export function runNative(names = []) {
  if (!hasSundials()) return [];
  const folder = mkdtempSync(join(tmpdir(), 'mutabor-native-'));
  try {
    return cases
      .filter(({ name }) => names.length === 0 || names.includes(name))
      .map((one) => {
        const theirs = native(one, folder);
        const mine = ours(one);
        return {
          label: labelOf(one),
          peer: theirs.peer,
          milliseconds: { cold: 1e3 * mine.cold, warm: 1e3 * mine.warm, native: 1e3 * theirs.warm },
          cold: mine.cold / theirs.cold,
          warm: mine.warm / theirs.warm,
          endToEnd: mine.whole / (theirs.gcc + theirs.cold),
          error: errorOf(mine.values, theirs.reference),
          nativeError: errorOf(theirs.values, theirs.reference),
        };
      });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const geometricMean = (values) =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

const columns = [
  'model',
  'cold ms',
  'warm ms',
  'C ms',
  'cold',
  'warm',
  'end to end',
  'error',
  'error of C',
  'C program',
];

/** A row as texts, in the order of `columns`. */
const cellsOf = ({ label, milliseconds: ms, cold, warm, endToEnd, error, nativeError, peer }) => [
  label,
  ...[ms.cold, ms.warm, ms.native].map((value) => value.toFixed(value < 100 ? 1 : 0)),
  ...[cold, warm, endToEnd].map((value) => value.toFixed(value < 10 ? 2 : 0)),
  ...[error, nativeError].map((value) => value.toExponential(0)),
  peer.replace(/^SUNDIALS \S+ /, ''),
];

const meansOf = (rows) =>
  Object.fromEntries(['cold', 'warm'].map((how) => [how, geometricMean(rows.map((row) => row[how]))]));

/** Keeps what was measured in bench/history.json, and as the table of docs/reference/speed.md. */
function keep(rows) {
  const date = new Date().toISOString().slice(0, 10);
  const [sundials] = rows[0].peer.match(/SUNDIALS \S+/);
  const means = meansOf(rows);
  const history = new URL('history.json', import.meta.url);
  const entries = existsSync(history) ? JSON.parse(readFileSync(history, 'utf8')) : [];
  const ratios = rows.map(({ label, cold, warm }) => ({ label, cold, warm }));
  const round = (_, value) => (typeof value === 'number' ? Number(value.toPrecision(3)) : value);
  const entry = { date, node: process.version, sundials, ...means, models: ratios };
  writeFileSync(history, `${JSON.stringify([...entries, entry], round, 2)}\n`);
  const page = new URL('../docs/reference/speed.md', import.meta.url);
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const table = [
    line(columns),
    line(columns.map((_, k) => (k === 0 ? '---' : '--:'))),
    ...rows.map((row) => line(cellsOf(row))),
    line(['geometric mean', '', '', '', means.cold.toFixed(2), means.warm.toFixed(2), '', '', '', '']),
    '',
    `Measured on ${date} with Node ${process.version} and ${sundials}.`,
  ].join('\n');
  const text = readFileSync(page, 'utf8');
  writeFileSync(
    page,
    text.replace(/(<!-- native -->\n)[\s\S]*?(\n<!-- end -->)/, (_, a, b) => a + table + b),
  );
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [what, k, how] = process.argv.slice(2);
  if (what === '--one') {
    console.log(JSON.stringify(await measure(cases[Number(k)], how === 'warm')));
  } else {
    const rows = runNative(process.argv.slice(2).filter((name) => name !== '--update'));
    const cells = [columns, ...rows.map(cellsOf)];
    const widths = columns.map((_, c) => Math.max(...cells.map((row) => row[c].length)));
    for (const row of cells) console.log(row.map((cell, c) => cell.padStart(widths[c])).join('  '));
    console.log(meansOf(rows));
    if (process.argv.includes('--update')) keep(rows);
  }
}
