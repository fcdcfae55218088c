import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Block } from '../../src/structure/analysis.ts';
import { isNonzero } from '../../src/structure/nonzero.ts';
import { sortSystem } from '../../src/structure/sort.ts';
import { evaluate } from '../../src/symbolic/evaluate.ts';
import type { Expr, Ref } from '../../src/symbolic/expr.ts';
import { regularLists } from './graphs.ts';
import { Notation, runBlocks, solveDense } from './notation.ts';

function sort(texts: readonly string[], unknowns: string, optional: readonly string[] = [], known = {}) {
  const notation = new Notation(known);
  const refs = unknowns.split(' ').map((name) => notation.expr(name) as Ref);
  const equation = (text: string) => {
    const parsed = notation.equation(text);
    return {
      ...parsed,
      assigns: parsed.assigns === undefined ? undefined : notation.pool.ref(parsed.assigns),
    };
  };
  const system = { equations: texts.map(equation), optional: optional.map(equation), unknowns: refs };
  return { notation, result: sortSystem(notation.pool, system, notation.options()) };
}

function blocks(...args: Parameters<typeof sort>) {
  const { notation, result } = sort(...args);
  if (result.kind !== 'sorted') throw new Error('singular');
  return {
    notation,
    blocks: result.blocks,
    used: result.used,
    shown: result.blocks.map((b) => show(notation, b)),
  };
}

function show(notation: Notation, block: Block): string {
  if (block.kind === 'assign') return notation.text(block.unknown);
  const inner = block.inner.map(({ unknown }) => notation.text(unknown)).join(' ');
  return `${block.linear ? 'linear' : 'nonlinear'} [${inner} | ${block.tears.map((t) => notation.text(t)).join(' ')}]`;
}

describe('blocks', () => {
  test('assignments in order, derivatives as unknowns of their own', () => {
    const { shown, blocks: list, notation } = blocks(["2*x' = y", 'y = x + z', 'exp(z) = 3'], "x' y z");
    expect(shown).toEqual(['z', 'y', "x'"]);
    expect(list.map((b) => (b.kind === 'assign' ? b.equations : []))).toEqual([[2], [1], [0]]);
    const memory = new Map<Expr, number>([[notation.expr('x'), 1]]);
    runBlocks(list, memory);
    expect(memory.get(notation.expr("x'"))).toBeCloseTo((1 + Math.log(3)) / 2, 14);
  });

  test('a coefficient that may vanish is not divided by', () => {
    expect(blocks(['a*x = 1'], 'x').shown).toEqual(['linear [ | x]']);
    expect(blocks(['(1 + a*a)*x = 1'], 'x').shown).toEqual(['x']);
    expect(blocks(['p*x = 1'], 'x', [], { p: 2 }).shown).toEqual(['x']);
    expect(blocks(['p*x = 1'], 'x', [], { p: 0 }).shown).toEqual(['linear [ | x]']);
    expect(blocks(['x^2 = 2'], 'x').shown).toEqual(['nonlinear [ | x]']);
  });

  test('a linear loop is torn', () => {
    expect(blocks(['x + y = 3', 'x - y = 1'], 'x y').shown).toEqual(['linear [y | x]']);
    expect(blocks(['x + sin(y) = 3', 'x - y = 1'], 'x y').shown).toEqual(['nonlinear [x | y]']);
    expect(blocks(['x*y = 3', 'x - y = 1'], 'x y').shown).toEqual(['nonlinear [y | x]']);
  });

  test('a large linear block comes whole', () => {
    const texts = Array.from({ length: 70 }, (_, k) => `x${k} + 2*x${(k + 1) % 70} = ${k}`);
    const { blocks: list } = blocks(texts, texts.map((_, k) => `x${k}`).join(' '));
    expect(list).toMatchObject([{ kind: 'solve', inner: [], linear: true }]);
    expect(list[0]?.kind === 'solve' && list[0].residuals.length).toBe(70);
  });

  test('another large block is torn to short chains, in which errors do not multiply', () => {
    const texts = Array.from({ length: 72 }, (_, k) => `x${k} + 2*x${(k + 1) % 72} + sin(x0) = ${k}`);
    const { blocks: list } = blocks(texts, texts.map((_, k) => `x${k}`).join(' '));
    expect(list).toMatchObject([{ kind: 'solve', linear: false }]);
    const [block] = list;
    if (block?.kind !== 'solve') throw new Error('no system');
    expect(block.residuals.length).toBeGreaterThanOrEqual(Math.floor(72 / 5));
    expect(block.inner.length + block.tears.length).toBe(72);
  });

  test('an equation with `assigns` gives its own variable only', () => {
    expect(blocks(['z := 2*x', 'x + z = 3*time'], 'x z').shown).toEqual(['linear [z | x]']);
    const { result } = sort(['z := 2*x', 'z = 3'], 'x z');
    expect(result.kind).toBe('singular');
  });
});

describe('optional equations', () => {
  const motion = ["x' = v", "v' = -x"];

  test('complete the system in their order', () => {
    const { used, shown } = blocks(motion, "x x' v v'", ['x = 1', 'x = 2', 'v = 0', "x' = 7"]);
    expect(used).toEqual([0, 2]);
    expect(shown.slice().sort()).toEqual(['v', "v'", 'x', "x'"]);
  });

  test('one that contradicts is passed over, also when a chain leads to it', () => {
    expect(blocks(motion, "x x' v v'", ["x' = 0", 'v = 1', "v' = 0", 'x = 3']).used).toEqual([0, 2]);
  });

  test('too few: the unknowns that nothing determines', () => {
    const { notation, result } = sort(motion, "x x' v v'", ['x = 1']);
    if (result.kind !== 'singular') throw new Error('not singular');
    expect(result.under.unknowns.map((ref) => notation.text(ref))).toEqual(["x'", 'v']);
    expect(result.over.equations).toEqual([]);
  });

  test('too many required equations', () => {
    const { notation, result } = sort(['x = 1', 'x = 2', 'y = 3'], 'x y', ['y = 4']);
    if (result.kind !== 'singular') throw new Error('not singular');
    expect(result.over.equations).toEqual([0, 1]);
    expect(result.over.unknowns.map((ref) => notation.text(ref))).toEqual(['x']);
  });
});

describe('signs', () => {
  const nonzero = (text: string, known = {}) => {
    const notation = new Notation(known);
    return isNonzero(notation.expr(text), notation.options());
  };

  test('what never vanishes', () => {
    for (const text of [
      '2',
      '1 + x*x',
      'exp(x)',
      '-cosh(x) - 1',
      '2/(1 + x^2)',
      'p*exp(x)',
      'sqrt(1 + abs(x))',
    ]) {
      expect(nonzero(text, { p: -3 })).toBe(true);
    }
  });

  test('what may vanish', () => {
    for (const text of [
      'x',
      'x*x',
      '1 - x*x',
      'exp(x) - 1',
      'abs(x)',
      'sqrt(x)',
      'p',
      'sin(1 + x*x)',
      'max(x, 0)',
    ]) {
      expect(nonzero(text, { p: 0 })).toBe(false);
    }
  });
});

/** Systems with a known solution: sums of terms, some with a bounded nonlinear part. */
const systems = regularLists(8).chain((rows) =>
  fc.record({
    rows: fc.constant(rows),
    solution: fc.array(fc.integer({ min: -20, max: 20 }), { minLength: rows.length, maxLength: rows.length }),
    terms: fc.array(
      fc.tuple(fc.integer({ min: 1, max: 9 }), fc.constantFrom('linear', 'linear', 'rational', 'sine')),
      {
        minLength: rows.flat().length,
        maxLength: rows.flat().length,
      },
    ),
    sign: fc.integer(),
  }),
);

describe('laws', () => {
  /**
   * With the matrix A of all coefficients and N of those with nonlinear parts, whose slopes are at most `strength`, two solutions x and y
   * would differ by |x - y| <= strength |A^-1| |N| |x - y|. The strength is half of what makes that a contraction, so there is one only.
   */
  test('running the blocks gives the one solution', () => {
    let checked = 0;
    fc.assert(
      fc.property(systems, ({ rows, solution, terms, sign }) => {
        const notation = new Notation();
        const { pool } = notation;
        const refs = rows.map((_, j) => pool.ref(notation.symbol(`x${j}`)));
        const exact = new Map<Expr, number>(refs.map((ref, j) => [ref, solution[j]! / 10]));
        let e = 0;
        const entries = rows.map((row) =>
          row.map((j) => {
            const [size, kind] = terms[e]!;
            return { j, kind, coefficient: ((sign >> (e++ % 31)) & 1 ? -size : size) + 0.1 * e };
          }),
        );
        const matrix = (row: (typeof entries)[number]) => {
          const values = new Array<number>(rows.length).fill(0);
          for (const { j, coefficient } of row) values[j] = coefficient;
          return values;
        };
        const inverse = inverted(entries.map(matrix));
        if (!inverse || Math.max(...inverse.flat().map(Math.abs)) > 100) return;
        checked++;
        const slopes = entries.map((row) =>
          row.reduce(
            (sum, { kind, coefficient }) => sum + (kind === 'linear' ? 0 : Math.abs(coefficient)),
            0,
          ),
        );
        const growth = inverse.map((row) => row.reduce((sum, a, k) => sum + Math.abs(a) * slopes[k]!, 0));
        const strength = pool.const(Math.min(1, 0.5 / Math.max(...growth)));
        const equations = entries.map((row, index) => {
          let sum: Expr = pool.zero;
          for (const { j, kind, coefficient } of row) {
            const x = refs[j]!;
            const bounded = {
              linear: pool.zero,
              rational: pool.div(x, pool.add(pool.one, pool.mul(x, x))),
              sine: pool.apply('sin', x),
            }[kind]!;
            sum = pool.add(sum, pool.mul(pool.const(coefficient), pool.add(x, pool.mul(strength, bounded))));
          }
          return { left: sum, right: pool.const(evaluate(sum, (leaf) => exact.get(leaf)!)), index };
        });
        const result = sortSystem(pool, { equations, unknowns: refs }, notation.options());
        if (result.kind !== 'sorted') throw new Error('singular');
        const memory = new Map<Expr, number>();
        for (const [ref, value] of exact) memory.set(ref, value + 0.5);
        runBlocks(result.blocks, memory);
        for (const ref of refs) expect(memory.get(ref)).toBeCloseTo(exact.get(ref)!, 6);
      }),
      { numRuns: 200 },
    );
    expect(checked).toBeGreaterThan(50);
  });
});

/** The inverse; undefined where there is none. */
function inverted(matrix: readonly (readonly number[])[]): number[][] | undefined {
  try {
    const columns = matrix.map((_, k) =>
      solveDense(
        matrix,
        matrix.map((_row, i) => (i === k ? 1 : 0)),
      ),
    );
    return matrix.map((_, i) => columns.map((column) => column[i]!));
  } catch {
    return undefined;
  }
}
