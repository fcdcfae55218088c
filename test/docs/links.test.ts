/** Links between pages lead somewhere, names of files in the text are names of files, and no page or picture is lost. */
import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Page, proseOf, readPages, root } from './pages.ts';

const pages = readPages();

const linksOf = ({ path, text }: Page): { target: string; anchor: string }[] =>
  [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => match[1]!)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [file = '', anchor = ''] = link.split('#');
      return { target: file === '' ? path : posix.join(posix.dirname(path), file), anchor };
    });

/** Anchors of headings as GitHub makes them. */
const anchorsOf = ({ text }: Page): string[] =>
  [...proseOf(text).matchAll(/^#+ (.*)$/gm)].map((match) =>
    match[1]!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );

describe.each(pages)('$path', (page) => {
  test('links lead to files and headings that exist', () => {
    const broken = linksOf(page).filter(({ target, anchor }) => {
      if (!existsSync(join(root, target))) return true;
      const other = pages.find(({ path }) => path === target);
      return anchor !== '' && other !== undefined && !anchorsOf(other).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  test('names of files are those of files', () => {
    const names = [
      ...proseOf(page.text).matchAll(/`((?:src|test|docs|bench|build|models|examples|bin|\.ci)\/[\w./-]*)`/g),
    ];
    expect(names.map((match) => match[1]!).filter((name) => !existsSync(join(root, name)))).toEqual([]);
  });
});

test('every page and every picture can be found from the README', () => {
  const reached = new Set<string>(['README.md']);
  for (const path of reached) {
    const page = pages.find((item) => item.path === path);
    if (page) for (const { target } of linksOf(page)) reached.add(target);
  }
  const pictures = readdirSync(join(root, 'docs/pictures')).map((name) => `docs/pictures/${name}`);
  expect([...pages.map(({ path }) => path), ...pictures].filter((path) => !reached.has(path))).toEqual([]);
});
