import { useSyncExternalStore } from 'react';
import type { User } from '../../../client/src/client.ts';
import { currentSession, onSessionChange, type Session } from './session.ts';

export function useSession(): Session | undefined {
  return useSyncExternalStore(onSessionChange, currentSession);
}

/** The logged-in user, for pages that require a login. */
export function useUser(): User {
  const session = useSession();
  if (session === undefined) throw new Error('Nobody is logged in.');
  return session.user;
}
