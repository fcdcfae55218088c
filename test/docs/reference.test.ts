/** The reference is complete: every option of the command line and every export of the package is described. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as bodies from '../../src/bodies.ts';
import { commands, options } from '../../src/cli/options.ts';
import { readPages, root } from './pages.ts';

const textOf = (path: string): string => readPages().find((page) => page.path === path)!.text;

/** Commands and options that say themselves that they are not in this version. */
const later = Object.entries(commands).flatMap(([name, { summary }]) =>
  summary.includes('not in this') ? [name] : [],
);
const offered = Object.keys(options).filter(
  (name) =>
    !Object.values(commands).every(
      (c) => !c.options.some((o) => o === name) || c.summary.includes('not in this'),
    ),
);

test('every command and option stands in the reference of the command line', () => {
  const text = textOf('docs/reference/command-line.md');
  const missing = Object.keys(commands).filter(
    (name) => !later.includes(name) && !text.includes(`mutabor ${name}`),
  );
  expect([...missing, ...offered.filter((name) => !text.includes(`--${name}`))]).toEqual([]);
});

test.each(['index', 'results', 'animation'])(
  'every export of %s.ts stands in the reference of the API',
  (entry) => {
    const source = readFileSync(join(root, `src/${entry}.ts`), 'utf8').replaceAll(/\/\*\*.*?\*\//g, '');
    const exported = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap((match) =>
      match[1]!.split(',').map((name) => name.trim().replace(/^type\s+|^.* as /, '')),
    );
    const text = textOf('docs/reference/api.md');
    expect(exported.length).toBeGreaterThan(10);
    expect(exported.filter((name) => name !== '' && !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
  },
);

test('every constructor of bodies stands in the reference of the API', () => {
  const text = textOf('docs/reference/api.md');
  expect(Object.keys(bodies).length).toBeGreaterThan(30);
  expect(Object.keys(bodies).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

test('every class of the library stands in its reference', () => {
  const text = textOf('docs/reference/library.md');
  const folder = join(root, 'models/Mutabor');
  for (const domain of readFileSync(join(folder, 'package.order'), 'utf8').trim().split('\n')) {
    const order = join(folder, domain, 'package.order');
    if (!existsSync(order)) continue;
    const section = new RegExp(`^## ${domain}$[\\s\\S]*?(?=^## |$(?![\\s\\S]))`, 'm').exec(text)?.[0] ?? '';
    const names = readFileSync(order, 'utf8').trim().split('\n');
    const whole = names.filter(
      (name) => !/^partial/m.test(readFileSync(join(folder, domain, `${name}.mo`), 'utf8')),
    );
    expect(whole.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
  }
});
