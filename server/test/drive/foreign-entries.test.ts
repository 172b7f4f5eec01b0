// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import { startHoldall } from '../support/app/holdall.ts';

const holdall = await startHoldall();
const alice = await holdall.register('alice');
const mallory = await holdall.register('mallory');

const live = await alice.upload('/live/file', 'secret');
const directory = await alice.mkdir('/live/directory');
const binned = await alice.mkdir('/binned');
const belowBinned = await alice.upload('/binned/file', 'secret');
await alice.recycle(binned);

const ownLive = await mallory.upload('/own', 'x');
const ownBinned = await mallory.mkdir('/own binned');
const ownBelowBinned = await mallory.upload('/own binned/file', 'x');
await mallory.recycle(ownBinned);
const purged = await mallory.upload('/purged', 'x');
await mallory.recycle(purged);
await mallory.purge(purged);

interface Route {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly code?: number;
}

const LIVE_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/api/files/download/ID' },
  { method: 'GET', path: '/api/files/download/ID/url' },
  { method: 'GET', path: '/api/v2/files/ID', code: 2404 },
  { method: 'PATCH', path: '/api/files/ID/rename', body: { filename: 'taken over' } },
  { method: 'PATCH', path: '/api/files/ID/move', body: { path: '/Documents' } },
  { method: 'POST', path: '/api/files/ID/copy', body: { path: '/Documents' } },
  { method: 'PUT', path: '/api/v2/files/ID/star', code: 2404 },
  { method: 'DELETE', path: '/api/v2/files/ID/star', code: 2404 },
  { method: 'DELETE', path: '/api/files/ID' },
];
const BIN_ROUTES: readonly Route[] = [
  { method: 'POST', path: '/api/files/recycle-bin/ID/restore' },
  { method: 'DELETE', path: '/api/files/recycle-bin/ID' },
];

const FOREIGN = {
  'a file of another user': live.id,
  'a directory of another user': directory.id,
  'a recycled directory of another user': binned.id,
  'a file in a recycled directory of another user': belowBinned.id,
  'an unknown id': 999_999_999,
  'the largest possible id': Number.MAX_SAFE_INTEGER,
  'a purged entry': purged.id,
  'a file in a recycled directory of my own': ownBelowBinned.id,
};

/** The default tier tries each route with only these. The others are not found for the same reasons. */
const MAIN_CASES: readonly string[] = [
  'a file of another user',
  'a file in a recycled directory of my own',
  'a recycled entry of my own',
  'a live entry of my own',
];

const matrix = [
  ...LIVE_ROUTES.map((route) => ({ route, ids: { ...FOREIGN, 'a recycled entry of my own': ownBinned.id } })),
  ...BIN_ROUTES.map((route) => ({ route, ids: { ...FOREIGN, 'a live entry of my own': ownLive.id } })),
];

for (const { route, ids } of matrix) {
  describe(`${route.method} ${route.path}`, () => {
    const messages = new Set<string>();
    const { method, path, body, code = 1003 } = route;
    for (const [whose, id] of Object.entries(ids)) {
      test(
        `does not find ${whose}, and changes nothing`,
        MAIN_CASES.includes(whose) ? {} : inFull,
        async () => {
          const before = [await alice.state(), await mallory.state()];
          const answer = await mallory.refused(404, code, method, path.replace('ID', String(id)), { body });
          messages.add(answer.msg);
          assert.deepEqual([await alice.state(), await mallory.state()], before);
        },
      );
    }

    test('answers the same message in every case', () =>
      assert.equal(messages.size, 1, [...messages].join('\n')));

    test('requires a login', async () => {
      const family = path.startsWith('/api/v2/') ? 2401 : 1001;
      for (const id of [live.id, 999_999_999, 'abc'])
        await holdall.anonymous.refused(401, family, method, path.replace('ID', String(id)), { body });
    });
  });
}

test('a path that only exists in the drive of another user is not found', async () => {
  await mallory.refused(404, 1003, 'GET', '/api/files/list?path=/live');
  await mallory.refused(404, 1003, 'PATCH', `/api/files/${ownLive.id}/move`, { body: { path: '/live' } });
  assert.deepEqual(
    (await mallory.bin()).items.map((record) => record.id),
    [ownBinned.id],
  );
  assert.deepEqual(
    (await mallory.recent()).map((record) => record.id),
    [ownLive.id],
  );
});
