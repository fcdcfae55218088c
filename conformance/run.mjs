// How much of the public suites passes: `npm run conformance -- compliance|msl`.
//
// The ratchet file holds what each case came to. What once passed may not fail: that makes the exit status 1. With
// `--update` the file takes what was found now, and the tables in docs/reference/conformance.md follow.
import { parseArgs } from 'node:util';
import { compliance } from './compliance.mjs';
import { msl } from './msl.mjs';
import { lostSince, readRatchet, taken, writeRatchet } from './ratchet.mjs';
import { printTables, writePage } from './tables.mjs';

const suites = { compliance, msl };
const usage = `Usage: npm run conformance -- compliance FOLDER [--only TEXT] [--list] [--update]
       npm run conformance -- msl [FOLDER] [--only TEXT] [--list] [--update]

compliance   FOLDER is a copy of modelica/Modelica-Compliance
msl          MODELICAPATH names a folder with the Modelica Standard Library 4.1.0, of which every example is checked. With FOLDER, a copy
             of modelica/MAP-LIB_ReferenceResults (branch v4.1.0), those with a reference are simulated and compared; files of another
             FOLDER have the names of the classes and count with all their signals
--only TEXT  cases whose names contain the text; '(reference)' is in the names of those that are compared
--list       each case that does not pass, with what came instead
--update     keep what was found in conformance/ratchet.json, and in docs/reference/conformance.md`;

const options = {
  only: { type: 'string', default: '' },
  list: { type: 'boolean', default: false },
  update: { type: 'boolean', default: false },
};
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const [name, folder] = positionals;
const suite = suites[name];
if (!suite || (name === 'compliance' && !folder)) {
  console.error(usage);
  process.exit(2);
}

const found = await suite(folder, (label) => label.includes(values.only));
printTables(name, found);
if (values.list)
  for (const { name: label, passed, shouldPass, outcome, message = '' } of found)
    if (!passed)
      console.log(`${shouldPass === false ? 'ACCEPTED' : 'FAILS   '}  ${label}: ${outcome} ${message}`);

const ratchet = await readRatchet();
const lost = lostSince(ratchet[name], found);
for (const { name: label, before, now } of lost) console.log(`LOST      ${label}: was ${before}, is ${now}`);
if (values.update) {
  const whole = values.only === '' && folder;
  ratchet[name] = taken(whole ? {} : ratchet[name], found);
  await writeRatchet(ratchet);
  await writePage(ratchet);
} else if (lost.length > 0) process.exitCode = 1;
