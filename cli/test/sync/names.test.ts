// tier: full
// runs on: sqlite
// Names on disk that the drive cannot store, and names that are equal in the drive.
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { describe, test } from 'node:test';
import { startHoldall } from '../../../server/test/support/app/holdall.ts';
import { DisturbedPair, settle } from './disturbed-pair.ts';

const service = await startHoldall();

const COMPOSED = '\u00e9.txt';
const DECOMPOSED = 'e\u0301.txt';
const BOTH =
  /The drive cannot tell "\\u00e9\.txt" and "e\\u0301\.txt" apart|"e\\u0301\.txt" and "\\u00e9\.txt"/;

async function createSynced(files: Readonly<Record<string, string>>): Promise<DisturbedPair> {
  const pair = await DisturbedPair.create(service, files);
  await settle();
  await pair.sync();
  return pair;
}

async function contentsInDrive(pair: DisturbedPair): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  for (const record of await pair.person.tree(pair.remote)) {
    if (record.directory) continue;
    contents[record.path.slice(pair.remote.length + 1)] = (await pair.person.download(record)).toString();
  }
  return contents;
}

describe('if two names differ only in their Unicode normal form, a sync', () => {
  test('stores neither, reports both, and syncs the other files', async () => {
    const files = { [COMPOSED]: 'composed', [DECOMPOSED]: 'decomposed', 'a.txt': 'a' };
    const pair = await DisturbedPair.create(service, files);
    await settle();
    const notes = await pair.sync();
    assert.match(notes, BOTH);
    assert.deepEqual(await contentsInDrive(pair), { 'a.txt': 'a' });
    renameSync(pair.at(DECOMPOSED), pair.at('other.txt'));
    assert.doesNotMatch(await pair.sync(), /apart/);
    const expected = { [COMPOSED]: 'composed', 'a.txt': 'a', 'other.txt': 'decomposed' };
    assert.deepEqual(await contentsInDrive(pair), expected);
  });

  for (const [what, first, second] of [
    ['composed', COMPOSED, DECOMPOSED],
    ['decomposed', DECOMPOSED, COMPOSED],
  ] as const) {
    test(`leaves the content of the ${what} name in the drive until the other is renamed`, async () => {
      const pair = await createSynced({ [first]: 'first', 'a.txt': 'a' });
      pair.write(second, 'second');
      assert.match(await pair.sync(), BOTH);
      await pair.edit(COMPOSED, 'edited in the drive');
      await pair.sync();
      assert.deepEqual([pair.read(first), pair.read(second)], ['first', 'second']);
      assert.deepEqual(await contentsInDrive(pair), { 'a.txt': 'a', [COMPOSED]: 'edited in the drive' });
      renameSync(pair.at(second), pair.at('second.txt'));
      await pair.sync();
      assert.equal(pair.read(first), 'edited in the drive');
      assert.equal(await pair.readRemote('second.txt'), 'second');
    });
  }

  test('also notices them during a watch', async () => {
    const pair = await createSynced({ [COMPOSED]: 'composed' });
    await pair.sync({
      whenSynced: async (sync) => {
        pair.write(DECOMPOSED, 'decomposed');
        await sync.syncChanges(new Set([COMPOSED]));
        assert.deepEqual(await contentsInDrive(pair), { [COMPOSED]: 'composed' });
        rmSync(pair.at(COMPOSED));
        await sync.syncChanges(new Set([COMPOSED]));
        assert.deepEqual(await contentsInDrive(pair), { [COMPOSED]: 'decomposed' });
      },
    });
    assert.equal(pair.read(DECOMPOSED), 'decomposed');
  });

  test('leaves directories alone, including files that were moved into them', async () => {
    const pair = await createSynced({ '\u00e9/a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
    mkdirSync(pair.at('e\u0301'));
    renameSync(pair.at('b.txt'), pair.at('e\u0301/b.txt'));
    const notes = await pair.sync();
    assert.match(notes, /cannot tell ("\\u00e9" and "e\\u0301"|"e\\u0301" and "\\u00e9") apart/);
    assert.match(notes, /b\.txt: On this computer it is "e\\u0301\/b\.txt" now/);
    assert.deepEqual(await contentsInDrive(pair), { 'b.txt': 'b', 'c.txt': 'c', '\u00e9/a.txt': 'a' });
  });

  test('stores neither if one of them is a symbolic link', async () => {
    const pair = await createSynced({ [COMPOSED]: 'composed' });
    symlinkSync('elsewhere', pair.at(DECOMPOSED));
    assert.match(await pair.sync(), BOTH);
    assert.deepEqual(await contentsInDrive(pair), { [COMPOSED]: 'composed' });
  });

  test('stores the other one if one is ignored', async () => {
    const pair = await DisturbedPair.create(service, { '.holdallignore': '*.txt/', [COMPOSED]: 'composed' });
    mkdirSync(pair.at(DECOMPOSED));
    await settle();
    assert.doesNotMatch(await pair.sync(), /apart/);
    assert.equal(await pair.readRemote(COMPOSED), 'composed');
  });
});

/** Renames to a name given as bytes, because it may not be valid Unicode. */
function renameToBytes(pair: DisturbedPair, from: string, to: Buffer): void {
  renameSync(pair.at(from), Buffer.concat([Buffer.from(`${pair.local}/`), to]));
}

describe('a file that the user renames to a name the drive cannot store,', () => {
  for (const [what, name, shown] of [
    [
      'with a disallowed character,',
      Buffer.from('b\\b.txt'),
      /a\.txt: On this computer it is "b\\\\b\.txt" now/,
    ],
    [
      'that is not valid Unicode,',
      Buffer.from([0x62, 0xff]),
      /a\.txt: On this computer it is "b\\ufffd" now/,
    ],
    [
      'that another file has in another normal form,',
      Buffer.from(DECOMPOSED),
      /a\.txt: On this computer it is "e\\u0301/,
    ],
  ] as const) {
    test(`${what} stays unchanged in the drive until it gets a name that can be stored`, async () => {
      const pair = await createSynced({ 'a.txt': 'a', [COMPOSED]: 'composed' });
      const { id } = await pair.find('a.txt');
      renameToBytes(pair, 'a.txt', name);
      assert.match(await pair.sync(), shown);
      assert.doesNotMatch(await pair.sync(), /delete|upload|download/);
      assert.deepEqual(await contentsInDrive(pair), { 'a.txt': 'a', [COMPOSED]: 'composed' });
      renameSync(Buffer.concat([Buffer.from(`${pair.local}/`), name]), pair.at('new.txt'));
      assert.doesNotMatch(await pair.sync(), /upload/);
      assert.equal((await pair.find('new.txt')).id, id);
      await assert.rejects(pair.find('a.txt'), /is not in the drive/);
    });
  }

  test('also stays during a watch, and is moved in the drive once its name can be stored', async () => {
    const pair = await createSynced({ 'a.txt': 'a', 'b.txt': 'b' });
    const { id } = await pair.find('a.txt');
    const notes = await pair.sync({
      whenSynced: async (sync) => {
        renameSync(pair.at('a.txt'), pair.at('b\\b.txt'));
        await sync.syncChanges(new Set(['a.txt', 'b\\b.txt']));
        await sync.syncChanges(new Set(['a.txt']));
        assert.equal(await pair.readRemote('a.txt'), 'a');
        renameSync(pair.at('b\\b.txt'), pair.at('new.txt'));
        await sync.syncChanges(new Set(['b\\b.txt', 'new.txt']));
        assert.equal((await pair.find('new.txt')).id, id);
      },
    });
    assert.doesNotMatch(notes, /upload|delete/);
  });

  test('is deleted in the drive when the user deletes it', async () => {
    const pair = await createSynced({ 'a.txt': 'a', 'b.txt': 'b' });
    await pair.sync({
      whenSynced: async (sync) => {
        renameSync(pair.at('a.txt'), pair.at('b\\b.txt'));
        await sync.syncChanges(new Set(['a.txt', 'b\\b.txt']));
        rmSync(pair.at('b\\b.txt'));
        await sync.syncChanges(new Set(['b\\b.txt']));
      },
    });
    assert.deepEqual(await contentsInDrive(pair), { 'b.txt': 'b' });
  });

  test('or moves into a directory with such a name, stays in the drive, like the directory', async () => {
    const pair = await createSynced({ 'dir/a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', 'd.txt': 'd' });
    renameSync(pair.at('dir'), pair.at('di\\r'));
    mkdirSync(pair.at('di\\r/deep'));
    renameSync(pair.at('b.txt'), pair.at('di\\r/deep/b.txt'));
    rmSync(pair.at('c.txt'));
    const notes = await pair.sync();
    assert.match(notes, /^dir: On this computer it is "di\\\\r" now/m);
    assert.match(notes, /^b\.txt: On this computer it is "di\\\\r\/deep\/b\.txt" now/m);
    assert.deepEqual(await contentsInDrive(pair), { 'b.txt': 'b', 'd.txt': 'd', 'dir/a.txt': 'a' });
    renameSync(pair.at('di\\r'), pair.at('new'));
    assert.doesNotMatch(await pair.sync(), /upload/);
    assert.deepEqual(await contentsInDrive(pair), { 'd.txt': 'd', 'new/a.txt': 'a', 'new/deep/b.txt': 'b' });
  });
});
