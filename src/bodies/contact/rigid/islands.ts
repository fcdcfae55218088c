/** Which pairs of shapes act on each other at an instant: those of bodies that other pairs or joints tie together, but for the world, which nothing moves. */
import type { Closure } from '../../dynamics/closure.ts';
import type { Mechanism } from '../../dynamics/mechanism.ts';

/** Of each pair the number of its island: that of one of its pairs. */
export function islandsOf(
  { tree, closures }: Mechanism,
  pairs: readonly { readonly a: number; readonly b: number }[],
): Int32Array {
  const { n, root } = tree;
  const leaders = Int32Array.from({ length: n }, (_, k) => root[k]!);
  const leaderOf = (link: number): number => {
    let at = link;
    while (leaders[at] !== at) at = leaders[at] = leaders[leaders[at]!]!;
    return at;
  };
  const isMoved = (link: number) => link >= 0 && link < n;
  const join = (a: number, b: number) => {
    if (isMoved(a) && isMoved(b)) leaders[leaderOf(a)] = leaderOf(b);
  };
  for (const closure of closures.closures) if (isBetween(closure)) join(closure.a, closure.b);
  for (const { a, b } of pairs) join(a, b);
  const first = new Map<number, number>();
  return Int32Array.from(pairs, ({ a, b }, k) => {
    const leader = leaderOf(isMoved(a) ? a : b);
    if (!first.has(leader)) first.set(leader, k);
    return first.get(leader)!;
  });
}

const isBetween = (closure: Closure): closure is Exclude<Closure, { kind: 'locked' }> =>
  closure.kind !== 'locked';
