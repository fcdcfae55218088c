/** Values and impulses where a mode is entered, from the left limits: sums of momentum and charge are kept. */
import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/diagnostic/failure.ts';
import { Program } from './notation.ts';

/** The weights of impulses by name, after a mode was entered from left limits. */
function enter(program: Program, left: Record<string, number>, ...holding: string[]): Record<string, number> {
  const mode = program.mode(...holding);
  program.set(left);
  const existed = new Uint8Array(program.runtime.model.scalars.length).fill(1);
  const weights = mode.restart.run(existed);
  return Object.fromEntries(
    weights.map(({ symbol, weight }) => [program.runtime.model.scalars[symbol]!.name, weight]),
  );
}

const clutch = `parameter Real J1 = 1, J2 = 2; Real w1, w2, f; Boolean closed = time >= 1;
  equation J1*der(w1) = f; J2*der(w2) = -f; if closed then w1 = w2; else f = 0; end if;`;

describe('a clutch', () => {
  test.each([
    [0, 3, 2],
    [6, 0, 2],
    [-1, 5, 3],
  ])('closes at %d and %d', (w1, w2, common) => {
    const program = new Program(clutch);
    const impulses = enter(program, { w1, w2 }, 'closed');
    expect(program.value('w1')).toBeCloseTo(common, 12);
    expect(program.value('w2')).toBeCloseTo(common, 12);
    expect(impulses.f).toBeCloseTo(common - w1, 12);
  });

  test('closes at equal speeds without an impulse', () => {
    const program = new Program(clutch);
    expect(enter(program, { w1: 2, w2: 2 }, 'closed')).toEqual({});
    expect(program.values('w1', 'w2')).toEqual([2, 2]);
  });

  test('opens: nothing jumps', () => {
    const program = new Program(clutch);
    expect(enter(program, { w1: 7, w2: 7 })).toEqual({});
    expect(program.values('w1', 'w2')).toEqual([7, 7]);
  });
});

test('capacitors that are joined share their charge', () => {
  const program = new Program(`Real v1, v2, i; Boolean on = time > 1;
    equation 3*der(v1) = -i; 1*der(v2) = i; if on then v1 = v2; else i = 0; end if;`);
  const impulses = enter(program, { v1: 8, v2: 0 }, 'on');
  expect(program.value('v1')).toBeCloseTo(6, 12);
  expect(program.value('v2')).toBeCloseTo(6, 12);
  expect(impulses.i).toBeCloseTo(6, 12);
});

test('a mass is stopped: its momentum is the impulse', () => {
  const program = new Program(`Real x, v, f; Boolean held = time > 1;
    equation der(x) = v; 2*der(v) = f; if held then v = 0; else f = 0; end if;`);
  const impulses = enter(program, { x: 1, v: 3 }, 'held');
  expect(program.value('v')).toBeCloseTo(0, 12);
  expect(program.value('x')).toBe(1);
  expect(impulses.f).toBeCloseTo(-6, 12);
});

test('a position that is elsewhere is no jump but a mistake', () => {
  const program = new Program(`Real x, v, f; Boolean held = time > 1;
    equation der(x) = v; 2*der(v) = f; if held then x = 0; else f = 0; end if;`);
  expect(() => enter(program, { x: 1, v: 3 }, 'held')).toThrow(Failure);
});
