/**
 * What is printed loads again and gives the same results: the flat text and the exported text of every example, of every model of the
 * documentation and of a list of models that were chosen to be hard to write.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'vitest';
import { type FlatModel, loadModel, loadText } from '../../src/index.ts';
import { readPages, root } from '../docs/pages.ts';
import { library } from '../models/notation.ts';
import { exportText, flatText, runOf, sameResults } from './printed.ts';

const examples = readdirSync(`${root}/examples`).filter((name) => name.endsWith('.mo'));

describe('the text of an example means the same', () => {
  for (const name of examples) {
    const text = readFileSync(`${root}/examples/${name}`, 'utf8');
    for (const model of modelsIn(text, name.slice(0, -3)))
      test(model, () => check(() => loadModel(loadText(text, name, library()), model)));
  }
});

/** Of a package, the models that are experiments. */
function modelsIn(text: string, name: string): string[] {
  if (!text.startsWith('package')) return [name];
  const models = [...text.matchAll(/^ {2}model (\w+)[\s\S]*?^ {2}end \1;/gm)];
  return models.filter(([body]) => body.includes('experiment(')).map((match) => `${name}.${match[1]}`);
}

describe('the text of a model in the documentation means the same', () => {
  for (const page of readPages()) {
    for (const { language, info, text, line } of page.blocks) {
      const isWhole =
        language === 'modelica' && !info.has('fragment') && !info.has('error') && !info.has('example');
      if (isWhole)
        test(`${page.path}:${line}`, () => check(() => loadModel(loadText(text, 'page.mo', library()))));
    }
  }
});

async function check(load: () => FlatModel): Promise<void> {
  const result = await runOf(load());
  const flat = flatText(load());
  if (flat !== undefined) await sameResults(load(), result, flat);
  const exported = exportText(load());
  if (exported !== undefined) await sameResults(load(), result, exported);
}
