// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asAdmin } from '../support/app/admin.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { FOLDER_LINKS, linkFolder, Visitor } from '../support/folder-links/folder-links.ts';

const holdall = await startHoldall();
const admin = await holdall.admin();
const view = asAdmin(admin);

describe('the list of all folder links', async () => {
  const carol = await holdall.register('carol');
  const [albums, binned] = [await carol.mkdir('/Media/Albums'), await carol.mkdir('/Binned')];
  const open = await linkFolder(carol, albums, { title: 'Our albums', mode: 'BOTH', maxFiles: 3 });
  const locked = await linkFolder(carol, null, { password: 'sesame', note: 'for the team' });
  const soon = await linkFolder(carol, albums, {
    expiresAt: new Date(holdall.clock.now() + 60_000).toISOString(),
  });
  await linkFolder(carol, binned);
  await carol.recycle(binned);
  await new Visitor(holdall.url, open).send('a.txt', 'received');
  holdall.clock.advance(120_000);
  const mine = { userQuery: carol.username };
  const idsOf = async (query: Record<string, string | boolean>) =>
    (await view.folderLinks({ ...mine, ...query })).items.map(({ id }) => id);

  test('shows the links to live directories, newest first, with their owners', async () => {
    const { items, total } = await view.folderLinks(mine);
    assert.equal(total, 3);
    assert.deepEqual(
      items.map(({ id, directoryPath, expired }) => [id, directoryPath, expired]),
      [
        [soon.id, '/Media/Albums', true],
        [locked.id, '/', false],
        [open.id, '/Media/Albums', false],
      ],
    );
    assert.deepEqual(items[2], {
      ...open,
      receivedFiles: 1,
      receivedBytes: 8,
      expired: false,
      driveId: carol.driveId,
      driveName: null,
      ownerId: carol.id,
      ownerUsername: carol.username,
      ownerEmail: `${carol.username}@example.org`,
    });
    assert.doesNotMatch(JSON.stringify(items), /argon2|sesame/);
  });

  test('has the same filters as the list of shares', async () => {
    assert.deepEqual(await idsOf({ fileName: 'ALBUM' }), [soon.id, open.id]);
    assert.deepEqual(await idsOf({ token: locked.token.toUpperCase() }), [locked.id]);
    assert.deepEqual(await idsOf({ passwordProtected: true }), [locked.id]);
    assert.deepEqual(await idsOf({ expired: true }), [soon.id]);
    assert.deepEqual((await view.folderLinks({ userQuery: 'nobody-at-all' })).total, 0);
  });

  test('includes links of banned owners', async () => {
    const dave = await holdall.register('dave');
    const link = await linkFolder(dave, null);
    await view.user(dave, 'status', { banned: true });
    const { items } = await view.folderLinks({ userQuery: dave.username });
    assert.deepEqual(
      items.map(({ id }) => id),
      [link.id],
    );
    await admin.ask('DELETE', `/api/admin/folder-links/${link.id}`);
  });
});

test('an admin can delete a link of any owner once, and the deletion is audited', async () => {
  const erin = await holdall.register('erin');
  const link = await linkFolder(erin, await erin.mkdir('/shared'), { title: 'For all' });
  const remove = () => admin.call('DELETE', `/api/admin/folder-links/${link.id}`);
  const statuses = (await Promise.all(Array.from({ length: 5 }, remove))).map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [200, 404, 404, 404, 404]);
  const visitor = new Visitor(holdall.url, link);
  await visitor.refused(404, 2404, 'GET', visitor.at());
  await erin.refused(404, 2404, 'DELETE', `${FOLDER_LINKS}/${link.id}`);
  const { items } = await view.audits({ actionType: 'DELETE_FOLDER_LINK', targetId: String(link.id) });
  assert.deepEqual(
    items.map(({ action, target, targetType, summary, detailsJson }) => ({
      ...{ action, target, targetType, summary, detailsJson },
    })),
    [
      {
        action: 'DELETE_FOLDER_LINK',
        target: 'For all',
        targetType: 'FOLDER_LINK',
        summary: 'Deleted the folder link For all.',
        detailsJson: { ownerId: erin.id, driveId: erin.driveId, directoryId: link.directoryId },
      },
    ],
  );
});
