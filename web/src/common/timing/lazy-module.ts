import { pause } from './pause.ts';
import { isVersionReplaced } from './replaced-version.ts';

const RETRY_MS = 3_000;

/**
 * A part of the client that is not needed immediately, but must be available offline. It is loaded when the
 * page is idle, and loading is retried. If a newer version of the client has replaced this one, the part is
 * gone. Then the user is asked to reload the page, and only the next use tries once more.
 */
export class LazyModule<T> {
  readonly #load: () => Promise<T>;
  #fetched: Promise<T> | undefined;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  readonly get = (): Promise<T> => {
    this.#fetched ??= this.#try();
    return this.#fetched;
  };

  async #try(): Promise<T> {
    for (;;) {
      try {
        return await this.#load();
      } catch {
        await pause(RETRY_MS);
        if (!isVersionReplaced()) continue;
        this.#fetched = undefined;
        return new Promise(() => undefined);
      }
    }
  }
}

export function whenIdle(act: () => void): void {
  // Safari does not support `requestIdleCallback`.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(act, { timeout: 5_000 });
  else setTimeout(act, 2_000);
}
