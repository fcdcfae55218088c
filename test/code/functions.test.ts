import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EvaluationError } from '../../src/code/fault.ts';
import { interpretUnit } from '../../src/code/interpret.ts';
import { Memory } from '../../src/code/memory.ts';
import { compileUnit, encodeUnit } from '../../src/code/wasm.ts';
import { Failure } from '../../src/diagnostic/failure.ts';
import { Source } from '../../src/diagnostic/source.ts';
import type { Expr } from '../../src/symbolic/expr.ts';
import type { FunctionDef, FunctionLocal, FunctionStatement } from '../../src/symbolic/function.ts';
import { Pool } from '../../src/symbolic/pool.ts';

const pool = new Pool();
const c = (value: number): Expr => pool.const(value);
const l = (index: number, ...subscripts: Expr[]): Expr => pool.local(index, subscripts);
const add = (a: Expr, b: Expr): Expr => pool.raw('add', [a, b]);
const mul = (a: Expr, b: Expr): Expr => pool.raw('mul', [a, b]);
const range = (first: Expr, last: Expr): Expr => pool.raw('range', [first, c(1), last]);

const source = new Source('F.mo', 'function f');
const span = { source, start: 0, end: 8 };

function real(name: string, ...dims: number[]): FunctionLocal {
  return { name, type: 'Real', dims, initial: undefined };
}

function set(target: Expr, value: Expr): FunctionStatement {
  return { kind: 'assign', target, value, span };
}

function fn(
  name: string,
  inputs: FunctionLocal[],
  outputs: FunctionLocal[],
  hidden: FunctionLocal[],
  body: FunctionStatement[],
): FunctionDef {
  return {
    name,
    locals: [...inputs, ...outputs, ...hidden],
    inputs: inputs.length,
    outputs: outputs.length,
    body,
    span,
  };
}

/** Values of these expressions over variables 0, 1, …, by the compiler and by the interpreter. */
function results(functions: FunctionDef[], values: Expr[], inputs: number[]): [number[], number[]] {
  const [compiled, interpreted] = [compileUnit, interpretUnit].map((backEnd) => {
    const memory = new Memory();
    inputs.forEach((x, i) => {
      memory.values[memory.slotOf(pool.ref(i))] = x;
    });
    const first = memory.reserve(values.length);
    const body = values.map((value, k) => ({ slot: first + k, value }));
    const unit = { routines: [{ name: 'f', body }], functions, pool, slotOf: memory.slotOf };
    expect(WebAssembly.validate(encodeUnit(unit, memory) as Uint8Array<ArrayBuffer>)).toBe(true);
    backEnd(unit, memory).run(0);
    return [...memory.values.slice(first, first + values.length)];
  });
  return [compiled!, interpreted!];
}

/** What both back ends say must be this. */
function check(functions: FunctionDef[], values: Expr[], inputs: number[], expected: number[]): void {
  const [compiled, interpreted] = results(functions, values, inputs);
  expect(interpreted).toEqual(expected);
  expect(compiled).toEqual(expected);
}

const x = pool.ref(0);
const y = pool.ref(1);

describe('functions', () => {
  const hypot = fn(
    'hypot',
    [real('a'), real('b')],
    [real('r')],
    [],
    [set(l(2), pool.raw('sqrt', [add(mul(l(0), l(0)), mul(l(1), l(1)))]))],
  );

  test('a scalar function', () => {
    check([hypot], [pool.call(0, [x, y])], [3, 4], [5]);
  });

  test('calls inside arguments', () => {
    check([hypot], [pool.call(0, [pool.call(0, [x, y]), c(12)])], [3, 4], [13]);
  });

  test('several results come from one call', () => {
    const polar = fn(
      'polar',
      [real('a'), real('b')],
      [real('sum'), real('difference')],
      [],
      [set(l(2), add(l(0), l(1))), set(l(3), pool.raw('sub', [l(0), l(1)]))],
    );
    const [sum, difference] = [pool.call(0, [x, y], 0), pool.call(0, [x, y], 1)];
    check([polar], [mul(sum, difference), difference], [5, 3], [16, 2]);
  });

  test('arrays go in and out row by row', () => {
    const transpose = fn(
      'transpose',
      [real('a', 2, 3), real('k')],
      [real('b', 3, 2), real('trace')],
      [],
      [
        {
          kind: 'for',
          iterator: 1,
          range: range(c(1), c(2)),
          body: [
            {
              kind: 'for',
              iterator: 2,
              range: range(c(1), c(3)),
              body: [set(l(2, pool.iter(2), pool.iter(1)), mul(l(1), l(0, pool.iter(1), pool.iter(2))))],
            },
          ],
        },
        set(l(3), add(l(0, c(1), c(1)), l(0, c(2), c(2)))),
      ],
    );
    const args = [1, 2, 3, 4, 5, 6].map((v) => add(x, c(v)));
    const calls = [0, 1, 2, 3, 4, 5, 6].map((k) => pool.call(0, [...args, y], k));
    check([transpose], calls, [10, 2], [22, 28, 24, 30, 26, 32, 26]);
  });

  test('an array argument whose elements call functions that use arrays', () => {
    const last = fn('last', [real('v', 3)], [real('r')], [], [set(l(1), l(0, c(3)))]);
    const inner = (k: number): Expr => pool.call(0, [c(0), c(0), add(x, c(k))]);
    check([last], [pool.call(0, [inner(1), inner(2), add(inner(3), inner(4))])], [1], [9]);
  });

  test('whole arrays are computed before they are stored', () => {
    const swap = fn(
      'swap',
      [real('a'), real('b')],
      [real('v', 2)],
      [],
      [set(l(2), pool.raw('array', [l(0), l(1)])), set(l(2), pool.raw('array', [l(2, c(2)), l(2, c(1))]))],
    );
    check([swap], [pool.call(0, [x, y], 0), pool.call(0, [x, y], 1)], [1, 2], [2, 1]);
  });

  test('arrays of a second call start empty', () => {
    const f = fn(
      'f',
      [real('a')],
      [real('v', 2)],
      [],
      [
        {
          kind: 'if',
          branches: [
            { condition: pool.raw('gt', [l(0), c(0)]), body: [set(l(1, c(1)), l(0)), set(l(1, c(2)), l(0))] },
          ],
        },
      ],
    );
    check([f], [pool.call(0, [x], 1), pool.call(0, [y], 1)], [7, -1], [7, 0]);
  });

  test('defaults, loops over values, break and return', () => {
    const f = fn(
      'f',
      [real('limit')],
      [{ ...real('sum'), initial: c(100) }],
      [{ ...real('k'), initial: add(l(0), c(-1)) }],
      [
        {
          kind: 'for',
          iterator: 5,
          range: pool.raw('array', [c(1), c(10), l(2), c(1000)]),
          body: [
            {
              kind: 'if',
              branches: [{ condition: pool.raw('gt', [pool.iter(5), l(0)]), body: [{ kind: 'break' }] }],
            },
            set(l(1), add(l(1), pool.iter(5))),
          ],
        },
        { kind: 'if', branches: [{ condition: pool.raw('lt', [l(1), c(112)]), body: [{ kind: 'return' }] }] },
        set(l(1), pool.raw('neg', [l(1)])),
      ],
    );
    check([f], [pool.call(0, [x])], [20], [-130]);
    check([f], [pool.call(0, [x])], [2], [101]);
    check([f], [pool.call(0, [x])], [2000], [-3110]);
  });

  test('ranges: empty, backwards, fractional', () => {
    const count = fn(
      'count',
      [real('a'), real('s'), real('b')],
      [real('n')],
      [],
      [
        {
          kind: 'for',
          iterator: 1,
          range: pool.raw('range', [l(0), l(1), l(2)]),
          body: [set(l(3), add(l(3), c(1)))],
        },
      ],
    );
    const n = (a: number, s: number, b: number): Expr => pool.call(0, [c(a), c(s), c(b)]);
    check([count], [n(1, 1, 0), n(5, -2, 1), n(0, 0.1, 1), n(1, 1, 1)], [], [0, 3, 11, 1]);
  });

  test('a while loop (greatest common divisor) and if with else', () => {
    const gcd = fn(
      'gcd',
      [real('a'), real('b')],
      [real('r')],
      [real('p'), real('q')],
      [
        set(l(3), l(0)),
        set(l(4), l(1)),
        {
          kind: 'while',
          condition: pool.raw('ne', [l(3), l(4)]),
          body: [
            {
              kind: 'if',
              branches: [
                { condition: pool.raw('gt', [l(3), l(4)]), body: [set(l(3), pool.raw('sub', [l(3), l(4)]))] },
                { condition: undefined, body: [set(l(4), pool.raw('sub', [l(4), l(3)]))] },
              ],
            },
          ],
        },
        set(l(2), l(3)),
      ],
    );
    check([gcd], [pool.call(0, [x, y])], [84, 36], [12]);
  });

  test('recursion: Fibonacci', () => {
    const earlier = (k: number): Expr => pool.call(0, [pool.raw('sub', [l(0), c(k)])]);
    const fibonacci = fn(
      'fibonacci',
      [real('n')],
      [real('r')],
      [],
      [set(l(1), pool.raw('if', [pool.raw('lt', [l(0), c(2)]), l(0), add(earlier(1), earlier(2))]))],
    );
    check([fibonacci], [pool.call(0, [x])], [15], [610]);
  });

  test('several results to several targets, with holes', () => {
    const divide = fn(
      'divide',
      [real('a'), real('b')],
      [real('q'), real('r'), real('both', 2)],
      [],
      [
        set(l(2), pool.raw('idiv', [l(0), l(1)])),
        set(l(3), pool.raw('mod', [l(0), l(1)])),
        set(l(4), pool.raw('array', [l(2), l(3)])),
      ],
    );
    const user = fn(
      'user',
      [real('a')],
      [real('r'), real('v', 2)],
      [real('w', 3)],
      [
        { kind: 'multiassign', targets: [undefined, l(3, c(2)), l(2)], fn: 0, args: [l(0), c(10)], span },
        set(l(1), l(3, c(2))),
      ],
    );
    const calls = [0, 1, 2].map((k) => pool.call(1, [x], k));
    check([divide, user], calls, [73], [3, 7, 3]);
  });

  test('a whole array from a call', () => {
    const pair = fn(
      'pair',
      [real('a')],
      [real('v', 2)],
      [],
      [set(l(1), pool.raw('array', [l(0), mul(l(0), l(0))]))],
    );
    const user = fn(
      'user',
      [real('a')],
      [real('r')],
      [real('w', 2)],
      [set(l(2), pool.call(0, [l(0)], 0)), set(l(1), add(l(2, c(1)), l(2, c(2))))],
    );
    check([pair, user], [pool.call(1, [x])], [3], [12]);
  });

  test('polynomials by a loop over coefficients agree with Horner on any input', () => {
    const horner = fn(
      'horner',
      [real('p', 5), real('x')],
      [real('r')],
      [],
      [
        {
          kind: 'for',
          iterator: 1,
          range: range(c(1), c(5)),
          body: [set(l(2), add(mul(l(2), l(1)), l(0, pool.iter(1))))],
        },
      ],
    );
    const refs = [0, 1, 2, 3, 4, 5].map((k) => pool.ref(k));
    const number = fc.double({ min: -10, max: 10, noNaN: true });
    fc.assert(
      fc.property(fc.array(number, { minLength: 6, maxLength: 6 }), (values) => {
        const expected = values.slice(0, 5).reduce((r, p) => r * values[5]! + p, 0);
        const [compiled, interpreted] = results([horner], [pool.call(0, refs)], values);
        expect(compiled[0]).toBe(expected);
        expect(interpreted[0]).toBe(expected);
      }),
      { numRuns: 50 },
    );
  });
});

describe('a call in a branch that is not taken', () => {
  const strict = fn(
    'strict',
    [real('a')],
    [real('r')],
    [],
    [
      {
        kind: 'assert',
        condition: pool.raw('gt', [l(0), c(0)]),
        message: pool.text('a must be positive'),
        span,
      },
      set(l(1), l(0)),
    ],
  );
  const positive = pool.raw('gt', [x, c(0)]);
  const call = pool.call(0, [x]);

  test('does not fail', () => {
    check([strict], [pool.raw('if', [positive, call, c(-1)])], [-5], [-1]);
  });
  test('does not fail when two branches share it', () => {
    const first = pool.raw('if', [positive, add(call, c(1)), c(-1)]);
    const second = pool.raw('if', [positive, add(call, c(2)), c(-2)]);
    check([strict], [add(first, second), first], [-5], [-3, -1]);
    check([strict], [add(first, second), first], [5], [13, 6]);
  });
  test('is computed once where both branches need it', () => {
    const value = pool.raw('if', [pool.raw('gt', [x, c(3)]), add(call, c(1)), mul(call, c(2))]);
    check([strict], [value], [4], [5]);
    check([strict], [value], [2], [4]);
  });
  test('does not fail behind and, or', () => {
    const small = pool.raw('lt', [call, c(10)]);
    check(
      [strict],
      [pool.raw('and', [positive, small]), pool.raw('or', [pool.raw('not', [positive]), small])],
      [-5],
      [0, 1],
    );
    check(
      [strict],
      [pool.raw('and', [positive, small]), pool.raw('or', [pool.raw('not', [positive]), small])],
      [50],
      [0, 0],
    );
  });
});

describe('memory of frames', () => {
  const small = fn('small', [real('v', 3)], [real('r')], [], [set(l(1), add(l(0, c(1)), l(0, c(3))))]);
  const large = fn(
    'large',
    [real('a')],
    [real('r')],
    [real('w', 1000), real('u', 3)],
    [
      set(l(2, c(1000)), l(0)),
      set(l(3, c(1)), l(0)),
      set(l(3, c(3)), c(3)),
      set(l(1), add(l(2, c(1000)), pool.call(0, [l(3)]))),
    ],
  );
  const again = fn('again', [real('v', 2)], [real('r')], [], [set(l(1), pool.call(0, [l(0)]))]);

  /** Slots in use after functions were compiled. */
  function slots(functions: FunctionDef[], value: Expr): number {
    const memory = new Memory();
    const body = [{ slot: memory.reserve(1), value }];
    compileUnit({ routines: [{ name: 'f', body }], functions, pool, slotOf: memory.slotOf }, memory);
    return memory.layout.size;
  }

  test('is that of the functions, which may all be open at once', () => {
    check([small, large], [pool.call(1, [x])], [5], [13]);
    expect(slots([small], pool.call(0, [x, x, x]))).toBeLessThan(30);
    expect(slots([small, large], pool.call(1, [x]))).toBeLessThan(2030);
  });

  test('is large where a function calls itself', () => {
    expect(slots([again], pool.call(0, [x, x]))).toBeGreaterThan(10_000);
  });
});

describe('failures', () => {
  /** Both back ends fail with the same code; the compiled one knows kind, function and place. */
  function fails(functions: FunctionDef[], value: Expr, inputs: number[]): EvaluationError {
    const caught: unknown[] = [];
    for (const backEnd of [compileUnit, interpretUnit]) {
      const memory = new Memory();
      inputs.forEach((v, i) => {
        memory.values[memory.slotOf(pool.ref(i))] = v;
      });
      const body = [{ slot: memory.reserve(1), value }];
      const unit = { routines: [{ name: 'f', body }], functions, pool, slotOf: memory.slotOf };
      const program = backEnd(unit, memory);
      try {
        program.run(0);
      } catch (problem) {
        caught.push(problem);
      }
    }
    const [compiled, interpreted] = caught as [EvaluationError, Failure];
    expect(compiled).toBeInstanceOf(EvaluationError);
    expect(interpreted).toBeInstanceOf(Failure);
    expect(compiled.diagnostics[0]!.code).toBe(interpreted.diagnostics[0]!.code);
    if (compiled.kind !== 'recursion') expect(compiled.message).toBe(interpreted.message);
    expect(compiled.span).toBe(span);
    return compiled;
  }

  const pick = fn('pick', [real('v', 3), real('i')], [real('r')], [], [set(l(2), l(0, l(1)))]);
  test.each([0, 4, -1, 1e12, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('subscript %d of 3', (i) => {
    const problem = fails([pick], pool.call(0, [c(1), c(2), c(3), x]), [i]);
    expect(problem.kind).toBe('index-out-of-range');
    expect(problem.fn).toBe('pick');
    expect(problem.message).toBe(`Subscript ${i} of v in pick is outside 1:3.`);
  });

  test('a subscript that is written to', () => {
    const f = fn('f', [real('i')], [real('r')], [real('v', 2, 2)], [set(l(2, c(1), l(0)), c(1))]);
    expect(fails([f], pool.call(0, [x]), [3]).kind).toBe('index-out-of-range');
  });

  test('a constant subscript outside is found when the function is compiled', () => {
    const f = fn('f', [real('i')], [real('r')], [real('v', 2)], [set(l(2, c(3)), c(1))]);
    const memory = new Memory();
    const body = [{ slot: memory.reserve(1), value: pool.call(0, [x]) }];
    const unit = { routines: [{ name: 'f', body }], functions: [f], pool, slotOf: memory.slotOf };
    expect(() => compileUnit(unit, memory)).toThrow(Failure);
  });

  test('an assertion', () => {
    const f = fn(
      'f',
      [real('a')],
      [real('r')],
      [],
      [
        {
          kind: 'assert',
          condition: pool.raw('gt', [l(0), c(0)]),
          message: pool.text('a must be positive'),
          span,
        },
      ],
    );
    const problem = fails([f], pool.call(0, [x]), [-1]);
    expect(problem.kind).toBe('assertion');
    expect(problem.message).toBe('a must be positive');
  });

  test('an assertion whose message holds values', () => {
    const message = pool.raw('concat', [pool.text('a is '), pool.raw('string', [l(0)])]);
    const f = fn(
      'f',
      [real('a')],
      [real('r')],
      [],
      [{ kind: 'assert', condition: pool.raw('gt', [l(0), c(0)]), message, span }],
    );
    expect(fails([f], pool.call(0, [x]), [-1.5]).message).toBe('a is -1.5');
  });

  test('a loop without end', () => {
    const f = fn(
      'f',
      [real('a')],
      [real('r')],
      [],
      [{ kind: 'while', condition: pool.raw('gt', [l(0), c(0)]), body: [] }],
    );
    const memory = new Memory();
    memory.values[memory.slotOf(x)] = 1;
    const body = [{ slot: memory.reserve(1), value: pool.call(0, [x]) }];
    const unit = { routines: [{ name: 'f', body }], functions: [f], pool, slotOf: memory.slotOf };
    const program = compileUnit(unit, memory);
    expect(() => program.run(0)).toThrow('Loops of f ran more than 10000000 times.');
    memory.values[memory.slotOf(x)] = 0;
    program.run(0);
  });

  test('recursion that fans out without end', () => {
    const earlier = (k: number): Expr => pool.call(0, [pool.raw('sub', [l(0), c(k)])]);
    const value = pool.raw('if', [pool.raw('lt', [l(0), c(2)]), l(0), add(earlier(1), earlier(2))]);
    const f = fn('f', [real('n')], [real('r')], [], [set(l(1), value)]);
    const memory = new Memory();
    memory.values[memory.slotOf(x)] = 60;
    const body = [{ slot: memory.reserve(1), value: pool.call(0, [x]) }];
    const program = compileUnit(
      { routines: [{ name: 'f', body }], functions: [f], pool, slotOf: memory.slotOf },
      memory,
    );
    expect(() => program.run(0)).toThrow('f was called more than 10000000 times in one evaluation.');
  });

  test('recursion without end', () => {
    const f = fn('f', [real('a')], [real('r')], [], [set(l(1), pool.call(0, [add(l(0), c(1))]))]);
    expect(fails([f], pool.call(0, [x]), [1]).kind).toBe('recursion');
  });

  test('recursion without end through arrays never writes outside its stack', () => {
    const f = fn(
      'f',
      [real('a', 2000)],
      [real('r')],
      [],
      [set(l(1), pool.call(0, [pool.raw('array', new Array(2000).fill(c(7)))]))],
    );
    const memory = new Memory();
    const slot = memory.reserve(1);
    const body = [
      {
        slot,
        value: pool.call(
          0,
          Array.from({ length: 2000 }, () => c(7)),
        ),
      },
    ];
    const unit = { routines: [{ name: 'f', body }], functions: [f], pool, slotOf: memory.slotOf };
    const program = compileUnit(unit, memory);
    const after = memory.reserve(1000);
    memory.values.fill(3, after, after + 1000);
    expect(() => program.run(0)).toThrow(EvaluationError);
    expect(memory.values.slice(after, after + 1000).every((v) => v === 3)).toBe(true);
  });

  test('a program runs again after it has failed', () => {
    const memory = new Memory();
    const slot = memory.reserve(1);
    const body = [{ slot, value: pool.call(0, [c(1), c(2), c(3), x]) }];
    const unit = { routines: [{ name: 'f', body }], functions: [pick], pool, slotOf: memory.slotOf };
    const program = compileUnit(unit, memory);
    memory.values[memory.slotOf(x)] = 9;
    expect(() => program.run(0)).toThrow(EvaluationError);
    memory.values[memory.slotOf(x)] = 2;
    program.run(0);
    expect(memory.values[slot]).toBe(2);
  });
});
