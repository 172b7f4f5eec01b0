// runs on: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startHoldall } from '../../server/test/support/app/holdall.ts';
import { DisturbedPair } from './disturbed-pair.ts';

const service = await startHoldall();

describe('a sync loses nothing', () => {
  test('of what is saved on disk just after a download, with the same size', async () => {
    const pair = await DisturbedPair.create(service);
    await pair.sync();
    await pair.person.upload('/pair/doc.txt', 'from the drive');
    let hasSaved = false;
    await pair.sync({
      change: (parts) => {
        const { local } = parts;
        const refresh = local.refresh.bind(local);
        local.refresh = (entryPath, localPath) => {
          if (entryPath === 'doc.txt' && !hasSaved) {
            pair.write('doc.txt', 'from this disk');
            hasSaved = true;
          }
          return refresh(entryPath, localPath);
        };
        return parts;
      },
    });
    assert.ok(hasSaved);
    assert.equal(await pair.readRemote('doc.txt'), 'from this disk');
    assert.equal(pair.read('doc.txt'), 'from this disk');
  });
});
