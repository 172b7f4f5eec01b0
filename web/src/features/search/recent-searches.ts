/** The latest searches of each user on this device. */

const MAX_SEARCHES = 8;

function keyOf(userId: number): string {
  return `holdall.searches.${userId}`;
}

/** The newest first. */
export function readRecentSearches(userId: number): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]');
    return Array.isArray(stored)
      ? stored.filter((text) => typeof text === 'string').slice(0, MAX_SEARCHES)
      : [];
  } catch {
    return [];
  }
}

/** A text that extends the previous one replaces it, because the user has just typed more. */
export function addRecentSearch(userId: number, text: string): void {
  const searched = text.trim();
  if (searched === '') return;
  const others = readRecentSearches(userId).filter(
    (other, index) => other !== searched && !(index === 0 && searched.startsWith(other)),
  );
  store(userId, [searched, ...others].slice(0, MAX_SEARCHES));
}

export function clearRecentSearches(userId: number): void {
  store(userId, []);
}

function store(userId: number, texts: readonly string[]): void {
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify(texts));
  } catch {
    // A browser without storage has no recent searches.
  }
}
