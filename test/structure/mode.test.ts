import { describe, expect, test } from 'vitest';
import { evaluate } from '../../src/symbolic/evaluate.ts';
import type { Expr } from '../../src/symbolic/expr.ts';
import { runBlocks, type Setting, sorted } from './notation.ts';

/** Runs the blocks from values of the states and says how far the equations and their derivatives are from zero. */
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
