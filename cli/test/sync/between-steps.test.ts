// tier: full
// runs on: sqlite
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { describe, test } from 'node:test';
import { startHoldall } from '../../../server/test/support/app/holdall.ts';
import { beforeFirst, DisturbedPair, settle } from './disturbed-pair.ts';

const service = await startHoldall();

/** So large that the sync does not compute the checksum before it sends the file. */
const LARGE_BYTES = 1_500_000;

/** Does the work once, just before the sync moves an entry to the bin. */
const beforeDeletion = (work: () => Promise<unknown>) => beforeFirst(/^DELETE /, work);

describe('if something changes between two of its steps, a sync', () => {
  for (const [what, edit] of [
    ['moved', undefined],
    ['edited', 'edited'],
    ['edited with the same size', 'y'.repeat(LARGE_BYTES)],
  ] as const) {
    test(`keeps a new file that is ${what} in the drive just after its last byte has arrived`, async () => {
      const pair = await DisturbedPair.create(service, { 'big.bin': 'x'.repeat(LARGE_BYTES) });
      await settle();
      await pair.person.mkdir('/pair/other');
      let hasChanged = false;
      const change = async () => {
        hasChanged = true;
        const { id } = await pair.find('big.bin');
        if (edit === undefined)
          await pair.person.ask('PATCH', `/api/files/${id}/move`, { body: { path: '/pair/other' } });
        else await pair.edit('big.bin', edit);
      };
      // The sync asks for the record of the new file.
      await pair.sync({ fetch: beforeFirst(/upload-sessions\//, change) });
      assert.ok(hasChanged);
      const expected = edit ?? 'x'.repeat(LARGE_BYTES);
      const file = edit === undefined ? 'other/big.bin' : 'big.bin';
      assert.equal(pair.read(file), expected);
      assert.equal(await pair.readRemote(file), expected);
    });
  }

  test('keeps a file that is edited in the drive just before the sync deletes it there', async () => {
    const pair = await DisturbedPair.create(service, { 'a.txt': 'a', 'b.txt': 'b' });
    await settle();
    await pair.sync();
    rmSync(pair.at('a.txt'));
    await pair.sync({ fetch: beforeDeletion(() => pair.edit('a.txt', 'edited')) });
    assert.equal(await pair.readRemote('a.txt'), 'edited');
    assert.equal(pair.read('a.txt'), 'edited');
  });

  test('keeps a file that arrives in a directory just before the sync deletes it in the drive', async () => {
    const pair = await DisturbedPair.create(service, { 'dir/a.txt': 'a', 'b.txt': 'b' });
    await settle();
    await pair.sync();
    rmSync(pair.at('dir'), { recursive: true });
    await pair.sync({ fetch: beforeDeletion(() => pair.person.upload('/pair/dir/new.txt', 'new')) });
    assert.equal(await pair.readRemote('dir/new.txt'), 'new');
    assert.equal(pair.read('dir/new.txt'), 'new');
    assert.deepEqual(pair.names(), ['b.txt', 'dir', 'dir/new.txt']);
  });

  test('still deletes while others change the drive elsewhere', async () => {
    const pair = await DisturbedPair.create(service, { 'dir/a.txt': 'a', 'b.txt': 'b' });
    await settle();
    await pair.sync();
    rmSync(pair.at('dir'), { recursive: true });
    const notes = await pair.sync({ fetch: beforeDeletion(() => pair.person.mkdir('/elsewhere')) });
    assert.match(notes, /delete in the drive: dir/);
    await assert.rejects(pair.find('dir/a.txt'), /is not in the drive/);
  });

  test('keeps a file that is skipped on disk when its parent is renamed in the drive', async () => {
    const pair = await DisturbedPair.create(service, { 'dir/a.txt': 'a', 'dir/b.txt': 'b' });
    await settle();
    await pair.sync();
    // A file that has become a symbolic link is skipped, and does not count as deleted.
    rmSync(pair.at('dir/a.txt'));
    symlinkSync('b.txt', pair.at('dir/a.txt'));
    const { id } = await pair.find('dir');
    await pair.person.ask('PATCH', `/api/files/${id}/rename`, { body: { filename: 'renamed' } });
    await pair.sync();
    assert.equal(await pair.readRemote('renamed/a.txt'), 'a');
    assert.deepEqual(pair.names(), ['renamed', 'renamed/a.txt', 'renamed/b.txt']);
  });

  test('writes nothing through a symbolic link that has replaced a directory', async () => {
    const pair = await DisturbedPair.create(service, { 'dir/a.txt': 'a' });
    await settle();
    await pair.sync();
    await pair.person.upload('/pair/dir/b.txt', 'b');
    const outside = `${pair.local}-outside`;
    mkdirSync(outside);
    await pair.sync({
      change: (parts) => {
        const { download } = parts.localActions;
        parts.localActions.download = async (...args) => {
          if (existsSync(pair.at('dir/a.txt'))) {
            renameSync(pair.at('dir'), `${pair.local}-dir`);
            symlinkSync(outside, pair.at('dir'));
          }
          return await download.apply(parts.localActions, args);
        };
        return parts;
      },
    });
    assert.deepEqual(readdirSync(outside), []);
    assert.equal(await pair.readRemote('dir/a.txt'), 'a');
    assert.equal(await pair.readRemote('dir/b.txt'), 'b');
  });

  test('stops if its state cannot be written', async () => {
    const files = Array.from({ length: 30 }, (_, index) => [`${index}.txt`, `${index}`]);
    const pair = await DisturbedPair.create(service, Object.fromEntries(files));
    await settle();
    const full = pair.sync({
      change: (parts) => {
        parts.state.setBase = () => {
          throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR' });
        };
        return parts;
      },
    });
    await assert.rejects(full, /The state cannot be written: database or disk is full/);
    // Only the files that were already being sent.
    assert.ok((await pair.person.tree('/pair')).length <= 2);
    assert.doesNotMatch(await pair.sync(), /conflict|delete/);
    assert.equal(pair.names().length, 30);
  });

  test('sends the newest content of a file that is written to while others are sent', async () => {
    const pair = await DisturbedPair.create(service, { 'log.txt': 'one' });
    await settle();
    const notes = await pair.sync({
      change: (parts) => {
        const { upload } = parts.remoteActions;
        parts.remoteActions.upload = async (...args) => {
          if (pair.read('log.txt') === 'one') pair.write('log.txt', 'one two');
          return await upload.apply(parts.remoteActions, args);
        };
        return parts;
      },
    });
    assert.equal(await pair.readRemote('log.txt'), 'one two', notes);
  });

  test('stops sending a file that is written to all the time', async () => {
    const pair = await DisturbedPair.create(service, { 'log.txt': 'begin', 'z.txt': 'z' });
    await settle();
    let count = 0;
    const notes = await pair.sync({
      change: (parts) => {
        const { upload } = parts.remoteActions;
        parts.remoteActions.upload = async (path, ...rest) => {
          const sent = await upload.call(parts.remoteActions, path, ...rest);
          if (path === 'log.txt') {
            count += 1;
            pair.write('log.txt', `${pair.read('log.txt')} and more`);
          }
          return sent;
        };
        return parts;
      },
    });
    assert.match(notes, /log\.txt: The file was changed while it was sent/);
    assert.equal(count, 3);
    await pair.sync();
    assert.equal(await pair.readRemote('log.txt'), pair.read('log.txt'));
    assert.deepEqual(pair.names(), ['log.txt', 'z.txt']);
  });
});
