// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asAdmin } from '../support/app/admin.ts';
import { startHoldall } from '../support/app/holdall.ts';

const holdall = await startHoldall();
const admin = await holdall.admin();
const view = asAdmin(admin);

describe('the list of all shares', async () => {
  const carol = await holdall.register('carol');
  const [open, secret, soon] = [
    await carol.upload('/shared/open', 'x', 'text/plain'),
    await carol.upload('/shared/secret', 'xx'),
    await carol.upload('/shared/soon', 'xxx'),
  ];
  const directory = (await carol.list('/')).items.find(({ filename }) => filename === 'shared');
  const share = (body: object) =>
    carol.ask<{ id: number; token: string }>('POST', '/api/v2/shares', { body });
  const first = await share({ fileId: open.id, shareName: 'for everybody' });
  const second = await share({ fileId: secret.id, password: 'sesame', maxDownloads: 3, allowImport: false });
  const third = await share({
    fileId: soon.id,
    expiresAt: new Date(holdall.clock.now() + 60_000).toISOString(),
  });
  const link = await carol.ask<{ token: string }>('POST', `/api/files/${directory?.id}/share-links`);
  holdall.clock.advance(120_000);
  const mine = { userQuery: carol.username };

  test('shows both kinds, newest first, with file and owner', async () => {
    const { items, total } = await view.shares(mine);
    assert.equal(total, 4);
    assert.deepEqual(
      items.map(({ kind, token }) => [kind, token]),
      [
        ['LEGACY', link.token],
        ['V2', third.token],
        ['V2', second.token],
        ['V2', first.token],
      ],
    );
    const [legacy, , locked, plain] = items;
    assert.deepEqual(
      [legacy?.filePath, legacy?.shareName, legacy?.fileContentType],
      ['/shared', 'shared', null],
    );
    assert.deepEqual(
      [locked?.passwordProtected, locked?.passwordRequired, locked?.maxDownloads, locked?.allowImport],
      [true, true, 3, false],
    );
    const { createdAt, ...rest } = plain ?? {};
    assert.match(createdAt ?? '', /Z$/);
    assert.deepEqual(rest, {
      id: first.id,
      kind: 'V2',
      token: first.token,
      shareName: 'for everybody',
      driveId: carol.driveId,
      driveName: null,
      ownerId: carol.id,
      ownerUsername: carol.username,
      ownerEmail: `${carol.username}@example.org`,
      passwordRequired: false,
      passwordVerified: true,
      passwordProtected: false,
      allowImport: true,
      allowDownload: true,
      maxDownloads: null,
      downloadCount: 0,
      viewCount: 0,
      expiresAt: null,
      expired: false,
      exhausted: false,
      fileId: open.id,
      fileName: 'open',
      filePath: '/shared/open',
      fileSize: 1,
      fileContentType: 'text/plain',
    });
    assert.ok(!JSON.stringify(items).includes('argon2'));
  });

  test('is filtered by owner, file, token, password and expiry, separately or combined', async () => {
    for (const [filter, tokens] of [
      [{ fileName: 'SEC' }, [second.token]],
      [{ fileName: 'shared' }, [link.token]],
      [{ token: first.token }, [first.token]],
      [{ token: first.token.slice(2, 12).toUpperCase() }, [first.token]],
      [{ passwordProtected: true }, [second.token]],
      [{ passwordProtected: false }, [link.token, third.token, first.token]],
      [{ expired: true }, [third.token]],
      [{ expired: false }, [link.token, second.token, first.token]],
      [{ expired: false, passwordProtected: true }, [second.token]],
      [{ expired: true, passwordProtected: true }, []],
      [{ fileName: '%' }, []],
    ] as const) {
      const { items, total } = await view.shares({ ...mine, ...filter });
      assert.deepEqual(
        items.map(({ token }) => token),
        tokens,
        JSON.stringify(filter),
      );
      assert.equal(total, tokens.length);
    }
    assert.equal((await view.shares({ userQuery: 'nobody at all' })).total, 0);
    for (const query of ['expired=yes', 'passwordProtected=1', 'token=%00', 'size=0']) {
      await admin.refused(400, 1000, 'GET', `/api/admin/shares?${query}`);
    }
  });

  test('includes shares of banned accounts', async () => {
    await view.user(carol, 'status', { banned: true });
    assert.equal((await view.shares(mine)).total, 4);
    await view.user(carol, 'status', { banned: false });
    await carol.logIn();
  });

  test('leaves out shares whose file is recycled', async () => {
    await carol.recycle(open);
    assert.equal((await view.shares({ token: first.token })).total, 0);
    await carol.restore(open);
    assert.equal((await view.shares({ token: first.token })).total, 1);
  });

  test('lets an administrator delete a share of either kind, which immediately stops working', async () => {
    const { anonymous } = holdall;
    const [legacy] = (await view.shares({ token: link.token })).items;
    assert.equal(await admin.ask('DELETE', `/api/admin/shares/${first.id}`), null);
    await admin.ask('DELETE', `/api/admin/shares/${legacy?.id}`);
    await anonymous.refused(404, 2404, 'GET', `/api/v2/shares/${first.token}`);
    await anonymous.refused(404, 2404, 'GET', `/api/v2/shares/${first.token}?download`);
    await anonymous.refused(404, 1003, 'GET', `/api/files/share-links/${link.token}`);
    await admin.refused(404, 1003, 'DELETE', `/api/admin/shares/${first.id}`);
    await admin.refused(400, 1000, 'DELETE', '/api/admin/shares/x');
    assert.equal((await view.shares(mine)).total, 2);
    await carol.download(open);
  });
});
