// Shows the notifications that the server pushes, and opens what the user clicks in them.

declare const self: ServiceWorkerGlobalScope;

const ICON = '/web/icon-192.png';

/** How long a page may take to open the address itself. */
const ANSWER_MS = 500;

/** What the server sends (`server/src/notifications/push/push-message.ts`). */
interface Pushed {
  readonly id: number;
  readonly title: string;
  readonly text: string;
  readonly url: string;
}

/** Adds the listeners. Browsers look for them when the script is loaded. */
export function listenForPush(): void {
  self.addEventListener('push', (event) => {
    event.waitUntil(show(event.data));
  });
  self.addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(open(event.notification.data?.url));
  });
  self.addEventListener('pushsubscriptionchange', (event) => {
    event.waitUntil(renew(event as PushSubscriptionChange));
  });
}

async function show(data: PushMessageData | null): Promise<void> {
  const { id, title, text, url } = read(data);
  await self.registration.showNotification(title, {
    body: text,
    // If a message arrives twice, the second notification replaces the first.
    tag: `notification-${id}`,
    icon: ICON,
    data: { url },
  });
}

/** Browsers end a subscription whose messages show nothing, so an unreadable one shows something as well. */
function read(data: PushMessageData | null): Pushed {
  try {
    const { id, title, text, url } = data?.json() ?? {};
    if (typeof title === 'string') return { id, title, text, url };
  } catch {
    // From another version of the server.
  }
  return { id: 0, title: 'Holdall', text: '', url: '/' };
}

/** Opens the address in a page that is open, or else in a new one. */
async function open(address: unknown): Promise<void> {
  const url = new URL(typeof address === 'string' ? address : '/', self.location.origin);
  if (url.origin !== self.location.origin) return;
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = pages.find((page) => page.url === url.href);
  if (there !== undefined) {
    await there.focus();
    return;
  }
  // The page that was used last comes first. Pages of links and logins do not answer.
  const path = url.pathname + url.search + url.hash;
  for (const page of pages) {
    if (!(await isOpenedBy(page, path))) continue;
    await page.focus();
    return;
  }
  await self.clients.openWindow(path);
}

/** Lets a page open the address without being loaded again, which would end its uploads. */
function isOpenedBy(page: Client, url: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ANSWER_MS);
    port1.onmessage = () => {
      clearTimeout(timer);
      resolve(true);
    };
    page.postMessage({ kind: 'open', url }, [port2]);
  });
}

/** TypeScript does not know this event yet. */
interface PushSubscriptionChange extends ExtendableEvent {
  readonly oldSubscription?: PushSubscription | null;
}

/**
 * Subscribes again when the browser has ended a subscription. This worker has no login, so a page tells the
 * server: one that is open, or else the next one.
 */
async function renew({ oldSubscription }: PushSubscriptionChange): Promise<void> {
  const options = oldSubscription?.options;
  if (options !== undefined) await self.registration.pushManager.subscribe(options);
  for (const page of await self.clients.matchAll({ type: 'window' }))
    page.postMessage({ kind: 'push-changed' });
}
