/** Calls with many arguments and results are written down once, not once for each result. */
import { expect, test } from 'vitest';
import type { GuardedModel } from '../../src/modes/guarded.ts';
import { lowered } from './notation.ts';

const moved = (n: number, clause: string): string => `model M
  function moved
    input Real x[:]; output Real y[size(x, 1)]; output Integer info;
  algorithm
    for i in 1:size(x, 1) loop y[i] := x[i] - x[1]; end for;
    info := 0;
  end moved;
  parameter Integer n = ${n};
  discrete Real x[n](each start = 0, each fixed = true), y[n](each start = 0, each fixed = true);
  Integer info(start = 0, fixed = true);
${clause}
end M;`;

const statement = 'algorithm when sample(0, 1) then x[1] := time; (y, info) := moved(x); end when;';
const equation =
  'equation when sample(0, 1) then for i in 1:n loop x[i] = i*time; end for; (y, info) = moved(x); end when;';

/** Arguments of all calls that stand in equations. */
function argumentsIn({ equations }: GuardedModel): number {
  const open = equations.flatMap(({ left, right }) => [left, right]);
  const seen = new Set(open);
  let count = 0;
  for (const node of seen) {
    if (node.kind !== 'apply' && node.kind !== 'call') continue;
    if (node.kind === 'call') count += node.args.length;
    for (const arg of node.args) seen.add(arg);
  }
  return count;
}

test.each([statement, equation])('arguments grow as arrays do', (clause) => {
  // One call with n arguments, and two for each of n + 1 results.
  for (const n of [100, 1000]) expect(argumentsIn(lowered(moved(n, clause)))).toBe(n + 2 * (n + 1));
});

test('few are written out, so that equations can be solved and differentiated through them', () => {
  expect(argumentsIn(lowered(moved(10, statement)))).toBeGreaterThanOrEqual(10 * 10);
  expect(lowered(moved(10, statement)).scalars.some(({ name }) => name.startsWith('$call'))).toBe(false);
});
