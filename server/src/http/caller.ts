import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Instant } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';

/** The authenticated user of a request, according to the access token and its login session. */
export interface Caller {
  readonly accountId: number;
  readonly username: string;
  readonly role: 'USER' | 'MODERATOR' | 'ADMIN';
  readonly sessionId: string;
  readonly client: 'desktop' | 'mobile';
  readonly tokenExpiresAt: Instant;
}

/**
 * Finds the caller for an access token; undefined when the token is invalid or has expired, or its session
 * has ended.
 */
export type FindCaller = (token: string) => Promise<Caller | undefined>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route accepts `?access_token=`. Proxies must not log its URL: see `deploy/nginx.conf`. */
    takesTokenInQuery?: true;
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

/** The token of `Authorization: Bearer <token>` (RFC 6750, section 2.1); the scheme is case-insensitive. */
export function bearerTokenOf(request: FastifyRequest): string | undefined {
  return /^Bearer +([\w.~+/-]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1];
}

/**
 * The token of `?access_token=`, on routes that accept it there. The browser's `EventSource` cannot send
 * headers.
 */
export function queryTokenOf(request: FastifyRequest): string | undefined {
  if (request.routeOptions.config.takesTokenInQuery !== true) return undefined;
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
  return toClientId(Array.isArray(header) ? header[0] : header);
}

export function toClientId(text: string | undefined): string | null {
  // Half of a surrogate pair at the end is dropped: databases cannot store it.
  return (
    text
      ?.trim()
      .slice(0, 128)
      .replace(/[\ud800-\udbff]$/, '') || null
  );
}

/** The owner whose drive the request changes, and the client that sent it. */
export function actorOf(request: FastifyRequest): { ownerId: number; clientId: string | null } {
  return { ownerId: callerOf(request).accountId, clientId: clientIdOf(request) };
}

/** Adds the header with which a 401 names the expected scheme (RFC 6750, section 3). */
export function askForToken(reply: FastifyReply): void {
  reply.header('www-authenticate', 'Bearer');
}
