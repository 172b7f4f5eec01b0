const MAX_LETTERS = 100;

/** Reads the name that the other side has introduced itself with. */
export function readName(payload: unknown): string | undefined {
  if (typeof payload !== 'object' || payload === null || !('name' in payload)) return undefined;
  return typeof payload.name === 'string' ? payload.name.slice(0, MAX_LETTERS) : undefined;
}
