import assert from 'node:assert/strict';
import type { CDPSession, Page, Worker } from 'playwright-core';
import type { PushBrowser } from '../notifications/push-service.ts';
import { waitFor } from '../tasks/tasks.ts';

/**
 * A script that takes the place of the browser's push service, which tests cannot reach. Like a subscription,
 * its state outlasts the page.
 */
export function subscribeWith({ subscription }: PushBrowser): string {
  return `(() => {
    const KEY = 'test.push-key';
    const find = () => {
      const key = localStorage.getItem(KEY);
      if (key === null) return null;
      const bytes = Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
      return {
        endpoint: '${subscription.endpoint}',
        options: { applicationServerKey: bytes.buffer },
        toJSON: () => (${JSON.stringify(subscription)}),
        unsubscribe: async () => { localStorage.removeItem(KEY); return true; },
      };
    };
    PushManager.prototype.getSubscription = async () => find();
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      localStorage.setItem(KEY, applicationServerKey);
      return find();
    };
  })()`;
}

/** Whether the browser of the page is subscribed, by the script above. */
export function isSubscribed(page: Page): Promise<boolean> {
  return page.evaluate('localStorage.getItem("test.push-key") !== null');
}

/** Delivers messages to the service worker of a page, as the browser does when its push service has one. */
export class PushDelivery {
  readonly #tools: CDPSession;
  readonly #worker: Worker;
  readonly #origin: string;
  readonly #registrationId: string;

  private constructor(tools: CDPSession, worker: Worker, origin: string, registrationId: string) {
    this.#tools = tools;
    this.#worker = worker;
    this.#origin = origin;
    this.#registrationId = registrationId;
  }

  /** @param page one whose service worker runs */
  static async begin(page: Page, tools: CDPSession): Promise<PushDelivery> {
    const { origin } = new URL(page.url());
    let registrationId: string | undefined;
    tools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      registrationId = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`)?.registrationId;
    });
    await tools.send('ServiceWorker.enable');
    await waitFor(() => registrationId, Boolean, 'the registration of the service worker');
    assert(registrationId);
    const worker = workerOf(page);
    await worker.evaluate(`(() => {
      const { prototype } = ServiceWorkerRegistration;
      const show = prototype.showNotification;
      self.shown = 0;
      prototype.showNotification = async function (...args) {
        await show.apply(this, args);
        self.shown += 1;
      };
    })()`);
    return new PushDelivery(tools, worker, origin, registrationId);
  }

  /**
   * Returns when the notification is shown. Until then, nothing may ask for the notifications: Chromium
   * forgets one that it has stored and does not show yet when someone asks in between.
   */
  async deliver(data: string): Promise<void> {
    const [origin, registrationId] = [this.#origin, this.#registrationId];
    const readShown = () => this.#worker.evaluate<number>('self.shown');
    const before = await readShown();
    await this.#tools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
    await waitFor(readShown, (shown) => shown > before, 'the notification');
  }
}

function workerOf(page: Page): Worker {
  const [worker] = page.context().serviceWorkers();
  assert(worker, 'the service worker runs');
  return worker;
}

/** A notification that the system shows. */
export interface SystemNotification {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly icon: string;
  readonly data: unknown;
}

/** Waits until the system shows this many notifications of the client. */
export async function waitForNotifications(
  page: Page,
  count: number,
): Promise<readonly SystemNotification[]> {
  const read = () =>
    page.evaluate<readonly SystemNotification[]>(`(async () => {
      const shown = await (await navigator.serviceWorker.ready).getNotifications();
      return shown.map(({ title, body, tag, icon, data }) => ({ title, body, tag, icon, data }));
    })()`);
  return waitFor(read, (shown) => shown.length === count, `${count} notifications`);
}

/**
 * Clicks the notification that is shown. The developer tools cannot do that, so the service worker gets the
 * event from a script. It may not focus a page then.
 */
export async function clickNotification(page: Page): Promise<void> {
  await workerOf(page).evaluate(`(async () => {
    const [notification] = await self.registration.getNotifications();
    self.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
  })()`);
}
