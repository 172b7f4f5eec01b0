import type { Audit } from '../../audit/audit.ts';
import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { LetterLanguage } from '../../mail/mail.ts';
import type { AccountCreation } from '../account-creation.ts';
import { foldEmail, foldUsername } from '../account-rules.ts';
import type { EmailVerification } from '../mailed-tokens/email-verification.ts';
import { type Account, lockAccount, lockAdmins, setRole } from '../queries.ts';
import { type ClaimedProfile, toClaimedProfile, withNumber } from './claimed-profile.ts';
import type { ProviderIdentity } from './identities.ts';
import type { AuthenticatedPerson, Claims } from './identity-provider.ts';
import { findIdentity, findTakenUsernames, insertIdentity, isEmailTaken } from './queries.ts';
import { SingleSignOnFailure } from './single-sign-on-failure.ts';

/**
 * The actor in audit entries for changes that a claim of the provider causes. Usernames contain no spaces.
 */
const ACTOR = { accountId: null, username: 'single sign-on' };

/**
 * How often the creation of an account is retried after another request has taken its name, its address or
 * its identity. Of requests that race for a name, one succeeds in each round.
 */
const MAX_TRIES = 20;

/** The highest number that is appended to a taken name. */
const MAX_NUMBER = 200;

/** The account of a person at the provider, and the identity that leads to it. */
export interface SignOnAccount {
  readonly accountId: number;
  readonly identityId: number;
}

interface SignOnAccountsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly creation: AccountCreation;
  readonly emailVerification: EmailVerification;
  readonly audit: Audit;
  readonly register: boolean;
  readonly adminClaim: string | undefined;
}

/**
 * Finds the account of a person whom the provider has authenticated, or creates it. Only the identity counts,
 * never a name or an e-mail address: the provider may let people choose those.
 */
export class SignOnAccounts {
  readonly #parts: SignOnAccountsParts;

  constructor(parts: SignOnAccountsParts) {
    this.#parts = parts;
  }

  /**
   * @param language of the mail that verifies the address of a new account
   * @throws SingleSignOnFailure if there is no account and none is created, or if the account is banned
   */
  async getOrCreate(person: AuthenticatedPerson, language: LetterLanguage | null): Promise<SignOnAccount> {
    const claims = await this.#loadClaims(person);
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#parts.database.transact((tx) =>
          this.#getOrCreate(tx, person, { claims, language }),
        );
      } catch (error) {
        if (!(error instanceof Failure) || error.kind !== 'conflict' || tries === MAX_TRIES) throw error;
      }
    }
  }

  /** Asks the provider for more claims only if they are needed. */
  async #loadClaims(person: AuthenticatedPerson): Promise<Claims> {
    const { claims } = person;
    const isUnknown = (await findIdentity(this.#parts.database.db, person)) === undefined;
    const isRoleUnknown =
      this.#parts.adminClaim !== undefined && claims[this.#parts.adminClaim] === undefined;
    return (isUnknown && this.#parts.register) || isRoleUnknown ? person.loadAllClaims() : claims;
  }

  async #getOrCreate(
    tx: Tx,
    identity: ProviderIdentity,
    { claims, language }: { claims: Claims; language: LetterLanguage | null },
  ): Promise<SignOnAccount> {
    const isAdmin = this.#parts.adminClaim !== undefined && claims[this.#parts.adminClaim] === true;
    if (isAdmin) await lockAdmins(tx, this.#parts.clock.now());
    const known = await findIdentity(tx, identity);
    if (known === undefined) {
      return this.#create(tx, identity, { ...toClaimedProfile(claims), isAdmin, language });
    }
    const account = await lockAccount(tx, known.accountId);
    if (account.banned === 1) throw new SingleSignOnFailure('banned', 'This account is banned.');
    if (isAdmin && account.role !== 'ADMIN') await this.#makeAdmin(tx, account);
    return { accountId: account.id, identityId: known.id };
  }

  async #create(
    tx: Tx,
    { issuer, subject }: ProviderIdentity,
    profile: ClaimedProfile & { isAdmin: boolean; language: LetterLanguage | null },
  ): Promise<SignOnAccount> {
    if (!this.#parts.register)
      throw new SingleSignOnFailure('no-account', 'There is no account for this login.');
    const { email, isEmailVerified, displayName, isAdmin, language } = profile;
    const isFree = email !== null && !(await isEmailTaken(tx, foldEmail(email)));
    const account = await this.#parts.creation.create(tx, {
      username: await findFreeUsername(tx, profile.username),
      ...(displayName === undefined ? {} : { displayName }),
      email: isFree ? email : null,
      isEmailVerified,
      phoneNumber: null,
      passwordHash: null,
      role: 'USER',
    });
    await this.#parts.emailVerification.mailLink(tx, account, language);
    if (isAdmin) await this.#makeAdmin(tx, account);
    const now = this.#parts.clock.now();
    const identityId = await insertIdentity(tx, { accountId: account.id, issuer, subject, now });
    return { accountId: account.id, identityId };
  }

  async #makeAdmin(tx: Tx, { id, username, role }: Account): Promise<void> {
    await setRole(tx, id, 'ADMIN', this.#parts.clock.now());
    await this.#parts.audit.record(tx, ACTOR, {
      action: 'UPDATE_USER_ROLE',
      targetType: 'USER',
      targetId: id,
      target: username,
      summary: `Changed the role of ${username} to ADMIN, as the provider of single sign-on says.`,
      details: { before: role, after: 'ADMIN' },
    });
  }
}

async function findFreeUsername(tx: Tx, wanted: string): Promise<string> {
  const candidates = Array.from({ length: MAX_NUMBER }, (_, index) => withNumber(wanted, index + 1));
  const taken = await findTakenUsernames(tx, candidates.map(foldUsername));
  const free = candidates.find((candidate) => !taken.has(foldUsername(candidate)));
  if (free === undefined) throw new SingleSignOnFailure('no-account', 'No free username was found.');
  return free;
}
