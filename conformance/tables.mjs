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

/** By folder of cases that must be rejected: how many there are, and the codes of the messages that they get. */
function rejections(cases) {
  const folders = new Map();
  for (const [name, { shouldPass, passed, outcome }] of cases) {
    if (shouldPass) continue;
    const folder = name.split('.').slice(1, -1).join('.');
    const codes = folders.get(folder) ?? new Map();
    const word = passed ? `[\`${outcome}\`](diagnostics.md#${outcome})` : outcome;
    codes.set(word, (codes.get(word) ?? 0) + 1);
    folders.set(folder, codes);
  }
  return [...folders].sort().map(([folder, codes]) => {
    const all = [...codes].sort((a, b) => b[1] - a[1]);
    const count = all.reduce((sum, [, n]) => sum + n, 0);
    return [folder, `${count}`, all.map(([word, n]) => (n === 1 ? word : `${word} ${n}`)).join(', ')];
  });
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
    const [head, ...rows] = table(suite, listed);
    text = between(text, suite, head, rows);
  }
  text = between(
    text,
    'rejected',
    ['cases', '', 'rejected as'],
    rejections(Object.entries(ratchet.compliance ?? {})),
  );
  text = between(
    text,
    'failing',
    ['example', 'came to', 'cause'],
    failing(Object.entries(ratchet.msl ?? {}), text),
  );
  await writeFile(page, text);
}

/** Examples that do not pass or match, with what came instead; causes are found by people and stay as they stand in the page. */
function failing(cases, text) {
  const known = new Map(
    [...text.matchAll(/^\| (Modelica\.[^|]+?) \| [^|]* \| ([^|]*?) \|$/gm)].map(([, name, cause]) => [
      name,
      cause,
    ]),
  );
  return cases
    .filter(([, { passed }]) => !passed)
    .map(([name, { outcome }]) => [name, outcome, known.get(name) ?? '']);
}

/** The text with a table between the marks of this name. */
function between(text, mark, head, rows) {
  const [first, ...others] = [head, ...rows].map((row) => `| ${row.join(' | ')} |`);
  const lines = [first, `|${'---|'.repeat(head.length)}`, ...others].join('\n');
  const marks = new RegExp(`(<!-- ${mark} -->\n)[^]*?(<!-- end -->)`);
  return text.replace(marks, (_, begin, end) => `${begin}${lines}\n${end}`);
}
