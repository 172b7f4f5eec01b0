/** The value of the key. The first call for a key creates the value. */
export function getOrCreate<K, V extends object>(map: Map<K, V>, key: K, create: () => V): V {
  let found = map.get(key);
  if (found === undefined) {
    found = create();
    map.set(key, found);
  }
  return found;
}
