// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ADMIN_PASSWORD, startHoldall } from '../../server/test/support/app/holdall.ts';
import {
  ConflictError,
  type DriveEvent,
  type DriveRole,
  ForbiddenError,
  Holdall,
  NotFoundError,
} from '../src/client.ts';
import { logInNewUser, recordingFetch } from './logged-in.ts';

const service = await startHoldall({
  env: { HOLDALL_RATE_LIMITS: 'off', HOLDALL_MAX_SHARED_DRIVES: '100' },
  eventBeatMs: 100,
});
const anonymous = new Holdall({ url: service.url });
const { holdall: ann } = await logInNewUser(service);
const { holdall: bob, username: bobName } = await logInNewUser(service);
const { id: bobId } = await bob.account.profile();

/** A new shared drive of Ann, with Bob as a member. Returns it as both see it. */
async function newDrive(role: DriveRole = 'EDITOR') {
  const { id } = await ann.drives.create({ name: 'Team', members: [{ username: bobName, role }] });
  return { id, asAnn: ann.inDrive(id), asBob: bob.inDrive(id) };
}

/** Reads events until one is of this kind. */
async function next<Kind extends DriveEvent['kind']>(
  events: AsyncGenerator<DriveEvent>,
  kind: Kind,
): Promise<DriveEvent & { readonly kind: Kind }> {
  for (;;) {
    const { value } = await events.next();
    assert.ok(value, 'the events have ended');
    if (value.kind === kind) return value as DriveEvent & { readonly kind: Kind };
  }
}

describe('shared drives', () => {
  test('are created, renamed, deleted and restored', async () => {
    const { id, role } = await ann.drives.create({ name: 'Plans' });
    assert.equal(role, 'MANAGER');
    assert.equal((await ann.drives.rename(id, 'Old plans')).name, 'Old plans');
    const [personal, ...shared] = await ann.drives.list();
    assert.deepEqual([personal?.kind, personal?.name], ['PERSONAL', null]);
    assert.ok(shared.some((drive) => drive.id === id && drive.name === 'Old plans'));
    await ann.drives.delete(id, 'Old plans');
    await assert.rejects(ann.inDrive(id).drive.list().toArray(), NotFoundError);
    assert.deepEqual(
      (await ann.drives.listDeleted()).map((drive) => drive.id),
      [id],
    );
    assert.equal((await ann.drives.restore(id)).deletedAt, null);
  });

  test('have members with roles', async () => {
    const { id } = await ann.drives.create({ name: 'Team' });
    assert.equal((await ann.drives.people(bobName))[0]?.accountId, bobId);
    const added = await ann.drives.members.add(id, { username: bobName, role: 'VIEWER' });
    assert.deepEqual([added.accountId, added.role], [bobId, 'VIEWER']);
    await assert.rejects(ann.drives.members.add(id, { username: bobName, role: 'VIEWER' }), ConflictError);
    await assert.rejects(bob.inDrive(id).drive.makeDirectory('/no'), ForbiddenError);
    assert.equal((await ann.drives.members.setRole(id, bobId, 'EDITOR')).role, 'EDITOR');
    await bob.inDrive(id).drive.makeDirectory('/yes');
    assert.equal((await bob.drives.members.list(id)).length, 2);
    await ann.drives.members.remove(id, bobId);
    await assert.rejects(bob.drives.members.list(id), NotFoundError);
    await ann.drives.members.add(id, { username: bobName, role: 'MANAGER' });
    await ann.drives.members.leave(id);
    assert.ok(!(await ann.drives.list()).some((drive) => drive.id === id));
  });

  test('tell who has changed what', async () => {
    const { id, asBob } = await newDrive();
    await asBob.drive.makeDirectory('/by-bob');
    const [newest] = await ann.drives.activity(id).toArray();
    assert.deepEqual([newest?.accountId, newest?.path], [bobId, '/by-bob']);
    assert.equal((await asBob.drive.find('/by-bob'))?.changedBy?.accountId, bobId);
  });

  test('are administered', async () => {
    const admin = new Holdall({ url: service.url });
    await admin.auth.logIn('admin', ADMIN_PASSWORD);
    const { id } = await newDrive();
    const { drives } = admin.admin;
    assert.ok((await drives.list({ kind: 'SHARED' }).toArray()).some((drive) => drive.id === id));
    assert.equal((await drives.setLimits(id, { maxEntries: 7 })).maxEntries, 7);
    assert.equal((await drives.setMember(id, bobId, 'MANAGER')).role, 'MANAGER');
    assert.equal((await drives.members(id)).length, 2);
    await drives.delete(id, 'Team');
    assert.equal((await drives.restore(id)).deletedAt, null);
  });
});

describe('in a shared drive', () => {
  test('files are uploaded, downloaded, searched, and shared', async () => {
    const { id, asAnn, asBob } = await newDrive();
    const small = await asAnn.uploads.put('small', { filename: 'small.txt' });
    assert.equal(small.driveId, id);
    assert.equal(await (await asBob.downloads.open(small.id)).text(), 'small');
    await assert.rejects(bob.downloads.open(small.id), NotFoundError);
    const { url } = await asBob.downloads.signedUrl(small.id);
    assert.equal(await (await fetch(url)).text(), 'small');
    assert.equal((await asBob.downloads.openZip([small.id])).contentType, 'application/zip');
    await asBob.versions.replace(small.id, 'edited');
    assert.equal((await asAnn.versions.list(small.id)).length, 1);
    assert.equal((await asBob.drive.search({ q: 'small' }).toArray()).length, 1);
    assert.equal((await bob.drive.search({ q: 'small' }).toArray()).length, 0);
    const session = await asBob.uploads.createSession({ path: '/', filename: 'b.bin', size: 1 });
    assert.equal((await asBob.uploads.cancelSession(session.sessionId)).status, 'CANCELLED');
    const share = await asAnn.shares.create({ fileId: small.id });
    assert.equal((await asBob.shares.list().toArray())[0]?.id, share.id);
    assert.equal(await (await anonymous.shares.visit(share.token).open()).text(), 'edited');
    assert.equal((await asBob.shares.visit(share.token).import('/copies')).driveId, id);
    const copies = await asBob.drive.find('/copies');
    const link = await asBob.folderLinks.create({ directoryId: copies?.id ?? 0, mode: 'VIEW' });
    assert.equal((await asAnn.folderLinks.list().toArray())[0]?.id, link.id);
    const { id: taskId } = await asBob.tasks.archive({ fileId: small.id, path: '/small.txt' });
    assert.equal((await asAnn.tasks.wait(taskId, { everyMs: 20 })).status, 'COMPLETED');
    await asAnn.drive.recycle(small.id);
    assert.equal((await asBob.bin.list().toArray()).length, 1);
    assert.deepEqual(await bob.bin.list().toArray(), []);
    await assert.rejects(asBob.bin.empty(), ForbiddenError);
  });

  test('large files are uploaded in pieces', async () => {
    const { id, asAnn, asBob } = await newDrive();
    const bytes = new Uint8Array(300_000).fill(7);
    const stop = new AbortController();
    let token = '';
    const onResumeToken = (text: string) => {
      token = text;
      stop.abort();
    };
    const { signal } = stop;
    await assert.rejects(asBob.uploads.put(bytes, { filename: 'large.bin' }, { onResumeToken, signal }));
    assert.equal(await asBob.uploads.offset(token), 0);
    assert.equal((await asBob.uploads.resume(token, bytes)).driveId, id);
    assert.deepEqual(await asAnn.downloads.bytes((await asAnn.drive.find('/large.bin'))?.id ?? 0), bytes);
  });

  test('events are those of the drive, and end with the membership', async () => {
    const { id, asAnn, asBob } = await newDrive();
    const events = asBob.events.watch();
    await next(events, 'ready');
    await bob.drive.makeDirectory('/personal');
    await asAnn.drive.makeDirectory('/shared');
    const { change, cursor } = await next(events, 'change');
    assert.equal(change.toPath, '/shared');
    assert.equal(cursor, await asAnn.events.newestCursor());
    await ann.drives.members.remove(id, bobId);
    await assert.rejects(next(events, 'change'), NotFoundError);
  });

  test('the stored files of a transfer are imported', async () => {
    const { id, asBob } = await newDrive();
    const sent = await ann.transfers.create({ mode: 'OFFLINE', files: [{ name: 'a.txt', size: 3 }] });
    const fileId = sent.files[0]?.id ?? '';
    await ann.transfers.upload(sent.sessionId, fileId, 'abc');
    assert.equal((await asBob.transfers.import(sent.sessionId, fileId, '/sent')).driveId, id);
  });

  test('the login is that of the personal drive', async () => {
    const { id } = await newDrive();
    const requests = recordingFetch();
    const { holdall } = await logInNewUser(service, { fetch: requests.fetch });
    const inDrive = holdall.inDrive(id);
    assert.equal((await inDrive.account.profile()).id, (await holdall.account.profile()).id);
    await inDrive.auth.logOut();
    assert.equal(await holdall.auth.isLoggedIn(), false);
  });
});

describe('between two drives', () => {
  test('entries are copied and moved', async () => {
    const { id, asBob } = await newDrive();
    const [personal] = await bob.drives.list();
    const file = await bob.uploads.put('mine', { filename: 'mine.txt' });
    const copy = await bob.drive.copyTo(file.id, { driveId: id, path: '/' });
    assert.equal(copy.driveId, id);
    const moved = await bob.drive.moveTo(file.id, { driveId: id, path: '/' }, 'RENAME');
    assert.deepEqual([moved.driveId, moved.path], [id, '/mine (2).txt']);
    assert.equal(await bob.drive.find('/mine.txt'), undefined);
    const back = await asBob.drive.moveTo(moved.id, { driveId: personal?.id ?? 0, path: '/' });
    assert.equal(back.driveId, personal?.id);
  });

  test('a search finds entries in all of them, or in another one', async () => {
    const { id, asBob } = await newDrive();
    await bob.drive.makeDirectory('/everywhere');
    await asBob.drive.makeDirectory('/everywhere');
    const drives = async (holdall: Holdall, drive: number | 'all') =>
      (await holdall.drive.search({ q: 'everywhere', drive }).toArray()).map((entry) => entry.driveId);
    assert.equal((await drives(bob, 'all')).length, 2);
    assert.equal((await drives(asBob, 'all')).length, 2);
    assert.deepEqual(await drives(bob, id), [id]);
  });

  test('the personal stream announces a change of the list of drives', async () => {
    const events = bob.events.watch();
    await next(events, 'ready');
    const { id } = await newDrive();
    const { cursor } = await next(events, 'drives');
    assert.ok((await bob.drives.list()).some((drive) => drive.id === id));
    assert.equal(cursor, await bob.events.newestCursor());
    await events.return();
  });
});
