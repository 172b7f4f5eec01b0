import { ApiError } from './api-error.ts';
import type { LoginState, User } from './contract.ts';

/**
 * The logged-in session, shared by all tabs of this browser.
 *
 * The refresh token works only once, so two tabs must not use it at the same time. A lock orders them, and
 * the second tab finds the new token in the shared storage.
 */
export interface Session {
  readonly accessToken: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly refreshToken: string;
  readonly user: User;
}

const KEY = 'holdall.session';

/** An access token is renewed this long before it expires. */
const EARLY_MS = 30_000;

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
  const { accessToken, refreshToken, expiresIn, user } = state;
  store({ accessToken, refreshToken, user, expiresAt: Date.now() + expiresIn * 1_000 });
}

/** Stores the user as the service now returns it. */
export function updateUser(user: User): void {
  // The response may arrive after another user has logged in.
  if (current?.user.id === user.id) store({ ...current, user });
}

export function endSession(): void {
  store(undefined);
}

/** A token that is still valid for a while; undefined if nobody is logged in. */
export async function accessToken(): Promise<string | undefined> {
  if (current === undefined) return undefined;
  if (current.expiresAt - EARLY_MS > Date.now()) return current.accessToken;
  await takeTurns(renew);
  return current?.accessToken;
}

async function renew(): Promise<void> {
  change(read());
  if (current === undefined || current.expiresAt - EARLY_MS > Date.now()) return;
  let response: Response;
  try {
    response = await fetch('/api/auth/refresh', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refreshToken: current.refreshToken }),
    });
  } catch (error) {
    throw new ApiError(0, 'The service cannot be reached.', { cause: error });
  }
  if (response.ok) startSession((await response.json()).data);
  else if (response.status === 401 || response.status === 403) endSession();
  else throw new ApiError(response.status, 'The login could not be renewed.');
}

let turn: Promise<void> = Promise.resolve();

function takeTurns(work: () => Promise<void>): Promise<void> {
  // Locks need a secure context; without TLS, except on localhost, tabs may race.
  if (navigator.locks !== undefined) return navigator.locks.request(KEY, work);
  turn = turn.catch(() => undefined).then(work);
  return turn;
}

function read(): Session | undefined {
  try {
    const text = localStorage.getItem(KEY);
    // Written by this file, below.
    return text === null ? undefined : (JSON.parse(text) as Session);
  } catch {
    return undefined;
  }
}

function store(session: Session | undefined): void {
  if (session === undefined) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, JSON.stringify(session));
  change(session);
}

function change(session: Session | undefined): void {
  current = session;
  for (const listener of listeners) listener();
}
