import { timingSafeEqual } from 'node:crypto';
import { type Clock, MINUTE } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Ids } from '../../base/ids.ts';
import type { Database } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import { byAddress, CREDENTIALS_BY_ADDRESS, type CredentialLimiter } from '../../limits/limits.ts';
import { checkNotBanned } from '../account-rules.ts';
import type { LoginState } from '../contract.ts';
import { LoginTickets, type VerifiedTicket } from '../login-tickets/login-tickets.ts';
import { lockAccount } from '../queries.ts';
import type { FailedLogin } from '../sessions/failed-login.ts';
import type { LoginSessions, Origin } from '../sessions/login-sessions.ts';
import type { OwnerCheck, OwnerProof } from '../sessions/owner-check.ts';
import type { Arrival, Arrivals } from './arrival.ts';
import type { Identities } from './identities.ts';
import type { IdentityProvider, LoginSecrets } from './identity-provider.ts';
import { hasIdentity } from './queries.ts';
import { SingleSignOnFailure } from './single-sign-on-failure.ts';

/** How long somebody may take to log in at the provider. */
export const FLOW_LIFETIME_MS = 10 * MINUTE;

/** How long the page may take to exchange the ticket. */
export const TICKET_LIFETIME_MS = MINUTE;

const BINDING_BITS = 256;

/** Why a browser was sent to the provider, in the cookie with which it must return. */
interface Flow {
  /** A path of the service to go to afterwards. */
  readonly next: string | null;
  /** The login session whose account gets the identity; null for a login. */
  readonly linking: { readonly accountId: number; readonly sessionId: string } | null;
}

interface LoginClaims extends Arrival {
  /** Stands for the value of the cookie. */
  readonly browser: string;
}

/** A login that has begun. */
export interface Departure {
  /** Where the browser goes. */
  readonly url: string;
  /** The value of the cookie, without which its return is refused. */
  readonly flow: string;
}

/** What the return of a browser from the provider has led to. */
export type Return =
  | { readonly kind: 'linked' }
  | {
      readonly kind: 'login';
      readonly ticket: string;
      /** The value of the cookie that the ticket needs. */
      readonly binding: string;
      readonly next: string | null;
    };

/**
 * Login with an OpenID Connect provider. A browser goes to the provider with a signed cookie (the flow), returns
 * with a code, gets a ticket in the fragment of a URL, and exchanges it for a login state. Flow and ticket are good
 * once and tied to the browser.
 *
 * Nothing is stored before the browser returns: `state`, `nonce` and the verifier are computed from the flow with
 * the secret of the service.
 */
export class SingleSignOn {
  /** How the login page calls the provider. */
  readonly name: string;
  readonly #database: Database;
  readonly #ids: Ids;
  readonly #limiter: CredentialLimiter;
  readonly #sessions: LoginSessions;
  readonly #ownerCheck: OwnerCheck;
  readonly #loadProvider: () => Promise<IdentityProvider>;
  #provider: Promise<IdentityProvider> | undefined;
  readonly #arrivals: Arrivals;
  readonly #identities: Identities;
  readonly #flows: LoginTickets<Flow>;
  readonly #logins: LoginTickets<LoginClaims>;
  readonly #onFailed: (login: FailedLogin) => void;

  constructor(parts: {
    name: string;
    database: Database;
    clock: Clock;
    ids: Ids;
    limiter: CredentialLimiter;
    sessions: LoginSessions;
    ownerCheck: OwnerCheck;
    /** Called when it is needed first. */
    loadProvider: () => Promise<IdentityProvider>;
    arrivals: Arrivals;
    identities: Identities;
    serviceSecret: string;
    onFailed: (login: FailedLogin) => void;
  }) {
    this.name = parts.name;
    this.#database = parts.database;
    this.#ids = parts.ids;
    this.#limiter = parts.limiter;
    this.#sessions = parts.sessions;
    this.#ownerCheck = parts.ownerCheck;
    this.#loadProvider = parts.loadProvider;
    this.#arrivals = parts.arrivals;
    this.#identities = parts.identities;
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
    this.#onFailed = parts.onFailed;
  }

  /** Begins a login. @param next a path of the service */
  startLogin(redirectUri: string, next: string | undefined): Promise<Departure> {
    return this.#start(redirectUri, { next: next ?? null, linking: null });
  }

  /**
   * Begins the linking of an identity. The session of the caller must last until the browser comes back.
   * @throws Failure `rejected`, `forbidden` or `unauthenticated` like {@link OwnerCheck.runWithProof}; `unavailable`
   */
  async startLinking(redirectUri: string, caller: Caller, proof: OwnerProof): Promise<Departure> {
    const { accountId, sessionId } = caller;
    await this.#ownerCheck.runWithProof(caller, proof, async () => undefined);
    return this.#start(redirectUri, { next: null, linking: { accountId, sessionId } });
  }

  /** Whether the flow links an identity. It may have been used. */
  isLinking(flow: string | undefined): boolean {
    const verified = flow === undefined ? undefined : this.#flows.verify(flow);
    return verified !== undefined && verified.claims.linking !== null;
  }

  /**
   * Finishes what a browser was sent to the provider for.
   * @param callbackUrl the redirect URI, with the query that the browser sent
   * @param flowText the cookie of the flow
   * @throws SingleSignOnFailure if the login or the linking fails; Failure `unavailable` if the provider cannot be reached;
   *   `too-many`
   */
  async return(callbackUrl: URL, flowText: string | undefined, address: string): Promise<Return> {
    try {
      const begun = this.#verifyReturn(callbackUrl, flowText);
      return await this.#limiter.attempt([byAddress(CREDENTIALS_BY_ADDRESS, address)], () =>
        this.#return(callbackUrl, begun),
      );
    } catch (error) {
      if (error instanceof SingleSignOnFailure) this.#onFailed({ address, ...reasonOf(error) });
      throw error;
    }
  }

  /**
   * Checks the flow and its state, which nobody can guess. A fault here does not count as a failed login, or the
   * pictures of any page on the web could use up the attempts of a visitor's network.
   */
  #verifyReturn(callbackUrl: URL, flowText: string | undefined): BegunFlow {
    const flow = flowText === undefined ? undefined : this.#flows.verify(flowText);
    if (flowText === undefined || flow === undefined) throw expired();
    const secrets = this.#deriveSecrets(flowText);
    // Before the flow is used up, or a link to here with any state could end somebody's login.
    if (!isSame(callbackUrl.searchParams.get('state') ?? '', secrets.state)) {
      throw new SingleSignOnFailure('failed', 'The state is wrong.');
    }
    return { flow, secrets };
  }

  async #return(callbackUrl: URL, { flow, secrets }: BegunFlow): Promise<Return> {
    // Before the provider is asked, so that one flow causes one exchange.
    if (!(await this.#database.transact((tx) => this.#flows.use(tx, flow)))) throw expired();
    const person = await (await this.#getProvider()).redeem(callbackUrl, secrets);
    const { linking, next } = flow.claims;
    if (linking !== null) {
      await this.#identities.link(linking, person);
      return { kind: 'linked' };
    }
    const binding = this.#ids.token(BINDING_BITS);
    const arrival = await this.#arrivals.admit(person);
    const ticket = this.#logins.issue({ ...arrival, browser: this.#logins.toStamp(binding) });
    return { kind: 'login', ticket, binding, next };
  }

  /**
   * Exchanges a ticket for a login state.
   * @param binding the cookie that came with the ticket
   * @throws Failure `unauthenticated` if the ticket is wrong, was used, has expired, or belongs to another browser;
   *   `forbidden` for a banned account
   */
  logIn(ticketText: string, binding: string | undefined, origin: Origin): Promise<LoginState> {
    return this.#limiter.attempt([byAddress(CREDENTIALS_BY_ADDRESS, origin.address)], async () => {
      const ticket = this.#logins.verify(ticketText);
      const browser = binding === undefined ? undefined : this.#logins.toStamp(binding);
      if (ticket === undefined || browser === undefined || !isSame(ticket.claims.browser, browser)) {
        this.#onFailed({ address: origin.address });
        throw wrongTicket();
      }
      return this.#logIn(ticket, origin);
    });
  }

  #logIn(ticket: VerifiedTicket<LoginClaims>, origin: Origin): Promise<LoginState> {
    const { accountId, identityId } = ticket.claims;
    return this.#database.transact(async (tx) => {
      // The account may be gone.
      if (!(await hasIdentity(tx, accountId, identityId))) throw wrongTicket();
      const account = await lockAccount(tx, accountId);
      // Its owner may have unlinked it before the lock.
      if (!(await hasIdentity(tx, accountId, identityId))) throw wrongTicket();
      checkNotBanned(account);
      if (!(await this.#logins.use(tx, ticket))) throw wrongTicket();
      return this.#sessions.start(tx, account, origin);
    });
  }

  async #start(redirectUri: string, claims: Flow): Promise<Departure> {
    const provider = await this.#getProvider();
    const flow = this.#flows.issue(claims);
    return { flow, url: await provider.buildLoginUrl(redirectUri, this.#deriveSecrets(flow)) };
  }

  #getProvider(): Promise<IdentityProvider> {
    this.#provider ??= this.#loadProvider();
    return this.#provider;
  }

  /** The cookie does not reveal them: they need the secret of the service. */
  #deriveSecrets(flow: string): LoginSecrets {
    const derive = (purpose: string) => this.#flows.toStamp(`${purpose} ${flow}`);
    // A stamp has 22 characters, and a verifier needs 43.
    return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') + derive('more') };
  }
}

/** A flow whose browser has returned with the right state. */
interface BegunFlow {
  readonly flow: VerifiedTicket<Flow>;
  readonly secrets: LoginSecrets;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** What is logged. Causes may contain tokens and claims, so only their names and messages are. */
function reasonOf({ fault, message, cause }: SingleSignOnFailure): { reason: string } {
  const detail = cause instanceof Error ? `: ${cause.message}` : '';
  return { reason: `${fault}: ${message}${detail}` };
}

function expired(): Failure {
  return new SingleSignOnFailure('expired', 'This login has expired, or was finished before.');
}

function wrongTicket(): Failure {
  return new Failure('unauthenticated', 'This login has ended. Please log in again.');
}
