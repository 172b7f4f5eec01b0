import { createHmac } from 'node:crypto';
import { createVerifier } from 'fast-jwt';
import { type Clock, type Instant, MINUTE } from '../../base/clock.ts';
import type { ClientType } from '../../base/domain/accounts.ts';

/** What an access token says (contract, section 2). */
export interface AccessClaims {
  readonly accountId: number;
  readonly username: string;
  readonly client: ClientType;
  readonly sessionId: string;
}

/** What a good token is good for, and how long. */
export interface VerifiedToken extends Pick<AccessClaims, 'accountId' | 'sessionId'> {
  readonly expiresAt: Instant;
}

const MOST_REMEMBERED = 5_000;

const HEADER = toBase64Url({ alg: 'HS256', typ: 'JWT' });

/** Makes and reads access tokens: JWT (RFC 7519), HS256 and nothing else. */
export class AccessTokens {
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #secret: string;
  readonly #verify: (token: string) => Record<string, unknown>;
  /** Tokens whose signature was found good: it stays so. Time and session are looked at each time. */
  readonly #verified = new Map<string, VerifiedToken>();

  constructor(secret: string, ttlMs: number, clock: Clock) {
    this.#clock = clock;
    this.#ttlMs = ttlMs;
    this.#secret = secret;
    // The time is compared here, by our clock.
    this.#verify = createVerifier({ key: secret, algorithms: ['HS256'], ignoreExpiration: true });
  }

  get lifetimeSeconds(): number {
    return Math.ceil(this.#ttlMs / 1_000);
  }

  make({ accountId, username, client, sessionId }: AccessClaims): string {
    const seconds = this.#clock.now() / 1_000;
    // Whole seconds, as most readers expect; a lifetime so short that a second counts keeps its fractions.
    const iat = this.#ttlMs < MINUTE ? seconds : Math.floor(seconds);
    const exp = iat + this.#ttlMs / 1_000;
    return this.#sign({ sub: String(accountId), username, client, sid: sessionId, iat, exp });
  }

  /** Whose token it is and of which session; undefined when it is not ours, was changed, or has run out. */
  read(token: string): VerifiedToken | undefined {
    const verified = this.#verified.get(token) ?? this.#readNew(token);
    return verified === undefined || verified.expiresAt <= this.#clock.now() ? undefined : verified;
  }

  #readNew(token: string): VerifiedToken | undefined {
    let claims: Record<string, unknown>;
    try {
      claims = this.#verify(token);
    } catch {
      return undefined;
    }
    const { sub, sid, exp } = claims;
    if (typeof exp !== 'number' || typeof sid !== 'string') return undefined;
    if (typeof sub !== 'string' || !/^[1-9]\d{0,15}$/.test(sub)) return undefined;
    const verified = { accountId: Number(sub), sessionId: sid, expiresAt: exp * 1_000 };
    const oldest = this.#verified.keys().next();
    if (this.#verified.size >= MOST_REMEMBERED && !oldest.done) this.#verified.delete(oldest.value);
    this.#verified.set(token, verified);
    return verified;
  }

  /** By hand, since the library's signer knows whole seconds only. */
  #sign(claims: Record<string, unknown>): string {
    const text = `${HEADER}.${toBase64Url(claims)}`;
    return `${text}.${createHmac('sha256', this.#secret).update(text).digest('base64url')}`;
  }
}

function toBase64Url(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
