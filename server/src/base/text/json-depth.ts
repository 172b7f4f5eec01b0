/**
 * Whether arrays and objects of a JSON value lie in one another deeper than so many levels. Asks level by level, since
 * what recurses, as `JSON.stringify` does, fails on values that `JSON.parse` reads without trouble.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; ; depth += 1) {
    const nested = level.filter((part) => typeof part === 'object' && part !== null);
    if (nested.length === 0) return false;
    if (depth === levels) return true;
    level = nested.flatMap((part) => Object.values(part as object));
  }
}
