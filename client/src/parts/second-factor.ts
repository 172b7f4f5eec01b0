import type { RecoveryCodes, TotpEnrolment } from '../generated/records.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { Requester } from '../requests/requester.ts';

/** The authenticator app of the user's account. App passwords cannot manage it. */
export class SecondFactor {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /**
   * Starts setting up an app. Returns the secret to type, and the content of a QR code.
   * @param password needed if the login is older than 15 minutes
   * @throws HoldallError: `ForbiddenError` without a needed password
   */
  start(password?: string, options: CallOptions = {}): Promise<TotpEnrolment> {
    return this.#requester.ask('POST /api/user/totp', { body: { password } }, options);
  }

  /** Enables the app with a first code. The recovery codes are returned only here. @throws HoldallError */
  confirm(code: string, options: CallOptions = {}): Promise<RecoveryCodes> {
    return this.#requester.ask('POST /api/user/totp/confirm', { body: { code } }, options);
  }

  /** Generates new recovery codes, and invalidates all earlier ones. @throws HoldallError */
  renewRecoveryCodes(password?: string, options: CallOptions = {}): Promise<RecoveryCodes> {
    return this.#requester.ask('POST /api/user/totp/recovery-codes', { body: { password } }, options);
  }

  /** Removes the app and the recovery codes. @throws HoldallError */
  async remove(password?: string, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('DELETE /api/user/totp', { body: { password } }, options);
  }
}
