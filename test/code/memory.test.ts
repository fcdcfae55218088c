import { describe, expect, test } from 'vitest';
import { LeafLayout, Memory, timeSlot } from '../../src/code/memory.ts';
import { Pool } from '../../src/symbolic/pool.ts';

const pool = new Pool();

describe('layout', () => {
  test('a leaf keeps its slot, and different leaves have different ones', () => {
    const layout = new LeafLayout();
    const leaves = [
      pool.time,
      pool.ref(0),
      pool.ref(0, 1),
      pool.ref(1),
      pool.pre(0),
      pool.held(0),
      pool.raw('initial', []),
      pool.raw('terminal', []),
    ];
    const slots = leaves.map((leaf) => layout.slotOf(leaf));
    expect(slots[0]).toBe(timeSlot);
    expect(new Set(slots).size).toBe(leaves.length);
    expect(leaves.map((leaf) => layout.slotOf(leaf))).toEqual(slots);
  });

  test('runs are contiguous and do not overlap', () => {
    const layout = new LeafLayout();
    const a = layout.reserve(10);
    const b = layout.reserve(1);
    const c = layout.slotOf(pool.ref(5));
    expect(b).toBe(a + 10);
    expect(c).toBe(b + 1);
  });

  test('leaves placed together lie side by side; a leaf cannot be placed twice', () => {
    const layout = new LeafLayout();
    layout.slotOf(pool.ref(9));
    const first = layout.place([pool.ref(2), pool.ref(1), pool.ref(0)]);
    expect(layout.slotOf(pool.ref(2))).toBe(first);
    expect(layout.slotOf(pool.ref(0))).toBe(first + 2);
    expect(() => layout.place([pool.ref(9)])).toThrow();
  });

  test('only leaves have a place', () => {
    const layout = new LeafLayout();
    expect(() => layout.slotOf(pool.one)).toThrow();
    expect(() => layout.slotOf(pool.ref(0, 0, [pool.one]))).toThrow();
    expect(() => layout.reserve(2 ** 30)).toThrow();
  });
});

describe('memory', () => {
  test('grows with what is allocated and keeps its values', () => {
    const memory = new Memory();
    memory.values[memory.slotOf(pool.ref(0))] = 42;
    const far = memory.reserve(1_000_000);
    expect(memory.values.length).toBeGreaterThan(far + 999_999);
    expect(memory.values[memory.slotOf(pool.ref(0))]).toBe(42);
    expect(memory.values[far + 999_999]).toBe(0);
    expect(memory.values).toBe(memory.values);
    expect(memory.values.buffer).toBe(memory.wasm.buffer);
  });

  test('frames are shared between programs and replaced by a larger run when needed', () => {
    const memory = new Memory();
    const small = memory.frames(10);
    expect(memory.frames(5)).toBe(small);
    expect(memory.frames(20).start).toBeGreaterThanOrEqual(small.start + 10);
  });
});
