import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { Failure } from '../base/failure.ts';
import { bearerTokenOf, type Caller, type FindCaller, queryTokenOf } from './caller.ts';
import type { FloodLimiter } from './flood-limiter.ts';
import type { RequestConcurrency } from './request-concurrency.ts';

/** Who may call a route. The application does not start when a route has none. */
export type Access = 'public' | 'login' | 'admin';

/** Counts requests. Its methods run in every request, so they must be cheap. */
export interface Traffic {
  /** Called for every request to the API, whatever the response will be. */
  countRequest(): void;
  /** Called when a valid token was sent to a route that requires a login. */
  noteActive(accountId: number): void;
}

/** A mounted route with one of its methods. */
export interface MountedRoute {
  readonly method: string;
  readonly url: string;
  readonly access: Access;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyInstance {
    /** All routes, one for each method. Complete once the server is ready. */
    listMountedRoutes(): readonly MountedRoute[];
  }
}

/** Rejects callers who may not call a route, and routes that do not declare who may call them. */
export function guardAccess(
  server: FastifyInstance,
  parts: { findCaller: FindCaller; floods: FloodLimiter; concurrency: RequestConcurrency; traffic: Traffic },
): void {
  const { findCaller, floods, concurrency, traffic } = parts;
  server.decorateRequest('caller', undefined);
  const routes: RouteOptions[] = [];
  server.addHook('onRoute', (route) => void routes.push(route));
  server.decorate('listMountedRoutes', () => routes.flatMap(toMountedRoutes));
  server.addHook('onReady', async () => void server.listMountedRoutes());
  server.addHook('onRequest', (request, reply, done) => {
    if (request.raw.url?.startsWith('/api/') === true) traffic.countRequest();
    const fault = catchError(() => concurrency.begin(request.ip, reply.raw));
    if (fault !== undefined) return done(fault);
    const token = bearerTokenOf(request) ?? queryTokenOf(request);
    const admit = (caller: Caller | undefined) => {
      request.caller = caller;
      if (caller === undefined) {
        floods.count(request.ip);
        concurrency.beginWithoutLogin(request.ip, reply.raw);
      }
      const needsLogin = checkAccess(request, token !== undefined);
      if (needsLogin && caller !== undefined) traffic.noteActive(caller.accountId);
    };
    // Without a token nothing is looked up, so no promise is needed. Most requests of a flood have no token.
    if (token === undefined) done(catchError(() => admit(undefined)));
    else
      findCaller(token)
        .then(admit)
        .then(() => done(), done);
  });
}

/**
 * Whether the route requires a login.
 * @throws Failure `unauthenticated`, `forbidden`
 */
function checkAccess(request: FastifyRequest, hadToken: boolean): boolean {
  // A URL without a route has no access rule: everybody gets a 404.
  const access = request.routeOptions.config.access ?? 'public';
  if (access === 'public') return false;
  if (request.caller === undefined) {
    const sentToken = hadToken || request.headers.authorization !== undefined;
    throw new Failure(
      'unauthenticated',
      sentToken ? 'The login has ended. Please log in again.' : 'Please log in.',
    );
  }
  if (access === 'admin' && request.caller.role === 'USER') {
    throw new Failure('forbidden', 'This is for administrators only.');
  }
  return true;
}

/** @throws Error for a route that does not declare who may call it */
function toMountedRoutes({ method, url, config }: RouteOptions): readonly MountedRoute[] {
  const access = config?.access;
  if (access === undefined) throw new Error(`The route ${method} ${url} does not declare who may call it.`);
  return [method].flat().map((single) => ({ method: single, url, access }));
}

/** Returns the error that a step throws, because hooks pass errors to a callback. */
function catchError(step: () => void): Error | undefined {
  try {
    step();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
