const LOCK = 'holdall.uploads.';
const KEY = 'holdall.uploads.tab';

/**
 * The tab that works on an upload, for as long as the tab lives. A lock with its name tells the other tabs,
 * and the browser releases it when the tab is gone.
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
   * Calls back once that tab is gone: now, or when it closes. Of several waiting tabs, one after the other.
   */
  onReleased(holder: string, take: () => Promise<void>): void {
    if (navigator.locks !== undefined) void navigator.locks.request(LOCK + holder, take);
    // Locks need a secure context; without them no other tab is visible.
    else if (holder === this.#earlier) void take();
  }
}
