const MAX_LETTERS = 100;

/** The name under which the other side introduces itself. */
export function readName(payload: unknown): string | undefined {
  if (typeof payload !== 'object' || payload === null || !('name' in payload)) return undefined;
  return typeof payload.name === 'string' ? payload.name.slice(0, MAX_LETTERS) : undefined;
}
