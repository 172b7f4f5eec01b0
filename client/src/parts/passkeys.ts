import type { CreationOptions, NewCredential, PasskeyRecord } from '../generated/records.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { Requester } from '../requests/requester.ts';

/** The passkeys of the user's account. App passwords cannot manage them. */
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
   * The options for `navigator.credentials.create`, to create a new passkey.
   * @param password needed if the login is older than 15 minutes
   * @throws HoldallError: `ForbiddenError` without a needed password
   */
  options(password?: string, options: CallOptions = {}): Promise<CreationOptions> {
    return this.#requester.ask('POST /api/user/passkeys/options', { body: { password } }, options);
  }

  /** Stores the result of `navigator.credentials.create`. @throws HoldallError */
  add(name: string, credential: NewCredential, options: CallOptions = {}): Promise<PasskeyRecord> {
    return this.#requester.ask('POST /api/user/passkeys', { body: { name, credential } }, options);
  }

  /**
   * Removes a passkey.
   * @param password needed if the login is older than 15 minutes
   * @throws HoldallError: `ForbiddenError` without a needed password
   */
  async remove(id: number, password?: string, options: CallOptions = {}): Promise<void> {
    const call = { path: { id }, body: { password } };
    await this.#requester.ask('DELETE /api/user/passkeys/{id}', call, options);
  }
}
