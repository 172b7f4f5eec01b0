import { HoldallError } from '../../../../../../client/src/errors/errors.ts';
import { delayAfter } from './back-off.ts';

/** Records whether the service is unreachable. The wait grows with each consecutive outage. */
export class Outage {
  #count = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  isOn(): boolean {
    return this.#timer !== undefined;
  }

  /** @param onOver called when it is time to try again; the outage lasts until {@link end} */
  begin(error: unknown, onOver: () => void): void {
    this.#count += 1;
    const retryAfter = error instanceof HoldallError ? error.retryAfterSeconds : undefined;
    this.#timer = setTimeout(onOver, delayAfter(this.#count, retryAfter, Math.random()));
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Called when bytes have arrived. The next outage counts as the first again. */
  startOver(): void {
    this.#count = 0;
  }
}
