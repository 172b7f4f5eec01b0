// tier: default
// runs on: sqlite
// A client that disconnects ends the work of its request.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { asDavClient } from '../../support/dav/dav-clients.ts';
import { waitFor } from '../../support/tasks/tasks.ts';

const holdall = await startHoldall();
const { drive, database } = holdall.app;
let alice: Person;
let directory: EntryRecord;

before(async () => {
  alice = await holdall.register('alice');
  directory = await alice.mkdir('/tree');
  await alice.mkdir('/tree/child');
});

/** Sends a request, and disconnects once `begun` resolves. */
async function sendAndDisconnect(
  send: (signal: AbortSignal) => Promise<unknown>,
  begun: PromiseWithResolvers<void>,
): Promise<void> {
  const leaving = new AbortController();
  const sent = send(leaving.signal);
  await Promise.race([begun.promise, sent]);
  leaving.abort();
  await assert.rejects(sent);
}

test('a directory download stops reading when its client disconnects', async (t) => {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { treeReader } = drive;
  const walk = treeReader.walk.bind(treeReader);
  t.mock.method(treeReader, 'walk', async function* (...parameters: Parameters<typeof walk>) {
    try {
      for (;;) {
        for await (const walked of walk(...parameters)) yield walked;
        begun.resolve();
        await nextTurn();
      }
    } finally {
      ended.resolve();
    }
  });
  const url = `/api/files/download/${directory.id}`;
  await sendAndDisconnect((signal) => alice.fetch('GET', url, { signal }), begun);
  await ended.promise;
});

for (const [what, url] of [
  ['a search', '/api/v2/files/search?name=x'],
  ['a listing', '/api/files/list?path=/'],
] as const) {
  test(`${what} leaves the queue of long reads when its client disconnects`, async (t) => {
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    t.mock.method(database, 'readBySize', (_isLong: unknown, _work: unknown, signal: AbortSignal) => {
      begun.resolve();
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          ended.resolve();
          reject(signal.reason);
        });
      });
    });
    await sendAndDisconnect((signal) => alice.fetch('GET', url, { signal }), begun);
    await ended.promise;
  });
}

test('PROPFIND stops reading the directory when its client disconnects', async (t) => {
  const begun = Promise.withResolvers<void>();
  const { listing } = drive;
  const first = (await listing.listAfter(directory.id, undefined, 1))[0] ?? assert.fail();
  let pages = 0;
  t.mock.method(listing, 'listAfter', async () => {
    pages += 1;
    begun.resolve();
    await nextTurn();
    return Array.from({ length: 1_000 }, () => first);
  });
  const { authorization } = await asDavClient(alice);
  const headers = { depth: '1', authorization };
  const send = async (signal: AbortSignal) => {
    const response = await alice.fetch('PROPFIND', '/dav/tree/', { headers, signal });
    await response.text();
  };
  await sendAndDisconnect(send, begun);
  // The service may read one more page after the client has left.
  let before = -1;
  const readPages = async () => {
    const read = pages - before;
    before = pages;
    for (let turn = 0; turn < 100; turn += 1) await nextTurn();
    return read;
  };
  await waitFor(readPages, (read) => read === 0, 'the end of the reading');
});

test('a request completes if its client stays connected', async () => {
  const response = await alice.fetch('GET', `/api/files/download/${directory.id}`);
  assert.equal(response.status, 200);
  assert.ok((await response.arrayBuffer()).byteLength > 0);
});
