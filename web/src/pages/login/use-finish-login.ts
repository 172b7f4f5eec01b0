import { useNavigate } from '@tanstack/react-router';
import type { LoginState } from '../../../../client/src/client.ts';
import { startSession } from '../../api/session.ts';
import { suggestLanguage } from '../../messages/i18n.ts';

/**
 * Returns a function that starts the session after a login and opens the next page.
 * @param next the address of that page
 */
export function useFinishLogin(next: string | undefined): (state: LoginState) => Promise<void> {
  const navigate = useNavigate();
  return async (state) => {
    await suggestLanguage(state.user.preferredLanguage);
    startSession(state);
    await navigate({ href: next ?? '/', replace: true });
  };
}
