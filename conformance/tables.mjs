// Tables of what passes, by chapter or domain, for the terminal and for docs/reference/conformance.md.
import { readFile, writeFile } from 'node:fs/promises';

const page = new URL('../docs/reference/conformance.md', import.meta.url);

/** Rows of a table; the first is its head. */
export function table(suite, cases) {
  const groups = [...new Set(cases.map(({ group }) => group))].sort();
  const row = (name, of) => [name, ...columns[suite].map(([, counts]) => share(of.filter(counts)))];
  return [
    ['', ...columns[suite].map(([head]) => head)],
    ...groups.map((group) =>
      row(
        group,
        cases.filter((test) => test.group === group),
      ),
    ),
    row('all', cases),
  ];
}

const columns = {
  compliance: [
    ['must run', ({ shouldPass }) => shouldPass],
    ['must be rejected', ({ shouldPass }) => !shouldPass],
  ],
  msl: [
    ['pass `check`', ({ name }) => !name.endsWith(' (reference)')],
    ['match their reference', ({ name }) => name.endsWith(' (reference)')],
  ],
};

function share(cases) {
  if (cases.length === 0) return '';
  return `${cases.filter(({ passed }) => passed).length} of ${cases.length}`;
}

/** What comes instead of passing, with how often. */
function causes(cases) {
  const counts = new Map();
  for (const { passed, outcome } of cases) if (!passed) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([outcome, count]) => `${outcome} ${count}`);
}

export function printTables(suite, cases) {
  const rows = table(suite, cases);
  const widths = rows[0].map((_, k) => Math.max(...rows.map((row) => row[k].length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, k) => cell.padEnd(widths[k]))
        .join('   ')
        .trimEnd(),
    );
  const instead = causes(cases);
  if (instead.length > 0) console.log(`Not passed: ${instead.join(', ')}`);
}

/** Puts the tables of the ratchet between their marks in the page. */
export async function writePage(ratchet) {
  let text = await readFile(page, 'utf8');
  for (const [suite, cases] of Object.entries(ratchet)) {
    const listed = Object.entries(cases).map(([name, test]) => ({ name, ...test }));
    const [head, ...rows] = table(suite, listed).map((row) => `| ${row.join(' | ')} |`);
    const lines = [head, `|${'---|'.repeat(columns[suite].length + 1)}`, ...rows].join('\n');
    const marks = new RegExp(`(<!-- ${suite} -->\n)[^]*?(<!-- end -->)`);
    text = text.replace(marks, (_, begin, end) => `${begin}${lines}\n${end}`);
  }
  await writeFile(page, text);
}
