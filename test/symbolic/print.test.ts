import { expect, it } from 'vitest';
import type { Expr, Op } from '../../src/symbolic/expr.ts';
import { printExpr } from '../../src/symbolic/print.ts';
import { built, fresh, type Tree } from './notation.ts';

const names = { nameOfSymbol: (symbol: number): string => ['x', 'y', 'z'][symbol] ?? `v${symbol}` };

function prints(tree: Tree, text: string): void {
  const { pool } = fresh();
  expect(printExpr(built(pool, tree, false), names)).toBe(text);
}

it('uses no more parentheses than the grammar needs', () => {
  prints(['add', ['add', 'x', 'y'], 'z'], 'x + y + z');
  prints(['add', 'x', ['add', 'y', 'z']], 'x + (y + z)');
  prints(['sub', 'x', ['sub', 'y', 'z']], 'x - (y - z)');
  prints(['sub', ['sub', 'x', 'y'], 'z'], 'x - y - z');
  prints(['mul', ['add', 'x', 'y'], 'z'], '(x + y)*z');
  prints(['div', 'x', ['mul', 'y', 'z']], 'x/(y*z)');
  prints(['mul', ['div', 'x', 'y'], 'z'], 'x/y*z');
  prints(['pow', ['pow', 'x', 'y'], 'z'], '(x^y)^z');
  prints(['pow', ['add', 'x', 1], 2], '(x + 1)^2');
  prints(['mul', 'x', 'x'], 'x^2');
  prints(['neg', ['mul', 'x', 'y']], '-x*y');
  prints(['neg', ['add', 'x', 'y']], '-(x + y)');
  prints(['mul', 'x', ['neg', 'y']], 'x*(-y)');
  prints(['add', 'x', -2], 'x - 2');
  prints(['mul', -2, 'x'], '-2*x');
  prints(['sub', 'y', ['mul', -2, 'x']], 'y - (-2*x)');
  prints(['lt', ['add', 'x', 1], 'y'], 'x + 1 < y');
  prints(
    ['and', ['or', ['lt', 'x', 1], ['gt', 'y', 2]], ['not', ['eq', 'z', 0]]],
    '(x < 1 or y > 2) and not z == 0',
  );
  prints(
    ['if', ['lt', 'x', 0], 1, ['if', ['lt', 'y', 0], 2, 3]],
    'if x < 0 then 1 elseif y < 0 then 2 else 3',
  );
  prints(['add', 1, ['if', ['lt', 'x', 0], 1, 2]], '1 + (if x < 0 then 1 else 2)');
  prints(['sin', ['mul', 2, 't']], 'sin(2*time)');
  prints(['idiv', 'x', 2], 'div(x, 2)');
  prints(1e-7, '1e-7');
});

it('names variables, derivatives, functions and arrays', () => {
  const { pool, x, y } = fresh();
  const all = {
    ...names,
    nameOfFunction: () => 'P.f',
    nameOfLocal: () => 'u',
    nameOfIterator: () => 'i',
    nameOfRelation: () => 'x > 1',
  };
  const is = (expr: Expr, text: string): void => expect(printExpr(expr, all)).toBe(text);
  const op = (name: Op, ...args: Expr[]): Expr => pool.raw(name, args);
  is(pool.ref(0, 1), 'der(x)');
  is(pool.ref(0, 2), 'der(x, 2)');
  is(pool.pre(1), 'pre(y)');
  is(pool.call(0, [x, y]), 'P.f(x, y)');
  is(pool.call(0, [x], 1), 'P.f(x).2');
  is(op('not', pool.held(0)), 'not x > 1');
  is(pool.local(3, [pool.iter(0), op('colon')]), 'u[i, :]');
  is(op('array', x, y), '{x, y}');
  is(op('comprehension', pool.iter(0), pool.iter(0), op('range', pool.one, pool.one, x)), '{i for i in 1:x}');
  is(
    op('sumOver', pool.iter(0), pool.iter(0), op('range', pool.one, pool.const(2), x)),
    'sum(i for i in 1:2:x)',
  );
  is(op('minOf', x), 'min(x)');
  is(op('subscript', op('transpose', x), y), 'transpose(x)[y]');
  is(pool.text('a "b"\n'), '"a \\"b\\"\\n"');
  is(op('concat', pool.text('a'), op('string', x)), '"a" + String(x)');
});

it('cuts what is too deep to read', () => {
  const { pool, x } = fresh();
  let deep: Expr = x;
  for (let k = 0; k < 100_000; k++) deep = pool.raw('add', [deep, pool.one]);
  const text = printExpr(deep, names);
  expect(text).toContain('…');
  expect(text.length).toBeLessThan(2000);
});
