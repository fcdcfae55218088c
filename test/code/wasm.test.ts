import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { interpretUnit } from '../../src/code/interpret.ts';
import { Memory } from '../../src/code/memory.ts';
import type { CodeUnit, SlotAssignment } from '../../src/code/unit.ts';
import { compileUnit, encodeUnit } from '../../src/code/wasm.ts';
import type { Expr, Op } from '../../src/symbolic/expr.ts';
import { Pool } from '../../src/symbolic/pool.ts';

/** A unit of one routine over variables x0, x1, …; symbols of targets follow those that are given values. */
function unitOf(memory: Memory, body: readonly SlotAssignment[]): CodeUnit {
  return { routines: [{ name: 'f', body }], functions: [], slotOf: memory.slotOf };
}

interface Pair {
  readonly compiled: number;
  readonly interpreted: number;
}

/** One expression of the variables 0, 1, …, as a function that both back ends evaluate. */
function evaluator(pool: Pool, value: Expr): (inputs: readonly number[]) => Pair {
  const [compiled, interpreted] = [compileUnit, interpretUnit].map((backEnd) => {
    const memory = new Memory();
    const slot = memory.reserve(1);
    const unit = unitOf(memory, [{ slot, value }]);
    expect(WebAssembly.validate(encodeUnit(unit, memory) as Uint8Array<ArrayBuffer>)).toBe(true);
    const program = backEnd(unit, memory);
    return (inputs: readonly number[]) => {
      inputs.forEach((x, i) => {
        memory.values[memory.slotOf(pool.ref(i))] = x;
      });
      program.run(0);
      return memory.values[slot]!;
    };
  });
  return (inputs) => ({ compiled: compiled!(inputs), interpreted: interpreted!(inputs) });
}

function both(pool: Pool, value: Expr, inputs: readonly number[]): Pair {
  return evaluator(pool, value)(inputs);
}

const special = [0, -0, 1, -1, 0.5, -2.5, 2, 3, 1e-300, -1e300, Infinity, -Infinity, NaN];
const unary: Op[] = [
  'neg',
  'sin',
  'cos',
  'tan',
  'asin',
  'acos',
  'atan',
  'sinh',
  'cosh',
  'tanh',
  'exp',
  'log',
];
unary.push('log10', 'sqrt', 'abs', 'sign', 'floor', 'ceil', 'not', 'noEvent');
const binary: Op[] = ['add', 'sub', 'mul', 'div', 'pow', 'atan2', 'min', 'max', 'idiv', 'mod', 'rem'];
binary.push('lt', 'le', 'gt', 'ge', 'eq', 'ne', 'and', 'or');

describe('one operator', () => {
  const pool = new Pool();
  test.each(unary)('%s of special values is what the interpreter says', (op) => {
    const value = evaluator(pool, pool.raw(op, [pool.ref(0)]));
    for (const a of special) {
      const { compiled, interpreted } = value([a]);
      expect(compiled, `${op}(${a})`).toBe(interpreted);
    }
  });
  test.each(binary)('%s of special values is what the interpreter says', (op) => {
    const value = evaluator(pool, pool.raw(op, [pool.ref(0), pool.ref(1)]));
    for (const a of special) {
      for (const b of special) {
        const { compiled, interpreted } = value([a, b]);
        expect(compiled, `${op}(${a}, ${b})`).toBe(interpreted);
      }
    }
  });
  test.each([2, 3, 4, -1, -2, 0.5, 5, -3])('power %d', (n) => {
    const value = evaluator(pool, pool.raw('pow', [pool.ref(0), pool.const(n)]));
    for (const a of [...special, 1.1, -3.3, 1e80]) {
      const { compiled, interpreted } = value([a]);
      const close = Object.is(compiled, interpreted) || Math.abs(compiled / interpreted - 1) < 4e-16;
      expect(close, `${a}^${n}: ${compiled} and ${interpreted}`).toBe(true);
    }
  });
});

interface Step {
  readonly op: Op;
  readonly args: readonly [number, number, number];
}

const step: fc.Arbitrary<Step> = fc.record({
  op: fc.constantFrom(...unary, ...binary, 'if' as Op, 'if' as Op, 'if' as Op),
  args: fc.tuple(fc.nat(1000), fc.nat(1000), fc.nat(1000)),
});

/** Builds a graph: each step applies an operator to nodes made before, so that much is shared. */
function build(pool: Pool, steps: readonly Step[], leaves: readonly Expr[]): Expr[] {
  const nodes = [...leaves];
  for (const { op, args } of steps) {
    const count = op === 'if' ? 3 : unary.includes(op) ? 1 : 2;
    const chosen = args
      .slice(0, count)
      .map((a) => nodes[nodes.length - 1 - (a % Math.min(nodes.length, 8))]!);
    nodes.push(pool.raw(op, chosen));
  }
  return nodes;
}

describe('random expressions', () => {
  const inputs = fc.array(
    fc.oneof(fc.double(), fc.constantFrom(...special), fc.double({ min: -3, max: 3 })),
    {
      minLength: 4,
      maxLength: 4,
    },
  );
  test('shared graphs with branches agree with the interpreter', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), inputs, (steps, values) => {
        const pool = new Pool();
        const leaves = [pool.ref(0), pool.ref(1), pool.ref(2), pool.ref(3), pool.const(2), pool.zero];
        const nodes = build(pool, steps, leaves);
        const { compiled, interpreted } = both(pool, nodes[nodes.length - 1]!, values);
        return Object.is(compiled, interpreted);
      }),
      { numRuns: 250 },
    );
  });
});

describe('deep expressions', () => {
  const n = 100_000;
  test.each<[string, (pool: Pool, e: Expr, x: Expr) => Expr, number]>([
    ['left sum', (pool, e, x) => pool.raw('add', [e, x]), n + 1],
    ['right sum', (pool, e, x) => pool.raw('add', [x, e]), n + 1],
    ['right difference', (pool, e, x) => pool.raw('sub', [x, e]), 1],
  ])('a %s of 100,000 terms', (_, grow, expected) => {
    const pool = new Pool();
    const x = pool.ref(0);
    let e: Expr = x;
    for (let i = 0; i < n; i++) e = grow(pool, e, x);
    const { compiled } = both(pool, e, [1]);
    expect(compiled).toBe(expected);
  });
  test('2,000 nested branches that share what is below them do not explode', () => {
    const pool = new Pool();
    const x = pool.ref(0);
    let e: Expr = x;
    for (let i = 0; i < 2000; i++) {
      const condition = pool.raw('lt', [x, pool.const(i)]);
      e = pool.raw('if', [condition, pool.raw('add', [e, pool.one]), pool.raw('sub', [e, pool.one])]);
    }
    const { compiled, interpreted } = both(pool, e, [500.5]);
    expect(interpreted).toBe(500.5 - 501 + 1499);
    expect(compiled).toBe(interpreted);
  });
});

describe('units', () => {
  const pool = new Pool();

  /** Memory after running all routines in order, from the same start, by each back end. */
  function runBoth(routines: readonly (readonly SlotAssignment[])[], slots: number): [number[], number[]] {
    const [compiled, interpreted] = [compileUnit, interpretUnit].map((backEnd) => {
      const memory = new Memory();
      memory.reserve(slots);
      for (let k = 0; k < slots; k++) memory.values[first + k] = k / 4;
      const unit: CodeUnit = {
        routines: routines.map((body, k) => ({ name: `r${k}`, body })),
        functions: [],
        slotOf: (leaf) => (leaf.kind === 'ref' ? first + leaf.symbol : 0),
      };
      const program = backEnd(unit, memory);
      for (let k = 0; k < routines.length; k++) program.run(k);
      return [...memory.values.slice(first, first + slots)];
    });
    return [compiled!, interpreted!];
  }
  const first = 3;

  const x = (k: number): Expr => pool.ref(k);

  test('an assignment sees what was assigned before it, and nothing later', () => {
    const twice = pool.raw('mul', [pool.const(2), x(0)]);
    const body = [
      { slot: first + 1, value: twice },
      { slot: first + 0, value: pool.raw('add', [x(0), pool.one]) },
      { slot: first + 2, value: twice },
      { slot: first + 0, value: pool.const(10) },
      { slot: first + 0, value: pool.const(20) },
      { slot: first + 3, value: twice },
    ];
    const [compiled, interpreted] = runBoth([body], 4);
    expect(interpreted).toEqual([20, 0, 2, 40]);
    expect(compiled).toEqual(interpreted);
  });

  test('values that are read again in branches, long after, are right', () => {
    // x0 is loaded first and stays in a local for a few assignments; that it has lost it is found twice in branches.
    const inBranch = (op: Op): Expr => {
      const condition = pool.raw('lt', [pool.time, pool.one]);
      return pool.raw('if', [condition, pool.raw(op, [x(0)]), pool.const(-1)]);
    };
    const filler = Array.from({ length: 8 }, (_, k) => pool.const(k));
    const [p, q] = [pool.raw('mul', [x(1), pool.const(3)]), pool.raw('add', [x(2), pool.const(5)])];
    const both = pool.raw('mul', [pool.raw('add', [p, q]), pool.raw('sub', [p, q])]);
    const values = [pool.raw('neg', [x(0)]), ...filler, inBranch('exp'), inBranch('cos'), both];
    const body = values.map((value, k) => ({ slot: first + 3 + k, value }));
    const [compiled, interpreted] = runBoth([body], 3 + values.length);
    expect(interpreted[3 + values.length - 1]).toBe((0.75 + 5.5) * (0.75 - 5.5));
    expect(compiled).toEqual(interpreted);
  });

  test('Booleans are stored as 0 and 1 and read back as such', () => {
    const less = pool.raw('lt', [x(0), x(1)]);
    const body = [
      { slot: first + 2, value: less },
      { slot: first + 3, value: pool.raw('add', [x(2), pool.raw('not', [x(2)])]) },
      { slot: first + 4, value: pool.raw('if', [x(2), pool.const(7), pool.const(8)]) },
      { slot: first + 5, value: pool.raw('eq', [less, pool.raw('gt', [x(0), x(1)])]) },
    ];
    const [compiled, interpreted] = runBoth([body], 6);
    expect(interpreted).toEqual([0, 0.25, 1, 1, 7, 0]);
    expect(compiled).toEqual(interpreted);
  });

  test('random assignments over few slots, in several routines', () => {
    const assignment = fc.record({ slot: fc.nat(7), steps: fc.array(step, { minLength: 1, maxLength: 6 }) });
    const routines = fc.array(fc.array(assignment, { maxLength: 30 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(routines, (given) => {
        const leaves = [0, 1, 2, 3, 4, 5, 6, 7].map(x);
        const bodies = given.map((body) =>
          body.map(({ slot, steps }) => {
            const nodes = build(pool, steps, leaves);
            return { slot: first + slot, value: nodes[nodes.length - 1]! };
          }),
        );
        const [compiled, interpreted] = runBoth(bodies, 8);
        for (let k = 0; k < 8; k++) {
          if (!Object.is(compiled[k], interpreted[k])) return false;
        }
        return true;
      }),
      { numRuns: 200 },
    );
  });

  test('100,000 assignments compile and run', () => {
    const n = 100_000;
    const big = new Pool();
    const memory = new Memory();
    const refs = Array.from({ length: n }, (_, i) => big.ref(i));
    const start = memory.layout.place(refs);
    const target = memory.reserve(n);
    const body = refs.map((ref, i) => ({
      slot: target + i,
      value: big.raw('sub', [big.raw('mul', [ref, refs[(i + 1) % n]!]), big.const(i)]),
    }));
    const program = compileUnit(unitOf(memory, body), memory);
    for (let i = 0; i < n; i++) memory.values[start + i] = i + 0.5;
    program.run(0);
    for (const i of [0, 1, 199, 200, 54321, n - 1]) {
      const next = ((i + 1) % n) + 0.5;
      expect(memory.values[target + i]).toBe((i + 0.5) * next - i);
    }
  });

  test('names stand in the name section only', () => {
    const secret = 'geheimer_Name';
    const memory = new Memory();
    const body = [{ slot: memory.reserve(1), value: x(0) }];
    const bytes = (name: string): Uint8Array =>
      encodeUnit({ routines: [{ name, body }], functions: [], slotOf: memory.slotOf }, memory);
    const sections = (all: Uint8Array): string => {
      const text = Buffer.from(all).toString('latin1');
      return text.slice(0, text.lastIndexOf('\x04name'));
    };
    expect(Buffer.from(bytes(secret)).toString('latin1')).toContain(secret);
    const [a, b] = [sections(bytes(secret)), sections(bytes('"; drop) (unreachable)'))];
    expect(a).not.toContain(secret);
    expect(a.slice(0, -3)).toBe(b.slice(0, -3));
  });

  test('operators that cannot stand in code are refused by name', () => {
    const memory = new Memory();
    const body = [{ slot: memory.reserve(1), value: pool.raw('matmul', [x(0), x(1)]) }];
    expect(() => compileUnit(unitOf(memory, body), memory)).toThrow('matmul');
  });

  test('an empty routine', () => {
    const memory = new Memory();
    compileUnit(unitOf(memory, []), memory).run(0);
  });
});
