/** In a watch, what is deleted at once arrives in several parts. */
const WINDOW_MS = 60_000;

/** What the sync has deleted on one side within the last minute. */
export class RecentDeletions {
  readonly #times = new Map<string, number>();

  /** How many there are apart from these paths, which are about to be deleted. */
  countOthers(paths: ReadonlySet<string>, nowMs: number): number {
    for (const [path, atMs] of this.#times) {
      if (nowMs - atMs < WINDOW_MS) break;
      this.#times.delete(path);
    }
    return [...this.#times.keys()].filter((path) => !paths.has(path)).length;
  }

  note(paths: ReadonlySet<string>, nowMs: number): void {
    for (const path of paths) {
      // At the end again, so that the oldest is the first.
      this.#times.delete(path);
      this.#times.set(path, nowMs);
    }
  }
}
