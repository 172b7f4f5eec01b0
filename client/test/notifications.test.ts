// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../../server/test/support/app/holdall.ts';
import { PASSWORD } from '../../server/test/support/app/person.ts';
import { type DriveEvent, Holdall, InvalidError, type Notification } from '../src/client.ts';

const service = await startHoldall();

test('notifications are listed, read and followed, and their settings changed', async () => {
  const { username } = await service.register();
  const holdall = new Holdall({ url: service.url });
  await holdall.auth.logIn(username, PASSWORD);
  const [before] = (await holdall.notifications.list()).items;
  if (before !== undefined) await holdall.notifications.readUntil(before.id);
  const events = holdall.events.watch();
  await untilKind(events, 'ready');
  const elsewhere = new Holdall({ url: service.url, device: crypto.randomUUID() });
  await elsewhere.auth.logIn(username, PASSWORD);
  await untilKind(events, 'notifications');
  const page = await holdall.notifications.list({ size: 1 });
  const [told] = page.items;
  assert.ok(told !== undefined);
  assert.deepEqual([page.unread, eventOf(told)], [1, 'NEW_LOGIN']);
  assert.equal(await holdall.notifications.read([told.id]), 0);
  await untilKind(events, 'notifications');
  assert.deepEqual((await holdall.notifications.list({ unread: true })).items, []);
  assert.equal(await holdall.notifications.readUntil(told.id), 0);
  await events.return();

  const { notifications } = holdall;
  const changed = await notifications.changeSettings({ LINK_FILES: { app: true, mail: false } });
  assert.deepEqual(changed.LINK_FILES, { app: true, mail: false, isMailFixed: false });
  assert.deepEqual(await notifications.settings(), changed);
  const silent = notifications.changeSettings({ SECURITY: { app: true, mail: false } });
  await assert.rejects(silent, InvalidError);
});

/** Programs can tell the kinds apart by their types. */
function eventOf(notification: Notification): string | undefined {
  return notification.kind === 'SECURITY' ? notification.data.event : undefined;
}

async function untilKind(events: AsyncGenerator<DriveEvent>, kind: DriveEvent['kind']): Promise<void> {
  for (;;) {
    const { value } = await events.next();
    assert.ok(value);
    if (value.kind === kind) return;
  }
}
