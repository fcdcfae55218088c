/** What is computed once. */

/** The value of a key; where there is none yet, it is made and kept. */
export function remember<K, V>(
  known: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}

/** The same of what may be asked for again while it is made: until then it is `meanwhile`. */
export function rememberCyclic<K, V>(known: Map<K, V>, key: K, meanwhile: V, make: () => V): V {
  return remember(known, key, () => {
    known.set(key, meanwhile);
    return make();
  });
}
