/** Fields of records that functions give as a whole, each by what determines it. */
import { expect, test } from 'vitest';
import { done, run } from '../simulate/notation.ts';

const medium = (phase: string, more = ''): string => `package P
  record State Integer phase; Real d; end State;
  function density input Real p; output Real d; algorithm d := if p > 0 then sqrt(p) else 0; end density;
  function setState input Real p; input Integer region = 0; output State s; algorithm
    ${more} s := State(${phase}, density(p)); end setState;
  function wrapped input Real p; output State s; algorithm s := setState(p); end wrapped;
  model M State s; Real p(start = 2); equation s = wrapped(p); p = 2 + s.d/10 + 3*s.phase + 0*time; end M;
end P;`;

test('an Integer field that is known does not depend on what stands beside it', async () => {
  // q = sqrt(p): q^2 - q/10 - 2 = 0.
  const { table } = await done(medium('if region == 0 then 0 else 1'));
  const q = (0.1 + Math.sqrt(0.01 + 8)) / 2;
  expect(table.value('s.d', 0)).toBeCloseTo(q, 8);
  expect(table.value('p', 0)).toBeCloseTo(q * q, 8);
});

test('one that follows from what changes continuously is refused', async () => {
  for (const text of [
    medium('if p > 3 then 1 else 0'),
    medium('0', 'if p > 3 then return; end if;'),
    medium('k').replace(
      'algorithm\n',
      'protected Integer k; algorithm\n if p > 3 then k := 1; else k := 0; end if;\n',
    ),
  ]) {
    const { status, diagnostics } = await run(text);
    expect(status).toBe('failed');
    expect(['variability', 'cyclic-definition']).toContain(diagnostics[0]!.code);
  }
});
