// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../src/base/clock.ts';
import type { FolderLinkRecord } from '../../src/folder-links/contract.ts';
import type { ShareSummary } from '../../src/shares/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { race } from '../support/checks/race.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { createDrive, DRIVES, inDrive } from '../support/drives/shared-drives.ts';
import { FOLDER_LINKS, linkFolder, Visitor } from '../support/folder-links/folder-links.ts';
import { toldTo } from '../support/notifications/told.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';

const SHARES = '/api/v2/shares';

const env = { HOLDALL_RATE_LIMITS: 'off', HOLDALL_ACCESS_TOKEN_TTL: '30d' };
const holdall = await startHoldall({ env });
await withoutDirect(holdall);
const second = isPostgres ? await startHoldall({ env, beside: holdall }) : holdall;
const instances = [holdall, second];
const { clock } = holdall;
clock.stop();
const strangers = instances.map(({ url }) => new Person('stranger', url));

afterEach(() => checkBooks(holdall));

const inFuture = (milliseconds: number) => new Date(clock.now() + milliseconds).toISOString();

async function makeShare(options: object, owner?: Person) {
  const creator = owner ?? (await holdall.register('owner'));
  const file = await creator.upload('/shared.txt', 'the bytes');
  const share = await creator.ask<ShareSummary>('POST', SHARES, { body: { fileId: file.id, ...options } });
  return { owner: creator, file, share };
}

async function download(person: Person, { token }: ShareSummary): Promise<number> {
  const response = await person.fetch('GET', `${SHARES}/${token}?download`);
  await response.arrayBuffer();
  return response.status;
}

/** Runs the job on every instance at the same time. */
async function tellExpiring(): Promise<void> {
  const { signal } = new AbortController();
  await Promise.all(
    instances.flatMap(({ app }) => [
      app.shareEndings.tellExpiring(signal),
      app.folderLinkEndings.tellExpiring(signal),
    ]),
  );
}

const reasonsTold = async (person: { readonly id: number }) =>
  (await toldTo(holdall, person, 'SHARE_ENDED')).map(({ reason }) => reason);

describe('the creator of a share', () => {
  test('is told once that it is used up', async () => {
    const { owner, share } = await makeShare({ maxDownloads: 3, shareName: 'Menu' });
    const [stranger] = strangers as [Person];
    for (let count = 0; count < 2; count += 1) assert.equal(await download(stranger, share), 200);
    assert.deepEqual(await toldTo(holdall, owner, 'SHARE_ENDED'), []);
    const answers = await race(strangers, 20, (person) => download(person, share));
    assert.deepEqual(answers.filter((status) => status === 200).length, 1);
    assert.deepEqual(await toldTo(holdall, owner, 'SHARE_ENDED'), [
      {
        ...{ of: 'SHARE', id: share.id, name: 'Menu', driveId: owner.driveId },
        ...{ reason: 'USED_UP', expiresAt: null },
      },
    ]);
  });

  test('is told so by an import, and again after the limit was raised', async () => {
    const { owner, share } = await makeShare({ maxDownloads: 1 });
    const friend = await holdall.register('friend');
    await friend.ask('POST', `${SHARES}/${share.token}/import`, { body: { path: '/' } });
    assert.deepEqual(await reasonsTold(owner), ['USED_UP']);
    await owner.ask('PATCH', `${SHARES}/${share.id}`, { body: { maxDownloads: 2 } });
    assert.equal(await download(friend, share), 200);
    assert.deepEqual(await reasonsTold(owner), ['USED_UP', 'USED_UP']);
  });

  test('is told at most once an hour if downloads without bytes are refunded', async () => {
    const { owner, share } = await makeShare({ maxDownloads: 1, expiresAt: inFuture(3 * DAY) });
    const { shares } = holdall.app;
    const current = await shares.get(share.token);
    const spendInVain = async () => {
      await shares.spendDownload(current);
      await shares.refundDownload(current);
    };
    for (let count = 0; count < 3; count += 1) await spendInVain();
    assert.deepEqual(await reasonsTold(owner), ['USED_UP']);
    clock.advance(HOUR - 1);
    await spendInVain();
    assert.deepEqual(await reasonsTold(owner), ['USED_UP']);
    clock.advance(1);
    await shares.spendDownload(current);
    assert.deepEqual(await reasonsTold(owner), ['USED_UP', 'USED_UP']);
    await shares.refundDownload(current);

    // It works again, so its expiry is worth telling, but only once.
    clock.advance(2 * DAY);
    await tellExpiring();
    await spendInVain();
    await tellExpiring();
    assert.deepEqual(await reasonsTold(owner), ['USED_UP', 'USED_UP', 'EXPIRES_SOON', 'USED_UP']);
  });

  test('is told a day before it expires, and again after the expiry was changed', async () => {
    const { owner, share } = await makeShare({ expiresAt: inFuture(3 * DAY) });
    clock.advance(2 * DAY - MINUTE);
    await tellExpiring();
    assert.deepEqual(await reasonsTold(owner), []);
    clock.advance(MINUTE);
    await tellExpiring();
    await tellExpiring();
    const [told] = await toldTo(holdall, owner, 'SHARE_ENDED');
    assert.deepEqual(
      [told?.reason, told?.name, told?.expiresAt],
      ['EXPIRES_SOON', 'shared.txt', Date.parse(share.expiresAt ?? '')],
    );
    assert.equal((await reasonsTold(owner)).length, 1);

    // The same expiry is no change.
    await owner.ask('PATCH', `${SHARES}/${share.id}`, { body: { expiresAt: share.expiresAt, note: null } });
    await tellExpiring();
    assert.equal((await reasonsTold(owner)).length, 1);
    await owner.ask('PATCH', `${SHARES}/${share.id}`, { body: { expiresAt: inFuture(3 * DAY) } });
    clock.advance(2 * DAY);
    await tellExpiring();
    assert.equal((await reasonsTold(owner)).length, 2);
  });

  test('is not told about an expiry that was chosen within a day', async () => {
    const { owner, share } = await makeShare({ expiresAt: inFuture(DAY) });
    clock.advance(HOUR);
    await tellExpiring();
    await owner.ask('PATCH', `${SHARES}/${share.id}`, { body: { expiresAt: inFuture(23 * HOUR) } });
    clock.advance(HOUR);
    await tellExpiring();
    assert.deepEqual(await reasonsTold(owner), []);
  });

  test('is not told about an expiry that was chosen within a day together with a new limit', async () => {
    const { owner, share } = await makeShare({ maxDownloads: 1 });
    assert.equal(await download(strangers[0] as Person, share), 200);
    const body = { maxDownloads: 2, expiresAt: inFuture(5 * HOUR) };
    await owner.ask('PATCH', `${SHARES}/${share.id}`, { body });
    await tellExpiring();
    assert.deepEqual(await reasonsTold(owner), ['USED_UP']);
    assert.equal(await download(strangers[0] as Person, share), 200);
    assert.deepEqual(await reasonsTold(owner), ['USED_UP', 'USED_UP']);
  });

  test('is not told that a share of a deleted file expires', async () => {
    const { owner, file } = await makeShare({ expiresAt: inFuture(2 * DAY) });
    await owner.recycle(file);
    clock.advance(DAY + HOUR);
    await tellExpiring();
    assert.deepEqual(await reasonsTold(owner), []);
  });

  test('in a shared drive is told as long as it is a member', async () => {
    const [ann, ben] = [await holdall.register('ann'), await holdall.register('ben')];
    const { id: driveId } = await createDrive(ann, 'Team', [{ person: ben, role: 'EDITOR' }]);
    const there = inDrive(ben, driveId);
    const { share } = await makeShare({ maxDownloads: 1, expiresAt: inFuture(2 * DAY) }, there);
    assert.equal(await download(strangers[0] as Person, share), 200);
    assert.deepEqual(
      (await toldTo(holdall, ben, 'SHARE_ENDED')).map((told) => told.driveId),
      [driveId],
    );
    await there.ask('PATCH', `${SHARES}/${share.id}`, { body: { maxDownloads: 2 } });
    await ann.ask('DELETE', `${DRIVES}/${driveId}/members/${ben.id}`);
    assert.equal(await download(strangers[0] as Person, share), 200);
    clock.advance(DAY + HOUR);
    await tellExpiring();
    for (const person of [ann, ben]) {
      assert.equal((await reasonsTold(person)).length, person === ben ? 1 : 0);
    }
  });
});

describe('the creator of a folder link', () => {
  async function open(options: object) {
    const owner = await holdall.register('owner');
    const link = await linkFolder(owner, await owner.mkdir('/inbox'), { mode: 'BOTH', ...options });
    return { owner, link, visitors: instances.map(({ url }) => new Visitor(url, link)) };
  }
  const change = (owner: Person, { id }: FolderLinkRecord, body: object) =>
    owner.ask('PATCH', `${FOLDER_LINKS}/${id}`, { body });

  test('is told once that it accepts no more files, and again after the limit was raised', async () => {
    const { owner, link, visitors } = await open({ maxFiles: 3, title: 'Inbox' });
    await race(visitors, 10, (visitor, index) => (visitor as Visitor).send(`${index}.txt`, 'x'));
    const usedUp = {
      ...{ of: 'FOLDER_LINK', id: link.id, name: 'Inbox', driveId: owner.driveId },
      ...{ reason: 'USED_UP', expiresAt: null },
    };
    assert.deepEqual(await toldTo(holdall, owner, 'SHARE_ENDED'), [usedUp]);
    await change(owner, link, { maxFiles: 4 });
    await visitors[0]?.send('more.txt', 'x');
    assert.deepEqual(await toldTo(holdall, owner, 'SHARE_ENDED'), [usedUp, usedUp]);
  });

  test('is told a day before it expires, even after it was used up and its limit was raised', async () => {
    const { owner, link, visitors } = await open({ maxFiles: 1, expiresAt: inFuture(3 * DAY) });
    await visitors[0]?.send('1.txt', 'x');
    clock.advance(2 * DAY);
    await tellExpiring();
    assert.deepEqual(await reasonsTold(owner), ['USED_UP']);
    await change(owner, link, { maxFiles: 2, title: 'Other' });
    await tellExpiring();
    assert.deepEqual(await reasonsTold(owner), ['USED_UP', 'EXPIRES_SOON']);
    await visitors[0]?.send('2.txt', 'x');
    assert.deepEqual(await reasonsTold(owner), ['USED_UP', 'EXPIRES_SOON', 'USED_UP']);
  });
});
