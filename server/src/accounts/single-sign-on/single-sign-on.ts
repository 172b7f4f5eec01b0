import { timingSafeEqual } from 'node:crypto';
import { type Clock, MINUTE } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Ids } from '../../base/ids.ts';
import type { Database } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import { byAddress, CREDENTIALS_BY_ADDRESS, type CredentialLimiter } from '../../limits/limits.ts';
import type { LetterLanguage } from '../../mail/mail.ts';
import { checkNotBanned } from '../account-rules.ts';
import type { LoginState } from '../contract.ts';
import { lockAccount } from '../queries.ts';
import type { FailedLogin } from '../security/login-attempts.ts';
import { LoginTickets, type VerifiedTicket } from '../security/login-tickets.ts';
import type { OwnerCheck, OwnerProof } from '../security/owner-check.ts';
import type { LoginSessions, Origin } from '../sessions/login-sessions.ts';
import type { Identities } from './identities.ts';
import type { IdentityProvider, LoginSecrets } from './identity-provider.ts';
import { hasIdentity } from './queries.ts';
import type { SignOnAccount, SignOnAccounts } from './sign-on-accounts.ts';
import { SingleSignOnFailure } from './single-sign-on-failure.ts';

/** How long someone may take to log in at the provider. */
export const FLOW_LIFETIME_MS = 10 * MINUTE;

/** How long the page may take to exchange the ticket. */
export const TICKET_LIFETIME_MS = MINUTE;

const BINDING_BITS = 256;

/**
 * The claims of the cookie that a browser gets before it is redirected to the provider, and must bring back.
 */
interface Flow {
  /** A path of the service to go to afterwards. */
  readonly next: string | null;
  /** The login session whose account gets the identity; null for a login. */
  readonly linking: { readonly accountId: number; readonly sessionId: string } | null;
}

interface LoginClaims extends SignOnAccount {
  /** The fingerprint of the cookie that the browser must send with the ticket. */
  readonly browser: string;
}

/** A login or a linking whose browser has not been redirected to the provider yet. */
interface StartedFlow {
  /** The URL of the provider to redirect to. */
  readonly url: string;
  /** The value of the flow cookie. Without it the callback is rejected. */
  readonly flow: string;
}

/** The client that a callback comes from. */
interface CallbackClient {
  readonly address: string;
  /** The language of the verification mail. */
  readonly acceptedLanguage: LetterLanguage | null;
}

/** The outcome of a callback. */
export type CallbackResult =
  | { readonly kind: 'linked' }
  | {
      readonly kind: 'login';
      readonly ticket: string;
      /** The value of the cookie that the ticket needs. */
      readonly binding: string;
      readonly next: string | null;
    };

interface SingleSignOnParts {
  readonly name: string;
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limiter: CredentialLimiter;
  readonly sessions: LoginSessions;
  readonly ownerCheck: OwnerCheck;
  /** Called once, when the provider is first needed. */
  readonly loadProvider: () => Promise<IdentityProvider>;
  readonly accounts: SignOnAccounts;
  readonly identities: Identities;
  readonly serviceSecret: string;
  readonly onFailed: (login: FailedLogin) => void;
}

/**
 * Login with an OpenID Connect provider:
 *
 * 1. The browser gets a signed cookie (the flow) and is redirected to the provider.
 * 2. The provider redirects it to the callback with a code.
 * 3. The callback redirects it to the login page with a ticket in the fragment of the URL.
 * 4. The page exchanges the ticket for a login state.
 *
 * The flow and the ticket each work once, and only in the browser that received them. Nothing is stored
 * before the callback: `state`, `nonce` and the PKCE verifier are derived from the flow with the secret of
 * the service.
 */
export class SingleSignOn {
  /** The provider's name on the login page. */
  readonly name: string;
  readonly #parts: SingleSignOnParts;
  #provider: Promise<IdentityProvider> | undefined;
  readonly #flows: LoginTickets<Flow>;
  readonly #logins: LoginTickets<LoginClaims>;

  constructor(parts: SingleSignOnParts) {
    this.#parts = parts;
    this.name = parts.name;
    const { clock, ids, serviceSecret: secret } = parts;
    this.#flows = new LoginTickets({
      ...{ clock, ids, secret },
      kind: 'single sign-on flow',
      lifetimeMs: FLOW_LIFETIME_MS,
    });
    this.#logins = new LoginTickets({
      ...{ clock, ids, secret },
      kind: 'single sign-on',
      lifetimeMs: TICKET_LIFETIME_MS,
    });
  }

  /** Starts a login. @param next a path of the service */
  startLogin(redirectUri: string, next: string | undefined): Promise<StartedFlow> {
    return this.#start(redirectUri, { next: next ?? null, linking: null });
  }

  /**
   * Starts to link an identity. The session of the caller must last until the callback.
   * @throws Failure `rejected`, `forbidden` or `unauthenticated` like {@link OwnerCheck.runWithProof};
   * `unavailable`
   */
  async startLinking(redirectUri: string, caller: Caller, proof: OwnerProof): Promise<StartedFlow> {
    const { accountId, sessionId } = caller;
    await this.#parts.ownerCheck.runWithProof(caller, proof, async () => undefined);
    return this.#start(redirectUri, { next: null, linking: { accountId, sessionId } });
  }

  /** Whether the flow links an identity. True also for a flow that was used. */
  isLinking(flow: string | undefined): boolean {
    const verified = flow === undefined ? undefined : this.#flows.verify(flow);
    return verified !== undefined && verified.claims.linking !== null;
  }

  /**
   * Finishes a login or a linking.
   * @param callbackUrl the redirect URI, with the query that the browser sent
   * @param flowText the cookie of the flow
   * @throws SingleSignOnFailure if the login or the linking fails; Failure `unavailable` if the provider cannot be reached;
   *   `too-many`
   */
  async handleCallback(
    callbackUrl: URL,
    flowText: string | undefined,
    { address, acceptedLanguage }: CallbackClient,
  ): Promise<CallbackResult> {
    try {
      const verified = this.#verifyCallback(callbackUrl, flowText);
      return await this.#parts.limiter.attempt([byAddress(CREDENTIALS_BY_ADDRESS, address)], () =>
        this.#finishFlow(callbackUrl, verified, acceptedLanguage),
      );
    } catch (error) {
      if (error instanceof SingleSignOnFailure) {
        this.#parts.onFailed({ method: 'single-sign-on', address, ...reasonOf(error) });
      }
      throw error;
    }
  }

  /**
   * Checks the flow and its state, which no one can guess. A mismatch does not count as a failed login:
   * otherwise any web page could use up the attempts of its visitors' network by embedding the callback as a
   * picture.
   */
  #verifyCallback(callbackUrl: URL, flowText: string | undefined): VerifiedFlow {
    const flow = flowText === undefined ? undefined : this.#flows.verify(flowText);
    if (flowText === undefined || flow === undefined) throw expiredFlow();
    const secrets = this.#deriveSecrets(flowText);
    // Checked before the flow is marked as used: otherwise a link with a wrong state could end another
    // person's login.
    if (!isSame(callbackUrl.searchParams.get('state') ?? '', secrets.state)) {
      throw new SingleSignOnFailure('failed', 'The state is wrong.');
    }
    return { flow, secrets };
  }

  async #finishFlow(
    callbackUrl: URL,
    { flow, secrets }: VerifiedFlow,
    acceptedLanguage: LetterLanguage | null,
  ): Promise<CallbackResult> {
    // Marked as used before the code is exchanged, so that a flow causes at most one exchange.
    if (!(await this.#parts.database.transact((tx) => this.#flows.use(tx, flow)))) throw expiredFlow();
    const person = await (await this.#getProvider()).redeem(callbackUrl, secrets);
    const { linking, next } = flow.claims;
    if (linking !== null) {
      await this.#parts.identities.link(linking, person);
      return { kind: 'linked' };
    }
    const binding = this.#parts.ids.token(BINDING_BITS);
    const account = await this.#parts.accounts.getOrCreate(person, acceptedLanguage);
    const ticket = this.#logins.issue({ ...account, browser: this.#logins.fingerprint(binding) });
    return { kind: 'login', ticket, binding, next };
  }

  /**
   * Exchanges a ticket for a login state.
   * @param binding the cookie that came with the ticket
   * @throws Failure `unauthenticated` if the ticket is wrong, was used, has expired, or belongs to another browser;
   *   `forbidden` for a banned account
   */
  logIn(ticketText: string, binding: string | undefined, origin: Origin): Promise<LoginState> {
    return this.#parts.limiter.attempt([byAddress(CREDENTIALS_BY_ADDRESS, origin.address)], async () => {
      const ticket = this.#logins.verify(ticketText);
      const browser = binding === undefined ? undefined : this.#logins.fingerprint(binding);
      if (ticket === undefined || browser === undefined || !isSame(ticket.claims.browser, browser)) {
        this.#parts.onFailed({ method: 'single-sign-on', address: origin.address });
        throw wrongTicket();
      }
      return this.#logIn(ticket, origin);
    });
  }

  #logIn(ticket: VerifiedTicket<LoginClaims>, origin: Origin): Promise<LoginState> {
    const { accountId, identityId } = ticket.claims;
    return this.#parts.database.transact(async (tx) => {
      // The account may have been deleted.
      if (!(await hasIdentity(tx, accountId, identityId))) throw wrongTicket();
      const account = await lockAccount(tx, accountId);
      // The owner may have unlinked the identity before the lock.
      if (!(await hasIdentity(tx, accountId, identityId))) throw wrongTicket();
      checkNotBanned(account);
      if (!(await this.#logins.use(tx, ticket))) throw wrongTicket();
      // The first login of an account without a password belongs to its registration.
      return this.#parts.sessions.start(tx, account, origin, 'all-but-first');
    });
  }

  async #start(redirectUri: string, claims: Flow): Promise<StartedFlow> {
    const provider = await this.#getProvider();
    const flow = this.#flows.issue(claims);
    return { flow, url: await provider.buildLoginUrl(redirectUri, this.#deriveSecrets(flow)) };
  }

  #getProvider(): Promise<IdentityProvider> {
    this.#provider ??= this.#parts.loadProvider();
    return this.#provider;
  }

  /**
   * Derives the secrets of a login. Without the service's secret, no one can compute them from the cookie.
   */
  #deriveSecrets(flow: string): LoginSecrets {
    const derive = (purpose: string) => this.#flows.fingerprint(`${purpose} ${flow}`);
    // A fingerprint has 22 characters, and a verifier needs 43.
    return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') + derive('more') };
  }
}

/** A flow whose callback had the right state. */
interface VerifiedFlow {
  readonly flow: VerifiedTicket<Flow>;
  readonly secrets: LoginSecrets;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The reason for the log. A cause may contain tokens and claims, so only its message is logged. */
function reasonOf({ fault, message, cause }: SingleSignOnFailure): { reason: string } {
  const detail = cause instanceof Error ? `: ${cause.message}` : '';
  return { reason: `${fault}: ${message}${detail}` };
}

function expiredFlow(): Failure {
  return new SingleSignOnFailure('expired', 'This login has expired, or was finished before.');
}

function wrongTicket(): Failure {
  return new Failure('unauthenticated', 'This login has ended. Please log in again.');
}
