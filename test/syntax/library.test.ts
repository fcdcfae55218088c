/**
 * The Modelica Standard Library as a test: every file of it is valid, and has been written by people. It is not part of this
 * package; `MODELICAPATH` names the folders in which libraries are installed.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { Source } from '../../src/diagnostic/source.ts';
import { parse } from '../../src/syntax/parser.ts';
import { print } from '../../src/syntax/print.ts';
import { messages, same } from './notation.ts';

/** The folder of `Modelica` or `Modelica 4.1.0` below a folder of `MODELICAPATH`. */
function libraryFolder(): string | undefined {
  for (const path of (process.env.MODELICAPATH ?? '').split(delimiter)) {
    if (path === '' || !existsSync(path)) continue;
    const folder = readdirSync(path).find((name) => /^Modelica( [\d.]+)?$/.test(name));
    if (folder) return join(path, folder);
  }
  return undefined;
}

const folder = libraryFolder();

test('trees are compared by what they say, not by their places', () => {
  const tree = (text: string): unknown => parse(new Source('a.mo', text)).definition;
  expect(same(tree('model A Real x[2]; end A;'), tree('model A  Real x[ 2 ]; /* c */ end A;'))).toBe(true);
  expect(same(tree('model A Real x[2]; end A;'), tree('model A Real x[3]; end A;'))).toBe(false);
  expect(same(tree('model A Real x; end A;'), tree('model A Real x; Real y; end A;'))).toBe(false);
});

test.skipIf(!folder)(
  `the Modelica Standard Library parses and prints${folder ? '' : ' (skipped: MODELICAPATH names no folder with it)'}`,
  () => {
    const files = readdirSync(folder!, { recursive: true, encoding: 'utf8' }).filter((f) =>
      f.endsWith('.mo'),
    );
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      const { definition, diagnostics } = parse(new Source(file, readFileSync(join(folder!, file), 'utf8')));
      expect(messages(diagnostics)).toEqual([]);
      const again = parse(new Source(file, print(definition)));
      expect(messages(again.diagnostics)).toEqual([]);
      expect(same(again.definition, definition), file).toBe(true);
    }
  },
  300_000,
);
