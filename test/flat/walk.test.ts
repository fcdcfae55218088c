/** Looking at the expressions of equations and putting others in their place see the same expressions. */
import { describe, expect, test } from 'vitest';
import type { FlatModel } from '../../src/flat/flat.ts';
import { expressionsOf, mapExprs } from '../../src/flat/walk.ts';
import { loadModel } from '../../src/index.ts';
import type { Expr } from '../../src/symbolic/expr.ts';

const model = loadModel(`model M
  function f input Real u; output Real a; output Real b; algorithm a := u; b := 2*u; end f;
  Real x(start = 1, fixed = true); Real y; Real v; Real w; Real s[3];
  discrete Real d(start = 0, fixed = true); Real g; Boolean on;
equation
  der(x) = -x;
  (v, w) = f(x + 11);
  for i in 1:3 loop s[i] = i*x + 12; end for;
  if x > 0.5 then y = 13*x; else y = 14; end if;
  when x < 0.7 then d = 15*x; assert(x > 16, "low 17"); elsewhen x < 0.6 then reinit(x, 18); terminate("end 19"); end when;
  assert(x < 20, "high 21");
algorithm
  on := x > 22;
  for k in 1:2 loop if x > k then g := 23*x; end if; end for;
  if on then g := 24; end if;
  when x < 25 then g := 26; terminate("done 27"); end when;
end M;`);

const numbersIn = (exprs: Iterable<Expr>): number[] => {
  const found = new Set<number>();
  const visit = (expr: Expr): void => {
    if (expr.kind === 'const') found.add(expr.value);
    if (expr.kind === 'text') found.add(Number(expr.value.replace(/\D/g, '')));
    if (expr.kind === 'apply' || expr.kind === 'call') expr.args.forEach(visit);
  };
  for (const expr of exprs) visit(expr);
  return [...found].filter((n) => n > 10).sort((a, b) => a - b);
};

/** What mapping sees of a model, and whether it is a message. */
function mapped({ equations }: FlatModel): { expr: Expr; isMessage: boolean }[] {
  const seen: { expr: Expr; isMessage: boolean }[] = [];
  for (const equation of equations) {
    const same = mapExprs(equation, (expr, isMessage = false) => {
      seen.push({ expr, isMessage });
      return expr;
    });
    expect(same).toEqual(equation);
  }
  return seen;
}

describe('the expressions of equations', () => {
  test('are all seen', () => {
    const all = model.equations.flatMap((equation) => [...expressionsOf(model, equation)]);
    const expected = Array.from({ length: 17 }, (_, k) => k + 11);
    expect(numbersIn(all)).toEqual(expected);
    expect(numbersIn(mapped(model).map(({ expr }) => expr))).toEqual(expected);
  });

  test('are known as messages where they are', () => {
    const messages = mapped(model).filter(({ isMessage }) => isMessage);
    expect(numbersIn(messages.map(({ expr }) => expr))).toEqual([17, 19, 21, 27]);
  });

  test('can be replaced, however deep they are', () => {
    const { pool } = model;
    const again = model.equations.map((equation) =>
      mapExprs(equation, (expr) => (expr.kind === 'text' ? pool.text('other') : expr)),
    );
    const texts = again.flatMap((equation) =>
      [...expressionsOf(model, equation)].filter((expr) => expr.kind === 'text'),
    );
    expect(texts.map(({ value }) => value)).toEqual(['other', 'other', 'other', 'other']);
  });
});
