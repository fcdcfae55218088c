import { describe, expect, test } from 'vitest';
import type { Alias, ScalarVariable } from '../../src/structure/analysis.ts';
import { LastingAliases } from '../../src/structure/lasting.ts';
import { sortMode } from '../../src/structure/mode.ts';
import { Notation } from './notation.ts';

/** Equations that all modes have, and those of single modes. */
function model(
  common: readonly string[],
  modes: readonly (readonly string[])[],
  attributes: Record<string, Partial<ScalarVariable>> = {},
) {
  const notation = new Notation();
  const equations = common.map((text) => notation.equation(text));
  const own = modes.map((texts) => texts.map((text) => notation.equation(text)));
  const everywhere = [...equations, ...own.flat()];
  const variables = notation.variables(everywhere, attributes);
  const lasting = new LastingAliases(notation.pool, { equations, variables, everywhere });
  const written = ({ symbol, target, sign }: Alias) =>
    `${notation.name(symbol)}=${sign === 1 ? '' : '-'}${notation.name(target)}`;
  return {
    aliases: lasting.aliases.map(written),
    /** What is left of the equations of a mode. */
    left: (k: number) => lasting.equationsOf([...equations, ...own[k]!]).map((e) => everywhere.indexOf(e)),
    lasting,
    /** A mode with what is known of all modes, and without. */
    sorted: (k: number) =>
      [lasting, undefined].map((known) => {
        const all = [...equations, ...own[k]!];
        const result = sortMode(notation.pool, all, variables, { ...notation.options(), lasting: known });
        if (!result.mode) return result.diagnostics.map((d) => d.message);
        const { aliases, states, blocks, index } = result.mode;
        return {
          aliases: aliases.map(written),
          states: states.map((s) => notation.text(s)),
          blocks: blocks.length,
          index,
        };
      }),
  };
}

describe('what is equal in all modes', () => {
  test('is eliminated once; other equations are in terms of the survivors', () => {
    const { aliases, left, lasting } = model(['a = b', 'c = -b', "x' = c"], [['c + x = 1'], ['x = 2*time']], {
      b: { weight: 1 },
    });
    expect(aliases).toEqual(['a=b', 'c=-b']);
    // Only what contains no alias is the equation that it was.
    expect(left(0)).toEqual([-1, -1]);
    expect(left(1)).toEqual([-1, 4]);
    expect(lasting.aliases.length).toBe(2);
  });

  test('may become equal to more in a mode', () => {
    const { sorted } = model(["x' = -a", 'b = -a', 'c = b', 'd + c = time'], [['x = -c'], ['a = 3']]);
    const [own, scratch] = sorted(0);
    expect(own).toEqual({ aliases: ['a=x', 'b=-x', 'c=-x'], states: ['x'], blocks: 2, index: 1 });
    expect(own).toEqual(scratch);
    const [other, otherScratch] = sorted(1);
    expect(other).toEqual(otherScratch);
  });

  test('stays two where some mode differentiates both', () => {
    const { aliases, sorted } = model(['x = y', 'z = 2*x'], [["x' + y' = 1"], ["x' = 1"], ['x = time']]);
    expect(aliases).toEqual([]);
    for (const k of [0, 1, 2]) {
      const [own, scratch] = sorted(k);
      expect(own).toEqual(scratch);
    }
    expect(sorted(1)[0]).toMatchObject({ aliases: ['y=x'], states: ['x'] });
  });

  test('an equation that says the same again stays, and is reported', () => {
    const { sorted } = model(['a = b', 'b = a'], [['c = 1']]);
    const [own, scratch] = sorted(0);
    expect(own).toEqual(scratch);
    expect(own).toEqual([expect.stringMatching(/nothing determines/)]);
  });
});
