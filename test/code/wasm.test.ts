import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { interpretUnit } from '../../src/code/interpret.ts';
import { Memory } from '../../src/code/memory.ts';
import type { Assignment, Unit } from '../../src/code/unit.ts';
import { compileUnit, encodeUnit } from '../../src/code/wasm.ts';
import type { Expr, Op } from '../../src/symbolic/expr.ts';
import { Pool } from '../../src/symbolic/pool.ts';

/** A unit of one routine over variables x0, x1, …; symbols of targets follow those that are given values. */
function unitOf(memory: Memory, body: readonly Assignment[]): Unit {
  return { routines: [{ name: 'f', body }], functions: [], slotOf: memory.slotOf };
}

/** The value of one expression with the variables 0, 1, … as given, by both back ends. */
function both(pool: Pool, value: Expr, inputs: readonly number[]): { compiled: number; interpreted: number } {
  const [compiled, interpreted] = [compileUnit, interpretUnit].map((backEnd) => {
    const memory = new Memory();
    inputs.forEach((x, i) => {
      memory.values[memory.slotOf(pool.ref(i))] = x;
    });
    const slot = memory.reserve(1);
    const unit = unitOf(memory, [{ slot, value }]);
    expect(WebAssembly.validate(encodeUnit(unit) as Uint8Array<ArrayBuffer>)).toBe(true);
    backEnd(unit, memory).run(0);
    return memory.values[slot]!;
  });
  return { compiled: compiled!, interpreted: interpreted! };
}

function agree(a: number, b: number): boolean {
  if (Object.is(a, b) || (Number.isNaN(a) && Number.isNaN(b))) return true;
  return Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b));
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
    for (const a of special) {
      const { compiled, interpreted } = both(pool, pool.raw(op, [pool.ref(0)]), [a]);
      expect(compiled, `${op}(${a})`).toBe(interpreted);
    }
  });
  test.each(binary)('%s of special values is what the interpreter says', (op) => {
    for (const a of special) {
      for (const b of special) {
        const { compiled, interpreted } = both(pool, pool.raw(op, [pool.ref(0), pool.ref(1)]), [a, b]);
        expect(compiled, `${op}(${a}, ${b})`).toBe(interpreted);
      }
    }
  });
  test.each([2, 3, 4, -1, -2, 0.5, 5, -3])('power %d', (n) => {
    for (const a of [...special, 1.1, -3.3, 1e80]) {
      const { compiled, interpreted } = both(pool, pool.raw('pow', [pool.ref(0), pool.const(n)]), [a]);
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
        return agree(compiled, interpreted);
      }),
      { numRuns: 400 },
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
