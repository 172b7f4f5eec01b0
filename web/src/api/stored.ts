/** What could not be stored. A browser can forbid pages to store anything; the client then works without. */
const unstored = new Map<string, string>();

/** A text that this browser stores, for all its tabs; undefined if there is none. */
export function readStored(key: string): string | undefined {
  const text = unstored.get(key);
  if (text !== undefined) return text;
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The keys with that prefix under which a text is stored. */
export function listStored(prefix: string): string[] {
  const keys = new Set(unstored.keys());
  try {
    for (const key of Object.keys(localStorage)) keys.add(key);
  } catch {
    // Nothing is stored there.
  }
  return [...keys].filter((key) => key.startsWith(prefix));
}

/** Stores a text, or deletes it. If that is not possible, only this page knows it. */
export function writeStored(key: string, text: string | undefined): void {
  unstored.delete(key);
  try {
    if (text === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    if (text !== undefined) unstored.set(key, text);
  }
}
