/** Modifiers of arrays of components, and what runs over elements (specification 3.6, sections 7.2.5 and 10.3 to 10.5). */
import { expect, test } from 'vitest';
import { done } from './notation.ts';

const classes = `
  model C parameter Real a[3]; parameter Real d; end C;
  model B C c[5]; parameter Real p = 0; end B;
  model A parameter Real k = 1; end A;
  model H A a[2]; end H;
  model T parameter Integer n = 1; Real x[n] = 1:n; end T;
`;

// The examples of section 7.2.5, and others by hand, at time 1.
test.each([
  ['B b(each c.a = {3, 4, 5}, c.d = {2, 3, 4, 5, 6}); Real y = b.c[2].a[3] + 10*b.c[5].d;', 65],
  ['B b(c(each a = {3, 4, 5}, d = {2, 3, 4, 5, 6})); Real y = b.c[2].a[3] + 10*b.c[5].d;', 65],
  [
    'B b[2](each c(each a = {1, 2, 3}, d = {1, 2, 3, 4, 5}), p = {1, 2}); Real y = b[2].c[4].a[3] + 10*b[1].c[4].d + 100*b[2].p;',
    243,
  ],
  ['H h[3](each a(k = {1, 2})); Real y = sum(h[3].a.k);', 3],
  ['T t[2](n = {3, 2}); Real x[2] = t.x[end]; Real y = x[1] + 10*x[2];', 23],
  ['T t[3]; Real x[size(t, 1)] = fill(2, size(t, 1)); Real y = sum(x) + 10*ndims(t);', 16],
  ['Real w[3] = {1, 2, 3*time}; Real y = sum(2*e for e in w) + 100*sum({e^2 for e in w});', 1412],
  ['Real w[3] = {1, 2, 3*time}; Real y; algorithm y := product(e for e in w) + max(-e for e in w);', 5],
  ['Real w[2] = {1, 3*time}; Real y = sum(e*f for e in w, f in {time, 2*w[1]});', 12],
])('%s', async (declarations, wanted) => {
  const { table } = await done(`${classes}\n  model M ${declarations} end M;`, { stopTime: 1 });
  expect(table.value('y', 1)).toBeCloseTo(wanted, 12);
});
