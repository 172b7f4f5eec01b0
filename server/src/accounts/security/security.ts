import { Failure } from '../../base/failure.ts';
import type { Database } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import type { InitialPassword } from '../passwords/initial-password.ts';
import type { SecondFactorRequirement } from '../second-factor/requirement.ts';
import type { AccountSecurity, AuthMethods } from './contract.ts';
import { findProtection } from './queries.ts';

/** Tells how people can log in, and what protects an account. */
export class Security {
  readonly #database: Database;
  readonly #requirement: SecondFactorRequirement;
  readonly #initialPassword: InitialPassword;

  constructor(parts: {
    database: Database;
    requirement: SecondFactorRequirement;
    initialPassword: InitialPassword;
  }) {
    this.#database = parts.database;
    this.#requirement = parts.requirement;
    this.#initialPassword = parts.initialPassword;
  }

  /** The same for everybody, so that it reveals nothing about accounts. */
  listMethods(passkeys: boolean): AuthMethods {
    return { passkeys, singleSignOn: null, registration: true };
  }

  async get({ accountId, role }: Caller): Promise<AccountSecurity> {
    const protection = await findProtection(this.#database.db, accountId);
    if (protection === undefined) throw new Failure('not-found', 'There is no such account.');
    const { hasTotp, recoveryCodesLeft, passkeys, hasPassword } = protection;
    return {
      totp: hasTotp,
      recoveryCodesLeft,
      passkeys,
      identities: [],
      hasPassword,
      generatedPassword: await this.#initialPassword.isInUse(this.#database.db, accountId),
      secondFactorRequired: this.#requirement.appliesTo(role),
    };
  }
}
