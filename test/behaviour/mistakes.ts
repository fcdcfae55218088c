/**
 * A notation for wrong models: `«` and `»` in the text enclose what each diagnostic must point at, in the order in which
 * the diagnostics are expected. The model is run by the command line tool, once for programs (`--json`) and once for people.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { DiagnosticCode } from '../../src/diagnostic/codes.ts';
import type { Stage } from '../../src/diagnostic/diagnostic.ts';
import { folder, run } from '../cli/terminal.ts';

export interface Expected {
  readonly code: DiagnosticCode;
  /** Parts of the message, of the notes and of the hint. */
  readonly says: readonly string[];
  /** Set where the diagnostic has no place in the text. */
  readonly nowhere?: true;
}

interface Place {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Where the models and their results are. */
export const home = folder();

/** Runs a wrong model and compares its errors, all of them, with what is expected. */
export async function mistake(stage: Stage, marked: string, ...expected: readonly Expected[]) {
  const { text, places } = unmark(marked);
  writeFileSync(join(home, 'model.mo'), text);
  const argv = ['simulate', 'model.mo', '--output', 'model.csv'];
  const { status, json } = await run([...argv, '--json'], { cwd: home });
  const errors = json.diagnostics.filter((d: { severity: string }) => d.severity === 'error');
  expect(errors.map((d: { code: string; message: string }) => `${d.code}: ${d.message}`)).toHaveLength(
    expected.length,
  );
  let next = 0;
  for (const [i, { code, says, nowhere }] of expected.entries()) {
    const place = nowhere ? undefined : places[next++];
    expect(errors[i]).toMatchObject({ code, file: place ? 'model.mo' : null, ...place });
    const words = JSON.stringify(errors[i]);
    for (const part of says) expect(words).toContain(JSON.stringify(part).slice(1, -1));
  }
  expect(next).toBe(places.length);
  expect({ status, stage: json.stage, result: json.status }).toEqual({ status: 1, stage, result: 'failed' });
  const forPeople = await run(argv, { cwd: home });
  expect(forPeople.status).toBe(1);
  for (const { code } of expected) expect(forPeople.err).toContain(`[${code}]`);
  expectPlain(forPeople.err + forPeople.out);
  return json;
}

/** Nothing that only the makers of the tool understand: no names made by the translator, no stack of calls. */
export function expectPlain(text: string): void {
  expect(text).not.toMatch(/\$\w/);
  expect(text).not.toMatch(/^ +at .*:\d+\)?$/m);
  expect(text).not.toMatch(/\bundefined\b|\bNaN\b|\[object/);
}

function unmark(marked: string): { text: string; places: Place[] } {
  const places: Place[] = [];
  let text = '';
  let start = { line: 1, column: 1 };
  let line = 1;
  let column = 1;
  for (const c of marked) {
    if (c === '«') start = { line, column };
    else if (c === '»') places.push({ ...start, endLine: line, endColumn: column });
    else {
      text += c;
      if (c === '\n') [line, column] = [line + 1, 1];
      else column++;
    }
  }
  return { text, places };
}
