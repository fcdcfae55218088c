/**
 * What is printed loads again and gives the same results: the flat text, the exported text and the text in Base Modelica of every example, of every model of the
 * documentation and of a list of models that were chosen to be hard to write.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { printFlat } from '../../src/flat/print/class.ts';
import { type FlatModel, loadModel, loadText } from '../../src/index.ts';
import { readPages, root } from '../docs/pages.ts';
import { library } from '../models/notation.ts';
import { baseText, exportText, runOf, sameResults } from './printed.ts';

const examples = readdirSync(`${root}/examples`).filter((name) => name.endsWith('.mo'));

describe('the text of an example means the same', () => {
  for (const name of examples) {
    const text = readFileSync(`${root}/examples/${name}`, 'utf8');
    for (const model of modelsIn(text, name.slice(0, -3)))
      test(
        model,
        () => check(() => loadModel(loadText(text, name, library()), model), stopOf(text)),
        300_000,
      );
  }
});

/** Where bodies touch, the first half of the time has all kinds of events, and takes long enough. */
function stopOf(text: string): number | undefined {
  const [, stop] = /StopTime = ([\d.]+)/.exec(text) ?? [];
  return text.includes('contact = true') ? Number(stop) / 2 : undefined;
}

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

/** Models with two modes, so that their exported texts are those of `export/merge.ts`. */
const hard: readonly (readonly [title: string, text: string])[] = [
  [
    'samples in conditions of when-equations and alone',
    `model A Integer n(start=0,fixed=true); Integer m(start=0,fixed=true); Boolean s; Real a, b; Real x(start=0,fixed=true);
equation when sample(0.05, 0.1) then n = pre(n)+1; end when;
when {sample(0.07,0.2), x > 0.5} then m = pre(m) + 1; end when;
s = sample(0.1, 0.3);
der(x) = 1; a + b = 1; if time < 0.65 then a = 0; else b = 0; end if; annotation(experiment(StopTime=1)); end A;`,
  ],
  [
    'a function with two outputs, and a condition that is called when',
    `package P function two input Real u; output Real a; output Real b; algorithm a := 2*u; b := u+1; end two;
model C Real p, q, u1, u2; Boolean 'when' = time > 0.4; equation (p, q) = two(time); u1 + u2 = q; if 'when' then u1 = p; else u2 = p; end if; annotation(experiment(StopTime=1)); end C; end P;`,
  ],
  [
    'products of elements under conditions',
    `model D Real x[3](each start=1, each fixed=true), a, b; parameter Real K[3,3] = [1,2,3;0,1,0;0,0,1]; equation der(x) = -K*x .* x; a + b = sum(x); if x[1] < 0.5 then a = 0; else b = product(x); end if; when terminal() then assert(true, "end"); end when; annotation(experiment(StopTime=1)); end D;`,
  ],
  [
    'samples that are remembered, in equations and in an algorithm',
    `model E Integer n(start=0,fixed=true); Integer c(start=0); Boolean t(start=false,fixed=true); Real a,b; Real y(start=0,fixed=true);
algorithm when sample(0.05,0.1) then c := pre(c) + 2; end when;
equation when edge(t) then n = pre(n) + 1; end when; t = sample(0.2, 0.25) or pre(t) and not sample(0.3,0.25);
a + b = 1; if t then a = time; else b = 0; end if; der(y) = if t then 1 else a;  annotation(experiment(StopTime=1)); end E;`,
  ],
  [
    'a ball that bounces until the run is ended',
    `model F Real x(start=1,fixed=true), v(start=0, fixed=true); Integer bounces(start=0,fixed=true); Real a,b; discrete Real tl(start=0, fixed=true);
equation der(x) = v; der(v) = -9.81; when x < 0 then reinit(v, -0.8*pre(v)); bounces = pre(bounces) + 1; tl = time; end when; a+b = x; if bounces >= 1 then a = 0; else b = 0; end if;
when bounces >= 3 then terminate("enough " + String(bounces)); end when; annotation(experiment(StopTime=1.5)); end F;`,
  ],
  [
    'enumerations as sizes, subscripts and words',
    `package Q type T = enumeration(low, mid, high);
 model G T t = if time < 0.3 then T.low elseif time < 0.6 then T.mid else T.high; Real r[T] = {1, 2, 3}; Real y = r[t]; Integer i = Integer(t); Boolean eq = t == T.mid; Real a,b; String s = String(t); parameter T p(start=T.mid) = T.high; equation a + b = y; if t == T.mid then a = 1; else b = 1; end if; assert(time < 3, s); annotation(experiment(StopTime=1)); end G; end Q;`,
  ],
  [
    'subscripts that change',
    `model H Real v[3] = {time, 2, 3}; Integer k = 1 + integer(2.5*time); Real y = v[k]; Real A[2,3] = {{1,2,3},{4,5,time}}; Real z = A[1 + mod(k,2), k]; Real a,b; Boolean bb[2] = {time > 0.5, false}; Real w = if bb[1 + mod(k,2)] then 1 else 2; equation a+b=y; if time < 0.5 then a = 0; else b = 0; end if; annotation(experiment(StopTime=1)); end H;`,
  ],
];

describe('the text of a model that is hard to write means the same', () => {
  test.each(hard)('%s', async (_, text) => {
    await check(() => loadModel(text));
    expect(exportText(loadModel(text))).toBeDefined();
  });
});

async function check(load: () => FlatModel, stopTime?: number): Promise<void> {
  const result = await runOf(load(), stopTime);
  await sameResults(load(), result, printFlat(load()));
  const exported = exportText(load());
  if (exported !== undefined) await sameResults(load(), result, exported);
  const base = baseText(load());
  if (base !== undefined) await sameResults(load(), result, base);
}
