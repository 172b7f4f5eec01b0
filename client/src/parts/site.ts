import type { CallOptions } from '../requests/call-options.ts';
import type { DataOf } from '../requests/operation-types.ts';
import type { Requester } from '../requests/requester.ts';

/** The service itself. Every call is open to everybody. */
export class Site {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Name and version. @throws HoldallError */
  about(options: CallOptions = {}): Promise<DataOf<'GET /'>> {
    return this.#requester.ask('GET /', {}, options);
  }

  /** Whether this is the interface that this library speaks. @throws HoldallError */
  ping(options: CallOptions = {}): Promise<DataOf<'GET /api/v2/site/ping'>> {
    return this.#requester.ask('GET /api/v2/site/ping', {}, options);
  }

  /** Whether the program runs. @throws HoldallError */
  async isAlive(options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('GET /health/live', {}, options);
  }

  /**
   * Whether database and store can be reached.
   * `UnavailableError` if they cannot.
   * @throws HoldallError
   */
  async isReady(options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('GET /health/ready', {}, options);
  }
}
