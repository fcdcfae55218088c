/** The modes that are kept: each is made once, and known by what it depends on alone. */
import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/diagnostic/failure.ts';
import { Program } from './notation.ts';

const nested = `Boolean a = time > 1, b = time > 2; Real x, y, z;
  equation x + y + z = 1; x = 2; if a then if b then y = 1; else z = 2; end if; else y = z; end if;`;

describe('a mode', () => {
  test('is made once', () => {
    const program = new Program(nested);
    expect(program.mode('a')).toBe(program.mode('a'));
    expect(program.bank.compiled).toBe(1);
    expect(program.mode('a', 'b')).not.toBe(program.mode('a'));
    expect([program.bank.compiled, program.bank.size]).toEqual([2, 2]);
  });

  test('is the same whatever does not matter in it', () => {
    const program = new Program(nested);
    expect(program.mode('b')).toBe(program.mode());
    expect(program.bank.compiled).toBe(1);
  });

  test('that was not used for longest is forgotten, the present one never', () => {
    const program = new Program(nested, 2);
    const [first] = [program.mode(), program.mode('a'), program.mode('a', 'b')];
    program.bank.trim(first!);
    expect(program.bank.size).toBe(2);
    expect(program.mode()).toBe(first);
    program.mode('a', 'b');
    expect(program.bank.compiled).toBe(3);
    program.mode('a');
    expect(program.bank.compiled).toBe(4);
  });
});

test('a condition inside of an equation chooses the mode where its branches have different unknowns', () => {
  const diode =
    'Real v, i, s; Boolean off = s < 0; equation v + i = sin(time); v = if off then s else 0; i = if off then 0 else s;';
  const program = new Program(diode);
  expect(program.runtime.model.conditions).toEqual([]);
  program.set({ off: 1 });
  expect(program.mode().mode.signature).toBe('off');
  program.set({ off: 0 });
  expect(program.mode().mode.signature).toBe('not off');
});

test('a mode without a solution fails in the same words again, without new work', () => {
  const program = new Program(
    'Boolean a = time > 1; Real x, y; equation x = 1; if a then x = 2; else y = 2; end if;',
  );
  const failure = (): unknown => {
    try {
      program.mode('a');
    } catch (problem) {
      return problem;
    }
    return undefined;
  };
  const first = failure();
  expect(first).toBeInstanceOf(Failure);
  expect(failure()).toBe(first);
  expect(program.mode().mode.signature).toBe('not a');
});
