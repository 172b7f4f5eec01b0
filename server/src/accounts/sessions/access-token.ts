import { createHmac } from 'node:crypto';
import { createVerifier } from 'fast-jwt';
import { type Clock, type Instant, MINUTE } from '../../base/clock.ts';
import type { ClientType } from '../../base/domain/accounts.ts';

/** The claims of an access token. */
interface AccessClaims {
  readonly accountId: number;
  readonly username: string;
  readonly client: ClientType;
  readonly sessionId: string;
}

/** The claims of a verified access token that the service uses. */
interface VerifiedToken extends Pick<AccessClaims, 'accountId' | 'sessionId'> {
  readonly expiresAt: Instant;
}

const MAX_CACHED = 5_000;

const HEADER = toBase64Url({ alg: 'HS256', typ: 'JWT' });

/** Issues and verifies access tokens: JWT (RFC 7519) with HS256 as the only algorithm. */
export class AccessTokens {
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #secret: string;
  readonly #verifySignature: (token: string) => Record<string, unknown>;
  /**
   * Tokens with a valid signature, which needs no second check. Expiry and session are checked at each use.
   */
  readonly #verified = new Map<string, VerifiedToken>();

  constructor(secret: string, ttlMs: number, clock: Clock) {
    this.#clock = clock;
    this.#ttlMs = ttlMs;
    this.#secret = secret;
    // Our own `verify` checks the expiry, because it uses our clock.
    this.#verifySignature = createVerifier({ key: secret, algorithms: ['HS256'], ignoreExpiration: true });
  }

  get lifetimeSeconds(): number {
    return Math.ceil(this.#ttlMs / 1_000);
  }

  issue({ accountId, username, client, sessionId }: AccessClaims): string {
    const seconds = this.#clock.now() / 1_000;
    // Most readers expect whole seconds. Lifetimes below a minute keep fractions, as rounding would distort
    // them.
    const iat = this.#ttlMs < MINUTE ? seconds : Math.floor(seconds);
    const exp = iat + this.#ttlMs / 1_000;
    return this.#sign({ sub: String(accountId), username, client, sid: sessionId, iat, exp });
  }

  /**
   * Verifies a token. Returns undefined if the signature or the claims are wrong, or if the token has
   * expired.
   */
  verify(token: string): VerifiedToken | undefined {
    const verified = this.#verified.get(token) ?? this.#verifyNew(token);
    return verified === undefined || verified.expiresAt <= this.#clock.now() ? undefined : verified;
  }

  #verifyNew(token: string): VerifiedToken | undefined {
    let claims: Record<string, unknown>;
    try {
      claims = this.#verifySignature(token);
    } catch {
      return undefined;
    }
    const { sub, sid, exp } = claims;
    if (typeof exp !== 'number' || typeof sid !== 'string') return undefined;
    if (typeof sub !== 'string' || !/^[1-9]\d{0,15}$/.test(sub)) return undefined;
    const verified = { accountId: Number(sub), sessionId: sid, expiresAt: exp * 1_000 };
    const oldest = this.#verified.keys().next();
    if (this.#verified.size >= MAX_CACHED && !oldest.done) this.#verified.delete(oldest.value);
    this.#verified.set(token, verified);
    return verified;
  }

  /** Does not use the library's signer, which only supports whole seconds. */
  #sign(claims: Record<string, unknown>): string {
    const text = `${HEADER}.${toBase64Url(claims)}`;
    return `${text}.${createHmac('sha256', this.#secret).update(text).digest('base64url')}`;
  }
}

function toBase64Url(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
