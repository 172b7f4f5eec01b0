import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { Failure } from '../base/failure.ts';
import { bearerTokenOf, type Caller, type FindCaller, queryTokenOf } from './caller.ts';
import type { FloodLimiter } from './flood-limiter.ts';

/** Who may call a route. Without it the application does not start (design, rule 6). */
export type Access = 'public' | 'login' | 'admin';

/** Is told of requests as they come; on the path of every one. */
export interface Traffic {
  /** One to the API, whatever will be answered. */
  countRequest(): void;
  /** A token let somebody in where one is asked for. */
  noteActive(accountId: number): void;
}

/** A route as it was mounted. */
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
    /** Every route there is, one for each method. Complete once the server is ready. */
    listMountedRoutes(): readonly MountedRoute[];
  }
}

/** Refuses routes that do not say who may call them, and callers who may not. */
export function guardAccess(
  server: FastifyInstance,
  parts: { findCaller: FindCaller; floods: FloodLimiter; traffic: Traffic },
): void {
  const { findCaller, floods, traffic } = parts;
  server.decorateRequest('caller', undefined);
  const routes: RouteOptions[] = [];
  server.addHook('onRoute', (route) => void routes.push(route));
  server.decorate('listMountedRoutes', () => routes.flatMap(toMountedRoutes));
  server.addHook('onReady', async () => void server.listMountedRoutes());
  server.addHook('onRequest', (request, _reply, done) => {
    if (request.raw.url?.startsWith('/api/') === true) traffic.countRequest();
    const token = bearerTokenOf(request) ?? queryTokenOf(request);
    const admit = (caller: Caller | undefined) => {
      request.caller = caller;
      if (caller === undefined) floods.count(request.ip);
      const isAsked = checkAccess(request, token !== undefined);
      if (isAsked && caller !== undefined) traffic.noteActive(caller.accountId);
    };
    // Without a token there is nothing to wait for, and most requests of a flood have none.
    if (token === undefined) done(attempt(() => admit(undefined)));
    else
      findCaller(token)
        .then(admit)
        .then(() => done(), done);
  });
}

/** Whether the route asked for a login. */
function checkAccess(request: FastifyRequest, hadToken: boolean): boolean {
  // An address that no route has: it is answered with 404, whoever asks.
  const access = request.routeOptions.config.access ?? 'public';
  if (access === 'public') return false;
  if (request.caller === undefined) {
    const sentOne = hadToken || request.headers.authorization !== undefined;
    throw new Failure(
      'unauthenticated',
      sentOne ? 'The login has ended. Please log in again.' : 'Please log in.',
    );
  }
  if (access === 'admin' && request.caller.role === 'USER') {
    throw new Failure('forbidden', 'This is for administrators only.');
  }
  return true;
}

/** @throws Error for a route that does not say who may call it */
function toMountedRoutes({ method, url, config }: RouteOptions): readonly MountedRoute[] {
  const access = config?.access;
  if (access === undefined) throw new Error(`The route ${method} ${url} does not say who may call it.`);
  return [method].flat().map((single) => ({ method: single, url, access }));
}

/** What an act throws, as hooks hand errors on. */
function attempt(act: () => void): Error | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
