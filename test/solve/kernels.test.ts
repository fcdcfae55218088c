/** The kernels: their code is that of their sources, and memory that is used again holds nothing of before. */
import { expect, test } from 'vitest';
import { digestOfKernels } from '../../build/kernels.mjs';
import { sharedKernel } from '../../src/solve/kernel.ts';
import { kernelDigest } from '../../src/solve/kernelcode.ts';

test('the code is that of the sources: otherwise, npm run kernels', () => {
  expect(kernelDigest).toBe(digestOfKernels());
});

test('a block that was given back is given out again, with zeros', () => {
  const kernel = sharedKernel();
  const block = kernel.take(1000);
  kernel.doubles(block.address, 100).fill(7);
  kernel.give(block);
  const again = kernel.take(1000);
  expect(again).toEqual(block);
  expect(kernel.doubles(again.address, 100).every((value) => value === 0)).toBe(true);
  kernel.give(again);
});
