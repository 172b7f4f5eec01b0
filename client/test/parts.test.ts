// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ADMIN_PASSWORD, startHoldall } from '../../server/test/support/app/holdall.ts';
import { PASSWORD } from '../../server/test/support/app/person.ts';
import {
  ExpiredError,
  ForbiddenError,
  Holdall,
  NotFoundError,
  OPERATIONS,
  UnauthenticatedError,
} from '../src/client.ts';
import { logInNewUser } from './logged-in.ts';

/** A picture with one transparent pixel. */
const ONE_PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const service = await startHoldall();
const anonymous = new Holdall({ url: service.url });
const { holdall, username } = await logInNewUser(service);

async function admin(): Promise<Holdall> {
  const client = new Holdall({ url: service.url });
  await client.auth.logIn('admin', ADMIN_PASSWORD);
  return client;
}

/** Creates a file in a new directory. */
async function newFile(directory: string, text = 'content') {
  return holdall.uploads.put(text, { path: directory, filename: 'file.txt' });
}

describe('the drive', () => {
  test('is changed entry by entry', async () => {
    const { id } = await newFile('/drive');
    assert.equal((await holdall.drive.find('/drive/file.txt'))?.id, id);
    assert.equal(await holdall.drive.find('/drive/other.txt'), undefined);
    assert.equal(await holdall.drive.find('/nowhere/at/all'), undefined);
    assert.equal(await holdall.drive.find('/'), undefined);
    assert.equal((await holdall.drive.rename(id, 'renamed.txt')).path, '/drive/renamed.txt');
    await holdall.drive.makeDirectory('/drive/below');
    assert.equal((await holdall.drive.copy(id, '/drive/below')).path, '/drive/below/renamed.txt');
    assert.equal(
      (await holdall.drive.move(id, '/drive/below', 'RENAME')).path,
      '/drive/below/renamed (2).txt',
    );
    assert.equal((await holdall.drive.get(id)).sha256?.length, 64);
    const names = (await holdall.drive.list('/drive/below', { pageSize: 1 }).toArray()).map(
      (one) => one.filename,
    );
    assert.deepEqual(names, ['renamed (2).txt', 'renamed.txt']);
    const [newest] = await holdall.drive.recent(1);
    assert.equal(newest?.id, id);
  });

  test('has stars, a search and a timeline', async () => {
    const { id } = await newFile('/stars');
    assert.equal((await holdall.drive.star(id)).starred, true);
    assert.deepEqual(
      (await holdall.drive.starred().toArray()).map((entry) => entry.id),
      [id],
    );
    assert.equal((await holdall.drive.unstar(id)).starred, false);
    const found = await holdall.drive.search({ q: 'file', under: '/stars' }).toArray();
    assert.deepEqual(
      found.map((entry) => entry.id),
      [id],
    );
    const picture = await holdall.uploads.put('no pixels', { filename: 'a.jpg', contentType: 'image/jpeg' });
    const pictures: number[] = [];
    for await (const entry of holdall.drive.timeline()) pictures.push(entry.id);
    assert.deepEqual(pictures, [picture.id]);
    assert.equal((await holdall.drive.timelineMonths())[0]?.count, 1);
  });

  test('has a recycle bin', async () => {
    const { id } = await newFile('/bin');
    await holdall.drive.recycle(id);
    assert.deepEqual(
      (await holdall.bin.list().toArray()).map((entry) => entry.originalPath),
      ['/bin/file.txt'],
    );
    assert.equal((await holdall.bin.restore(id)).path, '/bin/file.txt');
    await holdall.drive.recycle(id);
    await holdall.bin.purge(id);
    await assert.rejects(holdall.bin.restore(id), NotFoundError);
    await holdall.drive.recycle((await newFile('/bin')).id);
    await holdall.bin.empty();
    assert.deepEqual(await holdall.bin.list().toArray(), []);
  });

  test('keeps replaced content as versions', async () => {
    const { id } = await newFile('/versions', 'one');
    const modifiedAt = new Date('2020-02-02T02:02:02.000Z');
    const replaced = await holdall.versions.replace(id, 'two', { modifiedAt });
    assert.equal(replaced.modifiedAt, modifiedAt.toISOString());
    const [version] = await holdall.versions.list(id);
    assert.ok(version);
    assert.equal(await (await holdall.versions.open(id, version)).text(), 'one');
    await holdall.versions.restore(id, version.id);
    assert.equal(await (await holdall.downloads.open(id)).text(), 'one');
    const [second] = await holdall.versions.list(id);
    assert.ok(second);
    await holdall.versions.delete(id, second.id);
    assert.deepEqual(await holdall.versions.list(id), []);
  });

  test('returns URLs that need no login', async () => {
    const { id } = await newFile('/signed', 'signed');
    const { url } = await holdall.downloads.signedUrl(id);
    assert.equal(await (await fetch(url)).text(), 'signed');
  });

  test('accepts announced uploads', async () => {
    const announced = { path: '/announced', filename: 'file.bin', size: 5 };
    const { sessionId } = await holdall.uploads.createSession(announced);
    const body = new FormData();
    body.set('file', new Blob(['12345']), 'file.bin');
    const input = { path: { sessionId }, body };
    await holdall.request('POST /api/v2/files/upload-sessions/{sessionId}/content', input);
    const { fileId } = await holdall.uploads.completeSession(sessionId);
    assert.equal((await holdall.drive.find('/announced/file.bin'))?.id, fileId);
    const other = await holdall.uploads.createSession({ ...announced, filename: 'other.bin' });
    assert.equal((await holdall.uploads.cancelSession(other.sessionId)).status, 'CANCELLED');
    assert.ok(((await holdall.uploads.maxBytes()) ?? 0) > 0);
  });
});

describe('sharing', () => {
  test('a file with a password', async () => {
    const { id } = await newFile('/shared', 'for you');
    const share = await holdall.shares.create({ fileId: id, password: 'pässword', maxDownloads: 1 });
    const visit = anonymous.shares.visit(share.token);
    assert.equal((await visit.summary()).file, undefined);
    await assert.rejects(visit.unlock('wrong'), ForbiddenError);
    assert.equal((await visit.unlock('pässword')).file?.filename, 'file.txt');
    assert.equal(await (await visit.open()).text(), 'for you');
    await assert.rejects(visit.open(), ExpiredError);
    assert.equal((await holdall.shares.change(share.id, { maxDownloads: 5 })).maxDownloads, 5);
    const { holdall: other } = await logInNewUser(service);
    const otherVisit = other.shares.visit(share.token);
    await otherVisit.unlock('pässword');
    assert.equal((await otherVisit.import('/got')).path, '/got/file.txt');
    assert.equal((await holdall.shares.list().toArray()).length, 1);
    await holdall.shares.delete(share.id);
    await assert.rejects(visit.summary(), NotFoundError);
  });

  test('a directory with a password, for people without an account', async () => {
    await newFile('/linked/below', 'see this');
    const { id } = (await holdall.drive.find('/linked')) ?? { id: 0 };
    const link = await holdall.folderLinks.create({
      directoryId: id,
      mode: 'BOTH',
      password: 'secret words',
    });
    const visit = anonymous.folderLinks.visit(link.token);
    assert.equal((await visit.about()).passwordRequired, true);
    await assert.rejects(visit.list().toArray(), ForbiddenError);
    await visit.unlock('secret words');
    assert.deepEqual(
      (await visit.list().toArray()).map((entry) => entry.path),
      ['/below'],
    );
    assert.equal(await (await visit.open('/below/file.txt')).text(), 'see this');
    assert.equal((await visit.openZip(['/below'])).contentType, 'application/zip');
    const received = await visit.upload(new Blob(['small']), { filename: 'small.txt', sender: 'Tom' });
    assert.equal(received.name, 'small.txt');
    await visit.put(
      new Uint8Array(300_000),
      { filename: 'large.bin', path: '/new' },
      { chunkBytes: 100_000 },
    );
    assert.equal((await holdall.drive.find('/linked/new/large.bin'))?.size, 300_000);
    let token = '';
    const stop = new AbortController();
    const onResumeToken = (text: string) => {
      token = text;
      stop.abort();
    };
    const { signal } = stop;
    const source = new Uint8Array(300_000);
    await assert.rejects(visit.put(source, { filename: 'later.bin' }, { onResumeToken, signal }));
    await visit.resume(token, source);
    assert.equal((await holdall.drive.find('/linked/later.bin'))?.size, 300_000);
    assert.equal(await visit.maxBytes(), undefined);
    assert.equal((await holdall.folderLinks.change(link.id, { mode: 'VIEW' })).mode, 'VIEW');
    assert.equal((await holdall.folderLinks.list().toArray())[0]?.receivedFiles, 3);
    await holdall.folderLinks.delete(link.id);
    await assert.rejects(visit.about(), NotFoundError);
  });

  test('with an older share link', async () => {
    const { id } = await newFile('/older');
    const { token } = await holdall.shareLinks.create(id);
    assert.equal((await anonymous.shareLinks.get(token)).ownerUsername, username);
    assert.equal((await holdall.shareLinks.import(token, '/copied')).path, '/copied/file.txt');
    const [link] = await holdall.shareLinks.list().toArray();
    await holdall.shareLinks.delete(link?.id ?? 0);
    await assert.rejects(anonymous.shareLinks.get(token), NotFoundError);
  });

  test('by a stored transfer', async () => {
    const sent = await holdall.transfers.create({ mode: 'OFFLINE', files: [{ name: 'a.txt', size: 3 }] });
    const fileId = sent.files[0]?.id ?? '';
    await holdall.transfers.upload(sent.sessionId, fileId, 'abc');
    assert.equal((await anonymous.transfers.find(sent.pickupCode.toLowerCase())).status, 'READY');
    assert.equal(await (await anonymous.transfers.open(sent.sessionId, fileId)).text(), 'abc');
    const archive = await (await anonymous.transfers.openAll(sent.sessionId)).bytes();
    assert.equal(Buffer.from(archive.subarray(0, 2)).toString(), 'PK');
    assert.equal((await holdall.transfers.import(sent.sessionId, fileId, '/sent')).path, '/sent/a.txt');
    assert.equal((await holdall.transfers.listOffline()).length, 1);
    await holdall.transfers.end(sent.sessionId);
    await assert.rejects(anonymous.transfers.find(sent.pickupCode), NotFoundError);
  });

  test('by a transfer between two programs, which exchange signals', async () => {
    const files = [{ name: 'b.txt', size: 3 }];
    const { sessionId, peerToken } = await anonymous.transfers.create({ mode: 'ONLINE', files });
    const joined = await anonymous.transfers.join(sessionId);
    const receiver = { sessionId, peerToken: joined.peerToken ?? '' };
    await anonymous.transfers.signal(receiver, 'hello', { words: 'from the receiver' });
    const types: string[] = [];
    for await (const { type } of anonymous.transfers.signals({ sessionId, peerToken })) {
      types.push(type);
      if (types.length === 2) break;
    }
    assert.deepEqual(types, ['peer-joined', 'hello']);
    assert.ok(Array.isArray((await anonymous.transfers.iceServers()).iceServers));
    await anonymous.transfers.end(sessionId, peerToken);
    await assert.rejects(anonymous.transfers.join(sessionId), NotFoundError);
  });
});

describe('the account', () => {
  test('is changed by its owner', async () => {
    assert.equal((await holdall.account.change({ displayName: 'Ann' })).displayName, 'Ann');
    assert.equal((await holdall.account.security()).totp, false);
    assert.deepEqual(await holdall.account.securityChanges(), []);
    assert.deepEqual(await holdall.passkeys.list(), []);
    await assert.rejects(holdall.account.avatar(), NotFoundError);
    const png = new Uint8Array(Buffer.from(ONE_PIXEL, 'base64'));
    const picture = new Blob([png], { type: 'image/png' });
    assert.match((await holdall.account.setAvatar(picture)).avatarUrl ?? '', /avatar/);
    assert.equal((await holdall.account.avatar()).size, picture.size);
  });

  test('has app passwords and sessions that can be ended', async () => {
    const { id } = await holdall.appPasswords.create({ name: 'one', scope: 'READ' });
    assert.deepEqual(
      (await holdall.appPasswords.list()).map((one) => one.name),
      ['one'],
    );
    await holdall.appPasswords.revoke(id);
    assert.deepEqual(await holdall.appPasswords.list(), []);
    const other = new Holdall({ url: service.url });
    await other.auth.logIn(username, PASSWORD);
    const own = (await other.account.sessions()).find((session) => session.current);
    await holdall.account.endSession(own?.id ?? '');
    await assert.rejects(other.account.profile(), UnauthenticatedError);
  });

  test('is created with an invite code', async () => {
    const client = new Holdall({ url: service.url });
    assert.equal((await client.auth.methods()).registration, true);
    const { user } = await client.auth.register({
      username: 'newcomer',
      email: 'newcomer@example.org',
      phoneNumber: '+491234567',
      password: PASSWORD,
      confirmPassword: PASSWORD,
      inviteCode: await service.inviteCode(),
    });
    assert.equal((await client.account.profile()).id, user.id);
  });
});

test('tasks work in the background', async () => {
  const { id } = await newFile('/tasks');
  const archive = await holdall.tasks.archive({ fileId: id, path: '/tasks/file.txt' });
  assert.equal((await holdall.tasks.wait(archive.id, { everyMs: 20 })).status, 'COMPLETED');
  const packed = await holdall.drive.find('/tasks/file.txt.zip');
  assert.ok(packed);
  await holdall.drive.recycle(id);
  const extract = await holdall.tasks.extract({ fileId: packed.id, path: packed.path });
  assert.equal((await holdall.tasks.wait(extract.id, { everyMs: 20 })).status, 'COMPLETED');
  assert.notEqual(await holdall.drive.find('/tasks/file.txt'), undefined);
  const ids = (await holdall.tasks.list().toArray()).map((task) => task.id);
  assert.ok(ids.includes(archive.id) && ids.includes(extract.id));
  await assert.rejects(holdall.tasks.retry(archive.id), (error: Error) => error.name === 'InvalidError');
});

test('administrators manage accounts, content and settings', async () => {
  const client = await admin();
  const [found] = await client.admin.users.list(username).toArray();
  assert.equal(found?.username, username);
  const userId = found?.id ?? 0;
  assert.equal((await client.admin.users.setQuota(userId, 123_456_789)).storageQuotaBytes, 123_456_789);
  assert.equal((await client.admin.users.setRole(userId, 'MODERATOR')).role, 'MODERATOR');
  assert.equal((await client.admin.users.setRole(userId, 'USER')).role, 'USER');
  const invite = await client.admin.users.createInvite({ uses: 2, note: 'for two' });
  assert.equal((await client.admin.users.invites().toArray())[0]?.id, invite.id);
  await client.admin.users.deleteInvite(invite.id);
  const created = await client.admin.users.create({
    username: 'created',
    email: 'created@example.org',
    phoneNumber: '+4998765432',
  });
  assert.equal((await client.admin.users.setBanned(created.id, true)).banned, true);
  await client.admin.users.delete(created.id, 'created');
  assert.ok((await client.admin.content.files({ query: 'file' }).toArray()).length > 0);
  assert.ok((await client.admin.content.blobs().toArray()).length > 0);
  assert.ok((await client.admin.content.tasks().toArray()).length > 0);
  assert.equal((await client.admin.summary()).totalUsers > 0, true);
  assert.notEqual((await client.admin.rotateInviteCode()).inviteCode, '');
  assert.equal((await client.admin.policies()).length, 1);
  const actions = (await client.admin.audits().toArray()).map((item) => item.action);
  assert.ok(actions.length >= 5);
});

test('the service identifies itself', async () => {
  assert.equal((await anonymous.site.about()).name, 'Holdall');
  assert.deepEqual(await anonymous.site.ping(), { status: 'ok', apiVersion: 'v2' });
  await anonymous.site.isAlive();
  await anonymous.site.isReady();
  await assert.rejects(anonymous.releases.latest(), NotFoundError);
});

test('every operation that returns data can be called by its name', async () => {
  const page = await holdall.request('GET /api/files/list', { query: { path: '/', size: 1 } });
  assert.equal(page.size, 1);
  const response = await holdall.fetch('GET /api/files/download/{fileId}', {
    path: { fileId: (await newFile('/by-name', 'bytes')).id },
  });
  assert.equal(await response.text(), 'bytes');
  assert.equal(OPERATIONS['GET /api/files/list'].appPassword, 'read');
});
