/**
 * The random number generators of `Modelica.Math.Random`, bit for bit (S. Vigna: xorshift64*, xorshift128+, xorshift1024*, with the state that the Modelica
 * Standard Library keeps: that of the first two is their last output). A state is a vector of Integers, pairs of which are words of 64 bits, lower half first.
 */
import type { Externals, ForeignRun } from '../symbolic/foreign.ts';

type Box = { value: number };

const multiplier64 = 2685821657736338717n;
const multiplier1024 = 1181783497276652981n;

export const random: Externals = {
  ModelicaRandom_xorshift64star: (given: Float64Array, into: Float64Array, result: Box) => {
    let [x] = wordsOf(given, 1) as [bigint];
    x ^= x >> 12n;
    x = word(x ^ (x << 25n));
    x ^= x >> 27n;
    x = word(x * multiplier64);
    write([x], into);
    result.value = real(x);
  },

  ModelicaRandom_xorshift128plus: (given: Float64Array, into: Float64Array, result: Box) => {
    const [first, s0] = wordsOf(given, 2) as [bigint, bigint];
    const s1 = word(first ^ (first << 23n));
    const next = word((s1 ^ s0 ^ (s1 >> 17n) ^ (s0 >> 26n)) + s0);
    write([s0, next], into);
    result.value = real(next);
  },

  ModelicaRandom_xorshift1024star: (given: Float64Array, into: Float64Array, result: Box) => {
    const state = { words: wordsOf(given, 16), at: given[32]! };
    result.value = next1024(state);
    write(state.words, into);
    into[32] = state.at;
  },

  ModelicaRandom_setInternalState_xorshift1024star(
    this: ForeignRun,
    given: Float64Array,
    _count: number,
    id: number,
  ) {
    this.kept.set(`${generator} ${id}`, { words: wordsOf(given, 16), at: given[32]! } satisfies State1024);
  },

  ModelicaRandom_impureRandom_xorshift1024star(this: ForeignRun, id: number) {
    const state = this.kept.get(`${generator} ${id}`) as State1024 | undefined;
    if (!state)
      throw new Error('impureRandom is called before initializeImpureRandom, whose result it must be given');
    return next1024(state);
  },

  // Runs can be repeated: a seed that differs each time is given by the model.
  ModelicaRandom_automaticGlobalSeed: () => automaticSeed,

  ModelicaRandom_convertRealToIntegers: (real: number, into: Float64Array) => {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, real, true);
    into[0] = view.getInt32(0, true);
    into[1] = view.getInt32(4, true);
  },
};

const automaticSeed = 67867967;
const generator = 'xorshift1024star';

interface State1024 {
  readonly words: bigint[];
  at: number;
}

function next1024(state: State1024): number {
  const { words } = state;
  let s0 = words[state.at & 15]!;
  state.at = (state.at + 1) & 15;
  let s1 = words[state.at]!;
  s1 = word(s1 ^ (s1 << 31n));
  s1 ^= s1 >> 11n;
  s0 ^= s0 >> 30n;
  words[state.at] = s0 ^ s1;
  return real(word((s0 ^ s1) * multiplier1024));
}

const word = (x: bigint): bigint => BigInt.asUintN(64, x);

/** A number between 0 and 1 (J. A. Doornik: Conversion of high-period random numbers to floating point). */
const real = (x: bigint): number => Number(BigInt.asIntN(64, x)) * 2 ** -64 + 0.5;

function wordsOf(given: Float64Array, count: number): bigint[] {
  if (given.length < 2 * count)
    throw new Error(`the state has ${given.length} elements instead of ${2 * count}`);
  const half = (k: number): bigint => BigInt.asUintN(32, BigInt(given[k]!));
  return Array.from({ length: count }, (_, k) => half(2 * k) | (half(2 * k + 1) << 32n));
}

function write(words: readonly bigint[], into: Float64Array): void {
  for (const [k, own] of words.entries()) {
    into[2 * k] = Number(BigInt.asIntN(32, own));
    into[2 * k + 1] = Number(BigInt.asIntN(32, own >> 32n));
  }
}
