/** The direction of imports: a stage may use the stages before it and what lies underneath, never those after it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = new URL('../../src/', import.meta.url).pathname;

/** What each folder may import besides itself and `diagnostic`. */
const allowed: Record<string, readonly string[]> = {
  builtin: [],
  diagnostic: [],
  symbolic: [],
  solve: [],
  results: ['units'],
  syntax: [],
  units: [],
  model: ['symbolic', 'syntax'],
  flat: ['builtin', 'model', 'syntax', 'symbolic', 'units'],
  modes: ['builtin', 'flat', 'symbolic', 'structure'],
  structure: ['symbolic'],
  audit: ['flat', 'results', 'symbolic'],
  code: ['symbolic', 'structure'],
  fields: ['builtin', 'flat', 'structure', 'code', 'symbolic'],
  simulate: [
    'audit',
    'builtin',
    'fields',
    'flat',
    'modes',
    'structure',
    'code',
    'solve',
    'results',
    'symbolic',
  ],
  export: ['flat', 'modes', 'structure', 'simulate', 'symbolic'],
  api: ['builtin', 'syntax', 'model', 'units'],
  'load.ts': ['api', 'builtin', 'syntax', 'model', 'flat'],
  'merge.ts': ['api', 'flat', 'model', 'simulate', 'symbolic', 'syntax'],
  'instantiate.ts': ['api', 'builtin', 'load.ts', 'merge.ts', 'flat', 'model', 'simulate'],
  'index.ts': [
    'api',
    'builtin',
    'load.ts',
    'merge.ts',
    'instantiate.ts',
    'audit',
    'syntax',
    'model',
    'flat',
    'simulate',
    'export',
    'results',
  ],
  cli: [
    'instantiate.ts',
    'index.ts',
    'load.ts',
    'api',
    'audit',
    'builtin',
    'syntax',
    'model',
    'flat',
    'simulate',
    'export',
    'results',
  ],
};

/** Node's own modules may be used by the command line only. */
const mayUseNode = new Set(['cli']);
/** The texts of the own libraries, which the build makes a module of. */
const ownTexts = '#models';

interface Import {
  readonly file: string;
  readonly target: string;
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.split('\\').join('/'));

const imports = files.flatMap((file): Import[] => {
  const text = readFileSync(join(root, file), 'utf8');
  const targets = text.matchAll(
    /^(?:import|export)\s[^;]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  return [...targets].map((m) => ({ file, target: m[1] ?? m[2] ?? m[3]! }));
});

const folderOf = (path: string): string => path.split('/')[0]!;

describe('imports', () => {
  test('every folder of src has a rule', () => {
    expect(files.length).toBeGreaterThan(50);
    expect([...new Set(files.map(folderOf))].filter((folder) => !(folder in allowed))).toEqual([]);
  });

  test('follow the picture of the architecture', () => {
    const wrong = imports.filter(({ file, target }) => {
      if (!target.startsWith('.')) return false;
      const from = folderOf(file);
      const to = folderOf(posix.join(posix.dirname(file), target));
      return to !== from && to !== 'diagnostic' && !allowed[from]!.includes(to);
    });
    expect(wrong).toEqual([]);
  });

  test('the core uses no module of Node and no package', () => {
    const wrong = imports.filter(
      ({ file, target }) => !target.startsWith('.') && target !== ownTexts && !mayUseNode.has(folderOf(file)),
    );
    expect(wrong).toEqual([]);
  });

  test('no code is made from text while running', () => {
    const wrong = files.filter((file) =>
      /\beval\s*\(|new\s+Function\s*\(/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(wrong).toEqual([]);
  });
});
