import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Ids } from '../../base/ids.ts';
import type { Database } from '../../database/database.ts';
import { byAddress, CREDENTIALS_BY_ADDRESS, type CredentialLimiter } from '../../limits/limits.ts';
import type { LoginState } from '../contract.ts';
import { lockActiveAccount } from '../queries.ts';
import type { FailedLogin } from '../security/login-attempts.ts';
import { LoginTickets, type VerifiedTicket } from '../security/login-tickets.ts';
import type { LoginSessions, Origin } from '../sessions/login-sessions.ts';
import type { RequestOptions, UsedCredential } from './contract.ts';
import { loadWebAuthn } from './load-webauthn.ts';
import { findPasskey, type KnownPasskey, updateSignCount } from './queries.ts';
import { CEREMONY_MS, type RelyingParty } from './relying-party.ts';

type NoClaims = Record<never, never>;

interface PasskeyLoginParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limiter: CredentialLimiter;
  readonly sessions: LoginSessions;
  readonly serviceSecret: string;
  readonly onFailed: (login: FailedLogin) => void;
}

/**
 * Login with a passkey. It replaces the password and the code, because the authenticator verifies its user.
 * Anyone can ask for a challenge, so challenges are signed tickets and are not stored.
 */
export class PasskeyLogin {
  readonly #parts: PasskeyLoginParts;
  readonly #challenges: LoginTickets<NoClaims>;

  constructor(parts: PasskeyLoginParts) {
    this.#parts = parts;
    this.#challenges = new LoginTickets({
      kind: 'passkey login',
      secret: parts.serviceSecret,
      lifetimeMs: CEREMONY_MS,
      clock: parts.clock,
      ids: parts.ids,
    });
  }

  /** The options for `navigator.credentials.get`. They reveal nothing: only the challenge differs. */
  async start(party: RelyingParty): Promise<RequestOptions> {
    const { toRequestOptions } = await loadWebAuthn();
    return toRequestOptions(party, this.#challenges.issue({}));
  }

  /**
   * @throws Failure `unauthenticated` for a wrong or unknown passkey, an answer that came too late or was used
   *   before, and a passkey whose counter has not grown; `forbidden` for a banned account
   */
  logIn(party: RelyingParty, credential: UsedCredential, origin: Origin): Promise<LoginState> {
    return this.#parts.limiter.attempt([byAddress(CREDENTIALS_BY_ADDRESS, origin.address)], async () => {
      const passkey = await findPasskey(this.#parts.database.db, credential.id);
      if (passkey === undefined || !isUserOf(passkey, credential)) throw this.#toFailure(origin, passkey);
      const { verifyRequest } = await loadWebAuthn();
      let challenge: VerifiedTicket<NoClaims> | undefined;
      const signCount = await verifyRequest(party, credential, passkey.publicKey, (sent) => {
        challenge = this.#challenges.verify(sent);
        return challenge !== undefined;
      });
      if (signCount === undefined || challenge === undefined) throw this.#toFailure(origin, passkey);
      const used = challenge;
      return this.#parts.database.transact(async (tx) => {
        const account = await lockActiveAccount(tx, passkey.accountId);
        if (!(await this.#challenges.use(tx, used))) throw this.#toFailure(origin, passkey);
        if (!(await updateSignCount(tx, passkey.id, signCount, this.#parts.clock.now()))) {
          throw this.#toFailure(origin, passkey);
        }
        return this.#parts.sessions.start(tx, account, origin);
      });
    });
  }

  #toFailure({ address }: Origin, passkey: KnownPasskey | undefined): Failure {
    this.#parts.onFailed({ method: 'passkey', address, ...(passkey && { accountId: passkey.accountId }) });
    return new Failure('unauthenticated', 'This passkey is not valid here.');
  }
}

/**
 * The user is not known before the login, so the authenticator must return the user handle of the passkey
 * (WebAuthn Level 3, section 7.2, step 6).
 */
function isUserOf({ userHandle }: KnownPasskey, { response }: UsedCredential): boolean {
  const [expected, sent] = [Buffer.from(userHandle), Buffer.from(response.userHandle ?? '')];
  return expected.length === sent.length && timingSafeEqual(expected, sent);
}
