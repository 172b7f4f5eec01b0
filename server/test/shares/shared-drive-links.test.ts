// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ListedFolderLink } from '../../src/folder-links/contract.ts';
import type { OwnShareLink, ShareSummary } from '../../src/shares/contract.ts';
import { asAdmin } from '../support/app/admin.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Listing, Person } from '../support/app/person.ts';
import { removeMember } from '../support/drives/members.ts';
import { createDrive, inDrive } from '../support/drives/shared-drives.ts';

const SHARES = '/api/v2/shares';
const FOLDER_LINKS = '/api/v2/folder-links';

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
const admin = await holdall.admin();
const ann = await holdall.register('ann');
const bob = await holdall.register('bob');
const vera = await holdall.register('vera');

/** Creates a drive in which a new maker has made one link of each kind. */
async function createLinks() {
  const maker = await holdall.register('maker');
  const drive = await createDrive(ann, 'Team', [
    { person: maker, role: 'EDITOR' },
    { person: bob, role: 'EDITOR' },
    { person: vera, role: 'VIEWER' },
  ]);
  const there = inDrive(maker, drive.id);
  const file = await there.upload('/plan.txt', 'the plan');
  const created = {
    share: await there.ask<ShareSummary>('POST', SHARES, { body: { fileId: file.id } }),
    folderLink: await there.ask<ListedFolderLink>('POST', FOLDER_LINKS, {
      body: { directoryId: null, mode: 'BOTH' },
    }),
    legacy: await there.ask<{ token: string }>('POST', `/api/files/${file.id}/share-links`),
  };
  return { maker, drive, ...created };
}

async function listAll(person: Person, driveId: number) {
  const member = inDrive(person, driveId);
  const mine = async <T>(address: string) =>
    (await member.ask<Listing<T>>('GET', `${address}/mine`)).items[0] as T;
  return {
    share: await mine<ShareSummary>(SHARES),
    folderLink: await mine<ListedFolderLink>(FOLDER_LINKS),
    legacy: await mine<OwnShareLink>('/api/v2/share-links'),
  };
}

/** What visitors can still do. */
async function assertOpen({ share, folderLink, legacy, drive }: Awaited<ReturnType<typeof createLinks>>) {
  const visitor = holdall.anonymous;
  const download = await visitor.fetch('GET', `${SHARES}/${share.token}?download`);
  assert.equal(await download.text(), 'the plan');
  const summary = await visitor.ask<ShareSummary>('GET', `${SHARES}/${share.token}`);
  assert.equal(summary.ownerUsername, drive.name);
  assert.equal(summary.createdBy, undefined);
  const link = await visitor.ask<{ ownerName: string }>('GET', `${FOLDER_LINKS}/${folderLink.token}`);
  assert.equal(link.ownerName, drive.name);
  const old = await visitor.ask<{ ownerUsername: string }>('GET', `/api/files/share-links/${legacy.token}`);
  assert.equal(old.ownerUsername, drive.name);
}

describe('links in a shared drive', () => {
  test('name their creator to all members', async () => {
    const { maker, drive, share, folderLink } = await createLinks();
    const createdBy = { accountId: maker.id, displayName: maker.login?.user.displayName };
    assert.deepEqual([share.createdBy, folderLink.createdBy], [createdBy, createdBy]);
    for (const person of [ann, bob, vera]) {
      const listed = await listAll(person, drive.id);
      for (const record of Object.values(listed)) assert.deepEqual(record.createdBy, createdBy);
    }
  });

  test('are changed and ended by every editor, and not by viewers', async () => {
    const { maker, drive, share, folderLink } = await createLinks();
    const [editor, viewer] = [inDrive(bob, drive.id), inDrive(vera, drive.id)];
    const changed = await editor.ask<ShareSummary>('PATCH', `${SHARES}/${share.id}`, {
      body: { shareName: 'new' },
    });
    assert.deepEqual([changed.shareName, changed.createdBy?.accountId], ['new', maker.id]);
    const { title, createdBy } = await editor.ask<ListedFolderLink>(
      'PATCH',
      `${FOLDER_LINKS}/${folderLink.id}`,
      { body: { title: 'new' } },
    );
    assert.deepEqual([title, createdBy?.accountId], ['new', maker.id]);
    for (const address of [`${SHARES}/${share.id}`, `${FOLDER_LINKS}/${folderLink.id}`]) {
      await viewer.refused(403, 2403, 'DELETE', address);
      // Without the choice of the drive, the link is that of another drive.
      await bob.refused(404, 2404, 'PATCH', address, { body: {} });
      await bob.refused(404, 2404, 'DELETE', address);
      await editor.ask('DELETE', address);
    }
  });

  test('stay when their creator leaves, is banned or deleted', async () => {
    const made = await createLinks();
    const { maker, drive } = made;
    await asAdmin(admin).user(maker, 'status', { banned: true });
    await assertOpen(made);
    await asAdmin(admin).user(maker, 'status', { banned: false });
    await removeMember(ann, drive.id, maker);
    await assertOpen(made);
    assert.equal((await listAll(vera, drive.id)).share.createdBy?.accountId, maker.id);
    await admin.ask('DELETE', `/api/admin/users/${maker.id}`, { body: { username: maker.username } });
    await assertOpen(made);
    for (const record of Object.values(await listAll(vera, drive.id))) assert.equal(record.createdBy, null);
  });

  test('give viewers no token with which they could upload', async () => {
    const { drive, folderLink } = await createLinks();
    assert.equal((await listAll(vera, drive.id)).folderLink.token, null);
    assert.equal((await listAll(bob, drive.id)).folderLink.token, folderLink.token);
    await inDrive(bob, drive.id).ask('PATCH', `${FOLDER_LINKS}/${folderLink.id}`, { body: { mode: 'VIEW' } });
    assert.equal((await listAll(vera, drive.id)).folderLink.token, folderLink.token);
  });
});

test('links in a personal drive do not say who created them', async () => {
  const file = await ann.upload('/own.txt', 'own');
  const share = await ann.ask<ShareSummary>('POST', SHARES, { body: { fileId: file.id } });
  assert.equal('createdBy' in share, false);
  await ann.ask('POST', `/api/files/${file.id}/share-links`);
  await ann.ask('POST', FOLDER_LINKS, { body: { directoryId: null, mode: 'VIEW' } });
  for (const record of Object.values(await listAll(ann, ann.driveId)))
    assert.equal('createdBy' in record, false);
});
