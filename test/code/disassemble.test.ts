import { beforeAll, describe, expect, test } from 'vitest';
import wabt from 'wabt';
import { disassemble } from '../../src/code/disassemble.ts';
import { Memory } from '../../src/code/memory.ts';
import type { CodeUnit } from '../../src/code/unit.ts';
import { encodeUnit } from '../../src/code/wasm.ts';
import type { Expr } from '../../src/symbolic/expr.ts';
import type { FunctionDef } from '../../src/symbolic/function.ts';
import { Pool } from '../../src/symbolic/pool.ts';

type Wabt = Awaited<ReturnType<typeof wabt>>;
let assembler: Wabt;
beforeAll(async () => {
  assembler = await wabt();
});

/** Our module without its names, as an independent assembler understands our text of it. */
function assembled(text: string): Uint8Array {
  const module = assembler.parseWat('unit.wat', text, {
    bulk_memory: true,
    multi_value: true,
    sat_float_to_int: true,
  });
  module.validate();
  const { buffer } = module.toBinary({});
  module.destroy();
  return buffer;
}

function withoutNames(bytes: Uint8Array): Uint8Array {
  let at = 8;
  while (at < bytes.length && bytes[at] !== 0) {
    let length = 0;
    let shift = 0;
    for (at++; ; shift += 7) {
      const byte = bytes[at++]!;
      length |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    at += length;
  }
  return bytes.subarray(0, at);
}

const pool = new Pool();
const [x, y] = [pool.ref(0), pool.ref(1)];

function unitOf(
  values: readonly Expr[],
  functions: readonly FunctionDef[] = [],
): { unit: CodeUnit; memory: Memory } {
  const memory = new Memory();
  memory.slotOf(x);
  memory.slotOf(y);
  const first = memory.reserve(values.length);
  const body = values.map((value, k) => ({ slot: first + k, value }));
  return { unit: { routines: [{ name: 'rhs', body }], functions, pool, slotOf: memory.slotOf }, memory };
}

test('an equation reads like one, with the names of its variables', () => {
  const value = pool.raw('sub', [pool.raw('mul', [pool.const(0.3), x]), pool.raw('sin', [y])]);
  const names = ['time', '', '', 'x', 'y', 'der(x)'];
  const { unit, memory } = unitOf([value]);
  const nameOfSlot = (slot: number) => names[slot] ?? memory.constantAt(slot)?.toString();
  const text = disassemble(encodeUnit(unit, memory), { nameOfSlot });
  expect(text.slice(text.indexOf('  (func $rhs'))).toBe(`  (func $rhs
    (f64.store offset=40 (; der(x) ;)
      (i32.const 0)
      (f64.sub
        (f64.mul
          (f64.load offset=48 (i32.const 0) (; 0.3 ;))
          (f64.load offset=24 (i32.const 0) (; x ;)))
        (call $sin (f64.load offset=32 (i32.const 0) (; y ;))))))
)
`);
});

describe('an assembler gives the same bytes back', () => {
  const relation = pool.raw('lt', [x, y]);
  const shared = pool.raw('exp', [pool.raw('mul', [x, y])]);
  const sum: FunctionDef = {
    name: 'Sum of "squares" ;) (;',
    locals: [
      { name: 'v', type: 'Real', dims: [3], initial: undefined },
      { name: 'r', type: 'Real', dims: [], initial: undefined },
      { name: 'w', type: 'Real', dims: [2], initial: undefined },
    ],
    inputs: 1,
    outputs: 2,
    body: [
      {
        kind: 'for',
        iterator: 1,
        range: pool.raw('range', [pool.one, pool.one, pool.const(3)]),
        body: [
          {
            kind: 'assign',
            target: pool.local(1),
            value: pool.raw('add', [pool.local(1), pool.local(0, [pool.iter(1)])]),
            span: undefined,
          },
        ],
      },
      { kind: 'while', condition: pool.raw('gt', [pool.local(1), pool.const(9)]), body: [{ kind: 'break' }] },
    ],
    span: undefined,
  };
  test.each<[string, Expr[], FunctionDef[]]>([
    ['arithmetic', [pool.raw('div', [pool.raw('add', [x, y]), pool.const(-0)]), pool.raw('pow', [x, y])], []],
    ['branches', [pool.raw('if', [relation, shared, pool.raw('neg', [shared])]), shared], []],
    ['Booleans', [pool.raw('and', [relation, pool.raw('not', [y])]), pool.raw('sign', [x])], []],
    [
      'special constants',
      [pool.const(Number.POSITIVE_INFINITY), pool.raw('add', [x, pool.const(1e-310)])],
      [],
    ],
    [
      'remainders',
      [pool.raw('mod', [x, y]), pool.raw('sub', [x, pool.raw('mul', [y, pool.raw('sub', [x, y])])])],
      [],
    ],
    ['a function', [pool.call(0, [x, y, x], 0), pool.call(0, [x, y, x], 2)], [sum]],
  ])('%s', (_, values, functions) => {
    const { unit, memory } = unitOf(values, functions);
    const bytes = encodeUnit(unit, memory);
    const text = disassemble(bytes, { nameOfSlot: (slot) => `slot ${slot} ;) (; "` });
    expect([...assembled(text)]).toEqual([...withoutNames(bytes)]);
  });

  test('deep expressions', () => {
    let e: Expr = x;
    for (let i = 0; i < 5000; i++) e = pool.raw(i % 3 === 0 ? 'sub' : 'add', i % 2 === 0 ? [e, y] : [y, e]);
    const { unit, memory } = unitOf([e]);
    const bytes = encodeUnit(unit, memory);
    expect([...assembled(disassemble(bytes))]).toEqual([...withoutNames(bytes)]);
  });
});
