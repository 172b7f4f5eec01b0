/** The cost of a request besides its bytes, so that even a tiny file cannot be requested without an end. */
const REQUEST_BYTES = 4 * 1_024;
const SLACK_BYTES = 64 * 1_024;

/** The oldest is forgotten first. An attacker would have to begin so many counted downloads in between. */
const MAX_COOKIES = 20_000;

/**
 * Limits how many bytes a download cookie can fetch: the file's, and as many again for bytes that were lost
 * on the way or that a player asked for twice. Without a limit one counted download could be continued from
 * its second byte again and again.
 *
 * Every instance counts in memory, since the cookie only saves an interrupted download from being counted
 * twice: after a restart, or at another instance, it has a new budget.
 */
export class ResumeBudgets {
  readonly #spentBytes = new Map<string, number>();

  /**
   * Spends the bytes of a range, before they are sent.
   * @returns a function that gives back the bytes that were not sent; undefined when the budget is used up
   */
  spend(cookie: string, fileBytes: number, rangeBytes: number): ((unsentBytes: number) => void) | undefined {
    const spent = (this.#spentBytes.get(cookie) ?? 0) + rangeBytes + REQUEST_BYTES;
    if (spent > 2 * fileBytes + SLACK_BYTES) return undefined;
    this.#spentBytes.set(cookie, spent);
    const [oldest] = this.#spentBytes.keys();
    if (oldest !== undefined && this.#spentBytes.size > MAX_COOKIES) this.#spentBytes.delete(oldest);
    return (unsentBytes) => {
      const now = this.#spentBytes.get(cookie);
      if (now !== undefined) this.#spentBytes.set(cookie, Math.max(0, now - unsentBytes));
    };
  }
}
