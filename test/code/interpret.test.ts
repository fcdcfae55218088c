import { expect, test } from 'vitest';
import { type Fault, findFault } from '../../src/code/interpret.ts';
import { Memory } from '../../src/code/memory.ts';
import { children } from '../../src/symbolic/analyse.ts';
import type { Expr } from '../../src/symbolic/expr.ts';
import { Pool } from '../../src/symbolic/pool.ts';
import { printExpr } from '../../src/symbolic/print.ts';
import { numberText } from '../../src/symbolic/text.ts';

const pool = new Pool();
const [x, y, z] = [0, 1, 2].map((symbol) => pool.ref(symbol)) as [Expr, Expr, Expr];
const names = { nameOfSymbol: (symbol: number) => ['x', 'y', 'z'][symbol]! };

/** The fault in one sentence: `division by zero: x/(y - 1) with x = 2, y = 1`. */
function faultText(fault: Fault): string {
  const text = `${fault.reason}: ${printExpr(fault.expr, names)}`;
  if (children(fault.expr).length === 0) return `${text} = ${numberText(fault.value)}`;
  const values = fault.leaves.map(({ leaf, value }) => `${printExpr(leaf, names)} = ${numberText(value)}`);
  return values.length > 0 ? `${text} with ${values.join(', ')}` : text;
}

/** The text of the first fault of `z := value` after `before`, for x and y. */
function fault(value: Expr, xValue: number, yValue: number): string | undefined {
  const memory = new Memory();
  memory.values[memory.slotOf(x)] = xValue;
  memory.values[memory.slotOf(y)] = yValue;
  const body = [
    { slot: memory.reserve(1), value: pool.raw('add', [x, x]) },
    { slot: memory.slotOf(z), value },
  ];
  const unit = { routines: [{ name: 'f', body }], functions: [], slotOf: memory.slotOf };
  const before = memory.values.slice();
  const found = findFault(unit, 0, memory);
  expect(memory.values).toEqual(before);
  return found && faultText(found);
}

const minus1 = pool.raw('sub', [y, pool.one]);

test.each<[string, Expr, number, number, string | undefined]>([
  ['finite', pool.raw('div', [x, minus1]), 2, 3, undefined],
  ['quotient', pool.raw('div', [x, minus1]), 2, 1, 'division by zero: x/(y - 1) with x = 2, y = 1'],
  [
    'innermost of several',
    pool.raw('sqrt', [pool.raw('sub', [pool.one, pool.raw('div', [x, minus1])])]),
    2,
    1,
    'division by zero: x/(y - 1) with x = 2, y = 1',
  ],
  ['root', pool.raw('sqrt', [x]), -2, 0, 'square root of a negative number: sqrt(x) with x = -2'],
  ['logarithm', pool.raw('log', [x]), 0, 0, 'logarithm of zero: log(x) with x = 0'],
  ['arc sine', pool.raw('asin', [x]), 2, 0, 'arc sine of a number outside -1 to 1: asin(x) with x = 2'],
  [
    'power',
    pool.raw('pow', [x, y]),
    -2,
    0.5,
    'fractional power of a negative number: x^y with x = -2, y = 0.5',
  ],
  ['overflow', pool.raw('exp', [x]), 1000, 0, 'result too large: exp(x) with x = 1000'],
  ['variable', pool.raw('mul', [pool.const(2), y]), 1, Number.NaN, 'no finite value: y = NaN'],
  [
    'branch that is not taken',
    pool.raw('if', [pool.raw('gt', [x, pool.zero]), x, pool.raw('log', [x])]),
    1,
    0,
    undefined,
  ],
  [
    'branch that is taken',
    pool.raw('if', [pool.raw('gt', [x, pool.zero]), x, pool.raw('log', [x])]),
    -1,
    0,
    'logarithm of a negative number: log(x) with x = -1',
  ],
])('%s', (_, value, xValue, yValue, expected) => {
  expect(fault(value, xValue, yValue)).toBe(expected);
});

test('the assignment is named', () => {
  const memory = new Memory();
  const body = [
    { slot: memory.slotOf(y), value: pool.one },
    { slot: memory.slotOf(z), value: pool.raw('div', [pool.one, pool.raw('sub', [y, pool.one])]) },
  ];
  const unit = { routines: [{ name: 'f', body }], functions: [], slotOf: memory.slotOf };
  expect(findFault(unit, 0, memory)).toMatchObject({
    assignment: 1,
    slot: memory.slotOf(z),
    value: Infinity,
  });
});
