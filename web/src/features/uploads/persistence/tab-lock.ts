const LOCK = 'holdall.uploads.';
const KEY = 'holdall.uploads.tab';

/**
 * Holds a lock with the id of this tab. Other tabs can see by it that this tab works on its uploads. The
 * browser releases the lock when the tab is closed.
 */
export class TabLock {
  readonly id: string;
  /** The id of this tab before the page was reloaded. */
  readonly #earlier: string | null;

  constructor(id: string) {
    this.id = id;
    this.#earlier = sessionStorage.getItem(KEY);
    sessionStorage.setItem(KEY, id);
    void navigator.locks?.request(LOCK + id, () => new Promise(() => undefined));
  }

  /**
   * Calls back once that tab is closed, which may be the case already. Several waiting tabs are called one
   * after the other.
   */
  onReleased(holder: string, take: () => Promise<void>): void {
    if (navigator.locks !== undefined) void navigator.locks.request(LOCK + holder, take);
    // Locks need a secure context; without them no other tab is visible.
    else if (holder === this.#earlier) void take();
  }
}
