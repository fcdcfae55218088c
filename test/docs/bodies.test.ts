/**
 * The constructors of bodies for programs (`src/bodies.ts`), and parameters with their defaults and units in the reference, are written from the
 * classes of the library. `npm run docs` runs this file in the mode `refresh`: it writes them instead of comparing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, Source } from '../../src/index.ts';
import type * as ast from '../../src/syntax/ast.ts';
import { printExpression } from '../../src/syntax/unparse.ts';
import { root } from './pages.ts';

const refresh = (import.meta as { env?: { MODE?: string } }).env?.MODE === 'refresh';
const folder = join(root, 'models/Mutabor');
const target = join(root, 'src/bodies.ts');

const head = `/**
 * \`mutabor/bodies\`: constructors for the classes of \`Mutabor.Bodies\`, with which bodies become members of models:
 *
 *     const world = World();
 *     const bar = Beam({ length: 1, mass: 2 });
 *     const Pendulum = Model('Pendulum', { world, bar, joint: Revolute({ obj1: world, obj2: bar, phi0: 0.5 }) });
 *
 * Other objects are given themselves, where they are members of the same model, or by their names: \`parent: 'arm.hand'\`. Names, types, units and
 * comments are those of the classes: \`npm run docs\` writes this file from them.
 */
import { constructorOf } from './api/constructors.ts';

export type { Constructor, Declarations, OptionsOf } from './api/constructors.ts';
`;

test('the constructors of bodies are those of the classes', () => {
  if (refresh) writeFileSync(target, moduleText());
  else expect(readFileSync(target, 'utf8')).toBe(moduleText());
});

test('the reference has the parameters of all classes', () => {
  const page = join(root, 'docs/reference/bodies.md');
  const text = readFileSync(page, 'utf8');
  const written = withParameters(text);
  if (refresh) writeFileSync(page, written);
  else expect(text).toBe(written);
  const missing = classNames().filter((name) => {
    const { restriction, partial } = classOf(name);
    return restriction === 'model' && !partial && !text.includes(`| \`${name}\``);
  });
  expect(missing).toEqual([]);
});

const classNames = (): string[] =>
  readFileSync(join(folder, 'Bodies/package.order'), 'utf8').trim().split('\n');

/** What all joints or all shapes have is told once. */
const told = new Set(['Joint', 'Shape']);

/** A page whose tables of classes have their parameters: of a row that begins with a class its cell `parameters`, of one that begins with a parameter of shapes the cell `default`. */
function withParameters(page: string): string {
  const names = new Set(classNames());
  const shapes = new Map(defaultsOf(classOf('Shape')).map((one) => [one.name, one.value]));
  let head: readonly string[] = [];
  return page
    .split('\n')
    .map((line) => {
      if (!line.startsWith('|')) {
        head = [];
        return line;
      }
      const cells = line.slice(1, -1).split('|');
      if (head.length === 0) head = cells.map((cell) => cell.trim());
      const name = /^ `(\w+)`/.exec(cells[0]!)?.[1];
      if (name === undefined) return line;
      const [parameters, standard] = [head.indexOf('parameters'), head.indexOf('default')];
      if (parameters > 0 && names.has(name))
        cells[parameters] = ` ${parametersOf(classOf(name)).join(', ')} `;
      if (standard > 0 && head[0] === 'parameter')
        cells[standard] = ` ${shapes.get(name) ?? expect.fail(name)} `;
      return `|${cells.join('|')}|`;
    })
    .join('\n');
}

/** Parameters with values and units, those of classes that are extended first. */
function parametersOf(model: ast.ClassDef): string[] {
  const inherited = basesOf(model).flatMap(({ base }) =>
    told.has(textOf(base)) ? [] : parametersOf(classOf(textOf(base))),
  );
  return [...inherited, ...defaultsOf(model).map(({ text }) => text)];
}

function defaultsOf(
  model: ast.ClassDef,
): { readonly name: string; readonly text: string; readonly value: string }[] {
  return elementsOf(model).flatMap((element) => {
    if (element.kind !== 'component' || element.variability !== 'parameter') return [];
    return element.declarations.map((declaration) => {
      const name = declaration.name.text;
      const given = declaration.modification?.value;
      const unit = /^Real(?:\[.*\])? (.+)$/.exec(kindOf(textOf(element.type), declaration))?.[1] ?? '1';
      const value = given && given !== 'break' ? printExpression(given) : undefined;
      const shown = (text: string): string => `\`${text}\`${unit === '1' ? '' : ` ${unit}`}`;
      return {
        name,
        text: shown(value === undefined ? name : `${name} = ${value}`),
        value: shown(value ?? ''),
      };
    });
  });
}

function moduleText(): string {
  const names = classNames();
  const models = names.map(classOf).filter(({ restriction }) => restriction === 'model');
  const bases = [...new Set(models.flatMap((model) => basesOf(model).map(({ base }) => textOf(base))))];
  const shared = (name: string) => `in${name}`;
  const fields = (model: ast.ClassDef): string => {
    const inherited = basesOf(model);
    const given = new Set(inherited.flatMap(({ given }) => given));
    const own = [
      ...inherited.map(({ base }) => `  ...${shared(textOf(base))},\n`),
      // What a class gives a value to is a result.
      ...inherited.flatMap(({ base }) =>
        declarationsOf(classOf(textOf(base)))
          .filter(({ name }) => given.has(name))
          .map((one) => field({ ...one, kind: `result ${one.kind}` })),
      ),
      ...declarationsOf(model).map(field),
    ];
    return own.join('');
  };
  const constants = bases.map((name) => `\nconst ${shared(name)} = {\n${fields(classOf(name))}} as const;\n`);
  const exported = models
    .filter(({ partial }) => !partial)
    .map((model) => {
      const name = model.name.text;
      const members = bases.includes(name) ? shared(name) : `{\n${fields(model)}}`;
      return `\n/** ${describedAs(model)}. */\nexport const ${name} = constructorOf('Mutabor.Bodies.${name}', ${members});\n`;
    });
  return [head, ...constants, ...exported].join('');
}

interface Declaration {
  readonly name: string;
  readonly kind: string;
  readonly description: string;
}

const field = ({ name, kind, description }: Declaration): string =>
  `  /** ${description}. */\n  ${name}: '${kind}',\n`;

function classOf(name: string): ast.ClassDef {
  const text = readFileSync(join(folder, `Bodies/${name}.mo`), 'utf8');
  return parse(new Source(`${name}.mo`, text)).definition.classes[0]!;
}

const elementsOf = ({ body }: ast.ClassDef): readonly ast.Element[] =>
  body.kind === 'long'
    ? body.sections.flatMap((section) => (section.kind === 'elements' ? section.elements : []))
    : [];

function describedAs({ body, name }: ast.ClassDef): string {
  const text = body.kind === 'long' ? body.description?.value : undefined;
  expect(text, name.text).toBeDefined();
  return text!;
}

/** What a class extends, and the names that it gives values to there. */
const basesOf = (model: ast.ClassDef) =>
  elementsOf(model).flatMap((element) =>
    element.kind === 'extends'
      ? [
          {
            base: element.base,
            given: (element.modification?.arguments ?? []).flatMap((argument) =>
              argument.kind === 'modify' ? [textOf(argument.name)] : [],
            ),
          },
        ]
      : [],
  );

const textOf = ({ parts }: { readonly parts: readonly { readonly text: string }[] }): string =>
  parts.map(({ text }) => text).join('.');

/** Strings that name other components. */
const naming = new Set([
  'parent',
  'obj1',
  'obj2',
  'object',
  'object1',
  'object2',
  'origin',
  'resolve',
  'joint',
]);

function declarationsOf(model: ast.ClassDef): Declaration[] {
  return elementsOf(model).flatMap((element) => {
    if (element.kind !== 'component') return [];
    return element.declarations.map((declaration): Declaration => {
      const name = declaration.name.text;
      const description = declaration.comment?.description?.value;
      expect(description, `${model.name.text}.${name}`).toBeDefined();
      const isOpen =
        element.variability === 'parameter' ||
        element.causality === 'input' ||
        declaration.modification?.value;
      const kind = naming.has(name) ? 'name' : kindOf(textOf(element.type), declaration);
      return {
        name,
        kind: isOpen || kind.startsWith('component') ? kind : `result ${kind}`,
        description: description!,
      };
    });
  });
}

function kindOf(type: string, { subscripts, modification }: ast.Declaration): string {
  if (type.endsWith('.Flange')) return `component Mutabor.${type}`;
  if (type === 'Gravity') {
    const { body } = classOf(type);
    const literals = body.kind === 'enumeration' ? (body.literals ?? []) : [];
    return `enumeration Mutabor.Bodies.Gravity ${literals.map((one) => one.name.text).join(' ')}`;
  }
  const sizes = subscripts.map((one) => (one.kind === 'number' ? one.text : expect.fail('no number')));
  const [, quantity] = type.split('Units.');
  const own = (modification?.arguments?.arguments ?? []).flatMap((one) => {
    const value = one.kind === 'modify' && textOf(one.name) === 'unit' ? one.modification?.value : undefined;
    return typeof value === 'object' && value.kind === 'string' ? [value.value] : [];
  })[0];
  const unit = quantity ? unitOf(quantity) : own;
  return `${quantity ? 'Real' : type}${sizes.length > 0 ? `[${sizes.join(', ')}]` : ''}${unit ? ` ${unit}` : ''}`;
}

function unitOf(quantity: string): string {
  const units = readFileSync(join(folder, 'Units.mo'), 'utf8');
  return new RegExp(`type ${quantity} = .*unit = "([^"]*)"`).exec(units)![1]!;
}
