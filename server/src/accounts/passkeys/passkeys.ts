import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Ids } from '../../base/ids.ts';
import type { Database } from '../../database/database.ts';
import { conflictOn } from '../../database/unique-violations.ts';
import type { Caller } from '../../http/caller.ts';
import { toCredentialName } from '../account-rules.ts';
import type { LoginMethods } from '../security/login-methods.ts';
import { LoginTickets, type VerifiedTicket } from '../security/login-tickets.ts';
import { lockOwnAccount, type OwnerCheck, type OwnerProof } from '../security/owner-check.ts';
import type { SecurityLog } from '../security/security-log.ts';
import { type CreationOptions, MAX_PASSKEYS, type NewCredential } from './contract.ts';
import { loadWebAuthn } from './load-webauthn.ts';
import {
  countPasskeys,
  deletePasskey,
  insertPasskey,
  listCredentials,
  listPasskeys,
  type Passkey,
} from './queries.ts';
import { CEREMONY_MS, type RelyingParty } from './relying-party.ts';

/** Random, so that it says nothing about the user. WebAuthn allows up to 64 bytes. */
const USER_HANDLE_BITS = 256;

const TAKEN = { 'passkey(credential_id)': 'This passkey is registered already.' } as const;

interface Claims {
  readonly accountId: number;
  /** The session that asked for the challenge and proved to be the owner's. No other session can use it. */
  readonly sessionId: string;
  readonly userHandle: string;
}

interface PasskeysParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly serviceSecret: string;
  readonly ownerCheck: OwnerCheck;
  readonly log: SecurityLog;
  readonly methods: LoginMethods;
}

/**
 * The passkeys of an account. The challenge for the authenticator is a signed ticket. It comes back in the
 * answer, so nothing has to be stored.
 */
export class Passkeys {
  readonly #challenges: LoginTickets<Claims>;
  readonly #parts: PasskeysParts;

  constructor(parts: PasskeysParts) {
    this.#parts = parts;
    this.#challenges = new LoginTickets({
      kind: 'new passkey',
      secret: parts.serviceSecret,
      lifetimeMs: CEREMONY_MS,
      clock: parts.clock,
      ids: parts.ids,
    });
  }

  /**
   * The options for `navigator.credentials.create`. Only the session of the caller can use the challenge, so
   * that a stolen session cannot add a passkey without the proof.
   * @throws Failure `rejected`, `forbidden` or `unauthenticated` like {@link OwnerCheck.runWithProof}
   */
  async start(caller: Caller, party: RelyingParty, proof: OwnerProof): Promise<CreationOptions> {
    const { accountId, sessionId } = caller;
    const { account, known } = await this.#parts.ownerCheck.runWithProof(
      caller,
      proof,
      async (tx, account) => ({
        account,
        known: await listCredentials(tx, accountId),
      }),
    );
    const { username, displayName } = account;
    // All passkeys of an account share one user handle, so that an authenticator stores at most one of them.
    const userHandle = known[0]?.userHandle ?? this.#parts.ids.token(USER_HANDLE_BITS);
    const challenge = this.#challenges.issue({ accountId, sessionId, userHandle });
    const { toCreationOptions } = await loadWebAuthn();
    return toCreationOptions(party, challenge, { handle: userHandle, name: username, displayName }, known);
  }

  /**
   * Stores a passkey that the browser has created.
   * @throws Failure `invalid` for a bad name; `rejected` if the answer of the authenticator is wrong or came
   *   too late, belongs to another session, or the account has 25; `conflict` if the passkey is registered;
   *   `unauthenticated` if the login has ended meanwhile; `too-many`
   */
  async create(
    caller: Caller,
    party: RelyingParty,
    text: string,
    credential: NewCredential,
  ): Promise<Passkey> {
    const name = toCredentialName(text);
    const { verifyCreation } = await loadWebAuthn();
    let challenge: VerifiedTicket<Claims> | undefined;
    const verified = await verifyCreation(party, credential, (sent) => {
      challenge = this.#challenges.verify(sent);
      const claims = challenge?.claims;
      return claims?.accountId === caller.accountId && claims.sessionId === caller.sessionId;
    });
    if (verified === undefined || challenge === undefined) throw wrongPasskey();
    const { accountId, userHandle } = challenge.claims;
    const used = challenge;
    return this.#parts.database.transact(async (tx) => {
      // The lock makes requests that add passkeys to one account wait for each other.
      const account = await lockOwnAccount(tx, caller);
      if (!(await this.#challenges.use(tx, used))) throw wrongPasskey();
      if ((await countPasskeys(tx, accountId)) >= MAX_PASSKEYS) {
        throw new Failure('rejected', `An account can have ${MAX_PASSKEYS} passkeys. Please delete one.`);
      }
      const passkey = { accountId, name, userHandle, ...verified };
      const transports = credential.response.transports?.filter((each) => /^[a-z-]+$/.test(each)) ?? [];
      await this.#parts.log.recordAddition(tx, account, 'ADD_PASSKEY', { details: { name } });
      return insertPasskey(tx, { ...passkey, transports }, this.#parts.clock.now()).catch(conflictOn(TAKEN));
    });
  }

  /** Newest first. */
  list(accountId: number): Promise<readonly Passkey[]> {
    return listPasskeys(this.#parts.database.db, accountId);
  }

  /**
   * @throws Failure `rejected` for the last way to log in; `not-found`; `rejected`, `forbidden` or `unauthenticated`
   *   like {@link OwnerCheck.runWithProof}
   */
  async delete(caller: Caller, id: number, proof: OwnerProof): Promise<void> {
    const { accountId } = caller;
    await this.#parts.ownerCheck.runWithProof(caller, proof, async (tx, account) => {
      const origin = { address: proof.address };
      const name = await deletePasskey(tx, { accountId, id, methods: this.#parts.methods });
      if (name !== undefined)
        return this.#parts.log.record(tx, account, 'REMOVE_PASSKEY', { details: { name }, origin });
      const isThere = (await listPasskeys(tx, accountId)).some((passkey) => passkey.id === id);
      if (!isThere) throw new Failure('not-found', 'There is no such passkey.');
      throw new Failure('rejected', 'This is the only way to log in to this account.');
    });
  }
}

function wrongPasskey(): Failure {
  return new Failure('rejected', 'The passkey could not be checked. Please try again.');
}
