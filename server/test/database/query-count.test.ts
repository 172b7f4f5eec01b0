// tier: full
// runs on: sqlite, postgres
// needs: process
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { onQueryOfRequest } from '../support/database/request-queries.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { readChanges } from '../support/events/changes.ts';
import { EventReader } from '../support/events/event-reader.ts';
import { linkFolder, Visitor } from '../support/folder-links/folder-links.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';
import { cancelTask, getTask, listTasks, queueTask } from '../support/tasks/tasks.ts';
import { type PeerSession, TRANSFERS } from '../support/transfer/transfer.ts';
import { openSession } from '../support/uploads/upload-session.ts';

// The number of statements of a request must not grow with the contents of the drive.

let statements: string[] = [];
const holdall = await startHoldall({
  // Otherwise statements of background tasks would be counted.
  env: { HOLDALL_WORKER_CONCURRENCY: '0' },
  // Disables periodic work, whose statements would also be counted.
  eventBeatMs: 3_600_000,
  onQuery: onQueryOfRequest((sql) => statements.push(sql)),
});
await withoutDirect(holdall);
const alice = await holdall.register('alice');

const deepPath = '/deep'.repeat(40);
const wide = await Promise.all(
  Array.from({ length: 150 }, (_, number) => alice.upload(`/wide/${number}`, 'x')),
);
const [inWide] = wide;
assert.ok(inWide);
const inDeep = await alice.upload(`${deepPath}/file`, 'x');
const inRoot = await alice.upload('/file', 'x');
for (const number of [1, 2, 3]) await alice.upload(`/pictures/${number}`, 'x', 'image/png');
const places: readonly [string, string, EntryRecord][] = [
  ['the root', '/', inRoot],
  ['a wide directory', '/wide', inWide],
  ['a deep directory', deepPath, inDeep],
];

async function count(act: () => Promise<unknown>): Promise<number> {
  statements = [];
  await act();
  return statements.length;
}

async function assertCount(expected: number, act: () => Promise<unknown>): Promise<void> {
  assert.equal(await count(act), expected, statements.join('\n'));
}

test('a request with a token looks up its owner with one statement', () =>
  assertCount(1, () => alice.ask('GET', '/api/v2/site/ping')));

test('simultaneous requests of a session share one statement, and later ones see the session end', async () => {
  const bob = await holdall.register('bob');
  const { accounts } = holdall.app;
  const find = () => accounts.findCaller({ kind: 'bearer', token: bob.token }, '198.51.100.1');
  await assertCount(1, async () => {
    const callers = await Promise.all(Array.from({ length: 20 }, find));
    assert.deepEqual(new Set(callers.map((caller) => caller?.username)), new Set([bob.username]));
  });
  await bob.ask('POST', '/api/auth/logout');
  assert.equal(await find(), undefined);
});

test('a request without a token takes no statement', () =>
  assertCount(0, () => holdall.anonymous.ask('GET', '/api/v2/site/ping')));

for (const [where, path, file] of places) {
  describe(`a request in ${where}`, () => {
    // This path is too deep to be looked up by one statement.
    const isDeep = path === deepPath;

    for (const order of ['asc', 'desc']) {
      test(`lists a page of 100 with ${isDeep ? 'three' : 'two'} statements (${order})`, () =>
        assertCount(isDeep ? 3 : 2, async () =>
          assert.ok((await alice.list(path, { size: 100, order })).total > 0),
        ));
    }

    test('lists an empty page with three statements, one of which looks for the directory', () =>
      assertCount(3, async () => assert.deepEqual((await alice.list(path, { page: 9_999 })).items, [])));

    test('downloads a file with two statements', () => assertCount(2, () => alice.download(file)));

    test('uploads a file with eight statements', () =>
      assertCount(8, () => alice.upload(`${path}/new`, 'x')));

    test('renames a file with seven statements', () => assertCount(7, () => alice.rename(file, 'renamed')));

    test('creates missing directories with three statements each, and one to charge them all', async () => {
      await assertCount(12, () => alice.upload(`${path}/missing/new`, 'x'));
      await assertCount(18, () => alice.upload(`${path}/missing/one/two/three/new`, 'x'));
    });
  });
}

test('replacing content takes the same number of statements for any directory and any versions', async () => {
  const counts: number[] = [];
  for (const [, , { id }] of [...places, ...places]) {
    counts.push(await count(() => alice.ask('PUT', `/api/v2/files/${id}/content`, { body: 'other' })));
  }
  assert.deepEqual(new Set(counts), new Set([counts[0]]));
});

test('a star takes the same number of statements in any directory, and fewer if already set', async () => {
  for (const [, , { id }] of places) {
    await assertCount(7, () => alice.ask('PUT', `/api/v2/files/${id}/star`));
    await assertCount(5, () => alice.ask('PUT', `/api/v2/files/${id}/star`));
  }
});

for (const size of [1, 100]) {
  test(`the ${size} most recent files take four statements`, () =>
    assertCount(4, async () => assert.equal((await alice.recent(size)).length, size)));
}

/** On SQLite, one more statement first finds out whether a read may be long. */
const sizing = isPostgres ? 0 : 1;

for (const size of [1, 100]) {
  test(`${size} of the starred entries take four statements, and ${size} of the timeline four`, async () => {
    await alice.ask('PUT', `/api/v2/files/${inRoot.id}/star`);
    await assertCount(4 + sizing, () => alice.ask('GET', `/api/v2/files/starred?size=${size}`));
    await assertCount(4, () => alice.ask('GET', `/api/v2/files/timeline?size=${size}`));
  });
}

test('the months of the timeline take two statements', () =>
  assertCount(2 + sizing, () => alice.ask('GET', '/api/v2/files/timeline/months')));

for (const [what, query, statements] of [
  ['nothing', '', 3],
  ['a part of a name', 'name=1', 3],
  ['a name', 'name=149&type=file', 3],
  ['all files below a directory', 'type=file&path=/wide', 4],
  ['words', 'q=1 4', 3],
  ['words in files of a kind', 'q=1 4 9&kind=OTHER&modifiedFrom=2000-01-01', 3],
  ['words below a directory', 'q=1&under=/wide&kind=OTHER', 4],
] as const) {
  for (const size of [1, 100]) {
    test(`a search for ${what} takes the same number of statements for a page of ${size}`, () =>
      assertCount(statements + sizing, () => alice.ask('GET', `/api/v2/files/search?${query}&size=${size}`)));
  }
}

describe('a tree of any size', () => {
  const fill = async (path: string, files: number) => {
    const tree = await alice.mkdir(path);
    for (let number = 0; number < files; number += 1) await alice.upload(`${path}/below/${number}`, 'x');
    return tree;
  };

  test('is moved, deleted, restored and purged with the same number of statements', async () => {
    const small = await fill('/small tree', 1);
    const large = await fill('/large tree', 40);
    const acts: readonly ((tree: EntryRecord) => Promise<unknown>)[] = [
      (tree) => alice.move(tree, '/Documents'),
      (tree) => alice.copy(tree, '/Pictures'),
      (tree) => alice.fetch('GET', `/api/files/download/${tree.id}`).then((response) => response.text()),
      (tree) => alice.recycle(tree),
      () => alice.bin(),
      (tree) => alice.restore(tree),
      (tree) => alice.recycle(tree),
      (tree) => alice.purge(tree),
    ];
    for (const act of acts) {
      const forSmall = await count(() => act(small));
      await assertCount(forSmall, () => act(large));
    }
  });
});

test('a large upload takes four more statements, which reserve its bytes and release them', async () => {
  // On PostgreSQL, one more statement lets the reservation commit without a flush.
  const committing = isPostgres ? 1 : 0;
  await assertCount(12 + committing, () => alice.upload('/wide/large', new Uint8Array(1_000_000)));
  await assertCount(8, () => alice.upload('/wide/small', new Uint8Array(500_000)));
});

test('an upload session takes as many statements for a large file as for an empty one', async () => {
  for (const size of [0, 1_000_000]) {
    const { session, calls } = await openSession(alice, { path: '/wide', filename: `of ${size}`, size });
    await assertCount(7, () => openSession(alice, { path: '/wide', filename: 'other', size }));
    await assertCount(2, () => calls.get());
    await calls.send(new Uint8Array(size));
    await assertCount(14, () => calls.complete());
    // Reads the session again once its contents are durable.
    await assertCount(3, () => calls.complete());
    assert.equal(session.size, size);
  }
});

test('a file of an OFFLINE transfer takes the same number of statements among any number of files', async () => {
  for (const size of [1, 1_000]) {
    const files = Array.from({ length: size }, (_, index) => ({ name: `file ${index}`, size: 1 }));
    const body = { mode: 'OFFLINE', files };
    const made = await alice.ask<PeerSession>('POST', TRANSFERS, { body });
    const url = `${TRANSFERS}/${made.sessionId}/files/${made.files[0]?.id}/content`;
    const headers = { 'content-type': 'application/octet-stream' };
    await assertCount(9, () => alice.ask('POST', url, { body: 'x', headers }));
  }
});

test('the statements of a public share do not depend on the number of other shares', async () => {
  const { token } = await alice.ask<{ token: string }>('POST', '/api/v2/shares', {
    body: { fileId: inDeep.id },
  });
  const stranger = holdall.anonymous;
  await assertCount(2, () => stranger.ask('GET', `/api/v2/shares/${token}`));
  await assertCount(2, async () => {
    const response = await stranger.fetch('GET', `/api/v2/shares/${token}?download`);
    assert.equal(response.status, 200);
    await response.arrayBuffer();
  });
});

test('the statements of a folder link depend neither on the depth nor on the number of entries', async () => {
  const read = await alice.upload(`${deepPath}/for visitors`, 'x');
  const visitor = new Visitor(holdall.url, await linkFolder(alice, null, { mode: 'BOTH' }));
  await assertCount(1, () => visitor.see());
  for (const path of ['/wide', deepPath]) await assertCount(3, () => visitor.entries(path));
  await assertCount(2, () => visitor.read(read.path));
});

test('the statements of a task do not depend on the number of tasks', async () => {
  // On PostgreSQL, a notification takes one more statement.
  const notifying = isPostgres ? 1 : 0;
  const file = await alice.upload(`${deepPath}/for tasks`, 'x');
  for (const queued of [0, 50]) {
    for (let count = 0; count < queued; count += 1) await queueTask(alice, file);
    // Three of these statements lock the drive and the account, and count its unfinished tasks.
    await assertCount(7 + notifying, () => queueTask(alice, file));
    const task = await queueTask(alice, file, { correlationId: `of ${queued}` });
    await assertCount(2, () => queueTask(alice, file, { correlationId: `of ${queued}` }));
    await assertCount(3, () => listTasks(alice, '?size=100'));
    await assertCount(2, () => getTask(alice, task));
    await assertCount(4 + notifying, () => cancelTask(alice, task));
  }
});

test('the upload of a picture takes one more statement than that of another file', async () => {
  const notifying = isPostgres ? 1 : 0;
  await assertCount(8, () => alice.upload('/wide/new.bin', 'x'));
  await assertCount(9 + notifying, () => alice.upload('/wide/new.png', 'x'));
});

test('a page of changes takes three statements, however many changes there are', async () => {
  for (const limit of [1, 1_000]) await assertCount(3, () => readChanges(alice, { limit }));
});

test('an event stream starts with two statements, and new events are read once for all streams', async () => {
  const readers: EventReader[] = [];
  for (let number = 0; number < 20; number += 1) {
    await assertCount(2, async () => readers.push(await EventReader.open(alice)));
  }
  await assertCount(9, async () => {
    await alice.upload('/told to all', 'x');
    for (const reader of readers) await reader.events(1);
  });
  for (const reader of readers) reader.close();
});

test('a thumbnail takes two statements, made or cached', async () => {
  const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: '#123456' } });
  const { id } = await alice.upload('/photo.jpg', Buffer.from(await picture.jpeg().toBuffer()));
  for (let turn = 0; turn < 2; turn += 1) {
    await assertCount(2, async () => {
      const { status } = await alice.fetch('GET', `/api/v2/files/${id}/thumbnail?size=256`);
      assert.equal(status, 200);
    });
  }
});

test('an administrator’s list takes as many statements for one row as for many', async () => {
  const admin = await holdall.admin();
  await alice.ask('POST', '/api/v2/shares', { body: { fileId: inWide.id } });
  await alice.ask('POST', '/api/v2/shares', { body: { fileId: inRoot.id } });
  for (const [path, expected] of [
    ['summary', 9 + sizing],
    ['users', 4 + sizing],
    ['users?query=alice', 4 + sizing],
    ['files', 6],
    ['files?query=1', 6],
    ['files?ownerQuery=alice', 6],
    ['file-blobs', 5 + 2 * sizing],
    ['file-blobs?userQuery=alice', 5 + sizing],
    ['shares', 7],
    ['shares?userQuery=alice&expired=false', 7],
    ['tasks', 5 + sizing],
    ['tasks?userQuery=alice&type=ARCHIVE&status=CANCELLED&leaseState=NONE', 5 + sizing],
    ['audits', 3 + sizing],
    ['storage-policies', 1],
  ] as const) {
    for (const size of [1, 100]) {
      const url = `/api/admin/${path}${path.includes('?') ? '&' : '?'}size=${size}`;
      await assertCount(expected, () => admin.ask('GET', url));
    }
  }
});
