/** The fast Fourier transform of `Modelica.Math.FastFourierTransform`: for any even number of samples, fast where its prime factors are small. */
import type { Externals } from '../symbolic/foreign.ts';

export const fft: Externals = {
  /** Amplitudes and phases of the frequencies up to half of the sampling rate; 0 where all is well, 1 where the number is odd. */
  ModelicaFFT_kiss_fftr: (
    u: Float64Array,
    count: number,
    _work: Float64Array,
    _length: number,
    amplitudes: Float64Array,
    phases: Float64Array,
  ) => {
    if (count % 2 !== 0) return 1;
    const { re, im } = transform(u.subarray(0, count), new Float64Array(count));
    const frequencies = count / 2 + 1;
    for (let k = 0; k < Math.min(frequencies, amplitudes.length); k++) {
      amplitudes[k] = Math.hypot(re[k]!, im[k]!) / frequencies;
      phases[k] = Math.atan2(im[k]!, re[k]!);
    }
    return 0;
  },
};

interface Complexes {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** Discrete Fourier transform with the kernel exp(-2πi jk/n), by decimation in time with the prime factors of n (Cooley, Tukey 1965). */
export function transform(re: Float64Array, im: Float64Array): Complexes {
  const n = re.length;
  const turn = Array.from({ length: n }, (_, k) => (-2 * Math.PI * k) / n);
  const [cos, sin] = [Float64Array.from(turn, Math.cos), Float64Array.from(turn, Math.sin)];
  const part = (first: number, step: number, length: number): Complexes => {
    if (length === 1) return { re: re.slice(first, first + 1), im: im.slice(first, first + 1) };
    const factor = smallestFactor(length);
    const size = length / factor;
    const parts = Array.from({ length: factor }, (_, r) => part(first + r * step, step * factor, size));
    const out = { re: new Float64Array(length), im: new Float64Array(length) };
    for (let k = 0; k < length; k++)
      for (let r = 0; r < factor; r++) {
        const own = parts[r]!;
        const angle = ((r * k) % length) * step;
        const [c, s] = [cos[angle]!, sin[angle]!];
        const [a, b] = [own.re[k % size]!, own.im[k % size]!];
        out.re[k]! += a * c - b * s;
        out.im[k]! += a * s + b * c;
      }
    return out;
  };
  return n === 0 ? { re, im } : part(0, 1, n);
}

function smallestFactor(n: number): number {
  for (let k = 2; k * k <= n; k++) if (n % k === 0) return k;
  return n;
}
