// tier: full
// runs on: sqlite
// Symbolic links that replace files and directories while the sync runs.
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { startHoldall } from '../../../server/test/support/app/holdall.ts';
import { DisturbedPair, settle } from './disturbed-pair.ts';

const service = await startHoldall();

/**
 * Syncs. Just after the sync has examined a file for its upload, replaces the file or its directory by a
 * symbolic link to its counterpart outside.
 */
async function syncWithLink(
  pair: DisturbedPair,
  file: string,
  replaced: string,
  secret: string,
): Promise<string> {
  const outside = `${pair.local}-outside`;
  mkdirSync(path.join(outside, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(outside, file), secret);
  let hasReplaced = false;
  const notes = await pair.sync({
    change: (parts) => {
      const { local } = parts;
      const refresh = local.refresh.bind(local);
      local.refresh = (entryPath, localPath) => {
        const found = refresh(entryPath, localPath);
        if (entryPath === file && !hasReplaced) {
          hasReplaced = true;
          renameSync(pair.at(replaced), `${pair.local}-aside`);
          symlinkSync(path.join(outside, replaced), pair.at(replaced));
          // As if the directory had already been checked.
          local.checkAbove = () => undefined;
        }
        return found;
      };
      return parts;
    },
  });
  assert.ok(hasReplaced);
  return notes;
}

describe('a sync sends nothing from outside its directory', () => {
  for (const [size, length] of [
    ['small', 10],
    ['large', 600_000],
  ] as const) {
    for (const [what, replaced] of [
      ['it', 'dir/a.txt'],
      ['its directory', 'dir'],
    ] as const) {
      test(`if a symbolic link replaces a ${size} new file or its directory: ${what}`, async () => {
        const pair = await DisturbedPair.create(service, { 'dir/a.txt': 'a'.repeat(length), 'b.txt': 'b' });
        await settle();
        const notes = await syncWithLink(pair, 'dir/a.txt', replaced, 's'.repeat(length));
        assert.match(notes, /skipped, because it is not a file/);
        await assert.rejects(pair.find('dir/a.txt'), /is not in the drive/);
        assert.equal(await pair.readRemote('b.txt'), 'b');
      });

      test(`if a symbolic link replaces a ${size} changed file or its directory: ${what}`, async () => {
        const pair = await DisturbedPair.create(service, { 'dir/a.txt': 'a'.repeat(length), 'b.txt': 'b' });
        await settle();
        await pair.sync();
        pair.write('dir/a.txt', 'c'.repeat(length + 1));
        utimesSync(pair.at('dir/a.txt'), 1_000, 1_000);
        await syncWithLink(pair, 'dir/a.txt', replaced, 's'.repeat(length + 1));
        assert.equal(await pair.readRemote('dir/a.txt'), 'a'.repeat(length));
      });
    }
  }
});
