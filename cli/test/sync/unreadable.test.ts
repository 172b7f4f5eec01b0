// tier: full
// runs on: sqlite
// needs: process
// Paths that the sync may not read. The tests fake the errors, because root may read everything.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { after, beforeEach, describe, test } from 'node:test';
import { startHoldall } from '../../../server/test/support/app/holdall.ts';
import { DisturbedPair, settle } from './disturbed-pair.ts';

const service = await startHoldall();

/** Directories that cannot be listed. */
const unlisted = new Set<string>();
const unseen = new Set<string>();

const { lstatSync, readdirSync } = fs;
const writable: { lstatSync: unknown; readdirSync: unknown } = fs;
writable.readdirSync = (file: string, ...rest: readonly []) => {
  if (unlisted.has(file)) throw Object.assign(new Error(`EACCES: ${file}`), { code: 'EACCES' });
  return readdirSync(file, ...rest);
};
writable.lstatSync = (file: string, ...rest: readonly []) => {
  if (unseen.has(file)) throw Object.assign(new Error(`EIO: ${file}`), { code: 'EIO' });
  return lstatSync(file, ...rest);
};
syncBuiltinESMExports();
after(() => {
  Object.assign(writable, { lstatSync, readdirSync });
  syncBuiltinESMExports();
});

beforeEach(() => {
  unlisted.clear();
  unseen.clear();
});

const FILES = { 'dir/a.txt': 'a', 'dir/deep/b.txt': 'b', 'c.txt': 'c' };

async function createSynced(): Promise<DisturbedPair> {
  const pair = await DisturbedPair.create(service, FILES);
  await settle();
  await pair.sync();
  return pair;
}

async function assertAllInDrive(pair: DisturbedPair): Promise<void> {
  for (const [file, content] of Object.entries(FILES)) assert.equal(await pair.readRemote(file), content);
}

describe('a sync does not treat as deleted', () => {
  test('the entries of a directory that cannot be listed', async () => {
    const pair = await createSynced();
    unlisted.add(pair.at('dir'));
    assert.match(await pair.sync(), /dir: EACCES/);
    await assertAllInDrive(pair);
  });

  test('an entry that cannot be examined', async () => {
    const pair = await createSynced();
    unseen.add(pair.at('dir'));
    assert.match(await pair.sync(), /dir: EIO/);
    await assertAllInDrive(pair);
  });

  for (const [what, paths] of [
    ['that cannot be examined', unseen],
    ['in a directory that cannot be listed', unlisted],
  ] as const) {
    test(`an entry ${what} by the time a watch reads it again`, async () => {
      const pair = await createSynced();
      const notes = await pair.sync({
        whenSynced: async (sync) => {
          paths.add(pair.at('dir')).add(pair.at('dir/deep')).add(pair.at('dir/a.txt'));
          // The entry is gone, or spelled differently.
          fs.renameSync(pair.at('dir/a.txt'), `${pair.local}-a.txt`);
          await sync.syncChanges(new Set(['dir/a.txt', 'dir/deep/b.txt']));
        },
      });
      assert.match(notes, /EIO|EACCES/);
      await assertAllInDrive(pair);
    });
  }
});
