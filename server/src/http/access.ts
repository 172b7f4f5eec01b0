import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteOptions,
} from 'fastify';
import { toError } from '../base/errors.ts';
import { Failure } from '../base/failure.ts';
import { addressKeyOf } from '../base/network/address-key.ts';
import { type Caller, credentialsOf, type ExplainRefusal, type FindCaller, mayWrite } from './caller.ts';
import { type FindDriveRole, findChosenDrive } from './chosen-drive.ts';
import type { FloodLimiter } from './limits/flood-limiter.ts';
import type { RequestConcurrency } from './limits/request-concurrency.ts';
import { REQUIRED_HEADER } from './parsing/header-text.ts';

/** Who may call a route. The application does not start if a route does not declare it. */
export type Access = 'public' | 'login' | 'admin';

/**
 * Which app passwords may call a route. `read`: all of them. `write`: those that may change the drive.
 * `never`: none. The application does not start if a route does not declare it.
 */
export type AppPasswordAccess = 'read' | 'write' | 'never';

/** Counts requests. Its methods run in every request, so they must be cheap. */
export interface Traffic {
  /** Called for every request to the API, regardless of the response. */
  countRequest(): void;
  /** Called when a valid token was sent to a route that requires a login. */
  recordActiveAccount(accountId: number): void;
}

/** One method of a mounted route. */
export interface MountedRoute {
  readonly method: string;
  readonly url: string;
  readonly access: Access;
  readonly appPassword: AppPasswordAccess;
  /** Undefined for a route that is not an API operation, such as a page or WebDAV. */
  readonly operation?: FastifyContextConfig['operation'] | undefined;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    appPassword?: AppPasswordAccess;
    /** The route is open to a caller who must change the password before anything else. */
    beforePasswordChange?: true;
    /** The route is open to a caller who must set up a second factor before anything else. */
    beforeSecondFactor?: true;
  }
  interface FastifyInstance {
    /** All routes, one for each method. Complete once the server is ready. */
    listMountedRoutes(): readonly MountedRoute[];
  }
}

/** Rejects callers who may not call a route, and routes that do not declare who may call them. */
export function guardAccess(
  server: FastifyInstance,
  parts: {
    findCaller: FindCaller;
    findDriveRole: FindDriveRole;
    explainRefusal: ExplainRefusal;
    floods: FloodLimiter;
    concurrency: RequestConcurrency;
    traffic: Traffic;
  },
): void {
  const { findCaller, findDriveRole, explainRefusal, floods, concurrency, traffic } = parts;
  server.decorateRequest('caller', undefined);
  server.decorateRequest('chosenDrive', undefined);
  const routes: RouteOptions[] = [];
  server.addHook('onRoute', (route) => void routes.push(route));
  server.decorate('listMountedRoutes', () => routes.flatMap(toMountedRoutes));
  server.addHook('onReady', async () => void server.listMountedRoutes());
  server.addHook('onRequest', (request, reply, done) => {
    if (request.raw.url?.startsWith('/api/') === true) traffic.countRequest();
    const key = addressKeyOf(request.ip);
    const fault = catchError(() => concurrency.begin(key, reply.raw));
    if (fault !== undefined) return done(fault);
    const credentials = credentialsOf(request);
    const countAnonymous = () => {
      floods.count(key);
      concurrency.beginAnonymous(key, reply.raw);
    };
    const reject = (error: unknown) => {
      if (error instanceof Failure) countAnonymous();
      throw error;
    };
    const handleCaller = (found: Caller | undefined): Promise<void> | undefined => {
      const caller = found && isTreatedAsAnonymous(found, request) ? undefined : found;
      request.caller = caller;
      if (found === undefined) countAnonymous();
      const needsLogin = checkAccess(request, reply, credentials !== undefined);
      if (caller === undefined) return undefined;
      if (needsLogin) traffic.recordActiveAccount(caller.accountId);
      return request.routeOptions.config.inDrive === true ? chooseDrive(caller) : undefined;
    };
    const chooseDrive = async (caller: Caller) => {
      request.chosenDrive = await findChosenDrive(request, caller, findDriveRole);
    };
    // Without credentials nothing is looked up, so no promise is needed. That is cheap during a flood, whose
    // requests mostly have none.
    if (credentials === undefined) done(catchError(() => void handleCaller(undefined)));
    else {
      const explain = async (error: unknown) => {
        const isRefused = error instanceof Failure && error.kind === 'unauthenticated';
        throw (isRefused && (await explainRefusal(credentials))) || error;
      };
      findCaller(credentials, request.ip)
        .then(handleCaller, reject)
        .then(
          () => done(),
          (error: unknown) => explain(error).catch(done),
        );
    }
  });
}

/**
 * Whether the route requires a login.
 * @throws Failure `unauthenticated`, `forbidden`
 */
function checkAccess(request: FastifyRequest, reply: FastifyReply, sentCredentials: boolean): boolean {
  // A URL without a route has no access rule: everyone gets a 404.
  const { access = 'public', appPassword = 'read' } = request.routeOptions.config;
  checkAppPassword(request.caller, appPassword);
  if (access === 'public') return false;
  if (request.caller === undefined) {
    const sentToken = sentCredentials || request.headers.authorization !== undefined;
    throw new Failure(
      'unauthenticated',
      sentToken ? 'The login has ended. Please log in again.' : 'Please log in.',
    );
  }
  checkNothingIsRequiredFirst(request.caller, request, reply);
  if (access === 'admin' && request.caller.role === 'USER') {
    throw new Failure('forbidden', 'This is for administrators only.');
  }
  return true;
}

/**
 * Checks what the caller must do first. A caller who must do both changes the password before setting up a
 * second factor.
 * @throws Failure `forbidden` if the caller must do one of them before calling this route
 */
function checkNothingIsRequiredFirst(
  caller: Caller,
  { routeOptions: { config } }: FastifyRequest,
  reply: FastifyReply,
): void {
  if (caller.mustChangePassword) {
    if (config.beforePasswordChange === true) return;
    reply.header(REQUIRED_HEADER, 'new-password');
    throw new Failure('forbidden', 'Please change your password first.');
  }
  if (!caller.mustSetUpSecondFactor || config.beforeSecondFactor === true) return;
  reply.header(REQUIRED_HEADER, 'second-factor');
  throw new Failure('forbidden', 'Please set up a second factor first.');
}

/**
 * Whether a public route treats the caller as logged out, because the caller must first change the password
 * or set up a second factor.
 */
function isTreatedAsAnonymous(
  { mustChangePassword, mustSetUpSecondFactor }: Caller,
  { routeOptions }: FastifyRequest,
): boolean {
  const isWaiting = mustChangePassword || mustSetUpSecondFactor;
  return isWaiting && (routeOptions.config.access ?? 'public') === 'public';
}

/** @throws Failure `forbidden` if the caller has an app password that may not call the route */
function checkAppPassword(caller: Caller | undefined, allowed: AppPasswordAccess): void {
  if (caller?.appPasswordScope === undefined || allowed === 'read') return;
  if (allowed === 'never') throw new Failure('forbidden', 'An app password cannot do this. Please log in.');
  if (!mayWrite(caller)) {
    throw new Failure('forbidden', 'This app password may read, but not change anything.');
  }
}

/** @throws Error for a route that does not declare who may call it, or what app passwords may do */
function toMountedRoutes({ method, url, config }: RouteOptions): readonly MountedRoute[] {
  const { access, appPassword, operation } = config ?? {};
  if (access === undefined) throw new Error(`The route ${method} ${url} does not declare who may call it.`);
  if (appPassword === undefined)
    throw new Error(`The route ${method} ${url} does not declare what app passwords may do.`);
  return [method].flat().map((single) => ({ method: single, url, access, appPassword, operation }));
}

/** Returns the error that a step throws. Hooks pass errors to a callback instead of throwing. */
function catchError(step: () => void): Error | undefined {
  try {
    step();
    return undefined;
  } catch (error) {
    return toError(error);
  }
}
