import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import { MAX_IDENTITIES } from '../account-rules.ts';
import type { LoginMethods } from '../security/login-methods.ts';
import { lockOwnAccount, type OwnerCheck, type OwnerProof } from '../security/owner-check.ts';
import { listIdentities } from '../security/queries.ts';
import type { SecurityLog } from '../security/security-log.ts';
import { deleteIdentity, findIdentity, hasIdentity, insertIdentity } from './queries.ts';
import { SingleSignOnFailure } from './single-sign-on-failure.ts';

/**
 * Identifies a person at a provider. Only both members together are unique (OpenID Connect Core 1.0, section
 * 5.7).
 */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
}

interface IdentitiesParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ownerCheck: OwnerCheck;
  readonly log: SecurityLog;
  readonly methods: LoginMethods;
}

/** The identities that the owners of accounts have linked. */
export class Identities {
  readonly #parts: IdentitiesParts;

  constructor(parts: IdentitiesParts) {
    this.#parts = parts;
  }

  /**
   * Links an identity to the account of a login session. Nothing happens if it is linked to the account
   * already.
   * @throws SingleSignOnFailure if the identity belongs to another account, or the account has too many; Failure
   *   `unauthenticated` if the session has ended; `forbidden` if the account is banned; `too-many`
   */
  async link(owner: { accountId: number; sessionId: string }, identity: ProviderIdentity): Promise<void> {
    const { accountId } = owner;
    const { issuer, subject } = identity;
    await this.#parts.database.transact(async (tx) => {
      const account = await lockOwnAccount(tx, owner);
      const known = await findIdentity(tx, identity);
      if (known?.accountId === accountId) return;
      if (known !== undefined) throw identityTaken();
      if ((await listIdentities(tx, accountId)).length >= MAX_IDENTITIES) throw tooManyIdentities();
      await this.#parts.log.recordAddition(tx, account, 'LINK_IDENTITY', { details: { issuer } });
      const now = this.#parts.clock.now();
      await insertIdentity(tx, { accountId, issuer, subject, now }).catch((cause: unknown) => {
        throw cause instanceof Failure && cause.kind === 'conflict' ? identityTaken() : cause;
      });
    });
  }

  /**
   * @throws Failure `rejected` for the last way to log in; `not-found`; `rejected`, `forbidden` or `unauthenticated`
   *   like {@link OwnerCheck.runWithProof}
   */
  async unlink(caller: Caller, id: number, proof: OwnerProof): Promise<void> {
    const { accountId } = caller;
    await this.#parts.ownerCheck.runWithProof(caller, proof, async (tx, account) => {
      const origin = { address: proof.address };
      const issuer = await deleteIdentity(tx, { accountId, id, methods: this.#parts.methods });
      if (issuer !== undefined)
        return this.#parts.log.record(tx, account, 'UNLINK_IDENTITY', { details: { issuer }, origin });
      await throwDeletionFailure(tx, accountId, id);
    });
  }
}

async function throwDeletionFailure(tx: Tx, accountId: number, id: number): Promise<never> {
  if (!(await hasIdentity(tx, accountId, id))) throw new Failure('not-found', 'There is no such identity.');
  throw new Failure('rejected', 'This is the only way to log in to this account.');
}

function identityTaken(): Failure {
  return new SingleSignOnFailure('taken', 'This identity belongs to another account.');
}

function tooManyIdentities(): Failure {
  return new SingleSignOnFailure(
    'too-many-identities',
    `An account has at most ${MAX_IDENTITIES} identities.`,
  );
}
