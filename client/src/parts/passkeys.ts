import type { CreationOptions, NewCredential, PasskeyRecord } from '../generated/records.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { Requester } from '../requests/requester.ts';

/** The passkeys of the own account. App passwords may not use them. */
export class Passkeys {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** All passkeys. @throws HoldallError */
  list(options: CallOptions = {}): Promise<readonly PasskeyRecord[]> {
    return this.#requester.ask('GET /api/user/passkeys', {}, options);
  }

  /**
   * What `navigator.credentials.create` takes for a new one.
   * @param password needed if the login is older than 15 minutes
   * @throws HoldallError: `ForbiddenError` without a needed password
   */
  options(password?: string, options: CallOptions = {}): Promise<CreationOptions> {
    return this.#requester.ask('POST /api/user/passkeys/options', { body: { password } }, options);
  }

  /** Stores what `navigator.credentials.create` gave. @throws HoldallError */
  add(name: string, credential: NewCredential, options: CallOptions = {}): Promise<PasskeyRecord> {
    return this.#requester.ask('POST /api/user/passkeys', { body: { name, credential } }, options);
  }

  /**
   * Takes a passkey away.
   * @param password needed if the login is older than 15 minutes
   * @throws HoldallError: `ForbiddenError` without a needed password
   */
  async remove(id: number, password?: string, options: CallOptions = {}): Promise<void> {
    const call = { path: { id }, body: { password } };
    await this.#requester.ask('DELETE /api/user/passkeys/{id}', call, options);
  }
}
