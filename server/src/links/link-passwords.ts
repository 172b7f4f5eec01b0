import { hashPassword, verifyPassword } from '../accounts/accounts.ts';
import { Failure } from '../base/failure.ts';
import { byAddress, type CredentialLimiter, SHARE_PASSWORDS_BY_ADDRESS } from '../limits/limits.ts';

/** Who enters a password. */
export interface LinkVisitor {
  readonly address: string;
  readonly accountId: number | undefined;
}

/** Checks the passwords of shares and folder links. Guesses are limited for each link and address. */
export class LinkPasswords {
  readonly #limiter: CredentialLimiter;

  constructor(limiter: CredentialLimiter) {
    this.#limiter = limiter;
  }

  /**
   * @param visitor After too many wrong passwords from the address in a minute the right one is rejected too.
   * @param name identifies the link among shares and folder links
   * @throws Failure `forbidden` when the password is missing or wrong; `too-many`
   */
  async check(
    { passwordHash }: { readonly passwordHash: string | null },
    name: string,
    password: string | undefined,
    visitor: LinkVisitor,
  ): Promise<void> {
    if (passwordHash === null) return;
    const trimmed = password?.trim() ?? '';
    if (password === undefined || trimmed === '') throw passwordRequired();
    // A password that was set before blanks were removed may still have them.
    const accepted = password === trimmed ? [trimmed] : [trimmed, password];
    await this.#limiter.attempt([byAddress(SHARE_PASSWORDS_BY_ADDRESS, visitor.address, name)], async () => {
      for (const text of accepted) if (await verifyPassword(passwordHash, text, visitor)) return;
      throw new Failure('forbidden', 'The password is wrong.');
    });
  }
}

/** @param password null or undefined for none */
export async function hashLinkPassword(
  ownerId: number,
  password: string | null | undefined,
): Promise<string | null> {
  return password == null ? null : await hashPassword(password, { accountId: ownerId });
}

export function passwordRequired(): Failure {
  return new Failure('forbidden', 'This link requires a password.');
}
