// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { formOf, type Person } from '../support/app/person.ts';
import { CHANGES, newestOf, readChanges } from '../support/events/changes.ts';
import { EVENTS, EventReader, refusedStream, type StreamOptions } from '../support/events/event-reader.ts';

/** The heartbeat interval: streams must get their events from messages, not from the periodic check. */
const NEVER_MS = 3_600_000;
const holdall = await startHoldall({ eventBeatMs: NEVER_MS });
const open: EventReader[] = [];
after(() => {
  for (const reader of open) reader.close();
});
const ann = await holdall.register('ann');

async function follow(person: Person, options: StreamOptions = {}): Promise<EventReader> {
  const reader = await EventReader.open(person, options);
  open.push(reader);
  return reader;
}

describe('a stream', () => {
  test('begins with READY and then sends the events as documented', async () => {
    const nextCursor = await newestOf(ann);
    const reader = await follow(ann, {
      headers: { 'x-service-client-id': 'ann-1' },
      query: { path: 'letters/' },
    });
    const { headers } = reader;
    assert.match(headers['content-type'] ?? '', /^text\/event-stream\b/);
    assert.equal(headers['x-accel-buffering'], 'no');
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    const ready = await reader.next();
    const { createdAt, ...data } = ready.data;
    assert.deepEqual(data, {
      eventType: 'READY',
      path: '/letters',
      clientId: 'ann-1',
      lastEventId: nextCursor,
    });
    assert.match(createdAt, /^\d{4}-.*Z$/);
    assert.equal(ready.id, nextCursor);

    const record = await ann.ask<EntryRecord>('POST', '/api/files/upload', {
      body: formOf('/letters/ä 1.txt', 'hello'),
      headers: { 'x-service-client-id': 'ann-2' },
    });
    const [created, ...others] = (await reader.events(2)).slice(1);
    assert.deepEqual(others, []);
    const { items } = await readChanges(ann, { cursor: (created?.id ?? 0) - 1 });
    const { id, createdAt: at, ...rest } = items[0] ?? {};
    assert.deepEqual(created, { id, event: 'CREATED', data: { ...rest, createdAt: at } });
    assert.deepEqual(rest, {
      eventType: 'CREATED',
      fileId: record.id,
      fromPath: null,
      toPath: '/letters/ä 1.txt',
      clientId: 'ann-2',
      payload: payloadOf(record),
    });
    reader.close();
  });

  test('has only the events of its owner', async () => {
    const bob = await holdall.register('bob');
    const [ofAnn, ofBob] = [await follow(ann), await follow(bob)];
    await bob.mkdir('/of bob');
    await ann.mkdir('/of ann');
    assert.deepEqual(
      [...(await ofAnn.events(1)), ...(await ofBob.events(1))].map(({ data }) => data.toPath),
      ['/of ann', '/of bob'],
    );
  });

  test('of a path has the events with one of their paths at or below it, by whole segments', async () => {
    await ann.mkdir('/a');
    await ann.mkdir('/ab');
    const reader = await follow(ann, { query: { path: '/a' } });
    const away = await ann.upload('/ab/file', 'x');
    const file = await ann.upload('/a/file', 'x');
    await ann.rename(away, 'a');
    await ann.move(file, '/ab');
    await ann.move(file, '/');
    await ann.move(file, '/a');
    const directory = (await ann.list()).items.find(({ filename }) => filename === 'a');
    assert.ok(directory);
    await ann.rename(directory, 'aa');
    await ann.rename(directory, 'a');
    await ann.recycle(directory);
    const found = await reader.events(6);
    assert.deepEqual(
      found.map(({ event, data }) => [event, data.fromPath, data.toPath]),
      [
        ['CREATED', null, '/a/file'],
        ['MOVED', '/a/file', '/ab/file'],
        ['MOVED', '/file', '/a/file'],
        ['RENAMED', '/a', '/aa'],
        ['RENAMED', '/aa', '/a'],
        ['DELETED', '/a', null],
      ],
    );
  });

  test('leaves out the events of its own client, named by a header or a query parameter', async () => {
    const byHeader = await follow(ann, { headers: { 'x-service-client-id': 'me' } });
    const byQuery = await follow(ann, { query: { clientId: 'me' } });
    const unnamed = await follow(ann);
    const mkdir = (path: string, client?: string) =>
      ann.ask('POST', '/api/files/mkdir', {
        body: { path },
        headers: client === undefined ? {} : { 'x-service-client-id': client },
      });
    await mkdir('/by me', 'me');
    await mkdir('/by another', 'another');
    await mkdir('/by an unnamed client');
    const pathsOf = async (reader: EventReader, count: number) =>
      (await reader.events(count)).map(({ data }) => data.toPath);
    assert.deepEqual(await pathsOf(byHeader, 2), ['/by another', '/by an unnamed client']);
    assert.deepEqual(await pathsOf(byQuery, 2), ['/by another', '/by an unnamed client']);
    assert.deepEqual(await pathsOf(unnamed, 3), ['/by me', '/by another', '/by an unnamed client']);
  });

  test('needs a login, which may be a query parameter, and rejects invalid paths', async () => {
    const anonymous = ann.with(undefined);
    assert.deepEqual(await refusedStream(anonymous), [401, 2401]);
    assert.deepEqual(await refusedStream(anonymous, { query: { access_token: 'x' } }), [401, 2401]);
    assert.deepEqual(await refusedStream(ann, { query: { path: '/a/../b' } }), [400, 2400]);
    await anonymous.refused(401, 2401, 'GET', `${CHANGES}?access_token=${ann.token}`);
    await anonymous.refused(401, 2401, 'GET', `/api/v2/files/1?access_token=${ann.token}`);
    await anonymous.refused(
      401,
      2401,
      'GET',
      `${EVENTS}?access_token=${ann.token}&access_token=${ann.token}`,
    );
    const reader = await follow(anonymous, { query: { access_token: ann.token } });
    await ann.mkdir('/by query');
    assert.equal((await reader.events(1))[0]?.data.toPath, '/by query');
  });

  test('answers HEAD with headers only', async () => {
    const response = await ann.fetch('HEAD', EVENTS);
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream\b/);
    assert.equal(await response.text(), '');
  });

  test('is rejected for a person with too many streams, but not for others', async () => {
    const carl = await holdall.register('carl');
    const readers = await Promise.all(Array.from({ length: 64 }, () => follow(carl)));
    assert.deepEqual(await refusedStream(carl), [429, 2429]);
    await follow(ann);
    readers[0]?.close();
    const replacement = await untilOpen(carl);
    await carl.mkdir('/for all');
    for (const reader of [...readers.slice(1), replacement]) {
      assert.equal((await reader.events(1))[0]?.data.toPath, '/for all');
      reader.close();
    }
  });
});

/** Opens a stream. Retries, because a closed stream counts until the service notices its end. */
async function untilOpen(person: Person): Promise<EventReader> {
  let reader: EventReader | undefined;
  await waitUntil('the service takes another stream', async () => {
    reader = await follow(person).catch(() => undefined);
    return reader !== undefined;
  });
  return reader ?? assert.fail();
}

function payloadOf({ filename, path, directory, size, contentType }: EntryRecord) {
  return { filename, path, directory, size, contentType };
}
