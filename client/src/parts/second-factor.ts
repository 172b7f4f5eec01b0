import type { RecoveryCodes, TotpEnrolment } from '../generated/records.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { Requester } from '../requests/requester.ts';

/** The authenticator app of the own account. App passwords may not use it. */
export class SecondFactor {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /**
   * Begins to set one up: the secret to type, and the content of a QR code.
   * @param password needed if the login is older than 15 minutes
   * @throws HoldallError: `ForbiddenError` without a needed password
   */
  start(password?: string, options: CallOptions = {}): Promise<TotpEnrolment> {
    return this.#requester.ask('POST /api/user/totp', { body: { password } }, options);
  }

  /** Turns it on with a first code. The recovery codes are shown only here. @throws HoldallError */
  confirm(code: string, options: CallOptions = {}): Promise<RecoveryCodes> {
    return this.#requester.ask('POST /api/user/totp/confirm', { body: { code } }, options);
  }

  /** Makes new recovery codes; all earlier ones end. @throws HoldallError */
  renewRecoveryCodes(password?: string, options: CallOptions = {}): Promise<RecoveryCodes> {
    return this.#requester.ask('POST /api/user/totp/recovery-codes', { body: { password } }, options);
  }

  /** Takes it away, with the recovery codes. @throws HoldallError */
  async remove(password?: string, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('DELETE /api/user/totp', { body: { password } }, options);
  }
}
