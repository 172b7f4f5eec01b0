// Notifications of the system, which the service worker shows (`web/service-worker/notifications.ts`). The
// server sends them to this browser until the login session ends. A later login of the same user turns them
// on again.
import { ask } from '../../api/ask.ts';
import { currentSession } from '../../api/session.ts';
import { readStored, writeStored } from '../../api/stored.ts';
import { hasServiceWorker, registerServiceWorker } from '../../common/service-worker.ts';

/** The user who has turned notifications on in this browser, and the endpoint that the server knows. */
const KEY = 'holdall.push';

interface StoredPush {
  readonly userId: number;
  readonly endpoint: string;
}

/** Whether this browser and the server can show notifications while no page is open. @throws HoldallError */
export async function isPushPossible(): Promise<boolean> {
  if (!isSupported()) return false;
  return (await ask('GET /api/user/push')).publicKey !== null;
}

/** Whether this browser shows the notifications of the logged-in user. @throws HoldallError */
export async function isPushOn(): Promise<boolean> {
  if (!isSupported() || Notification.permission !== 'granted') return false;
  if (readPush()?.userId !== currentSession()?.user.id) return false;
  if ((await findSubscription()) === null) return false;
  return (await ask('GET /api/user/push')).current;
}

/** Whether the user has forbidden notifications. Only the settings of the browser can change that. */
export function isPushBlocked(): boolean {
  return isSupported() && Notification.permission === 'denied';
}

/**
 * Asks for permission and turns notifications on in this browser. Call it when the user clicks something,
 * because browsers show no question otherwise.
 *
 * @returns `blocked` if the user has forbidden it; `dismissed` if the question was closed without an answer
 * @throws HoldallError; DOMException if the browser cannot reach its push service
 */
export async function turnOnPush(): Promise<'on' | 'blocked' | 'dismissed'> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'blocked' : 'dismissed';
  const { publicKey } = await ask('GET /api/user/push');
  if (publicKey === null) throw new Error('The server sends no push messages.');
  await inTurn(() => subscribe(publicKey));
  return 'on';
}

/** Turns notifications off in this browser. @throws HoldallError */
export async function turnOffPush(): Promise<void> {
  await inTurn(async () => {
    const subscription = await findSubscription();
    const endpoint = subscription?.endpoint ?? readPush()?.endpoint;
    if (endpoint !== undefined) await ask('DELETE /api/user/push', { body: { endpoint } });
    await subscription?.unsubscribe();
    writeStored(KEY, undefined);
  });
}

/**
 * Keeps notifications on after a new login and after the browser has changed its subscription. If someone
 * else has turned them on in this browser, they end.
 */
export async function keepPush(): Promise<void> {
  if (isSupported()) await inTurn(keepSubscription);
}

async function keepSubscription(): Promise<void> {
  const stored = readPush();
  if (stored === undefined) return;
  const subscription = await findSubscription();
  if (stored.userId !== currentSession()?.user.id) {
    // Their session may still exist, so the push service must reject what the server sends.
    await subscription?.unsubscribe();
    writeStored(KEY, undefined);
    return;
  }
  if (Notification.permission !== 'granted') return;
  const { publicKey, current } = await ask('GET /api/user/push');
  if (publicKey === null || (current && subscription?.endpoint === stored.endpoint)) return;
  await subscribe(publicKey);
}

/** One change at a time, in all pages. Otherwise one could turn on again what another has just turned off. */
async function inTurn(change: () => Promise<void>): Promise<void> {
  await navigator.locks.request(KEY, change);
}

async function subscribe(publicKey: string): Promise<void> {
  const userId = currentSession()?.user.id;
  await registerServiceWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  const known = await pushManager.getSubscription();
  // A browser rejects another key as long as it has a subscription.
  if (known !== null && !hasKey(known, publicKey)) await known.unsubscribe();
  const subscription = await pushManager.subscribe({
    // Browsers allow nothing else.
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  const { endpoint, keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON();
  if (endpoint === undefined || userId === undefined) return;
  await ask('PUT /api/user/push', { body: { endpoint, keys: { p256dh, auth } } });
  const stored: StoredPush = { userId, endpoint };
  writeStored(KEY, JSON.stringify(stored));
}

function hasKey({ options }: PushSubscription, publicKey: string): boolean {
  const { applicationServerKey: key } = options;
  if (key === null) return false;
  const base64 = btoa(String.fromCharCode(...new Uint8Array(key)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === publicKey;
}

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

function isSupported(): boolean {
  return hasServiceWorker() && 'PushManager' in window && 'Notification' in window;
}

function readPush(): StoredPush | undefined {
  const text = readStored(KEY);
  try {
    // Only this file writes this value.
    return text === undefined ? undefined : (JSON.parse(text) as StoredPush);
  } catch {
    return undefined;
  }
}
