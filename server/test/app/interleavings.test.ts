// tier: default
// runs on: sqlite
// Changes between two statements of a request, a moment that random races hardly ever hit. A second
// connection makes the change right after the first of the two statements.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { Failure } from '../../src/base/failure.ts';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { spendUnit } from '../../src/shares/queries.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { PASSWORD, type Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { sqliteFile } from '../support/database/open-database.ts';
import { TusUpload } from '../support/uploads/tus.ts';

const DAY = 86_400_000;
const NO_SIGNAL = new AbortController().signal;

let onQuery: (sql: string) => void = () => {};
const holdall = await startHoldall({ onQuery: ({ sql }) => onQuery(sql) });
const { app, clock } = holdall;

afterEach(() => checkBooks(holdall));

/**
 * Calls `change` once, after the first statement that matches. Returns a function that checks that it was
 * called.
 */
function changeAfter(statement: RegExp, change: () => void): () => void {
  let wasCalled = false;
  onQuery = (sql) => {
    if (!statement.test(sql)) return;
    onQuery = () => {};
    wasCalled = true;
    change();
  };
  return () => assert.ok(wasCalled, `no statement matches ${statement}`);
}

/** Runs a statement as another instance would. */
function runElsewhere(statement: string, ...parameters: unknown[]): void {
  const connection = new Sqlite(sqliteFile(holdall.dataDir));
  try {
    const { changes } = connection.prepare(statement).run(...parameters);
    assert.equal(changes, 1, statement);
  } finally {
    connection.close();
  }
}

test('a login is rejected if its password changes while it is checked', async () => {
  const ann = await holdall.register('ann');
  const checkCalled = changeAfter(/select .*"password_hash".* from "account"/s, () =>
    runElsewhere('update account set password_hash = ? where username = ?', 'another', ann.username),
  );
  await assert.rejects(ann.logIn(), /401/);
  checkCalled();
});

test('a session that ends while it changes the password gets no new session', async () => {
  const ann = await holdall.register('ann');
  const newPassword = `${PASSWORD}!`;
  const checkCalled = changeAfter(/select .*"password_hash".* from "account"/s, () =>
    runElsewhere('delete from session where account_id = ?', ann.id),
  );
  const body = { currentPassword: PASSWORD, newPassword };
  await ann.refused(401, 1001, 'POST', '/api/user/password', { body });
  checkCalled();
  await ann.with(undefined).logIn(PASSWORD);
});

for (const [what, end] of [
  ['that expires', async () => clock.advance(2 * DAY)],
  ['whose file is deleted', (owner: Person, file: EntryRecord) => owner.recycle(file)],
] as const) {
  test(`a share ${what} between its look-up and its download spends nothing`, async () => {
    const owner = await holdall.register('owner');
    const file = await owner.upload('/shared', 'the bytes');
    const expiresAt = new Date(clock.now() + DAY).toISOString();
    await owner.ask('POST', '/api/v2/shares', { body: { fileId: file.id, expiresAt } });
    const { id } = await app.database.db
      .selectFrom('share')
      .select('id')
      .where('entry_id', '=', file.id)
      .executeTakeFirstOrThrow();
    const spend = () => app.database.transact((tx) => spendUnit(tx, id, 'download', clock.now()));
    assert.notEqual(await spend(), undefined);
    await end(owner, file);
    assert.equal(await spend(), undefined);
  });
}

test('a tree that is deleted again while expired ones are looked up is not purged', async () => {
  const owner = await holdall.register('owner');
  const file = await owner.upload('/kept', 'bytes');
  await owner.recycle(file);
  clock.advance(60 * DAY);
  const checkCalled = changeAfter(/from "entry".*"deleted_at" <=/s, () =>
    runElsewhere('update entry set deleted_at = ? where id = ?', clock.now(), file.id),
  );
  await app.drive.bin.purgeExpired(NO_SIGNAL);
  checkCalled();
  const kept = await app.database.db.selectFrom('entry').select('id').where('id', '=', file.id).execute();
  assert.equal(kept.length, 1);
});

test('a blob gets no reference once its removal has begun', async () => {
  const owner = await holdall.register('owner');
  const file = await owner.upload('/purged', 'the bytes of a blob');
  const { blob_id: blobId } = await app.database.db
    .selectFrom('entry')
    .select('blob_id')
    .where('id', '=', file.id)
    .executeTakeFirstOrThrow();
  await owner.recycle(file);
  await owner.purge(file);
  runElsewhere('update blob set removing_at = ? where id = ?', clock.now(), blobId);
  const isUnavailable = (error: unknown) => error instanceof Failure && error.kind === 'unavailable';
  await assert.rejects(
    app.database.transact((tx) => app.blobs.addReference(tx, blobId ?? 0)),
    isUnavailable,
  );
  runElsewhere('update blob set removing_at = null where id = ?', blobId);
});

test('a request records no bytes once its writer lock was taken over', async () => {
  const owner = await holdall.register('owner');
  const upload = await TusUpload.create(owner, 'slow', 10);
  const rest = Promise.withResolvers<void>();
  const sending = upload.patch(
    0,
    ReadableStream.from(
      (async function* () {
        yield Buffer.from('slow ');
        await rest.promise;
        yield Buffer.from('bytes');
      })(),
    ),
  );
  const findWriter = async () => {
    const row = app.database.db.selectFrom('upload_session').select('writer').where('id', '=', upload.id);
    return (await row.executeTakeFirstOrThrow()).writer;
  };
  while ((await findWriter()) === null) await setImmediate();
  runElsewhere('update upload_session set writer = ? where id = ?', 'another', upload.id);
  rest.resolve();
  assert.equal((await sending).status, 423);
  assert.equal(await findWriter(), 'another', 'the end of the request releases no lock of another');
  runElsewhere('update upload_session set writer = null where id = ?', upload.id);
  assert.equal(await upload.offset(), 0);
  assert.equal((await upload.patch(0, 'new  bytes')).status, 204);
  const file = (await owner.list()).items.find(({ filename }) => filename === 'slow');
  assert.equal(String(await owner.download(file ?? assert.fail())), 'new  bytes');
});

test('a request ends soon after another instance requests its writer lock, and its bytes count', {
  timeout: 60_000,
}, async () => {
  const owner = await holdall.register('owner');
  const upload = await TusUpload.create(owner, 'replaced', 10);
  const rest = Promise.withResolvers<void>();
  const sending = upload.patch(
    0,
    ReadableStream.from(
      (async function* () {
        yield Buffer.from('slow ');
        await rest.promise;
      })(),
    ),
  );
  const findWriter = async () => {
    const row = app.database.db.selectFrom('upload_session').select('writer').where('id', '=', upload.id);
    return (await row.executeTakeFirstOrThrow()).writer;
  };
  while ((await findWriter()) === null) await setImmediate();
  runElsewhere('update upload_session set next_writer = ? where id = ?', 'another', upload.id);
  const answer = await sending;
  rest.resolve();
  assert.equal(answer.status, 423);
  assert.equal(await findWriter(), null);
  assert.equal(await upload.offset(), 5);
  assert.equal((await upload.patch(5, 'bytes')).status, 204);
});

test('a chunk is rejected if another request passes its offset after the check', async () => {
  const owner = await holdall.register('owner');
  const upload = await TusUpload.create(owner, 'passed', 6);
  assert.equal((await upload.patch(0, 'abc')).status, 204);
  const setReceived = (bytes: number) =>
    runElsewhere('update upload_session set received_bytes = ? where id = ?', bytes, upload.id);
  setReceived(0);
  // As if another request had stored these bytes.
  const checkCalled = changeAfter(/select .* from "upload_session"/s, () => setReceived(3));
  assert.equal((await upload.patch(0, 'abc')).status, 409);
  checkCalled();
  assert.equal((await upload.patch(3, 'def')).status, 204);
  const file = (await owner.list()).items.find(({ filename }) => filename === 'passed');
  assert.equal(String(await owner.download(file ?? assert.fail())), 'abcdef');
});
