import { describe, expect, test } from 'vitest';
import { Body, Bytes, f64, i32, ModuleBuilder, op } from '../../src/code/encoder.ts';

function encoded(write: (bytes: Bytes) => void): number[] {
  const bytes = new Bytes(1);
  write(bytes);
  return [...bytes.bytes];
}

describe('LEB128', () => {
  // The examples of the DWARF standard, figures 22 and 23, and the ends of the range.
  test.each<[number, number[]]>([
    [2, [2]],
    [127, [127]],
    [128, [0x80, 1]],
    [129, [0x81, 1]],
    [12857, [0xb9, 0x64]],
    [0xffffffff, [0xff, 0xff, 0xff, 0xff, 0x0f]],
  ])('unsigned %d', (value, expected) => {
    expect(encoded((bytes) => bytes.u32(value))).toEqual(expected);
  });
  test.each<[number, number[]]>([
    [2, [2]],
    [-2, [0x7e]],
    [127, [0xff, 0]],
    [-127, [0x81, 0x7f]],
    [128, [0x80, 1]],
    [-128, [0x80, 0x7f]],
    [-129, [0xff, 0x7e]],
    [-2147483648, [0x80, 0x80, 0x80, 0x80, 0x78]],
  ])('signed %d', (value, expected) => {
    expect(encoded((bytes) => bytes.s32(value))).toEqual(expected);
  });
});

test('doubles are little-endian and names UTF-8 with their length in bytes', () => {
  expect(encoded((bytes) => bytes.f64(-2))).toEqual([0, 0, 0, 0, 0, 0, 0, 0xc0]);
  expect(encoded((bytes) => bytes.name('aé'))).toEqual([3, 0x61, 0xc3, 0xa9]);
});

test('a module with several results, locals of both types and a block runs', () => {
  const module = new ModuleBuilder('test');
  const swap = module.declare('swap', [f64, f64], [f64, f64]);
  const body = new Body();
  body.reset(2);
  body.opIndex(op.localGet, 1);
  body.opIndex(op.localGet, 0);
  module.define(body);
  const main = module.declare('main', [f64, f64], [f64]);
  body.reset(2);
  const [flag, result] = [body.allocate(i32), body.allocate(f64)];
  body.opIndex(op.localGet, 0);
  body.opIndex(op.localGet, 1);
  body.op(op.f64Gt);
  body.opIndex(op.localTee, flag);
  body.open(op.if, f64);
  body.opIndex(op.localGet, 0);
  body.opIndex(op.localGet, 1);
  body.opIndex(op.call, swap);
  body.op(op.f64Sub);
  body.op(op.else);
  body.const(0.5);
  body.close();
  body.opIndex(op.localTee, result);
  module.define(body);
  module.exportFunction('main', main);
  const bytes = module.encode() as Uint8Array<ArrayBuffer>;
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  const run = instance.exports.main as (a: number, b: number) => number;
  expect(run(5, 3)).toBe(-2);
  expect(run(3, 5)).toBe(0.5);
});

test('a declared function without a body is an error', () => {
  const module = new ModuleBuilder('test');
  module.declare('f', [], []);
  expect(() => module.encode()).toThrow();
});

test('locals that were given back are used again, by type', () => {
  const body = new Body();
  body.reset(1);
  const a = body.allocate(f64);
  const b = body.allocate(i32);
  body.release(f64, a);
  expect(body.allocate(i32)).not.toBe(a);
  expect(body.allocate(f64)).toBe(a);
  expect([a, b]).toEqual([1, 2]);
});
