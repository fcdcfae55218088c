/** What is mutated: the models of the examples, of the library and of the documentation. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf } from '../docs/pages.ts';

/** Texts in an order that is the same everywhere; `root` is the repository. */
export function readCorpus(root: string): string[] {
  const examples = filesBelow(join(root, 'examples'), '.mo');
  const library = filesBelow(join(root, 'models'), '.mo').map((text) => standing(text));
  const pages = filesBelow(join(root, 'docs'), '.md').flatMap((text) =>
    blocksOf(text)
      .filter(({ language, info }) => language === 'modelica' && !info.has('fragment'))
      .map((block) => block.text),
  );
  return [...new Set([...examples, ...library, ...pages])].filter((text) => text.length < 20_000);
}

function filesBelow(folder: string, extension: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

/** A class of the library as a text of its own: imports take the place of the package around it. */
function standing(text: string): string {
  const inside = /^within\s+([\w.]+)\s*;/.exec(text);
  if (!inside) return text;
  return text
    .replace(inside[0], '')
    .replace(
      /^\s*(?:partial )?\w+ \w+(?:\s+"[^"]*")?\n/,
      (head) => `${head}  import Mutabor.*;\n  import ${inside[1]}.*;\n`,
    );
}
