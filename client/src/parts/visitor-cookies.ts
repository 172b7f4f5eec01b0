/**
 * The cookies that a share or folder link sets for its visitor. Browsers keep and send them themselves and
 * ignore a `cookie` header; other programs have no such memory.
 */
export class VisitorCookies {
  readonly #cookies = new Map<string, string>();

  /** Remembers what a response sets. Each of these cookies is for one link only, as its visitor is. */
  keep({ headers }: Response): void {
    // Missing in old browsers, which do not show these headers to programs anyway.
    for (const line of headers.getSetCookie?.() ?? []) {
      const [pair = ''] = line.split(';', 1);
      const equals = pair.indexOf('=');
      if (equals > 0) this.#cookies.set(pair.slice(0, equals).trim(), pair.slice(equals + 1).trim());
    }
  }

  headers(): Readonly<Record<string, string>> {
    const pairs = Array.from(this.#cookies, ([name, value]) => `${name}=${value}`);
    return pairs.length === 0 ? {} : { cookie: pairs.join('; ') };
  }
}
