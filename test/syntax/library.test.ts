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
import { bare, messages } from './notation.ts';

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
      // Compared as text: a difference in a tree of this size would take minutes to explain.
      expect(JSON.stringify(bare(again.definition)) === JSON.stringify(bare(definition)), file).toBe(true);
    }
  },
);
