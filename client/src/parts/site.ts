import type { Instance } from '../generated/records.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { DataOf } from '../requests/operation-types.ts';
import type { Requester } from '../requests/requester.ts';

/** The service itself. Every call is public. */
export class Site {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Name and version. @throws HoldallError */
  about(options: CallOptions = {}): Promise<DataOf<'GET /'>> {
    return this.#requester.ask('GET /', {}, options);
  }

  /** Checks that the service has the API of this library. @throws HoldallError */
  ping(options: CallOptions = {}): Promise<DataOf<'GET /api/v2/site/ping'>> {
    return this.#requester.ask('GET /api/v2/site/ping', {}, options);
  }

  /** The name, the greeting and the address of the logo of the instance. @throws HoldallError */
  instance(options: CallOptions = {}): Promise<Instance> {
    return this.#requester.ask('GET /api/v2/site/instance', {}, options);
  }

  /** The logo, as a WebP. @throws HoldallError: `NotFoundError` without one */
  async logo(options: CallOptions = {}): Promise<Blob> {
    return (await this.#requester.open('GET /api/v2/site/instance/logo', {}, options)).blob();
  }

  /** Checks that the service is running. @throws HoldallError */
  async isAlive(options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('GET /health/live', {}, options);
  }

  /**
   * Checks that the service can reach its database and store.
   * `UnavailableError` if they cannot.
   * @throws HoldallError
   */
  async isReady(options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('GET /health/ready', {}, options);
  }
}
