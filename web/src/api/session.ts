import type { LoginState, User } from '../../../client/src/client.ts';
import { ForbiddenError, UnauthenticatedError } from '../../../client/src/errors/errors.ts';
import { TokenRenewal } from '../../../client/src/login/token-renewal.ts';
import { nobody } from '../../../client/src/requests/credentials.ts';
import { deviceHeaders } from './device.ts';
import { newRequester } from './requester.ts';
import { readStored, writeStored } from './stored.ts';

/**
 * The logged-in session, shared by all tabs of this browser.
 *
 * The refresh token works only once, so two tabs must not use it at the same time. A lock makes the second
 * tab wait, which then finds the new token in the shared storage.
 */
export interface Session {
  readonly accessToken: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly refreshToken: string;
  readonly user: User;
  /** Whether the service rejects nearly every request until the account has a second factor. */
  readonly mustSetUpSecondFactor?: boolean | undefined;
}

/** The header in which the service says why a session has ended. */
const END_HEADER = 'x-service-session-end';

/** How a session ended if the service rejected its token without a reason. */
const REFUSED = 'refused';

const KEY = 'holdall.session';
const END_KEY = 'holdall.session-end';

/** An access token is renewed this long before it expires. */
const EARLY_MS = 30_000;

/** How long another tab may take to store the tokens that it has received. */
const RENEWAL_MS = 2_000;

let current = read();
const listeners = new Set<() => void>();

window.addEventListener('storage', (event) => {
  if (event.key === KEY || event.key === null) change(read());
});

export function currentSession(): Session | undefined {
  return current;
}

export function hasSession(): boolean {
  return current !== undefined;
}

/** For `useSyncExternalStore`. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function startSession(state: LoginState): void {
  const { accessToken, refreshToken, expiresIn, user, mustSetUpSecondFactor } = state;
  writeStored(END_KEY, undefined);
  const expiresAt = Date.now() + expiresIn * 1_000;
  store({ accessToken, refreshToken, user, expiresAt, mustSetUpSecondFactor });
}

/** The running call that will replace the session. */
let replacement: Promise<LoginState> | undefined;

/**
 * Makes a call that replaces the session, and starts the new session. Until the response arrives, the service
 * may reject other requests with the old token. Such rejections do not end the session.
 */
export async function replaceSession(call: () => Promise<LoginState>): Promise<LoginState> {
  const running = call();
  replacement = running;
  try {
    const state = await running;
    startSession(state);
    return state;
  } finally {
    if (replacement === running) replacement = undefined;
  }
}

/** Stores the user as the service now returns it. */
export function updateUser(user: User): void {
  // The response may arrive after another user has logged in.
  if (current?.user.id === user.id) store({ ...current, user });
}

/** Stores whether the account still needs a second factor, once it has changed. */
export function updateSecondFactorNeed(mustSetUpSecondFactor: boolean): void {
  if (current === undefined || current.mustSetUpSecondFactor === mustSetUpSecondFactor) return;
  store({ ...current, mustSetUpSecondFactor });
}

/** @param end the reason for the login page; omitted if the user logs out here */
export function endSession(end?: string): void {
  // Stored first, because other tabs notice the end of the session immediately.
  writeStored(END_KEY, end);
  store(undefined);
}

/**
 * Ends the session whose token the service has rejected, unless a newer login or another tab has replaced it
 * since the request was sent.
 *
 * @param readHeader reads a header of the response
 */
export function endRefusedSession(accessToken: string | undefined, readHeader: ReadHeader): void {
  const end = () => {
    if (accessToken !== undefined && current?.accessToken === accessToken) endSession(endIn(readHeader));
  };
  if (replacement === undefined) end();
  else void replacement.then(end, end);
}

type ReadHeader = (name: string) => string | null | undefined;

function endIn(readHeader: ReadHeader): string {
  return readHeader(END_HEADER) || REFUSED;
}

/** The service's reason for the end of the last session; undefined after a logout here. */
export function lastSessionEnd(): string | undefined {
  return readStored(END_KEY);
}

/** A token that stays valid for a while; undefined if no one is logged in. @throws HoldallError */
export async function accessToken(): Promise<string | undefined> {
  if (current === undefined) return undefined;
  if (current.expiresAt - EARLY_MS > Date.now()) return current.accessToken;
  try {
    await renewal.run(current.refreshToken);
  } catch (error) {
    // The session has ended, and the page shows it.
    if (!(error instanceof UnauthenticatedError)) throw error;
  }
  return current?.accessToken;
}

const renewal = new TokenRenewal(
  {
    load: async () => {
      change(read());
      return current?.refreshToken;
    },
    start: async (state) => startSession(state),
    end: async ({ sessionEnd }) => endSession(sessionEnd || REFUSED),
    // Locks need a secure context. Without TLS (except on localhost), tabs may race.
    exclusively: (work) => (navigator.locks === undefined ? work() : navigator.locks.request(KEY, work)),
  },
  refresh,
);

async function refresh(refreshToken: string): Promise<LoginState> {
  // The refresh token itself identifies the session, so the request needs no other credentials.
  const requester = newRequester({ credentials: nobody, fetch: (address, init) => fetch(address, init) });
  try {
    const headers = deviceHeaders();
    return await requester.ask('POST /api/auth/refresh', { body: { refreshToken } }, { headers });
  } catch (error) {
    if (error instanceof ForbiddenError)
      throw new UnauthenticatedError(error.message, { status: error.status, sessionEnd: 'banned' });
    // Without locks, another tab may be about to receive and store the new tokens.
    if (error instanceof UnauthenticatedError && navigator.locks === undefined)
      await new Promise((resolve) => setTimeout(resolve, RENEWAL_MS));
    throw error;
  }
}

function read(): Session | undefined {
  try {
    const text = readStored(KEY);
    // Only this file writes this value.
    return text === undefined ? undefined : (JSON.parse(text) as Session);
  } catch {
    return undefined;
  }
}

function store(session: Session | undefined): void {
  writeStored(KEY, session === undefined ? undefined : JSON.stringify(session));
  change(session);
}

function change(session: Session | undefined): void {
  current = session;
  for (const listener of listeners) listener();
}
