/** Bodies of classes in large texts, which are read when they are asked for, are those that are read at once in small ones. */
import { describe, expect, test } from 'vitest';
import type { ClassDef } from '../../src/syntax/ast.ts';
import { parse } from '../../src/syntax/parser.ts';
import { print } from '../../src/syntax/print.ts';
import { bare, messages, source } from './notation.ts';

/** Some 400 characters each, of all kinds. */
function library(count: number): string {
  const classes = Array.from(
    { length: count },
    (_, k) => `
  replaceable model M${k} "model ${k}"
    extends Base(redeclare model Q = R${k}, n = ${k});
    Real x[${(k % 3) + 1}](each start = ${k}.5) "state" annotation (Placement(extent = {{-10, ${k}}, {10, 20}}));
    // a comment
  equation
    der(x) = -${k}*x .+ f(time, b = "s\\"${k}");
    when sample(0, ${k + 1}) then reinit(x[end], {1, 2} * x); end when;
    annotation (Documentation(info = "<html>${k}</html>"));
  end M${k} constrainedby Base(n = 3) "bound";
  final encapsulated function f${k} input Real u; output Real y; algorithm y := if u > 0 then u else -u; end f${k};
  package P${k}
    type T${k} = Real(unit = "m");
    partial block B${k} T${k} y; end B${k};
  end P${k};`,
  );
  return `within A;\npackage Big${classes.join('')}\nend Big;\n`;
}

const large = library(900);
const small = library(300);
/** The text is large, and the tree of its first third is that of a small text. */
const compared = 300;

const classesOf = (definition: ClassDef): ClassDef[] => {
  const { body } = definition;
  const sections = body.kind === 'long' ? body.sections : [];
  return sections.flatMap((s) =>
    s.kind === 'elements' ? s.elements.filter((e) => e.kind === 'class') : [],
  ) as ClassDef[];
};

const read = (text: string): ClassDef => parse(source(text)).definition.classes[0]!;

const isRead = (definition: ClassDef): boolean =>
  Object.getOwnPropertyDescriptor(definition, 'body')?.get === undefined;

/** A tree without the source that its classes know. */
const placed = (definition: ClassDef): unknown =>
  JSON.parse(JSON.stringify(definition, (key, value) => (key === 'source' ? undefined : value)));

test('the sizes are what the tests below take them for', () => {
  expect(small.length).toBeLessThan(2 ** 18);
  expect(large.length).toBeGreaterThan(2 ** 18);
});

test('a body is read once, when it is first asked for', () => {
  const big = read(large);
  expect(isRead(big)).toBe(true);
  const [model, fn, inner] = classesOf(big);
  expect([isRead(model!), isRead(fn!), isRead(inner!)]).toEqual([false, false, true]);
  expect(classesOf(inner!).map(isRead)).toEqual([true, false]);
  const { body } = model!;
  expect(isRead(model!)).toBe(true);
  expect(model!.body).toBe(body);
  expect(isRead(fn!)).toBe(false);
});

test('trees are the same, with their places', () => {
  const eager = classesOf(read(small));
  const lazy = classesOf(read(large)).slice(0, 3 * compared);
  expect(eager.every(isRead)).toBe(true);
  expect(lazy.length).toBe(eager.length);
  for (const [k, definition] of eager.entries()) expect(placed(lazy[k]!)).toEqual(placed(definition));
});

test('a copy has the body', () => {
  const [model] = classesOf(read(large));
  expect(Object.keys(model!)).toContain('body');
  expect(bare({ ...model! })).toEqual(bare(classesOf(read(small))[0]));
});

test('what is printed parses to the same tree', () => {
  const { definition } = parse(source(large));
  const printed = print(definition);
  expect(print(parse(source(printed)).definition)).toBe(printed);
});

describe('mistakes', () => {
  test('are reported once, and classes with them are kept as they were read', () => {
    const broken = large.replace('der(x) = -450*x', 'der(x) = -450*)x');
    const { definition, diagnostics } = parse(source(broken));
    expect(messages(diagnostics)).toEqual([expect.stringContaining('expected an expression')]);
    const models = classesOf(definition.classes[0]!);
    const at = models.findIndex(({ name }) => name.text === 'M450');
    expect(isRead(models[at - 3]!)).toBe(false);
    expect(isRead(models[at]!)).toBe(true);
    const [, section] = (models[at]!.body.kind === 'long' && models[at]!.body.sections) || [];
    // The broken equation is left out, the one after it is there.
    expect(section?.kind === 'equations' && section.equations.map(({ kind }) => kind)).toEqual(['when']);
  });

  test('of the lexer let everything be read at once', () => {
    const broken = large.replace('"model 899"', '"model 899');
    const { definition, diagnostics } = parse(source(broken));
    expect(diagnostics.length).toBeGreaterThan(0);
    expect(classesOf(definition.classes[0]!).every(isRead)).toBe(true);
  });
});

test('a class that is most of its text is read at once', () => {
  const declarations = Array.from({ length: 20_000 }, (_, k) => `  Real x${k} = ${k};\n`).join('');
  const model = read(`model M\n${declarations}end M;\n`);
  expect(isRead(model)).toBe(true);
});
