/** Orders of things that need each other. */

/** The items and all that they need, each after what it needs; of those that need each other, one comes before. What is met last comes first. */
export function neededFirst<T>(items: readonly T[], needs: (item: T) => readonly T[]): Set<T> {
  const order = new Set<T>();
  const met = new Set<T>();
  const stack = [...items];
  while (stack.length > 0) {
    const item = stack.at(-1)!;
    const needed = met.has(item) ? [] : needs(item);
    met.add(item);
    const below = needed.filter((other) => !met.has(other));
    if (below.length > 0) stack.push(...below);
    else order.add(stack.pop()!);
  }
  return order;
}
