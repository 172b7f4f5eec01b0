/**
 * An origin as browsers send it: in small letters, without the port that the scheme has anyway. Undefined for
 * what is none, or has a path.
 */
export function toOrigin(text: string): string | undefined {
  const url = /^https?:/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  return url?.href === `${url?.origin}/` ? url?.origin : undefined;
}
