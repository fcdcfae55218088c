/** What is `replaceable` in a Modelica library is replaced from TypeScript: components, and classes of any kind. */
import { describe, expect, test } from 'vitest';
import {
  type AnyModel,
  Class,
  Failure,
  flatModelOf,
  instantiate,
  loadText,
  Model,
  merge,
  modelFromJson,
  modelica,
  modelToJson,
  redeclare,
  renderDiagnostic,
  simulate,
  toModelica,
} from '../../src/index.ts';

const library = () =>
  loadText(`package Lib
    partial package Medium constant Real density = 0; end Medium;
    package Water extends Medium(density = 1000); end Water;
    package Oil extends Medium(density = 850); constant Real grade = 30; end Oil;
    partial model Load parameter Real k = 1; Real y; end Load;
    model Linear extends Load; equation y = k; end Linear;
    model Square extends Load; parameter Real a = 1; equation y = a*k^2; end Square;
    model Tank
      replaceable package M = Water constrainedby Medium;
      parameter Real V = 2;
      Real mass = V*M.density;
    end Tank;
    model Plant
      replaceable Linear load(k = 3) constrainedby Load(k = 3);
      replaceable model Part = Linear constrainedby Load;
      Linear rigid;
      Part parts[2](k = {1, 2});
      Tank tank;
    end Plant;
  end Lib;`);

const valueIn = async (model: AnyModel, name: string): Promise<number> => {
  const { table, diagnostics } = await simulate(flatModelOf(model, { library: library() }));
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return table.value(name, 1);
};

const Plant = Class('Lib.Plant');
const Cube = Model({ extends: Class('Lib.Load'), b: 1, equations: modelica`y = b*k^3` });

describe('redeclare', () => {
  test('a component, with the modifiers of its constraint', async () => {
    const plant = Plant.with({ load: redeclare(Class('Lib.Square')) });
    expect(await valueIn(Plant, 'load.y')).toBe(3);
    expect(await valueIn(plant, 'load.y')).toBe(9);
    expect(await valueIn(plant.with({ load: { a: 2 } }), 'load.y')).toBe(18);
    expect(await valueIn(Plant.with({ load: redeclare(Class('Lib.Square').with({ k: 5 })) }), 'load.y')).toBe(
      25,
    );
  });

  test('a component by a model written in TypeScript', async () => {
    const plant = Model({ a: 2, plant: Plant.with({ load: redeclare(Cube.with({ b: modelica`a` })) }) });
    expect(await valueIn(plant, 'plant.load.y')).toBe(54);
    expect(await valueIn(plant.with({ plant: { load: { k: 1 } } }), 'plant.load.y')).toBe(2);
  });

  test('a class of each kind', async () => {
    const oil = Plant.with({ tank: { M: redeclare(Class('Lib.Oil'), 'package') } });
    expect(await valueIn(Plant, 'tank.mass')).toBe(2000);
    expect(await valueIn(oil, 'tank.mass')).toBe(1700);
    const squares = merge(Plant, { Part: redeclare(Class('Lib.Square').with({ a: 10 }), 'model') });
    expect(await valueIn(squares, 'parts[2].y')).toBe(40);
    expect(await valueIn(Plant.with({ Part: redeclare(Cube, 'model') }), 'parts[2].y')).toBe(8);
  });

  test('what is inherited', async () => {
    const Own = Model({ extends: Plant, load: redeclare(Cube), own: modelica`2*load.y` });
    expect(await valueIn(Own, 'own')).toBe(54);
  });

  test('is written as Modelica, and kept in JSON', async () => {
    const plant = Model('P', {
      plant: Plant.with({
        load: redeclare(Class('Lib.Square').with({ a: 4 })),
        tank: { M: redeclare(Class('Lib.Oil'), 'package') },
      }),
    });
    expect(toModelica(plant)).toBe(
      [
        'model P',
        '  Lib.Plant plant(redeclare Lib.Square load(a = 4), tank(redeclare package M = Lib.Oil));',
        'end P;',
        '',
      ].join('\n'),
    );
    const again = modelFromJson(modelToJson(plant));
    expect(toModelica(again)).toBe(toModelica(plant));
    expect(await valueIn(again, 'plant.load.y')).toBe(36);
    const cubes = Plant.with({ Part: redeclare(Cube, 'model') });
    expect(await valueIn(modelFromJson(modelToJson(cubes)), 'parts[2].y')).toBe(8);
  });

  test('values of what replaces are merged into runs', async () => {
    const plant = instantiate(Plant.with({ load: redeclare(Class('Lib.Square')) }), { library: library() });
    const { table } = await plant.simulate({ merge: { load: { a: 7 } } });
    expect(table.value('load.y', 1)).toBe(63);
  });
});

describe('what cannot be redeclared', () => {
  const said = (call: () => unknown): string => {
    try {
      call();
    } catch (problem) {
      if (!(problem instanceof Failure)) throw problem;
      const all = problem.diagnostics.map((one) => renderDiagnostic(one)).join('\n');
      return all.replace(/^.*redeclare\.test\.ts:\d+:\d+: /gm, '');
    }
    return '';
  };
  const translated = (model: AnyModel) => () => flatModelOf(model, { library: library() });

  test.each<[string, () => unknown, string]>([
    [
      'what is not replaceable',
      translated(Plant.with({ rigid: redeclare(Class('Lib.Square')) })),
      '`rigid` is redeclared but not replaceable.',
    ],
    [
      'by what does not fit',
      translated(Plant.with({ load: redeclare(Class('Lib.Tank')) })),
      '`Lib.Tank` cannot replace `Lib.Load`: it has no element `k`.',
    ],
    [
      'a class as a component',
      translated(Plant.with({ Part: redeclare(Class('Lib.Square')) })),
      '`Part` is a class, but it is redeclared as a component.',
    ],
    [
      'a component as a class',
      translated(Plant.with({ load: redeclare(Class('Lib.Square'), 'model') })),
      '`load` is a component, but it is redeclared as a class.',
    ],
    [
      'what does not exist',
      translated(Plant.with({ laod: redeclare(Class('Lib.Square')) })),
      '`Lib.Plant` has no element `laod` to modify.',
    ],
  ])('%s', (_, call, message) => {
    expect(said(call)).toContain(message);
  });

  test.each<[string, () => unknown, string]>([
    [
      'a kind that there is not',
      () => redeclare(Class('Lib.Oil'), 'packge' as never),
      "error: What is redeclared is a kind of class, not the text 'packge'. [bad-binding]\n  hint: Kinds are model, block, package, record, connector, function, type.",
    ],
    [
      'a kind for a component of TypeScript',
      () => Model({ c: Cube }).with({ c: redeclare(Cube, 'model') }),
      'error: `c` is a component, not a model. [bad-binding]\n  hint: Write `redeclare(…)` with one argument.',
    ],
    [
      'a model without redeclare',
      () => Plant.with({ load: Class('Lib.Square') }),
      'error: `load` is declared in Modelica; a model cannot be merged into it. [bad-binding]\n  hint: Write `load: redeclare(…)` to replace it.',
    ],
    [
      'nothing',
      () => Plant.with({ load: null }),
      'error: `load` is declared in Modelica; it cannot be removed from outside. [unsupported]\n  hint: Its values can be changed, and what is replaceable can be replaced: `redeclare(…)`.',
    ],
  ])('%s', (_, call, message) => {
    expect(said(call)).toBe(message);
  });
});
