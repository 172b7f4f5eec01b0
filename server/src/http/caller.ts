import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Instant } from '../base/clock.ts';
import type { AppPasswordScope } from '../base/domain/accounts.ts';
import { Failure } from '../base/failure.ts';
import { decodeHeader } from './parsing/header-text.ts';

/**
 * The authenticated user of a request, identified by an access token and its login session, or by an app
 * password.
 */
export interface Caller {
  readonly accountId: number;
  /** The caller's personal drive. */
  readonly driveId: number;
  readonly username: string;
  readonly role: 'USER' | 'MODERATOR' | 'ADMIN';
  /**
   * The login session, or a name for the app password. Used to find out if the caller's rights have ended.
   */
  readonly sessionId: string;
  readonly client: 'desktop' | 'mobile';
  /**
   * If true, the caller may use only routes with `beforePasswordChange`. Public routes treat the caller as
   * not logged in.
   */
  readonly mustChangePassword: boolean;
  /** Like `mustChangePassword`, with `beforeSecondFactor`: the caller needs a second factor but has none. */
  readonly mustSetUpSecondFactor: boolean;
  /** When the access token or the app password expires; infinite for one that does not. */
  readonly tokenExpiresAt: Instant;
  /** Undefined for a login. */
  readonly appPasswordScope?: AppPasswordScope;
}

/**
 * Whether the caller may change anything. Responses to callers who may not contain no pickup codes, and no
 * tokens of upload links: anyone with such a token can write without a login.
 */
export function mayWrite({ appPasswordScope }: Caller): boolean {
  return appPasswordScope !== 'READ';
}

/** What a request authenticates with. */
export type Credentials =
  | { readonly kind: 'bearer'; readonly token: string }
  /** A token in the URL. App passwords are not accepted there: URLs are stored and shown in many places. */
  | { readonly kind: 'query'; readonly token: string }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string };

/**
 * Finds the caller for the credentials; undefined when they are invalid or have expired, or the login session
 * has ended.
 * @throws Failure `too-many` after too many wrong credentials; `forbidden` for an app password of a banned
 *   account
 */
export type FindCaller = (credentials: Credentials, address: string) => Promise<Caller | undefined>;

/** Finds a specific reason why the credentials were rejected; undefined if there is none. */
export type ExplainRefusal = (credentials: Credentials) => Promise<Failure | undefined>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route accepts `?access_token=`. Proxies must not log its URL: see `deploy/nginx.conf`. */
    takesTokenInQuery?: true;
    /** The route accepts an account name and an app password (RFC 7617). */
    takesBasic?: true;
  }
  interface FastifyRequest {
    /** Set before validation. Set on public routes as well, if a valid token was sent. */
    caller: Caller | undefined;
  }
}

/** The caller on a route that requires a login. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === undefined) throw new Failure('unauthenticated', 'Please log in.');
  return request.caller;
}

/** The credentials of a request. The first place that has any counts, among those that the route accepts. */
export function credentialsOf(request: FastifyRequest): Credentials | undefined {
  const bearer = bearerTokenOf(request);
  if (bearer !== undefined) return { kind: 'bearer', token: bearer };
  const { takesBasic, takesTokenInQuery } = request.routeOptions.config;
  if (takesBasic === true) return basicCredentialsOf(request);
  const token = takesTokenInQuery === true ? queryTokenOf(request) : undefined;
  return token === undefined ? undefined : { kind: 'query', token };
}

/** The token of `Authorization: Bearer <token>` (RFC 6750, section 2.1); the scheme is case-insensitive. */
export function bearerTokenOf(request: FastifyRequest): string | undefined {
  return /^Bearer +([\w.~+/-]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1];
}

/** The credentials of `Authorization: Basic <base64 of name:password>` in UTF-8 (RFC 7617, section 2). */
function basicCredentialsOf(request: FastifyRequest): Credentials | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]{1,1024}={0,2}) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  if (colon === -1) return undefined;
  return { kind: 'basic', username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** The token of `?access_token=`. The browser's `EventSource` cannot send headers. */
function queryTokenOf(request: FastifyRequest): string | undefined {
  const { access_token: token } = request.query as { access_token?: unknown };
  return typeof token === 'string' ? token : undefined;
}

/** Who is asking, for limits by account or address. */
export function requesterOf(request: FastifyRequest) {
  return { accountId: request.caller?.accountId, address: request.ip };
}

/**
 * The id by which a client recognises its own events (`X-Service-Client-Id`), truncated to 128 characters.
 */
export function clientIdOf(request: FastifyRequest): string | null {
  const header = request.headers['x-service-client-id'];
  const sent = Array.isArray(header) ? header[0] : header;
  return toClientId(sent && (decodeHeader(sent) ?? sent));
}

export function toClientId(text: string | undefined): string | null {
  // Drops half of a surrogate pair at the end: databases cannot store it.
  return (
    text
      ?.trim()
      .slice(0, 128)
      .replace(/[\ud800-\udbff]$/, '') || null
  );
}

/** Adds the header that names the expected scheme, as a 401 requires (RFC 6750, section 3). */
export function setBearerChallenge(reply: FastifyReply): void {
  reply.header('www-authenticate', 'Bearer');
}
