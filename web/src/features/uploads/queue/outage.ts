import { ApiError } from '../../../api/api-error.ts';
import { delayAfter } from './back-off.ts';

/** Whether the service is out of reach. Each time in a row it is left alone for longer. */
export class Outage {
  #count = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  isOn(): boolean {
    return this.#timer !== undefined;
  }

  /** @param onOver when it is time to ask the service again; until {@link end} the outage is on */
  begin(error: unknown, onOver: () => void): void {
    this.#count += 1;
    const retryAfter = error instanceof ApiError ? error.retryAfter : undefined;
    this.#timer = setTimeout(onOver, delayAfter(this.#count, retryAfter, Math.random()));
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Something has arrived: the next outage is the first again. */
  startOver(): void {
    this.#count = 0;
  }
}
