/** What is watched in a mode is found with effort that grows with the mode. */
import { expect, test } from 'vitest';
import { watchlistOf } from '../../src/program/mode/watchlist.ts';
import { orderOf } from '../growth.ts';
import { Program } from './notation.ts';

/** A ladder of resistors, one linear system, that a source of time feeds and a capacitor ends. */
function ladder(n: number): string {
  const nodes = Array.from({ length: n }, (_, k) => k + 1);
  return `Real x(start = 0, fixed = true); Real v0 = sin(3*time); ${nodes.map((k) => `Real v${k}; Real i${k};`).join(' ')}
    equation
    ${nodes.map((k) => `i${k} = ${k}*(v${k - 1} - v${k}); i${k} = 0.1*v${k} + ${k === n ? 'v1 - x' : `i${k + 1}`};`).join('\n')}
    der(x) = i${n};`;
}

test('large systems of equations that depend on time', () => {
  const order = orderOf((n) => {
    const program = new Program(ladder(n));
    const mode = program.mode();
    return () => {
      for (let k = 0; k < 5; k++) watchlistOf(program.runtime, mode);
    };
  }, 400);
  // Every unknown of a system would lead to all of them: 1.5 at this size, and more at larger ones.
  expect(order).toBeLessThan(1.4);
});
