import { describe, expect, test } from 'vitest';
import { TextFiles } from '../../src/model/classes/texts.ts';
import { Library } from '../../src/model/library.ts';

const files = new TextFiles({
  'libs/A/package.mo': 'package A end A;',
  'libs/A/B.mo': 'within A; model B Real x = 1; end B;',
  'libs/C.mo': 'model C end C;',
});

describe('texts as files', () => {
  test('folders follow from paths', () => {
    expect(files.list('')).toEqual([{ name: 'libs', folder: true }]);
    expect(files.list('libs/')).toEqual([
      { name: 'A', folder: true },
      { name: 'C.mo', folder: false },
    ]);
    expect(files.list('/libs/A')?.map(({ name }) => name)).toEqual(['B.mo', 'package.mo']);
    expect(files.list('libs/C.mo')).toBeUndefined();
    expect(files.list('toString')).toBeUndefined();
  });

  test('read gives texts only', () => {
    expect(files.read('libs/C.mo')).toBe('model C end C;');
    expect(files.read('libs/A')).toBeUndefined();
    expect(files.read('constructor')).toBeUndefined();
  });

  test('a library finds packages in them', () => {
    const library = new Library({ files, roots: ['libs'] });
    expect(library.byPath(['A', 'B'])?.path).toBe('A.B');
    expect(library.byPath(['C'])?.path).toBe('C');
    expect(library.byPath(['D'])).toBeUndefined();
  });
});
