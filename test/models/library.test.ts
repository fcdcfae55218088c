/** What holds for every class of the library: it is documented, drawn, balanced, tested, and runs where it stands for itself. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check, loadText, parse, Source, simulate, translate } from '../../src/index.ts';

import { folder, library } from './notation.ts';

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((name) => name.split('\\').join('/'))
  .filter((name) => name.endsWith('.mo'))
  .sort();

const classes = files.map((file) => {
  const text = readFileSync(join(folder, file), 'utf8');
  const { definition, diagnostics } = parse(new Source(file, text));
  const name = file.replace(/(\/package)?\.mo$/, '').replaceAll('/', '.');
  return { file, name, text, item: definition.classes[0]!, definition, diagnostics };
});
const components = classes.filter(
  ({ item }) => !item.partial && ['model', 'block'].includes(item.restriction),
);
const tests = ['.', '../bodies']
  .flatMap((place) => readdirSync(join(import.meta.dirname, place)).map((name) => join(place, name)))
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  .join('\n');

/** A class by itself; one of bodies as the only part of a mechanism, with no forces but gravity. */
function alone(name: string, text: string) {
  const stands = /^ +parameter String on /m.test(text);
  if (!name.startsWith('Mutabor.Bodies.') && !stands) return translate(library(), name);
  const inputs = [...text.matchAll(/^ +input [\w.]+ (\w+)(?:\[(\d)\])?/gm)];
  const given = inputs.map(([, input, size]) => `${input} = ${size ? `zeros(${size})` : '0'}`);
  if (stands) given.push('on = "world"');
  const world = name.endsWith('.World') ? '' : 'Mutabor.Bodies.World world;';
  const model = `model Alone ${world} ${name} part(${given.join(', ')}); end Alone;`;
  return translate(loadText(model, 'Alone.mo', library()), 'Alone');
}

test('there is a component for what circuits, drives, heat and signals need', () => {
  expect(components.length).toBeGreaterThan(100);
});

describe.each(classes)('$name', ({ file, name, text, item, definition, diagnostics }) => {
  test('is one documented class at its place', () => {
    expect(diagnostics).toEqual([]);
    const within = (definition.within?.parts ?? []).map((part) => part.text).join('.');
    expect(`${within}.${item.name.text}`.replace(/^\./, '')).toBe(name);
    expect(definition.classes).toHaveLength(1);
    expect(text).toMatch(
      /^(within [\w.]*;\n)(partial )?(model|block|connector|package|type|function) \w+ .*"[^"]+"/,
    );
    expect(text).toMatch(/Documentation\(info = "<html>\s*<p>[\s\S]+<\/p>\s*<\/html>"\)/);
    expect(text).toContain('Icon(graphics = {');
    if (file.endsWith('/package.mo')) {
      const order = readFileSync(join(folder, file, '../package.order'), 'utf8')
        .trim()
        .split('\n');
      const entries = readdirSync(join(folder, file, '..'))
        .filter((entry) => !entry.startsWith('package.'))
        .map((entry) => entry.replace(/\.mo$/, ''));
      expect(order.toSorted()).toEqual(entries.toSorted());
    }
  });
});

describe.each(components)('$name', ({ name, text }) => {
  test('is balanced, has units, and is simulated if nothing is missing around it', async () => {
    const { model, diagnostics } = alone(name, text);
    expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
    const checked = check(model!);
    const without = model!.variables.filter(
      (variable) =>
        variable.type === 'Real' &&
        variable.unit === '' &&
        !/^s$|^above$|^below$|^\$bodies/.test(variable.name),
    );
    if (!name.startsWith('Mutabor.Blocks')) expect(without.map((variable) => variable.name)).toEqual([]);
    if (checked.status === 'failed') {
      // A potential that nothing refers to a ground, a pin without its circuit, a joint without its objects, an object that nothing carries.
      for (const { code } of checked.diagnostics)
        expect([
          'structurally-singular',
          'unbalanced',
          'unknown-name',
          'bad-body',
          'file-not-found',
        ]).toContain(code);
      return;
    }
    // Without anything around it, a component need not have a solution that differs from zero.
    if (checked.floating.length > 0) return;
    const result = await simulate(model!, { stopTime: 1 });
    expect(result.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(result.status).toBe('done');
  });

  test('is used in a test with known results', () => {
    const [, domain, short] = name.split('.') as [string, string, string];
    expect(tests).toMatch(
      domain === 'Blocks' ? new RegExp(`\\b${short}\\b`) : new RegExp(`\\b${short} \\w+`),
    );
  });
});

test('components that are driven by plain expressions of time have no warnings', () => {
  const { model, diagnostics } = translate(
    loadText(
      `model Driven
        import Mutabor.Electrical.*;
        import Mutabor.Rotational.*;
        import Mutabor.Translational.*;
        SignalVoltage source(u = 5*sin(3*time));
        Resistor r(R = 2);
        Ground ground;
        Torque torque(tau = 2*time);
        Inertia inertia(J = 1, phi(start = 0, fixed = true), w(start = 0, fixed = true));
        Force force(f = 3*exp(-2*time));
        Mass mass(m = 1, s(start = 0, fixed = true), v(start = 0, fixed = true));
      equation
        connect(source.p, r.p);
        connect(r.n, source.n);
        connect(source.n, ground.p);
        connect(torque.flange, inertia.flange_a);
        connect(force.flange, mass.flange_a);
      end Driven;`,
      'Driven.mo',
      library(),
    ),
    'Driven',
  );
  expect(diagnostics).toEqual([]);
  expect(check(model!).diagnostics).toEqual([]);
});
