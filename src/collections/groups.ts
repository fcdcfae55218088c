/** Lists under keys. */

/** Puts an item at the end of the list of a key. */
export function append<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** Items by their keys, keys and items in the order in which they come; items without a key are left out. */
export function grouped<K, T>(items: Iterable<T>, keyOf: (item: T) => K | undefined): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== undefined) append(groups, key, item);
  }
  return groups;
}
