// tier: full
// runs on: s3
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from '../support/app/cluster.ts';
import { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { atEveryInstance, countStatuses, race } from '../support/checks/race.ts';
import { EventReader } from '../support/events/event-reader.ts';
import { queueTask, waitForStatus } from '../support/tasks/tasks.ts';
import { lookUp, openOnline, Peer } from '../support/transfer/transfer.ts';
import { uploadByClient } from '../support/uploads/tus-client.ts';
import { ok, openSession } from '../support/uploads/upload-session.ts';

// Three instances behave like one. nginx sends each request to the next of them.
const MIB = 1024 * 1024;
const cluster = await Cluster.start(3, {
  HOLDALL_DEFAULT_QUOTA_BYTES: String(20 * MIB),
  HOLDALL_RECYCLE_RETENTION: '2s',
  HOLDALL_CLEANUP_INTERVAL: '1s',
});
let alice: Person;

before(async () => {
  alice = await cluster.logIn('alice');
});

describe('login sessions', () => {
  test('are valid on every instance, and end on every instance', async () => {
    const phone = await cluster.logIn('alice', 'mobile');
    const clients = atEveryInstance(phone, cluster.doors);
    for (const client of clients) assert.equal((await client.list()).page, 0);
    await phone.ask('POST', '/api/auth/logout');
    const answers = await race(clients, 6, (client) => client.call('GET', '/api/files/list'));
    assert.deepEqual(countStatuses(answers), { 401: 6 });
    assert.equal((await alice.list()).page, 0);
  });

  test('can be renewed once, on any instance', async () => {
    const tablet = await cluster.logIn('bob', 'mobile');
    const { refreshToken } = tablet.login ?? assert.fail();
    const clients = atEveryInstance(tablet.with(undefined), cluster.doors);
    const answers = await race(clients, 9, (client) =>
      client.call('POST', '/api/auth/refresh', { body: { refreshToken } }),
    );
    assert.deepEqual(countStatuses(answers), { 200: 1, 401: 8 });
  });
});

describe('uploads', () => {
  test('in parts can continue on every instance', async () => {
    const bytes = randomBytes(17 * MIB);
    const { session, calls } = await openSession(alice, { filename: 'parts.bin', size: bytes.length });
    for (let index = 0; index < session.chunkCount; index += 1) {
      await calls.putPart(index, bytes.subarray(index * session.chunkSize, (index + 1) * session.chunkSize));
    }
    const clients = atEveryInstance(alice, cluster.doors);
    const answers = await race(clients, 9, (client) => calls.by(client).complete());
    const ids = new Set(answers.map((answer) => ok(answer).fileId));
    assert.equal(ids.size, 1);
    assert.ok((await alice.download({ id: [...ids][0] ?? 0 })).equals(bytes));
  });

  test('by tus can continue on every instance', async () => {
    const bytes = randomBytes(700_000);
    await uploadByClient(alice, { name: 'pieces.bin', bytes }, { chunkSize: 100_000 });
    const file = (await alice.list()).items.find(({ filename }) => filename === 'pieces.bin');
    assert.ok((await alice.download(file ?? assert.fail())).equals(bytes));
  });
});

test('two peers on different instances get their signals immediately', async () => {
  const sender = new Person('sender', cluster.url);
  const session = await openOnline(sender);
  const clients = atEveryInstance(sender, cluster.doors);
  const [first, , third] = clients;
  assert.ok(first && third);
  const waiting = new Peer(first, session).read(0, 20);
  const answers = await race(clients, 9, (client) =>
    client.call('POST', `/api/transfer/sessions/${session.sessionId}/join`),
  );
  assert.deepEqual(countStatuses(answers), { 200: 1, 409: 8 });
  assert.deepEqual(
    (await waiting).items.map(({ type }) => type),
    ['peer-joined'],
  );
});

test('an event of any instance reaches the readers of every instance, and of nginx', async () => {
  const dora = await cluster.logIn('dora');
  const clients = atEveryInstance(dora, [...cluster.doors, cluster.url]);
  const readers = await Promise.all(clients.map((client) => EventReader.open(client)));
  const paths = clients.map((_, index) => `/from ${index}`);
  for (const [index, client] of clients.entries()) await client.mkdir(paths[index] ?? '');
  for (const reader of readers) {
    const told = await reader.events(paths.length);
    assert.deepEqual(
      told.map(({ data }) => data.toPath),
      paths,
    );
    reader.close();
  }
});

test('tasks are shared by all instances, and each runs once', async () => {
  const erik = await cluster.logIn('erik');
  const clients = atEveryInstance(erik, cluster.doors);
  const directories = await race(clients, 12, (client, index) => client.mkdir(`/work/${index}`));
  const tasks = await race(clients, directories.length, (client, index) =>
    queueTask(client, directories[index] ?? assert.fail()),
  );
  for (const task of tasks) await waitForStatus(erik, task, 'COMPLETED');
  const archives = (await erik.list('/work', { size: 100 })).items.filter(({ directory }) => !directory);
  assert.deepEqual(
    archives.map(({ filename }) => filename).toSorted(),
    directories.map(({ filename }) => `${filename}.zip`).toSorted(),
  );
});

test('the budget of a share holds across instances', async () => {
  const { id: fileId } = await alice.upload('/shared.bin', 'shared');
  const share = await alice.ask<{ token: string }>('POST', '/api/v2/shares', {
    body: { fileId, maxDownloads: 5 },
  });
  const clients = atEveryInstance(new Person('anybody', cluster.url), cluster.doors);
  const answers = await race(clients, 30, (client) =>
    client.fetch('GET', `/api/v2/shares/${share.token}?download`),
  );
  const taken = answers.filter((answer) => answer.status < 400);
  assert.equal(taken.length, 5, answers.map((answer) => answer.status).join());
});

test('a quota holds across instances', async () => {
  const carol = await cluster.logIn('carol');
  const bytes = randomBytes(MIB);
  const answers = await race(atEveryInstance(carol, cluster.doors), 24, (client, index) => {
    const form = new FormData();
    form.set('file', new Blob([bytes]), `file-${index}`);
    return client.call('POST', '/api/files/upload', { body: form });
  });
  assert.deepEqual(countStatuses(answers), { 200: 20, 413: 4 });
});

test('wrong guesses are counted across instances', async () => {
  const clients = atEveryInstance(new Person('guesser', cluster.url), cluster.doors);
  // Sent one by one, because pending attempts also count.
  const statuses: number[] = [];
  for (let index = 0; index < 21; index += 1) {
    const client = clients[index % clients.length] ?? assert.fail();
    statuses.push((await lookUp(client, `ZZZZ${'23456789ABCDEFGHJKLMN'[index]}Z`)).status);
  }
  assert.deepEqual(statuses, [...Array(20).fill(404), 429]);
});

test('the clean-up runs on one of the instances', async () => {
  await alice.recycle(await alice.upload('/over.txt', 'over'));
  const patience = AbortSignal.timeout(60_000);
  while ((await alice.bin()).total > 0) await sleep(100, undefined, { signal: patience });
});

test('the books balance after all instances have worked', () => cluster.settle((app) => checkBooks({ app })));
