// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { describe, test } from 'node:test';
import { startHoldall } from '../../../server/test/support/app/holdall.ts';
import { removeMember, setRole } from '../../../server/test/support/drives/members.ts';
import { createSharedDrive, deleteDrive } from '../../../server/test/support/drives/shared-drives.ts';
import { VanishedDrive } from '../../src/sync/remote/pair-drive.ts';
import { beforeFirst, DisturbedPair, settle } from './disturbed-pair.ts';

const service = await startHoldall();
const ann = await service.register('ann');

/** A pair in a shared drive of Ann, which has been synced once. */
async function syncedPair(files: Readonly<Record<string, string>>) {
  let driveId = 0;
  const pair = await DisturbedPair.create(service, files, async (person) => {
    driveId = await createSharedDrive(service, [
      [ann, 'MANAGER'],
      [person, 'EDITOR'],
    ]);
    return driveId;
  });
  await settle();
  await pair.sync();
  return { pair, driveId };
}

describe('if the drive vanishes during a sync, nothing is deleted on this computer', () => {
  for (const [what, pattern, isFull] of [
    ['a changed entry is read', /GET .*\/files\/\d+$/, false],
    ['the directory is listed', /GET .*\/files\/list/, true],
    ['a file is uploaded', /POST .*\/files\/upload$/, false],
    ['a file is downloaded', /GET .*\/files\/download\/\d+$/, false],
    ['a file is deleted', /DELETE .*\/files\/\d+/, false],
  ] as const) {
    test(`when ${what}`, async () => {
      const { pair, driveId } = await syncedPair({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
      await pair.edit('a.txt', 'edited');
      pair.write('new.txt', 'new');
      rmSync(pair.at('c.txt'));
      const leave = () => removeMember(ann, driveId, pair.person);
      await assert.rejects(pair.sync({ fetch: beforeFirst(pattern, leave), isFull }), VanishedDrive);
      assert.equal(pair.read('b.txt'), 'b');
      assert.ok(['a', 'edited'].includes(pair.read('a.txt')));
      assert.equal(pair.read('new.txt'), 'new');
    });
  }

  test('when the drive is deleted', async () => {
    const { pair, driveId } = await syncedPair({ 'a.txt': 'a' });
    await pair.edit('a.txt', 'edited');
    const remove = () => deleteDrive(ann, { id: driveId, name: 'Team' });
    const send = beforeFirst(/GET .*\/files\/\d+$/, remove);
    await assert.rejects(pair.sync({ fetch: send }), VanishedDrive);
    assert.equal(pair.read('a.txt'), 'a');
  });
});

describe('if the role is lowered during a sync', () => {
  for (const [what, pattern] of [
    ['upload', /POST .*\/files\/upload$/],
    ['replacement', /PUT .*\/files\/\d+\/content/],
    ['deletion', /DELETE .*\/files\/\d+/],
  ] as const) {
    test(`the ${what} is held back, and done once the role allows it`, async () => {
      const { pair, driveId } = await syncedPair({ 'a.txt': 'a', 'b.txt': 'b', 'z.txt': 'z' });
      pair.write('a.txt', 'edited');
      pair.write('new.txt', 'new');
      rmSync(pair.at('b.txt'));
      const demote = () => setRole(ann, driveId, pair.person, 'VIEWER');
      const notes = await pair.sync({ fetch: beforeFirst(pattern, demote) });
      assert.match(notes, /is VIEWER: changes on this computer are not uploaded/);
      assert.doesNotMatch(notes, /failed|does not allow this/);
      await setRole(ann, driveId, pair.person, 'EDITOR');
      await pair.sync();
      assert.deepEqual(pair.names(), ['a.txt', 'new.txt', 'z.txt']);
      assert.equal(await pair.readRemote('a.txt'), 'edited');
      assert.equal(await pair.readRemote('new.txt'), 'new');
      await assert.rejects(pair.find('b.txt'), /is not in the drive/);
    });
  }
});
