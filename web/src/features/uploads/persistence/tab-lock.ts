const LOCK = 'holdall.uploads.';
const KEY = 'holdall.uploads.tab';

/**
 * Holds a lock named after the id of this tab, which tells other tabs that this tab works on its uploads.
 * The browser releases the lock when the tab is closed.
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
   * Calls back once that tab is closed, immediately if it is closed already. If several tabs wait, they are
   * called one after another.
   */
  onReleased(holder: string, take: () => Promise<void>): void {
    if (navigator.locks !== undefined) void navigator.locks.request(LOCK + holder, take);
    // Locks need a secure context. Without locks, this tab cannot tell whether other tabs are open.
    else if (holder === this.#earlier) void take();
  }
}
