import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sortMode } from '../../src/structure/mode.ts';
import { evaluate } from '../../src/symbolic/evaluate.ts';
import type { Expr } from '../../src/symbolic/expr.ts';
import { almostLinear, orderOf } from '../growth.ts';
import { regularLists } from './graphs.ts';
import { analyse, Notation, runBlocks, type Setting, sorted } from './notation.ts';

/**
 * Runs the blocks from values of the states and says how far the equations and their derivatives are from
 * zero.
 */
function largestResidual(
  { notation, mode }: ReturnType<typeof sorted>,
  values: Record<string, number>,
): number {
  const memory = new Map<Expr, number>();
  for (const [name, value] of Object.entries({ ...notation.known, ...values })) {
    memory.set(notation.expr(name), value);
  }
  for (const state of mode.states) if (!memory.has(state)) memory.set(state, 0.3);
  runBlocks(mode.blocks, memory);
  let largest = 0;
  for (const { residuals } of mode.equations) {
    for (const residual of residuals) {
      const value = evaluate(residual, (leaf) => (leaf.kind === 'time' ? 0 : memory.get(leaf)!));
      largest = Math.max(largest, Math.abs(value));
    }
  }
  return largest;
}

const pendulum = ["x'' = -l*x", "y'' = -l*y - g", 'x^2 + y^2 = L^2'];
const firstOrderPendulum = ["x' = u", "y' = v", "u' = -l*x", "v' = -l*y - g", 'x^2 + y^2 = L^2'];
const known = { g: 9.81, L: 1 };

interface Case {
  readonly name: string;
  readonly equations: readonly string[];
  readonly setting?: Setting;
  readonly states: readonly string[];
  readonly index: number;
}

const clutch = ["j1*w1' = -k*w1 + f1", "j2*w2' = -k*w2 + f2", 'f1 + f2 = 0'];
const shafts = ["p1' = w1", "p2' = w2", "J1*w1' = 3 - t", "J2*w2' = t"];
const capacitors = ["C1*v1' = i1", "C2*v2' = i2", 'i1 + i2 = 0'];
const parallel = ['v + R*i = 10', 'i = i2 + i1', "C2*v' = i2", 'v = v1'];
const parameters = { j1: 1, j2: 2, k: 0.01, J1: 2, J2: 1, C1: 1, C2: 2, R: 100, R2: 50 };
const rldc2 = [
  'i1 + i2 + I1 + I2 = 0',
  'U = v1 + u1',
  'U = v2 + u2',
  "U = I1 + I1'",
  "U = 2*I2 + I2'",
  "i1 = v1'",
  "i2 = 2*v2'",
];

const catalogue: Case[] = [
  { name: 'clutch, open', equations: [...clutch, 'f1 = 0'], states: ['w1', 'w2'], index: 1 },
  { name: 'clutch, closed', equations: [...clutch, 'w1 = w2'], states: ['w1'], index: 2 },
  { name: 'shafts, joined', equations: [...shafts, 'p1 = p2'], states: ['p1', 'w1'], index: 3 },
  { name: 'shafts, broken', equations: [...shafts, 't = 0'], states: ['p1', 'w1', 'p2', 'w2'], index: 1 },
  { name: 'capacitors, open', equations: [...capacitors, 'i1 = 0'], states: ['v1', 'v2'], index: 1 },
  { name: 'capacitors, closed', equations: [...capacitors, 'v1 = v2'], states: ['v1'], index: 2 },
  { name: 'parallel capacitors, C1', equations: [...parallel, "C1*v1' = i1"], states: ['v'], index: 2 },
  { name: 'parallel capacitors, R2', equations: [...parallel, 'v1 = R2*i1'], states: ['v'], index: 1 },
  { name: 'issue 2411, before', equations: ["x' = 10"], states: ['x'], index: 0 },
  { name: 'issue 2411, after', equations: ['x = -5'], states: [], index: 1 },
  { name: 'b = a', equations: ["a' = 1", 'b = a'], states: ['a'], index: 1 },
  { name: "b' = -1", equations: ["a' = 1", "b' = -1"], states: ['a', 'b'], index: 0 },
  { name: 'RLDC2, 11', equations: [...rldc2, 'u1 = 0', 'u2 = 0'], states: ['I1', 'I2', 'v1'], index: 2 },
  {
    name: 'RLDC2, 10',
    equations: [...rldc2, 'u1 = 0', 'i2 = 0'],
    states: ['I1', 'I2', 'v1', 'v2'],
    index: 1,
  },
  {
    name: 'RLDC2, 01',
    equations: [...rldc2, 'i1 = 0', 'u2 = 0'],
    states: ['I1', 'I2', 'v1', 'v2'],
    index: 1,
  },
  { name: 'RLDC2, 00', equations: [...rldc2, 'i1 = 0', 'i2 = 0'], states: ['I1', 'v1', 'v2'], index: 2 },
  {
    name: 'pendulum',
    equations: pendulum,
    setting: { known, values: { x: 0.8, y: -0.6 } },
    states: ['y', "y'"],
    index: 3,
  },
  {
    name: 'pendulum of first order',
    equations: firstOrderPendulum,
    setting: { known, values: { x: 0.6, y: -0.8 } },
    states: ['x', 'u'],
    index: 3,
  },
  {
    name: 'string pendulum, slack',
    equations: [...firstOrderPendulum.slice(0, 4), 'l = 0'],
    setting: { known },
    states: ['x', 'u', 'y', 'v'],
    index: 1,
  },
];

describe('modes of the catalogue', () => {
  test.each(catalogue)('$name', ({ equations, setting, states, index }) => {
    const result = sorted(equations, setting ?? { known: parameters });
    expect([...result.states].sort()).toEqual([...states].sort());
    expect(result.mode.index).toBe(index);
    expect(result.mode.selections.length).toBe(setting?.values ? (equations.length === 3 ? 1 : 2) : 0);
    expect(largestResidual(result, { x: 0.6, y: -0.6 })).toBeLessThan(1e-9);
  });
});

describe('blocks of a mode', () => {
  test('are as small as possible: constraint levels are solved one by one', () => {
    const { blocks, mode } = sorted(pendulum, { known, values: { x: 0.6, y: -0.8 } });
    expect(blocks).toEqual(['[y]', "[y']", "[l x'' y'']"]);
    expect(mode.blocks.map((block) => block.kind === 'solve' && block.linear)).toEqual([false, true, true]);
    expect(mode.blocks.map(({ equations }) => equations)).toEqual([[2], [2], [0, 1, 2]]);
  });

  test('aliases are gone, derivatives of states are computed', () => {
    const { blocks, aliases, states } = sorted(["C*v' = i", 'i = -n', 'v + n = 3*w', 'w = u', 'u = 2*time'], {
      known: { C: 2 },
    });
    expect(states).toEqual(['v']);
    expect(aliases.length).toBe(2);
    expect(blocks.length).toBe(3);
    expect(blocks.at(-1)).toBe("v'");
  });

  test('x = y and x = -y give zero', () => {
    const { blocks, mode, notation } = sorted(['x = y', 'x = -y']);
    expect(blocks).toEqual(['x']);
    expect(mode.blocks[0]).toMatchObject({ kind: 'assign', value: notation.pool.zero });
  });

  test('discrete-time equations are assignments and constant for differentiation', () => {
    const { blocks, mode, states } = sorted(["x' = -z*x", 'z := 2*k', 'k := 3', 'y = z*x', "s = y'"]);
    expect(states).toEqual(['x']);
    expect(mode.blocks.filter((b) => b.kind === 'assign' && b.discrete).length).toBe(2);
    expect(blocks.indexOf('z')).toBeGreaterThan(blocks.indexOf('k'));
    expect(mode.variables.length).toBe(3);
    expect(mode.equations.length).toBe(3);
  });

  test('a derivative in a discrete-time equation is an unknown', () => {
    const { blocks } = sorted(['x = sin(time)', "z := x'"]);
    expect(blocks).toContain("x'");
  });

  test('the leading Jacobian follows Griewank', () => {
    const { mode, notation } = sorted(pendulum, { known, values: { x: 0.6, y: -0.8 } });
    const value = notation.options({ x: 0.6, y: -0.8, l: 2 }).evaluate!;
    const rows = mode.leading.map((row) =>
      Object.fromEntries(row.map(({ symbol, value: v }) => [notation.name(symbol), value(v)])),
    );
    expect(rows).toEqual([
      { x: 1, l: 0.6 },
      { y: 1, l: -0.8 },
      { x: 1.2, y: -1.6 },
    ]);
  });
});

describe('problems', () => {
  const problem = (equations: readonly string[]) => {
    const { result } = analyse(equations);
    expect(result.mode).toBeUndefined();
    expect(result.diagnostics.length).toBe(1);
    return result.diagnostics[0]!;
  };

  test('too few equations: which variables', () => {
    const { code, message } = problem(["x' = y + z", 'y = 2*x']);
    expect(code).toBe('unbalanced');
    expect(message).toBe(
      'There are 2 equations for 3 unknowns: 1 equation missing among those that determine x, y, z.',
    );
  });

  test('too many equations: which', () => {
    const { code, message, notes } = problem(["x' = y", 'y = 2*x', 'y = 3', 'u = 1']);
    expect(code).toBe('unbalanced');
    expect(message).toBe('There are 4 equations for 3 unknowns: 1 equation too many.');
    expect(notes.map((note) => note.message)).toEqual([
      "too many equations: x' = y",
      'too many equations: y = 2*x',
      'too many equations: y = 3',
    ]);
  });

  test('as many equations as unknowns, but in the wrong places', () => {
    const { code, message, notes } = problem(['a = 1', 'a = 2*time', 'b + c + a = 3', 'd = a']);
    expect(code).toBe('structurally-singular');
    expect(message).toBe(
      'The equations cannot determine the variables: nothing determines all of b, c, and 2 equations determine only 1 unknown (a).',
    );
    expect(notes.map((note) => note.message)).toContain('1 equation for 2 unknowns: b, c');
  });

  test('an equation that repeats an alias', () => {
    const { code, notes } = problem(['x = y', 'y = x', 'z + x = 1']);
    expect(code).toBe('structurally-singular');
    expect(notes[0]!.message).toBe('without unknown: y = x');
  });

  test('discrete-time variables are not determined by continuous equations', () => {
    const { code } = problem(['z := 2', 'z = 3*time', "x' = w"]);
    expect(code).toBe('structurally-singular');
  });

  test('a constraint that cannot be differentiated', () => {
    const notation = new Notation();
    const equations = ["x' = f", "y' = -f", 'x = y'].map((text) => notation.equation(text));
    const call = notation.pool.call(0, [notation.expr('y')]);
    const all = [...equations.slice(0, 2), { ...equations[2]!, right: call }];
    const { mode, diagnostics } = sortMode(notation.pool, all, notation.variables(all), notation.options());
    expect(mode).toBeUndefined();
    expect(diagnostics[0]).toMatchObject({ code: 'not-differentiable' });
    expect(diagnostics[0]!.message).toContain('x = y');
  });
});

/** Linear systems of any index: random structure, orders and coefficients. */
const linearSystems = regularLists(6).chain((rows) => {
  const count = rows.flat().length;
  const sized = { minLength: count, maxLength: count };
  return fc.record({
    rows: fc.constant(rows),
    orders: fc.array(fc.nat(2), sized),
    coefficients: fc.array(fc.integer({ min: 11, max: 99 }), sized),
    selects: fc.array(fc.constantFrom('avoid', 'default', 'prefer'), { minLength: 6, maxLength: 6 }),
  });
});

describe('laws', () => {
  test('blocks of a linear system of any index satisfy every equation and every derivative of it', () => {
    let checked = 0;
    fc.assert(
      fc.property(linearSystems, ({ rows, orders, coefficients, selects }) => {
        let e = 0;
        const texts = rows.map((row, i) => {
          const terms = row.map((j) => `${coefficients[e]}.${e}*x${j}${"'".repeat(orders[e++]!)}`);
          return `${terms.join(' + ')} = ${i}*time`;
        });
        const attributes = Object.fromEntries(selects.map((stateSelect, j) => [`x${j}`, { stateSelect }]));
        const result = sorted(texts, { attributes });
        const { mode } = result;
        const dof =
          mode.variables.reduce((sum, { d }) => sum + d, 0) -
          mode.equations.reduce((sum, { c }) => sum + c, 0);
        expect(mode.states.length).toBe(dof);
        expect(mode.selections).toEqual([]);
        let residual: number;
        try {
          residual = largestResidual(result, {});
        } catch (problem) {
          // A leading Jacobian may happen to be singular.
          if ((problem as Error).message === 'singular') return;
          throw problem;
        }
        checked++;
        expect(residual).toBeLessThan(1e-6);
      }),
      { numRuns: 200 },
    );
    expect(checked).toBeGreaterThan(160);
  });
});

describe('nonlinear constraints at many positions', () => {
  const doublePendulum = [
    "x1'' = -l*x1 + m*(x2 - x1)",
    "y1'' = -l*y1 + m*(y2 - y1) - 9.81",
    "x2'' = -m*(x2 - x1)",
    "y2'' = -m*(y2 - y1) - 9.81",
    'x1^2 + y1^2 = 1',
    '(x2 - x1)^2 + (y2 - y1)^2 = 4',
  ];

  test('a double pendulum in Cartesian coordinates', () => {
    const angle = fc.double({ min: 0, max: 2 * Math.PI, noNaN: true });
    const speed = fc.double({ min: -5, max: 5, noNaN: true });
    fc.assert(
      fc.property(angle, angle, speed, speed, (a, b, da, db) => {
        const values = {
          x1: Math.sin(a),
          y1: -Math.cos(a),
          "x1'": da * Math.cos(a),
          "y1'": da * Math.sin(a),
          x2: Math.sin(a) + 2 * Math.sin(b),
          y2: -Math.cos(a) - 2 * Math.cos(b),
          "x2'": da * Math.cos(a) + 2 * db * Math.cos(b),
          "y2'": da * Math.sin(a) + 2 * db * Math.sin(b),
        };
        const result = sorted(doublePendulum, { values });
        expect(result.mode.index).toBe(3);
        expect(result.states.length).toBe(4);
        expect(result.states.filter((name) => name.endsWith("'")).length).toBe(2);
        expect(result.selections.map(({ candidates }) => candidates)).toEqual([["x1'", "x2'", "y1'", "y2'"]]);
        const residual = largestResidual(result, values);
        expect(residual).toBeLessThan(1e-7);
      }),
      { numRuns: 100 },
    );
  });

  test('the same as a system of first order: velocities are states, not derivatives of positions', () => {
    const first = doublePendulum.map((text) => text.replace(/([xy]\d)''/g, "v$1'"));
    const positions = ['x1', 'y1', 'x2', 'y2'];
    const equations = [...positions.map((name) => `${name}' = v${name}`), ...first];
    const angle = fc.double({ min: 0, max: 2 * Math.PI, noNaN: true });
    fc.assert(
      fc.property(angle, angle, (a, b) => {
        const values: Record<string, number> = {
          x1: Math.sin(a),
          y1: -Math.cos(a),
          vx1: Math.cos(a),
          vy1: Math.sin(a),
          x2: Math.sin(a) + 2 * Math.sin(b),
          y2: -Math.cos(a) - 2 * Math.cos(b),
          vx2: Math.cos(a),
          vy2: Math.sin(a),
        };
        const result = sorted(equations, { values });
        expect(result.states.filter((name) => name.endsWith("'"))).toEqual([]);
        expect(result.states.filter((name) => name.startsWith('v')).length).toBe(2);
        expect(result.states.length).toBe(4);
        expect(largestResidual(result, values)).toBeLessThan(1e-7);
      }),
      { numRuns: 50 },
    );
  });

  test('a crank: the piston follows explicitly, no choice is needed', () => {
    const crank = ["a' = w", "w' = 1 - sin(a)*F", "s' = v", "v' = F", 's = cos(a) + sqrt(9 - sin(a)^2)'];
    const result = sorted(crank, { values: { a: 0.4 } });
    expect([result.states, result.selections, result.mode.index]).toEqual([['a', 'w'], [], 3]);
    expect(largestResidual(result, { a: 0.4, w: 2 })).toBeLessThan(1e-9);
  });
});

describe('extremes', () => {
  test('nothing at all', () => {
    const { mode } = sorted([]);
    expect(mode).toMatchObject({ states: [], blocks: [], index: 0 });
  });

  test('an equation without unknowns', () => {
    const { result } = analyse(['1 = 2']);
    expect(result.diagnostics[0]!.message).toBe('There is 1 equation for 0 unknowns: 1 equation too many.');
  });

  test('one equation of 20,000 terms, and 20,000 equations in a row', () => {
    const notation = new Notation();
    const { pool } = notation;
    const n = 20_000;
    const variables = Array.from({ length: n }, (_, symbol) => ({
      symbol,
      stateSelect: 'default' as const,
      discrete: false,
      weight: 0,
    }));
    let sum: Expr = pool.zero;
    for (let k = 0; k < n; k++) sum = pool.add(sum, pool.ref(k));
    const equations = variables.map((_, i) => ({
      left: i === 0 ? sum : pool.ref(i),
      right: i === 0 ? pool.one : pool.mul(pool.const(2), pool.ref((i % (n - 1)) + 1)),
      assigns: undefined,
      index: i,
    }));
    equations[n - 1] = { ...equations[n - 1]!, right: pool.const(7) };
    const { mode } = sortMode(pool, equations, variables, notation.options());
    expect(mode?.blocks.length).toBe(n);
  });
});

describe('size', () => {
  test('a heat rod of 20,000 equations', () => {
    const rod = (n: number) => {
      const notation = new Notation();
      const { pool } = notation;
      const variables = Array.from({ length: n }, (_, symbol) => ({
        symbol,
        stateSelect: 'default' as const,
        discrete: false,
        weight: 0,
      }));
      const equations = variables.map((_, i) => {
        const around = pool.add(pool.ref(Math.max(i - 1, 0)), pool.ref(Math.min(i + 1, n - 1)));
        const right = pool.mul(pool.const(4), pool.sub(around, pool.mul(pool.const(2), pool.ref(i))));
        return { left: pool.ref(i, 1), right, assigns: undefined, index: i };
      });
      return () => sortMode(pool, equations, variables, notation.options());
    };
    const n = 20_000;
    const { mode } = rod(n)();
    expect(mode?.states.length).toBe(n);
    expect(mode?.blocks.length).toBe(n);
    expect(orderOf(rod, n / 4)).toBeLessThan(almostLinear);
  });
});
