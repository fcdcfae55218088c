/** Random numbers, bit for bit: the numbers were computed with integers of any size from the definitions of the generators. */
import { describe, expect, it } from 'vitest';
import { type Functions, functions, vector } from './notation.ts';

function next({ call }: Functions, name: string, state: Float64Array): [Float64Array, number] {
  const into = new Float64Array(state.length);
  const result = { value: 0 };
  call(`ModelicaRandom_${name}`, state, into, result);
  return [into, result.value];
}

function sequence(
  name: string,
  state: readonly number[],
  count: number,
): { states: number[][]; numbers: number[] } {
  const run = functions();
  let own = Float64Array.from(state);
  const [states, numbers]: [number[][], number[]] = [[], []];
  for (let k = 0; k < count; k++) {
    const [after, number] = next(run, name, own);
    own = after as Float64Array<ArrayBuffer>;
    states.push([...own]);
    numbers.push(number);
  }
  return { states, numbers };
}

describe('generators', () => {
  it('xorshift64*', () => {
    // The first output for the state 1 is the well-known 5180492295206395165.
    expect(sequence('xorshift64star', [1, 0], 3)).toEqual({
      states: [
        [-1989354211, 1206177355],
        [-955010875, 602321399],
        [-779129102, 923993986],
      ],
      numbers: [0.7808350500503596, 0.6402388791967286, 0.7151341146832786],
    });
    expect(sequence('xorshift64star', [-123456789, 987654321], 3).numbers).toEqual([
      0.28160958363462935, 0.10868482156753295, 0.6359065957392052,
    ]);
  });

  it('xorshift128+', () => {
    expect(sequence('xorshift128plus', [1, 0, 2, 0], 3)).toEqual({
      states: [
        [2, 0, 8388677, 0],
        [8388677, 0, 33554700, 0],
        [33554700, 0, 33558869, 16384],
      ],
      numbers: [0.5000000000004547, 0.500000000001819, 0.5000038146990848],
    });
    expect(sequence('xorshift128plus', [-1, 2147483647, -2147483648, 7], 3).numbers).toEqual([
      3.818190180027159e-6, 0.5146561766750191, 0.031269058323431353,
    ]);
  });

  const state = [...Array.from({ length: 32 }, (_, k) => k * k * 7919 - 1000003), 15];

  it('xorshift1024*', () => {
    const { states, numbers } = sequence('xorshift1024star', state, 40);
    expect([0, 1, 16, 39].map((k) => numbers[k])).toEqual([
      0.2503633963997146, 0.04026556281393329, 0.25358158796459684, 0.6532218569714376,
    ]);
    expect([...states[39]!.slice(0, 4), states[39]![32]]).toEqual([
      -592248632, -990669276, 1549879712, -1130779914, 7,
    ]);
  });

  it('the impure one has the state that it was given', () => {
    const { call, number } = functions();
    const random = (): number => number('ModelicaRandom_impureRandom_xorshift1024star', 5);
    expect(random).toThrow(/before initializeImpureRandom/);
    call('ModelicaRandom_setInternalState_xorshift1024star', Float64Array.from(state), 33, 5);
    expect([random(), random()]).toEqual([0.2503633963997146, 0.04026556281393329]);
    expect(() => number('ModelicaRandom_impureRandom_xorshift1024star', 6)).toThrow(/before/);
  });

  it('refuses a state that is too short', () => {
    expect(() => sequence('xorshift128plus', [1, 2], 1)).toThrow(/2 elements instead of 4/);
  });
});

it('automatic seeds are always the same', () => {
  const seed = (): number => functions().number('ModelicaRandom_automaticGlobalSeed', 0);
  expect(seed()).toBe(seed());
  expect(seed()).not.toBe(0);
});

it('splits a Real into its halves', () => {
  const into = vector(0, 0);
  functions().call('ModelicaRandom_convertRealToIntegers', -1.5, into);
  expect([...into]).toEqual([0, 0xbff80000 | 0]);
});
