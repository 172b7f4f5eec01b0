// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { PublicShareLink, ShareLink, ShareSummary } from '../../src/app/contract.ts';
import type { FolderLinkRecord, PublicFolderLink } from '../../src/folder-links/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { setAvatar } from '../support/app/set-avatar.ts';

const holdall = await startHoldall();
const alice = await holdall.register('alice');
const bob = await holdall.register('bob');
const { anonymous } = holdall;

const get = (path: string, cookie?: string) =>
  fetch(new URL(path, holdall.url), { headers: cookie === undefined ? {} : { cookie } });
const isWebp = async (response: Response) =>
  Buffer.from(await response.arrayBuffer()).toString('latin1', 8, 12) === 'WEBP';
/** The cookie that visitors get for the password. */
const unlock = async (link: string, password: string) => {
  const response = await fetch(new URL(`${link}/verify-password`, holdall.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password }),
  });
  assert.equal(response.status, 200);
  return response.headers.get('set-cookie')?.split(';', 1)[0] ?? assert.fail('There is no cookie.');
};

before(async () => {
  await setAvatar(alice);
});

describe("the owner's picture", () => {
  test('ends with the share', async () => {
    const file = await alice.upload('/Documents/once.txt', 'once');
    const body = { fileId: file.id, maxDownloads: 1 };
    const { token } = await alice.ask<ShareSummary>('POST', '/api/v2/shares', { body });
    const address = `/api/v2/shares/${token}`;
    const { ownerAvatarUrl } = await anonymous.ask<ShareSummary>('GET', address);
    assert.equal((await get(ownerAvatarUrl ?? '')).status, 200);
    assert.equal((await get(`${address}?download`)).status, 200);
    const ended = await anonymous.ask<ShareSummary>('GET', address);
    assert.deepEqual([ended.exhausted, ended.ownerAvatarUrl], [true, undefined]);
    assert.equal((await get(ownerAvatarUrl ?? '')).status, 410);
  });

  test('is shown by a share, as a small copy that may be cached for ever', async () => {
    const file = await alice.upload('/Documents/a.txt', 'a');
    const { token } = await alice.ask<ShareSummary>('POST', '/api/v2/shares', { body: { fileId: file.id } });
    const { ownerAvatarUrl } = await anonymous.ask<ShareSummary>('GET', `/api/v2/shares/${token}`);
    assert.match(ownerAvatarUrl ?? '', new RegExp(`^/api/v2/shares/${token}/owner-avatar\\?v=`));
    const response = await get(ownerAvatarUrl ?? '');
    assert.equal(response.headers.get('content-type'), 'image/webp');
    assert.match(response.headers.get('cache-control') ?? '', /immutable/);
    assert.ok(await isWebp(response));
    await alice.ask(
      'DELETE',
      `/api/v2/shares/${(await alice.ask<ShareSummary>('GET', `/api/v2/shares/${token}`)).id}`,
    );
    assert.equal((await get(ownerAvatarUrl ?? '')).status, 404);
  });

  test('is hidden until the password of a share was entered', async () => {
    const file = await alice.upload('/Documents/b.txt', 'b');
    const body = { fileId: file.id, password: 'open sesame' };
    const { token } = await alice.ask<ShareSummary>('POST', '/api/v2/shares', { body });
    const link = `/api/v2/shares/${token}`;
    assert.equal((await anonymous.ask<ShareSummary>('GET', link)).ownerAvatarUrl, undefined);
    assert.equal((await get(`${link}/owner-avatar`)).status, 403);
    assert.ok(await isWebp(await get(`${link}/owner-avatar`, await unlock(link, 'open sesame'))));
  });

  test('is hidden until the password of a folder link was entered', async () => {
    const folder = await alice.mkdir('/Documents/Trip');
    const body = { directoryId: folder.id, mode: 'UPLOAD', password: 'open sesame' };
    const { token } = await alice.ask<FolderLinkRecord>('POST', '/api/v2/folder-links', { body });
    const link = `/api/v2/folder-links/${token}`;
    assert.equal((await anonymous.ask<PublicFolderLink>('GET', link)).ownerAvatarUrl, undefined);
    assert.equal((await get(`${link}/owner-avatar`)).status, 403);
    const cookie = await unlock(link, 'open sesame');
    const opened = (await (await get(link, cookie)).json()) as { data: PublicFolderLink };
    assert.match(opened.data.ownerAvatarUrl ?? '', new RegExp(`^${link}/owner-avatar\\?v=`));
    assert.ok(await isWebp(await get(opened.data.ownerAvatarUrl ?? '', cookie)));
  });

  test('is shown by a legacy link', async () => {
    const folder = await alice.mkdir('/Documents/Legacy');
    const { token } = await alice.ask<ShareLink>('POST', `/api/files/${folder.id}/share-links`);
    const { ownerAvatarUrl } = await anonymous.ask<PublicShareLink>('GET', `/api/files/share-links/${token}`);
    assert.ok(await isWebp(await get(ownerAvatarUrl ?? '')));
  });

  test('is absent if the owner has none', async () => {
    const file = await bob.upload('/Documents/c.txt', 'c');
    const { token } = await bob.ask<ShareSummary>('POST', '/api/v2/shares', { body: { fileId: file.id } });
    assert.equal(
      (await anonymous.ask<ShareSummary>('GET', `/api/v2/shares/${token}`)).ownerAvatarUrl,
      undefined,
    );
    assert.equal((await get(`/api/v2/shares/${token}/owner-avatar`)).status, 404);
  });
});
