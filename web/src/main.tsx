import './ui/component-styles.ts';
import '@mantine/notifications/styles.layer.css';
import './fonts.css';
import './page.css';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isPassing } from './api/is-passing.ts';
import { currentSession, onSessionChange } from './api/session.ts';
import { hasLastUserLeft } from './common/last-user.ts';
import { removeAllShared } from './common/shared-files.ts';
import { LazyModule, whenIdle } from './common/timing/lazy-module.ts';
import { ConflictHost } from './features/entries/conflicts/conflict-host.tsx';
import { removeAllDrafts } from './features/preview/text/drafts.ts';
import { startMessages } from './messages/i18n.ts';
import { router } from './router.tsx';
import { watchLoadFailures } from './shell/updates/load-failures.ts';
import { THEME } from './theme.ts';
import { leaveKeysToInputMethods } from './ui/fields/input-methods.ts';
import { Notices } from './ui/notifications/notices.tsx';
import { styleNonce } from './ui/style-nonce.ts';

const MAX_RETRIES = 3;

const tooltips = new LazyModule(() => import('./ui/tooltips/tooltips.ts'));

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Retrying would not change an error response of the service.
      retry: (failures, error) => failures < MAX_RETRIES && isPassing(error),
      staleTime: 10_000,
    },
  },
});

let userId = currentSession()?.user.id;
removeWorkOfOthers();
let isWaiting = currentSession()?.mustSetUpSecondFactor === true;
onSessionChange(() => {
  const wasWaiting = isWaiting;
  isWaiting = currentSession()?.mustSetUpSecondFactor === true;
  // The router then opens the page that sets up a second factor.
  if (isWaiting && !wasWaiting) void router.invalidate();
  if (userId === currentSession()?.user.id) return;
  userId = currentSession()?.user.id;
  removeWorkOfOthers();
  // The next user must not see cached data of the previous one, and may not be allowed to see the page.
  queryClient.clear();
  void router.invalidate();
});

// The library that adds a style element for open dialogs reads the nonce from webpack's global.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

// The page shows its first text later. Browsers warn about a preloaded font that is not used soon.
void document.fonts.load('1rem "Inter Variable"');

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no place for the client.');
watchLoadFailures();
leaveKeysToInputMethods();
whenIdle(() => void tooltips.get().then(({ startTooltips }) => startTooltips()));
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

/** Removes shared files and unsaved text of the previous user, so that the next one does not see them. */
function removeWorkOfOthers(): void {
  if (!hasLastUserLeft(userId)) return;
  removeAllShared().catch(() => undefined);
  removeAllDrafts();
}
