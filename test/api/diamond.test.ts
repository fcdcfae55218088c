/** A model that is inherited on two ways is there once: its variables, its equations, its code, and what is said of it on either way. */
import { describe, expect, test } from 'vitest';
import { type AnyModel, instantiate, Model, merge, modelica, output, Par, Var } from '../../src/index.ts';
import { expectClose, final } from './notation.ts';

const Decay = Model('Decay', { k: Par(1), x: Var({ init: 1 }), equations: modelica`der(x) = -k*x` });
const Left = Model('Left', { extends: Decay, a: modelica`2*x` });
const Right = Model('Right', { extends: Decay, b: modelica`3*x` });
const diamond = (...bases: AnyModel[]) => Model({ extends: bases });

const warnings = (model: AnyModel): string[] => instantiate(model).diagnostics.map(({ message }) => message);

describe('a diamond', () => {
  const ends = (k: number, start = 1): number[] => [1, 2, 3].map((factor) => factor * start * Math.exp(-k));

  test.each<[string, AnyModel, number[]]>([
    ['of two models', diamond(Left, Right), ends(1)],
    ['that merging makes', merge(Left, Right), ends(1)],
    ['with longer ways', diamond(Model({ extends: Left }), Model({ extends: Right })), ends(1)],
    ['of three ways', diamond(Left, Right, Decay), ends(1)],
    ['with the same change on both ways', diamond(Left.with({ k: 2 }), Right.with({ k: 2 })), ends(2)],
    ['with a change on the first way', diamond(Left.with({ k: 2 }), Right), ends(2)],
    ['with a change on the second way', diamond(Left, Right.with({ k: 2 })), ends(2)],
    ['with a change on each way', diamond(Left.with({ k: 2 }), Right.with({ x: { init: 4 } })), ends(2, 4)],
    ['with a change where the ways meet', Model({ extends: [Left, Right], k: 5 }), ends(5)],
    ['with a change of the whole', diamond(Left, Right).with({ k: 5 } as object), ends(5)],
    [
      'of a base that has more equations on one way',
      diamond(
        Model({ extends: Decay.with({ equations: modelica`assert(x < 2, "")` }), a: modelica`2*x` }),
        Right,
      ),
      ends(1),
    ],
  ])('%s has one base', async (_, model, expected) => {
    expectClose(await final(model, 1, ['x', 'a', 'b']), expected);
    expect(warnings(model)).toEqual([]);
  });

  test('can be a component, any number of times', async () => {
    const Both = diamond(Left, Right);
    const model = Model({ c: Both.with({ k: 3 } as object), d: Both });
    expectClose(await final(model, 1, ['c.b', 'd.a']), [3 * Math.exp(-3), 2 * Math.exp(-1)]);
  });

  test('has one piece of code, one algorithm, one function and one initial equation', async () => {
    const ramp = {
      name: 'ramp',
      outputs: { y: [] },
      allocate: () => undefined,
      begin: (_: unknown, segment: { state(name: string, options: { start: number }): number }) =>
        void segment.state('hidden', { start: 0 }),
      stateOutputs: (_: unknown, { x, y }: { x: Float64Array; y: Float64Array }) => void (y[0] = x[0]!),
      derivatives: (_: unknown, { dx }: { dx: Float64Array }) => void (dx[0] = 2),
    };
    const Base = Model({
      y: output,
      w: Var(),
      z: modelica`twice(y)`,
      p: Par({ fixed: false }),
      builtIn: ramp,
      declarations: modelica`function twice input Real u; output Real v; algorithm v := 2*u; end twice;`,
      algorithm: modelica`w := y + 1`,
      initialEquations: modelica`p = 3`,
    });
    const model = diamond(Model({ extends: Base, a: modelica`y` }), Model({ extends: Base, b: modelica`y` }));
    expectClose(await final(model, 1, ['y', 'a', 'b', 'w', 'z', 'p']), [2, 2, 2, 3, 4, 3]);
  });

  test('with different changes on its ways takes the later one, and says so', async () => {
    const model = diamond(Left.with({ k: 2 }), Right.with({ k: 3 }));
    expectClose(await final(model, 1, ['x']), [Math.exp(-3)]);
    expect(warnings(model)).toEqual(['`k` is inherited in two ways with different modifiers.']);
  });
});

describe('equations that are the same', () => {
  const run = async (text: string): Promise<string> => (await instantiate(text).simulate()).status;
  const A = 'model A Real x; equation x = 1; end A;';

  test('in classes beside each other are one', async () => {
    const B = 'model B Real x; equation  x=1; end B;';
    expect(await run(`${A} ${B} model M extends A; extends B; end M;`)).toBe('done');
    expect(await run(`${A} model L extends A; end L; model M extends L; extends A; end M;`)).toBe('done');
    const other = 'model B Real x; equation x = 2; end B;';
    expect(await run(`${A} ${other} model M extends A; extends B; end M;`)).toBe('failed');
  });

  test('in a class and in one that it extends are two', async () => {
    expect(await run(`${A} model M extends A; equation x = 1; end M;`)).toBe('failed');
    expect(await run('model M Real x; equation x = 1; x = 1; end M;')).toBe('failed');
    const R = 'model R extends A; equation x = 1; end R;';
    expect(await run(`${A} model L extends A; end L; ${R} model M extends L; extends R; end M;`)).toBe(
      'failed',
    );
  });
});
