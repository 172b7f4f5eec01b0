import { toTimestamp } from '../../base/dates.ts';
import type { Database } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import type { Mail } from '../../mail/mail.ts';
import type { InitialPassword } from '../passwords/initial-password.ts';
import { noAccount } from '../queries.ts';
import type { AccountSecurity, AuthMethods, SecurityChange } from './contract.ts';
import type { LoginMethods } from './login-methods.ts';
import { findHasUsableFactor, findProtection, listIdentities } from './queries.ts';
import type { SecondFactorRequirement } from './second-factor-requirement.ts';
import type { SecurityLog } from './security-log.ts';

interface SecurityParts {
  readonly database: Database;
  readonly requirement: SecondFactorRequirement;
  readonly initialPassword: InitialPassword;
  readonly log: SecurityLog;
  readonly methods: LoginMethods;
  readonly providerName: string | undefined;
  readonly mail: Mail;
}

/** Describes how people can log in to the service, and what protects an account. */
export class Security {
  readonly #parts: SecurityParts;

  /** @param parts.providerName the name of the single sign-on provider, if there is one */
  constructor(parts: SecurityParts) {
    this.#parts = parts;
  }

  /** The same for everyone, so that it reveals nothing about accounts. */
  listMethods(): AuthMethods {
    const name = this.#parts.providerName;
    return {
      passkeys: this.#parts.methods.passkeysWork === 1,
      singleSignOn: name === undefined ? null : { name },
      registration: true,
      passwordReset: this.#parts.mail.isOn,
    };
  }

  async get({ accountId, role }: Caller): Promise<AccountSecurity> {
    const protection = await findProtection(this.#parts.database.db, accountId);
    if (protection === undefined) throw noAccount();
    const identities = await listIdentities(this.#parts.database.db, accountId);
    const { hasTotp, recoveryCodesLeft, passkeys, hasPassword } = protection;
    return {
      totp: hasTotp,
      recoveryCodesLeft,
      passkeys,
      identities: identities.map(({ createdAt, ...rest }) => ({
        ...rest,
        createdAt: toTimestamp(createdAt),
      })),
      hasPassword,
      hasSecondFactor: await findHasUsableFactor(this.#parts.database.db, accountId, this.#parts.methods),
      generatedPassword: await this.#parts.initialPassword.isInUse(this.#parts.database.db, accountId),
      secondFactorRequired: this.#parts.requirement.appliesTo(role),
    };
  }

  /** The newest changes to the ways to log in to the account, newest first. */
  async listChanges({ accountId }: Caller): Promise<readonly SecurityChange[]> {
    const changes = await this.#parts.log.list(accountId);
    return changes.map(({ id, action, actorId, createdAt }) => ({
      ...{ id, action, byOwner: actorId === accountId, createdAt: toTimestamp(createdAt) },
    }));
  }
}
