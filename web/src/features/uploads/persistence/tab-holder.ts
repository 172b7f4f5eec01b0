const LOCK = 'holdall.uploads.';
const KEY = 'holdall.uploads.tab';

/**
 * Who is at an upload: this tab, as long as it lives. A lock in its name tells the others that it does, and the browser takes it
 * away when it does not any more.
 */
export class TabHolder {
  readonly id: string;
  /** Of this very tab, before the page was loaded anew. */
  readonly #earlier: string | null;

  constructor(id: string) {
    this.id = id;
    this.#earlier = sessionStorage.getItem(KEY);
    sessionStorage.setItem(KEY, id);
    void navigator.locks?.request(LOCK + id, () => new Promise(() => undefined));
  }

  /** Calls back once that tab is gone: now, or when it closes. Of those who wait, one after the other. */
  onGone(holder: string, take: () => Promise<void>): void {
    if (navigator.locks !== undefined) void navigator.locks.request(LOCK + holder, take);
    // Without locks, which are for secure contexts only, nobody knows of any tab but this one.
    else if (holder === this.#earlier) void take();
  }
}
