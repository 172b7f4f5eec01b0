/**
 * The cookies that a share or folder link sets for its visitor. Browsers store and send them by themselves
 * and ignore a `cookie` header. Other programs need this class.
 */
export class VisitorCookies {
  readonly #cookies = new Map<string, string>();

  /** Stores the cookies of a response. Each of them is only for one link, like this visitor. */
  keep({ headers }: Response): void {
    // Missing in old browsers, which hide these headers from programs anyway.
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
