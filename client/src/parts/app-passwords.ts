import type { AppPasswordBody, AppPasswordRecord, NewAppPassword } from '../generated/records.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { Requester } from '../requests/requester.ts';

/** Credentials for programs. Only a login with a password can manage them. */
export class AppPasswords {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Creates one. Its `password` is returned only here. @throws HoldallError */
  create(body: AppPasswordBody, options: CallOptions = {}): Promise<NewAppPassword> {
    return this.#requester.ask('POST /api/user/app-passwords', { body }, options);
  }

  /** All app passwords, newest first, without their secrets. @throws HoldallError */
  list(options: CallOptions = {}): Promise<readonly AppPasswordRecord[]> {
    return this.#requester.ask('GET /api/user/app-passwords', {}, options);
  }

  /** Revokes one: the next request with it is rejected. @throws HoldallError */
  async revoke(id: number, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('DELETE /api/user/app-passwords/{id}', { path: { id } }, options);
  }
}
