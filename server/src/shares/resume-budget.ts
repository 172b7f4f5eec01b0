/** The cost of a request in addition to its bytes, so that even a tiny file cannot be requested endlessly. */
const REQUEST_BYTES = 4 * 1_024;
const SLACK_BYTES = 64 * 1_024;

/**
 * The oldest cookie is forgotten first. To exploit that, an attacker would need this many counted downloads.
 */
const MAX_COOKIES = 20_000;

/**
 * Limits how many bytes a download cookie can fetch: those of the file, and as many again for bytes that were
 * lost or that a player requested twice. Without a limit, one counted download could be continued from its
 * second byte again and again.
 *
 * Every instance counts in memory. So the cookie has a new budget after a restart, or at another instance.
 * That is acceptable, because it only saves an interrupted download from being counted twice.
 */
export class ResumeBudgets {
  readonly #spentBytes = new Map<string, number>();

  /**
   * Spends the bytes of a range, before they are sent.
   * @returns a function that refunds unsent bytes; undefined if the budget is used up
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
