import { pause } from './pause.ts';

const AGAIN_MS = 3_000;

/**
 * A part of the client that is not needed at once, but must be available offline: it is loaded when the page
 * is idle. A failed attempt is repeated.
 */
export class Later<T> {
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
        await pause(AGAIN_MS);
      }
    }
  }
}

export function whenIdle(act: () => void): void {
  // Safari does not support it.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(act, { timeout: 5_000 });
  else setTimeout(act, 2_000);
}
