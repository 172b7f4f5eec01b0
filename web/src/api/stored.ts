/** Texts that could not be stored. Browsers can disallow storage; the client also works without it. */
const unstored = new Map<string, string>();

/** A text that the browser stores for all tabs; undefined if there is none. */
export function readStored(key: string): string | undefined {
  const text = unstored.get(key);
  if (text !== undefined) return text;
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The keys of all stored texts with that prefix. */
export function listStored(prefix: string): string[] {
  const keys = new Set(unstored.keys());
  try {
    for (const key of Object.keys(localStorage)) keys.add(key);
  } catch {
    // Without storage, only the texts in memory count.
  }
  return [...keys].filter((key) => key.startsWith(prefix));
}

/** Stores or deletes a text. If the browser does not allow it, only this page keeps the text. */
export function writeStored(key: string, text: string | undefined): void {
  unstored.delete(key);
  try {
    if (text === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    if (text !== undefined) unstored.set(key, text);
  }
}
