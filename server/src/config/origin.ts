/**
 * An origin in the form that browsers send: lower case, without the default port of the scheme. Undefined for
 * text that is not an http(s) URL or has a path.
 */
export function toOrigin(text: string): string | undefined {
  const url = /^https?:/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  return url?.href === `${url?.origin}/` ? url?.origin : undefined;
}
