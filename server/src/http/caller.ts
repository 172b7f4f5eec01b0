import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Instant } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';

/** Who is asking, as the token and its session say. */
export interface Caller {
  readonly accountId: number;
  readonly username: string;
  readonly role: 'USER' | 'MODERATOR' | 'ADMIN';
  readonly sessionId: string;
  readonly client: 'desktop' | 'mobile';
  readonly tokenExpiresAt: Instant;
}

/** Finds whose token it is; undefined when the token is not, or no longer, good. */
export type FindCaller = (token: string) => Promise<Caller | undefined>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Such an address must not be logged anywhere: see `deploy/nginx.conf`. */
    takesTokenInQuery?: true;
  }
  interface FastifyRequest {
    /** Set before validation, on public routes too when the token is good. */
    caller: Caller | undefined;
  }
}

/** The caller of a route that asks for a login. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === undefined) throw new Failure('unauthenticated', 'Please log in.');
  return request.caller;
}

/** RFC 6750, section 2.1: `Authorization: Bearer <token>`, the scheme in any case. */
export function bearerTokenOf(request: FastifyRequest): string | undefined {
  return /^Bearer +([\w.~+/-]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1];
}

/**
 * The token as `?access_token=`, for the addresses that take it there since the browser's own client of event
 * streams sends no headers.
 */
export function queryTokenOf(request: FastifyRequest): string | undefined {
  if (request.routeOptions.config.takesTokenInQuery !== true) return undefined;
  const { access_token: token } = request.query as { access_token?: unknown };
  return typeof token === 'string' ? token : undefined;
}

/** The id by which a client knows its own events again (`X-Service-Client-Id`); overlong ones are cut. */
export function clientIdOf(request: FastifyRequest): string | null {
  const header = request.headers['x-service-client-id'];
  return toClientId(Array.isArray(header) ? header[0] : header);
}

export function toClientId(text: string | undefined): string | null {
  return text?.trim().slice(0, 128) || null;
}

/** Who changes a drive: its owner, by one of their clients. */
export function actorOf(request: FastifyRequest): { ownerId: number; clientId: string | null } {
  return { ownerId: callerOf(request).accountId, clientId: clientIdOf(request) };
}

/** RFC 6750, section 3: a 401 names the scheme that would do. */
export function askForToken(reply: FastifyReply): void {
  reply.header('www-authenticate', 'Bearer');
}
