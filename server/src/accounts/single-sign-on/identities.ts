import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Database, Tx } from '../../database/database.ts';
import { checkNotBanned } from '../account-rules.ts';
import { lockAccount } from '../queries.ts';
import { findSessionStart } from '../sessions/queries.ts';
import { deleteIdentity, findIdentity, hasIdentity, insertIdentity, listIdentities } from './queries.ts';
import { SingleSignOnFailure } from './single-sign-on-failure.ts';

const MAX_PER_ACCOUNT = 10;

/** Who somebody is at a provider: only both together name a person (OpenID Connect Core 1.0, section 5.7). */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** The identities that the owners of accounts have linked. */
export class Identities {
  readonly #database: Database;
  readonly #clock: Clock;
  /** How the provider that people can log in with now may be spelled; none without single sign-on. */
  readonly issuers: readonly string[];

  /** @param issuer that of the configured provider; undefined without single sign-on */
  constructor(database: Database, clock: Clock, issuer: string | undefined) {
    this.#database = database;
    this.#clock = clock;
    const plain = issuer?.replace(/\/$/, '');
    this.issuers = plain === undefined ? [] : [plain, `${plain}/`];
  }

  /**
   * Links an identity to the account of a login session. Nothing happens if it is linked to the account already.
   * @throws SingleSignOnFailure if the session has ended, the account is banned, or the identity belongs to
   *   another account
   */
  async link(owner: { accountId: number; sessionId: string }, identity: ProviderIdentity): Promise<void> {
    const { accountId } = owner;
    const { issuer, subject } = identity;
    await this.#database.transact(async (tx) => {
      checkNotBanned(await lockAccount(tx, accountId));
      // After the lock: what ends the session waits for it, or has ended it.
      if ((await findSessionStart(tx, owner.sessionId)) === undefined) throw sessionEnded();
      const known = await findIdentity(tx, identity);
      if (known?.accountId === accountId) return;
      if (known !== undefined) throw taken();
      if ((await listIdentities(tx, accountId)).length >= MAX_PER_ACCOUNT) throw tooMany();
      const now = this.#clock.now();
      await insertIdentity(tx, { accountId, issuer, subject, now }).catch((cause: unknown) => {
        throw cause instanceof Failure && cause.kind === 'conflict' ? taken() : cause;
      });
    });
  }

  /** @throws Failure `rejected` for the last way to log in; `not-found` */
  async unlink(accountId: number, id: number): Promise<void> {
    await this.#database.transact(async (tx) => {
      checkNotBanned(await lockAccount(tx, accountId));
      if (await deleteIdentity(tx, { accountId, id, issuers: this.issuers })) return;
      await throwRefusal(tx, accountId, id);
    });
  }
}

async function throwRefusal(tx: Tx, accountId: number, id: number): Promise<never> {
  if (!(await hasIdentity(tx, accountId, id))) throw new Failure('not-found', 'There is no such identity.');
  throw new Failure('rejected', 'This is the only way to log in to this account.');
}

function sessionEnded(): Failure {
  return new SingleSignOnFailure('expired', 'The login has ended. Please log in again.');
}

function taken(): Failure {
  return new SingleSignOnFailure('taken', 'This identity belongs to another account.');
}

function tooMany(): Failure {
  return new SingleSignOnFailure(
    'too-many-identities',
    `An account has at most ${MAX_PER_ACCOUNT} identities.`,
  );
}
