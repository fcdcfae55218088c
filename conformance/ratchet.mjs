// What each case of the suites came to when it was last written down.
import { readFile, writeFile } from 'node:fs/promises';

const file = new URL('./ratchet.json', import.meta.url);

export async function readRatchet() {
  return JSON.parse(await readFile(file, 'utf8'));
}

/** One line for each case, so that a change of one is a change of one line. */
export async function writeRatchet(ratchet) {
  const sorted = Object.entries(ratchet).map(([suite, cases]) => [suite, inOrder(cases)]);
  await writeFile(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

/** Cases that passed and do not any more, or that are rejected for another reason. */
export function lostSince(ratchet, found) {
  return found.flatMap(({ name, outcome, passed }) => {
    const before = ratchet[name];
    return before?.passed && !passed ? [{ name, before: before.outcome, now: outcome }] : [];
  });
}

/** The ratchet with what was found now; what was not looked at keeps what it came to. */
export function taken(ratchet, found) {
  const now = found.map(({ name, group, passed, outcome, shouldPass }) => [
    name,
    { group, shouldPass, passed, outcome },
  ]);
  return { ...ratchet, ...Object.fromEntries(now) };
}

const inOrder = (cases) => Object.fromEntries(Object.entries(cases).sort(([a], [b]) => (a < b ? -1 : 1)));
