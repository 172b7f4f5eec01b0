/** Schemes whose pages have no origin of their own, and those of other protocols. */
const NO_ORIGIN = /^(?:about|blob|data|file|filesystem|ftp|javascript|wss?):/;

/** An app or a browser extension, such as `app://obsidian.md`. */
const APP_ORIGIN = /^([a-z][a-z\d+.-]*:\/\/[a-z\d](?:[a-z\d._-]*[a-z\d])?(?::\d{1,5})?)\/?$/;

/**
 * An origin in the form that browsers send: lower case, without the default port of the scheme. Undefined for
 * text that is not an origin, or has a path.
 */
export function toOrigin(text: string): string | undefined {
  if (!/^https?:/i.test(text)) {
    const lower = text.toLowerCase();
    return NO_ORIGIN.test(lower) ? undefined : APP_ORIGIN.exec(lower)?.[1];
  }
  const url = !text.includes('*') && URL.canParse(text) ? new URL(text) : undefined;
  return url?.href === `${url?.origin}/` ? url?.origin : undefined;
}
