import type { FastifyReply, FastifyRequest } from 'fastify';
import { SECOND } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import { callerOf } from '../../http/caller.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import { acceptedLanguageOf } from '../accepted-language.ts';
import type { Origin } from '../sessions/login-sessions.ts';
import { BrowserCookie } from './browser-cookie.ts';
import {
  linkIdentity,
  redeemTicket,
  returnFromProvider,
  startSingleSignOn,
  unlinkIdentity,
} from './contract.ts';
import type { Identities } from './identities.ts';
import { toNextPath } from './next-path.ts';
import {
  type CallbackResult,
  FLOW_LIFETIME_MS,
  type SingleSignOn,
  TICKET_LIFETIME_MS,
} from './single-sign-on.ts';
import { SingleSignOnFailure } from './single-sign-on-failure.ts';

const CALLBACK = '/api/auth/oidc/callback';
/** The page on which people link identities. */
const SECURITY_PAGE = '/profile/security';

const flowCookie = new BrowserCookie({
  name: 'holdall_sign_on',
  // The provider redirects the browser here, and browsers omit `strict` cookies then.
  sameSite: 'lax',
  lifetimeSeconds: FLOW_LIFETIME_MS / SECOND,
});
const ticketCookie = new BrowserCookie({
  name: 'holdall_sign_on_ticket',
  sameSite: 'strict',
  lifetimeSeconds: TICKET_LIFETIME_MS / SECOND,
});

interface RouteParts {
  /** Undefined if single sign-on is off. */
  readonly singleSignOn: SingleSignOn | undefined;
  readonly identities: Identities;
  /** The address that people use. */
  readonly baseUrl: () => string;
  readonly originOf: (request: FastifyRequest) => Origin;
}

/** Single sign-on, and the identities of the caller. */
export function singleSignOnRoutes(server: Server, parts: RouteParts): void {
  browserRoutes(server, parts);
  identityRoutes(server, parts);
  const { singleSignOn, baseUrl, originOf } = parts;

  mount(server, redeemTicket, async (request, reply) => {
    const isSecure = isHttps(baseUrl());
    const binding = ticketCookie.read(request.headers.cookie, isSecure);
    const state = await orNotFound(singleSignOn).logIn(request.body.ticket, binding, originOf(request));
    reply.header('set-cookie', ticketCookie.toSetCookie('', isSecure));
    return state;
  });
}

/** The routes that browsers navigate to. They answer with redirects, even when a login fails. */
function browserRoutes(server: Server, { singleSignOn, baseUrl }: RouteParts): void {
  mount(server, startSingleSignOn, async (request, reply) => {
    const next = toNextPath(request.query.next);
    try {
      const { url, flow } = await orNotFound(singleSignOn).startLogin(baseUrl() + CALLBACK, next);
      reply.header('set-cookie', flowCookie.toSetCookie(flow, isHttps(baseUrl())));
      return redirect(reply, url);
    } catch (error) {
      return redirect(reply, toLoginPage(next, { error: toFault(error) }));
    }
  });

  mount(server, returnFromProvider, async (request, reply) => {
    const signOn = orNotFound(singleSignOn);
    const isSecure = isHttps(baseUrl());
    const flow = flowCookie.read(request.headers.cookie, isSecure);
    try {
      const client = { address: request.ip, acceptedLanguage: acceptedLanguageOf(request) };
      const result = await signOn.handleCallback(toCallbackUrl(request, baseUrl()), flow, client);
      reply.header('set-cookie', flowCookie.toSetCookie('', isSecure));
      return await redirectToResult(reply, result, isSecure);
    } catch (error) {
      const fault = { error: toFault(error) };
      return redirect(
        reply,
        signOn.isLinking(flow) ? toPage(SECURITY_PAGE, fault) : toLoginPage(undefined, fault),
      );
    }
  });
}

function redirectToResult(reply: FastifyReply, result: CallbackResult, isSecure: boolean): FastifyReply {
  if (result.kind === 'linked') return redirect(reply, toPage(SECURITY_PAGE, { linked: 'true' }));
  const { ticket, binding, next } = result;
  reply.header('set-cookie', ticketCookie.toSetCookie(binding, isSecure));
  return redirect(reply, toLoginPage(next ?? undefined, { ticket }));
}

function identityRoutes(server: Server, { singleSignOn, identities, baseUrl }: RouteParts): void {
  mount(server, linkIdentity, async (request, reply) => {
    const signOn = orNotFound(singleSignOn);
    const proof = { password: request.body?.password, address: request.ip };
    const { url, flow } = await signOn.startLinking(baseUrl() + CALLBACK, callerOf(request), proof);
    reply.header('set-cookie', flowCookie.toSetCookie(flow, isHttps(baseUrl())));
    return { url };
  });

  mount(server, unlinkIdentity, async (request) => {
    const proof = { password: request.body?.password, address: request.ip };
    await identities.unlink(callerOf(request), request.params.id, proof);
  });
}

function orNotFound(singleSignOn: SingleSignOn | undefined): SingleSignOn {
  if (singleSignOn === undefined) throw new Failure('not-found', 'There is no single sign-on here.');
  return singleSignOn;
}

function redirect(reply: FastifyReply, url: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(url, 302);
}

/**
 * The redirect URI with the query of the request. Behind a proxy, the request may have another host and
 * scheme.
 */
function toCallbackUrl(request: FastifyRequest, baseUrl: string): URL {
  const sent = request.raw.url ?? '';
  const from = sent.indexOf('?');
  return new URL(baseUrl + CALLBACK + (from === -1 ? '' : sent.slice(from)));
}

/** Browsers do not send fragments to servers, so the ticket is in no log. */
function toLoginPage(next: string | undefined, fragment: Readonly<Record<string, string>>): string {
  return toPage(next === undefined ? '/login' : `/login?${new URLSearchParams({ next })}`, fragment);
}

function toPage(page: string, fragment: Readonly<Record<string, string>>): string {
  return `${page}#${new URLSearchParams(fragment)}`;
}

/**
 * The name of the fault for the page that explains it.
 * @throws the error if it has nothing to do with the login
 */
function toFault(error: unknown): string {
  if (error instanceof SingleSignOnFailure) return error.fault;
  if (!(error instanceof Failure)) throw error;
  if (error.kind === 'unavailable' || error.kind === 'too-many') return error.kind;
  if (error.kind === 'forbidden') return 'banned';
  if (error.kind === 'unauthenticated') return 'expired';
  throw error;
}

function isHttps(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}
