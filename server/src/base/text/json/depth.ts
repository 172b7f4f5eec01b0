/**
 * Whether the arrays and objects of a JSON value are nested more than `levels` deep. It works level by level:
 * a recursive function, such as `JSON.stringify`, overflows the stack on values that `JSON.parse` accepts.
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
