import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './page.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { currentSession, lastSessionEnd, onSessionChange } from './api/session.ts';
import { readStored, writeStored } from './api/stored.ts';
import { removeAllShared } from './common/shared-files.ts';
import { ConflictHost } from './features/entries/conflicts/conflict-host.tsx';
import { startMessages } from './messages/i18n.ts';
import { newQueryClient } from './query-client.ts';
import { router } from './router.tsx';
import { THEME } from './theme.ts';
import { Notices } from './ui/notices.tsx';

const queryClient = newQueryClient();

/** Stores who was logged in last, in any visit. */
const LAST_USER_KEY = 'holdall.last-user';

let userId = currentSession()?.user.id;
removeSharedOfOthers();
let isWaiting = currentSession()?.mustSetUpSecondFactor === true;
onSessionChange(() => {
  const wasWaiting = isWaiting;
  isWaiting = currentSession()?.mustSetUpSecondFactor === true;
  // The router then leads to the page that sets a second factor up.
  if (isWaiting && !wasWaiting) void router.invalidate();
  if (userId === currentSession()?.user.id) return;
  userId = currentSession()?.user.id;
  removeSharedOfOthers();
  // Cached data of one user must not be shown to the next, who may not be allowed to see the page.
  queryClient.clear();
  void router.invalidate();
});

// The library that writes a style element for open dialogs reads the nonce from where webpack leaves it.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no place for the client.');
await startMessages(currentSession()?.user.preferredLanguage);
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={THEME} defaultColorScheme="auto" getStyleNonce={styleNonce}>
      <QueryClientProvider client={queryClient}>
        <Notices />
        <RouterProvider router={router} />
        <ConflictHost />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);

/**
 * What one user has shared with this app is not for the next. It stays while the same user logs in again after a
 * session that the service has ended.
 */
function removeSharedOfOthers(): void {
  const last = readStored(LAST_USER_KEY);
  const isOther = userId !== undefined && last !== undefined && last !== String(userId);
  const hasLoggedOut = userId === undefined && last !== undefined && lastSessionEnd() === undefined;
  if (isOther || hasLoggedOut) removeAllShared().catch(() => undefined);
  if (userId !== undefined) writeStored(LAST_USER_KEY, String(userId));
  else if (hasLoggedOut) writeStored(LAST_USER_KEY, undefined);
}

/** The Content-Security-Policy allows style elements with this nonce. */
function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
}
