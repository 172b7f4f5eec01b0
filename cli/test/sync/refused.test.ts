// tier: full
// runs on: sqlite
import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import { describe, test } from 'node:test';
import { ProtocolError, UnreachableError } from '../../../client/src/client.ts';
import { startHoldall } from '../../../server/test/support/app/holdall.ts';
import type { SyncParts } from '../../src/sync/round/round.ts';
import { PairWatch } from '../../src/sync/watch-pair.ts';
import { DisturbedPair, settle } from './disturbed-pair.ts';

const service = await startHoldall();

function refusal(status: number): Response {
  return Response.json({ code: 1_000 + status, msg: 'refused', data: null }, { status });
}

describe('if the service rejects something, a sync', () => {
  test('does not trust a proxy that answers every request with 404', async () => {
    const pair = await DisturbedPair.create(service, { 'a.txt': 'a' });
    await settle();
    await pair.sync();
    await pair.edit('a.txt', 'edited');
    const lost: typeof fetch = async (url, request) =>
      /\/files\/\d+$/.test(String(url))
        ? new Response('404 page not found', { status: 404 })
        : await fetch(url, request);
    await assert.rejects(pair.sync({ fetch: lost }), ProtocolError);
    assert.equal(pair.read('a.txt'), 'a');
    await pair.sync();
    assert.equal(pair.read('a.txt'), 'edited');
  });

  test('stops if the service becomes unreachable in the middle', async () => {
    const files = Array.from({ length: 60 }, (_, index) => [`${index}.txt`, `${index}`]);
    const pair = await DisturbedPair.create(service, Object.fromEntries(files));
    let count = 0;
    const gone: typeof fetch = async (url, request) => {
      if (!/files\/upload$/.test(String(url))) return await fetch(url, request);
      count += 1;
      throw new TypeError('fetch failed');
    };
    await assert.rejects(pair.sync({ fetch: gone }), UnreachableError);
    assert.ok(count < 60, `${count}`);
    await pair.sync();
    assert.equal((await pair.person.tree('/pair')).length, 60);
  });

  for (const { what, status, mustRetry } of [
    { what: 'a temporary', status: 503, mustRetry: true },
    { what: 'a permanent', status: 403, mustRetry: false },
  ]) {
    test(`knows whether to try again after ${what} rejection`, async () => {
      const pair = await DisturbedPair.create(service, { 'a.txt': 'a' });
      let found: boolean | undefined;
      const notes = await pair.sync({
        fetch: async (url, request) =>
          /files\/upload$/.test(String(url)) ? refusal(status) : await fetch(url, request),
        whenSynced: async (sync) => {
          found = sync.mustRetry;
        },
      });
      assert.match(notes, /a\.txt: refused/);
      assert.equal(found, mustRetry);
    });
  }

  for (const [what, isDirectory] of [
    ['a file that was renamed and edited', false],
    ['a directory whose file was renamed and edited', true],
  ] as const) {
    test(`deletes ${what} in the drive only once the drive has the new one`, async () => {
      const from = isDirectory ? 'dir/a.txt' : 'a.txt';
      const pair = await DisturbedPair.create(service, { [from]: 'a', 'z.txt': 'z' });
      await settle();
      await pair.sync();
      renameSync(pair.at(from), pair.at('b.txt'));
      pair.write('b.txt', 'edited');
      rmSync(pair.at('dir'), { recursive: true, force: true });
      const notes = await pair.sync({
        fetch: async (url, request) =>
          /files\/upload$/.test(String(url)) ? refusal(403) : await fetch(url, request),
      });
      assert.match(notes, /b\.txt: refused/);
      assert.equal(await pair.readRemote(from), 'a');
      await pair.sync();
      assert.equal(await pair.readRemote('b.txt'), 'edited');
      await assert.rejects(pair.find(from), /is not in the drive/);
      assert.deepEqual(pair.names(), ['b.txt', 'z.txt']);
    });
  }

  test('that watches sends the rejected file again later', async () => {
    const pair = await DisturbedPair.create(service, { 'a.txt': 'a' });
    let count = 0;
    let known: SyncParts | undefined;
    const watched = pair.sync({
      fetch: async (url, request) => {
        if (!/files\/upload$/.test(String(url))) return await fetch(url, request);
        count += 1;
        return count > 2 ? await fetch(url, request) : refusal(503);
      },
      change: (parts) => {
        known = parts;
        return parts;
      },
      whenSynced: async (sync) => {
        assert.ok(known);
        // Ends the watch once it reports that everything is synced.
        await new PairWatch(known, sync).run(() => {
          throw new Error('synced');
        });
      },
    });
    await assert.rejects(watched, /synced/);
    assert.equal(await pair.readRemote('a.txt'), 'a');
    assert.equal(count, 3);
  });
});
