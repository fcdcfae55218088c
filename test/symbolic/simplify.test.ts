import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../src/symbolic/evaluate.ts';
import type { Expr } from '../../src/symbolic/expr.ts';
import { bounded, built, fresh, names, type Tree, trees, values } from './notation.ts';

/** Both sides are built with simplification; equal expressions are the same object. */
function same(left: Tree, right: Tree): void {
  const { pool } = fresh();
  expect(built(pool, left, true), JSON.stringify(left)).toBe(built(pool, right, true));
}

/** The node stays as it is. */
function stays(tree: Tree): void {
  const { pool } = fresh();
  expect(built(pool, tree, true), JSON.stringify(tree)).toBe(built(pool, tree, false));
}

describe('constants', () => {
  it('folds arithmetic as IEEE 754 does', () => {
    same(['add', 0.1, 0.2], 0.30000000000000004);
    same(['div', 1, 3], 1 / 3);
    same(['pow', 2, 10], 1024);
    same(['sqrt', 2], Math.SQRT2);
    same(['mod', -7, 3], 2);
    same(['rem', -7, 3], -1);
    same(['idiv', -7, 2], -3);
    same(['atan2', 1, -1], Math.atan2(1, -1));
    same(['sign', -2], -1);
    same(['lt', 1, 2], 1);
    same(['ne', 1, 1], 0);
    same(['neg', 0], 0);
  });
  it('leaves division by zero, domain errors and overflow in place', () => {
    stays(['div', 1, 0]);
    stays(['div', 0, 0]);
    stays(['div', 'x', 0]);
    stays(['log', 0]);
    stays(['log', -1]);
    stays(['sqrt', -1]);
    stays(['asin', 2]);
    stays(['mod', 1, 0]);
    stays(['pow', 0, -2]);
    stays(['pow', -8, 0.5]);
    stays(['mul', 1e308, 10]);
    stays(['exp', 1000]);
  });
});

describe('zeros and ones', () => {
  it('removes neutral elements', () => {
    same(['add', 'x', 0], 'x');
    same(['add', 0, 'x'], 'x');
    same(['sub', 'x', 0], 'x');
    same(['sub', 0, 'x'], ['neg', 'x']);
    same(['mul', 1, 'x'], 'x');
    same(['mul', 'x', 0], 0);
    same(['div', 'x', 1], 'x');
    same(['pow', 'x', 1], 'x');
    same(['pow', 'x', 0], 1);
    same(['pow', 1, 'x'], 1);
  });
  it('does not cancel quotients that could be 0/0', () => {
    stays(['div', 0, 'x']);
    same(['neg', ['div', 0, 'x']], ['div', 0, 'x']);
    stays(['mul', 'x', ['div', 0, 'y']]);
    stays(['div', 'x', 'x']);
    stays(['mul', 'x', ['div', 'y', 'x']]);
  });
});

describe('signs', () => {
  it('brings negative terms to subtractions', () => {
    same(['neg', ['neg', 'x']], 'x');
    same(['add', 'x', ['neg', 'y']], ['sub', 'x', 'y']);
    same(['add', ['neg', 'x'], 'y'], ['sub', 'y', 'x']);
    same(['add', ['neg', 'x'], ['neg', 'y']], ['neg', ['add', 'x', 'y']]);
    same(['sub', 'x', ['neg', 'y']], ['add', 'x', 'y']);
    same(['sub', ['neg', 'x'], 'y'], ['neg', ['add', 'x', 'y']]);
    same(['sub', ['neg', 'x'], ['neg', 'y']], ['sub', 'y', 'x']);
    same(['neg', ['sub', 'x', 'y']], ['sub', 'y', 'x']);
    same(['mul', -1, 'x'], ['neg', 'x']);
    same(['mul', ['neg', 'x'], ['neg', 'y']], ['mul', 'x', 'y']);
    same(['mul', ['neg', 'x'], 'y'], ['neg', ['mul', 'x', 'y']]);
    same(['div', ['neg', 'x'], ['neg', 'y']], ['div', 'x', 'y']);
    same(['div', 'x', -1], ['neg', 'x']);
    same(['add', 'x', ['mul', -3, 'y']], ['sub', 'x', ['mul', 3, 'y']]);
    same(['sub', 'x', 1], ['add', 'x', -1]);
  });
  it('uses the symmetry of functions', () => {
    same(['sin', ['neg', 'x']], ['neg', ['sin', 'x']]);
    same(['cos', ['neg', 'x']], ['cos', 'x']);
    same(['abs', ['neg', 'x']], ['abs', 'x']);
    same(['abs', ['abs', 'x']], ['abs', 'x']);
    same(['pow', ['neg', 'x'], 4], ['pow', 'x', 4]);
    same(['pow', ['neg', 'x'], 3], ['neg', ['pow', 'x', 3]]);
  });
  it('ends also with factors that would underflow', () => {
    const { pool, x, y } = fresh();
    const tiny = pool.mul(pool.const(-1e-300), y);
    const sum = pool.add(x, tiny);
    expect(evaluate(sum, (leaf) => (leaf === x ? 2 : 1e300))).toBe(1);
  });
});

describe('sums and products', () => {
  it('orders commutative arguments', () => {
    same(['add', 'y', 'x'], ['add', 'x', 'y']);
    same(['mul', 'y', 'x'], ['mul', 'x', 'y']);
    same(['min', 'y', 'x'], ['min', 'x', 'y']);
    same(['eq', 'y', 'x'], ['eq', 'x', 'y']);
  });
  it('collects numeric factors', () => {
    same(['mul', 2, ['mul', 3, 'x']], ['mul', 6, 'x']);
    same(['mul', ['mul', 2, 'x'], ['mul', 3, 'y']], ['mul', 6, ['mul', 'x', 'y']]);
    same(['mul', ['mul', 2, 'x'], 'y'], ['mul', 2, ['mul', 'x', 'y']]);
    same(['div', ['mul', 6, 'x'], 3], ['mul', 2, 'x']);
    same(['div', ['mul', 6, 'x'], ['mul', 2, 'y']], ['mul', 3, ['div', 'x', 'y']]);
    same(['mul', 4, ['div', 3, 'x']], ['div', 12, 'x']);
    same(['mul', 'y', ['div', 3, 'x']], ['mul', 3, ['div', 'y', 'x']]);
    same(['div', 'x', 4], ['mul', 0.25, 'x']);
    same(['div', ['div', 'x', 3], 5], ['div', 'x', 15]);
    stays(['div', 'x', 3]);
  });
  it('collects equal terms and constants', () => {
    same(['add', 'x', 'x'], ['mul', 2, 'x']);
    same(['add', ['mul', 2, 'x'], ['mul', 3, 'x']], ['mul', 5, 'x']);
    same(['sub', ['mul', 2, 'x'], 'x'], 'x');
    same(['sub', 'x', 'x'], 0);
    same(['add', 'x', ['neg', 'x']], 0);
    same(['add', ['add', 'x', 1], 2], ['add', 'x', 3]);
    same(['sub', 5, ['add', 'x', 2]], ['sub', 3, 'x']);
    same(['sub', 5, ['sub', 2, 'x']], ['add', 'x', 3]);
    same(['neg', ['add', 'x', 2]], ['sub', -2, 'x']);
  });
  it('cancels a term against a sum that contains it', () => {
    same(['sub', ['add', 'x', 'y'], 'x'], 'y');
    same(['add', ['sub', 'x', 'y'], 'y'], 'x');
    same(['sub', 'x', ['sub', 'x', 'y']], 'y');
    same(['sub', 'x', ['add', 'x', 'y']], ['neg', 'y']);
    same(['sub', ['sub', 'x', 'y'], 'x'], ['neg', 'y']);
  });
  it('treats integer powers', () => {
    same(['pow', 'x', 2], ['mul', 'x', 'x']);
    same(['pow', 'x', -1], ['div', 1, 'x']);
    same(['pow', ['pow', 'x', 3], 2], ['mul', ['pow', 'x', 3], ['pow', 'x', 3]]);
    same(['pow', ['pow', 'x', 3], 3], ['pow', 'x', 9]);
    stays(['pow', ['pow', 'x', 0.5], 3]);
    stays(['pow', 'x', 0.5]);
  });
});

describe('conditions', () => {
  it('decides what is decided', () => {
    same(['if', 1, 'x', 'y'], 'x');
    same(['if', 0, 'x', 'y'], 'y');
    same(['if', ['lt', 'z', 0], 'x', 'x'], 'x');
    same(['if', ['not', ['lt', 'z', 0]], 'x', 'y'], ['if', ['lt', 'z', 0], 'y', 'x']);
    same(['if', ['lt', 'z', 0], ['if', ['lt', 'z', 0], 'x', 'y'], 'z'], ['if', ['lt', 'z', 0], 'x', 'z']);
    same(['not', ['not', ['lt', 'x', 0]]], ['lt', 'x', 0]);
    same(['and', 1, ['lt', 'x', 0]], ['lt', 'x', 0]);
    same(['and', ['lt', 'x', 0], 0], 0);
    same(['or', ['lt', 'x', 0], 1], 1);
    same(['or', 0, ['lt', 'x', 0]], ['lt', 'x', 0]);
    same(['and', ['lt', 'x', 0], ['lt', 'x', 0]], ['lt', 'x', 0]);
    same(['and', ['lt', 'x', 0], ['not', ['lt', 'x', 0]]], 0);
    same(['or', ['lt', 'x', 0], ['not', ['lt', 'x', 0]]], 1);
    same(['le', 'x', 'x'], 1);
    same(['lt', 'x', 'x'], 0);
    stays(['and', ['lt', 'y', 0], ['lt', 'x', 0]]);
  });
  it('keeps marks for events where they can matter', () => {
    same(['noEvent', 'x'], 'x');
    same(['noEvent', ['noEvent', ['abs', 'x']]], ['noEvent', ['abs', 'x']]);
    same(['homotopy', 'x', 'x'], 'x');
    stays(['noEvent', ['if', ['lt', 'x', 0], 'x', 'y']]);
    stays(['smooth', 1, ['abs', 'x']]);
    stays(['homotopy', 'x', 'y']);
  });
});

describe('strings', () => {
  it('joins texts', () => {
    const { pool, x } = fresh();
    const message = pool.apply(
      'concat',
      pool.text('a'),
      pool.text('b'),
      pool.apply('string', x),
      pool.text(''),
    );
    expect(message).toBe(pool.raw('concat', [pool.text('ab'), pool.apply('string', x)]));
    expect(pool.apply('string', pool.const(0.5))).toBe(pool.text('0.5'));
    expect(pool.apply('eq', pool.text('a'), pool.text('b'))).toBe(pool.zero);
  });
});

it('finds equal nodes again among many', () => {
  const { pool } = fresh();
  const nodes: Expr[] = [];
  for (let i = 0; i < 20_000; i++)
    nodes.push(pool.raw('add', [pool.ref(i, i % 3), pool.call(i % 7, [pool.ref(i)], 1)]));
  const size = pool.size;
  const found = nodes.filter(
    (node, i) =>
      pool.raw('add', [pool.ref(i, i % 3), pool.call(i % 7, [pool.ref(i)], 1)]) === node &&
      pool.at(node.id) === node,
  );
  expect(found.length).toBe(20_000);
  expect(pool.size).toBe(size);
  expect(pool.const(-0)).not.toBe(pool.const(0));
  expect(pool.const(Number.NaN)).toBe(pool.const(Number.NaN));
  expect(pool.pre(3)).not.toBe(pool.ref(3));
});

it('keeps values up to rounding', () => {
  fc.assert(
    fc.property(trees(false), values, (tree, point) => {
      const { pool } = fresh();
      const reference = bounded(tree, (name) => point[names.indexOf(name)]!);
      fc.pre(reference.e < 1e-4 * (1 + Math.abs(reference.v)));
      const simplified = built(pool, tree, true);
      const value = evaluate(simplified, (leaf) => point[(leaf as { symbol: number }).symbol]!);
      expect(Math.abs(value - reference.v)).toBeLessThanOrEqual(
        8 * reference.e + 1e-14 * Math.abs(reference.v),
      );
    }),
    { numRuns: 3000 },
  );
});

it('is idempotent: building a simplified expression again gives itself', () => {
  fc.assert(
    fc.property(trees(false), (tree) => {
      const { pool } = fresh();
      const once = built(pool, tree, true);
      const again = rebuilt(once);
      expect(again).toBe(once);
      function rebuilt(node: Expr): Expr {
        return node.kind === 'apply' ? pool.apply(node.op, ...node.args.map(rebuilt)) : node;
      }
    }),
    { numRuns: 2000 },
  );
});
