import { describe, expect, it } from 'vitest';
import {
  dependsOn,
  eachNode,
  incidence,
  isLinearIn,
  leaves,
  nodesOf,
  substitute,
} from '../../src/symbolic/analyse.ts';
import type { Expr } from '../../src/symbolic/expr.ts';
import { built, fresh, type Tree } from './notation.ts';

describe('leaves', () => {
  it('are distinct and sorted, of all kinds', () => {
    const { pool, x, y, t } = fresh();
    const expr = pool.add(pool.mul(y, x), pool.if(pool.held(2), pool.add(t, x), pool.pre(7)));
    const found = leaves(expr);
    expect(new Set(found)).toEqual(new Set([x, y, t, pool.held(2), pool.pre(7)]));
    expect(found.map((leaf) => leaf.id)).toEqual(found.map((leaf) => leaf.id).sort((a, b) => a - b));
    expect(leaves(expr)).toBe(found);
    expect(leaves(pool.const(3))).toEqual([]);
  });
  it('give the incidence with the highest order', () => {
    const { pool, x, y } = fresh();
    const expr = pool.add(pool.mul(pool.ref(0, 2), x), pool.sub(y, pool.pre(5)));
    expect(incidence(expr)).toEqual(
      new Map([
        [0, 2],
        [1, 0],
      ]),
    );
  });
  it('answer dependsOn', () => {
    const { pool, x, y, z } = fresh();
    const expr = pool.add(pool.apply('sin', x), y);
    expect(dependsOn(expr, x)).toBe(true);
    expect(dependsOn(expr, z)).toBe(false);
    expect(dependsOn(expr, pool.ref(0, 1))).toBe(false);
    expect(dependsOn(expr, pool.ref(77))).toBe(false);
    expect(dependsOn(x, x)).toBe(true);
  });
  it('visits every node of several expressions once, however large the pool is', () => {
    const { pool, x, y } = fresh();
    const shared = pool.add(x, y);
    for (let k = 0; k < 100_000; k++) pool.ref(1000 + k);
    const sine = pool.apply('sin', shared);
    const product = pool.mul(shared, pool.const(3));
    const visited: Expr[] = [];
    eachNode([sine, product, sine], (node) => visited.push(node));
    expect(visited.length).toBe(6);
    expect(new Set(visited)).toEqual(new Set([sine, shared, x, y, product, pool.const(3)]));
  });
  it('visits children before parents, each once', () => {
    const { pool, x, y } = fresh();
    const expr = pool.mul(pool.add(x, y), pool.apply('sin', pool.add(x, y)));
    const nodes = nodesOf(expr);
    expect(nodes.length).toBe(5);
    expect(nodes[nodes.length - 1]).toBe(expr);
    expect(new Set(nodes).size).toBe(nodes.length);
  });
});

describe('substitute', () => {
  it('replaces leaves and simplifies', () => {
    const { pool, x, y, z } = fresh();
    const expr = pool.add(pool.mul(x, y), z);
    expect(substitute(pool, expr, (node) => (node === x ? pool.zero : undefined))).toBe(z);
    expect(substitute(pool, expr, (node) => (node === z ? pool.neg(pool.mul(x, y)) : undefined))).toBe(
      pool.zero,
    );
    expect(substitute(pool, expr, () => undefined)).toBe(expr);
    const swapped = substitute(pool, pool.sub(x, y), (node) => (node === x ? y : node === y ? x : undefined));
    expect(swapped).toBe(pool.sub(y, x));
  });
  it('reaches arguments of calls and subscripts', () => {
    const { pool, x } = fresh();
    const i = pool.iter(1);
    const expr = pool.call(
      2,
      [pool.ref(4, 0, [pool.add(i, pool.one)]), pool.pre(4, [i]), pool.local(1, [i])],
      1,
    );
    const two = pool.const(2);
    expect(substitute(pool, expr, (node) => (node === i ? two : undefined))).toBe(
      pool.call(2, [pool.ref(4, 0, [pool.const(3)]), pool.pre(4, [two]), pool.local(1, [two])], 1),
    );
    const renamed = substitute(pool, pool.local(1, [i]), (node, below) =>
      node.kind === 'local' ? pool.local(9, below) : node === i ? x : undefined,
    );
    expect(renamed).toBe(pool.local(9, [x]));
  });
  it('takes deep chains', () => {
    const { pool, x, y } = fresh();
    let chain: Expr = x;
    let expected: Expr = y;
    for (let k = 0; k < 100_000; k++) {
      chain = pool.apply('sin', chain);
      expected = pool.apply('sin', expected);
    }
    expect(substitute(pool, chain, (node) => (node === x ? y : undefined))).toBe(expected);
    expect(leaves(chain)).toEqual([x]);
  });
});

it('isLinearIn sees products of unknowns', () => {
  const check = (tree: Tree, linear: boolean): void => {
    const { pool, x, y } = fresh();
    expect(isLinearIn(built(pool, tree, false), new Set([x, y])), JSON.stringify(tree)).toBe(linear);
  };
  check(['add', ['mul', 2, 'x'], ['div', 'y', 'z']], true);
  check(['mul', ['sin', 'z'], ['sub', 'x', 'y']], true);
  check(['if', ['lt', 'z', 0], 'x', 'y'], true);
  check(['noEvent', ['neg', 'x']], true);
  check('z', true);
  check(['mul', 'x', 'y'], false);
  check(['mul', 'x', 'x'], false);
  check(['div', 'z', 'x'], false);
  check(['sin', 'x'], false);
  check(['if', ['lt', 'x', 0], 'z', 'y'], false);
  check(['abs', 'x'], false);
});
