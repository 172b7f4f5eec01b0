// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { startHoldall } from '../../../server/test/support/app/holdall.ts';
import { inFull } from '../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { CommandLine } from '../command-line.ts';
import { CommandPair, sorted } from './pair.ts';

const service = await startHoldall();
const user = await CommandLine.create(service);
const { person } = user;

let count = 0;

/** A pair of new directories, with these files on disk. */
function createPair(files: Readonly<Record<string, string>> = {}): CommandPair {
  count += 1;
  const pair = new CommandPair(user, person, user.at(`pair-${count}`), `/pair-${count}`);
  pair.writeAll(files);
  return pair;
}

describe('holdall sync', () => {
  test('uploads new and changed files, and nothing twice', async () => {
    const pair = createPair({ 'a.txt': 'a', 'deep/er/b.txt': 'b' });
    await mkdir(pair.at('empty'));
    assert.match(await pair.syncWell(), /^2 files/);
    assert.deepEqual(await pair.remoteTree(), pair.localTree());
    assert.match(await pair.syncWell(), /^0 files/);
    const { id } = await pair.find('a.txt');
    pair.write('a.txt', 'changed');
    await pair.syncWell();
    assert.equal((await pair.find('a.txt')).id, id);
    assert.deepEqual(await pair.remoteTree(), pair.localTree());
  });

  test('syncs both ways', async () => {
    const pair = createPair({
      'a.txt': 'a',
      'dir/b.txt': 'b',
      'gone.txt': 'gone',
      'left.txt': 'left',
    });
    await pair.syncWell('--two-way');
    await pair.edit('a.txt', 'edited');
    await person.upload(`${pair.remote}/new/c.txt`, 'c');
    await pair.recycle('gone.txt');
    await rm(pair.at('left.txt'));
    await pair.syncWell('--two-way');
    const expected = { 'a.txt': 'edited', 'dir/': '', 'dir/b.txt': 'b', 'new/': '', 'new/c.txt': 'c' };
    assert.deepEqual(pair.localTree(), expected);
    assert.deepEqual(await pair.remoteTree(), expected);
  });
});

describe('holdall sync, one way,', () => {
  test('deletes only with --delete, and then into the bin', async () => {
    const pair = createPair({ 'a.txt': 'a', 'dir/b.txt': 'b', 'dir/c.txt': 'c' });
    await pair.syncWell();
    await rm(pair.at('dir'), { recursive: true });
    await pair.syncWell();
    assert.ok('dir/b.txt' in (await pair.remoteTree()));
    await pair.syncWell('--delete');
    assert.deepEqual(await pair.remoteTree(), { 'a.txt': 'a' });
    // The whole directory is one entry in the bin.
    assert.match((await user.run(['bin', 'list'])).out, new RegExp(`${pair.remote}/dir/\n`));
  });

  test('changes nothing on disk, and leaves files that only the drive has', async () => {
    const pair = createPair({ 'a.txt': 'a' });
    await pair.syncWell();
    await person.upload(`${pair.remote}/only.txt`, 'only');
    await pair.syncWell('--delete');
    assert.deepEqual(pair.localTree(), { 'a.txt': 'a' });
    assert.deepEqual(await pair.remoteTree(), { 'a.txt': 'a', 'only.txt': 'only' });
  });

  test('keeps changes made in the drive under another name', async () => {
    const pair = createPair({ 'a.txt': 'a' });
    await pair.syncWell();
    await pair.edit('a.txt', 'edited in the drive');
    pair.write('a.txt', 'changed on disk');
    assert.match(await pair.syncWell(), /conflict/);
    const tree = await pair.remoteTree();
    assert.equal(tree['a.txt'], 'changed on disk');
    assert.deepEqual(Object.values(tree).toSorted(), ['changed on disk', 'edited in the drive']);
    assert.match(Object.keys(tree).join(), /a \(conflict \d{4}-\d\d-\d\d\)\.txt/);
    assert.match(await pair.syncWell(), /^0 files/);
  });

  test('uploads again what was deleted in the drive', async () => {
    const pair = createPair({ 'a.txt': 'a', 'dir/b.txt': 'b' });
    await pair.syncWell();
    await pair.recycle('dir');
    await pair.syncWell();
    assert.deepEqual(await pair.remoteTree(), pair.localTree());
  });
});

describe('holdall sync --two-way', () => {
  test('keeps both contents of a conflict on both sides', async () => {
    const pair = createPair({ 'a.txt': 'first' });
    await pair.syncWell('--two-way');
    await pair.edit('a.txt', 'edited in the drive');
    pair.write('a.txt', 'changed on disk');
    await pair.syncWell('--two-way');
    const tree = pair.localTree();
    assert.equal(tree['a.txt'], 'edited in the drive');
    assert.deepEqual(Object.values(tree).toSorted(), ['changed on disk', 'edited in the drive']);
    assert.deepEqual(await pair.remoteTree(), tree);
  });

  test('sends no bytes for moved or renamed files', async () => {
    const pair = createPair({
      'photos/a.jpg': 'a',
      'photos/deep/b.jpg': 'b',
      'c.txt': 'c',
      'd.txt': 'dd',
    });
    await pair.syncWell('--two-way');
    const before = await pair.find('photos/deep/b.jpg');
    await rename(pair.at('photos'), pair.at('pictures'));
    await mkdir(pair.at('texts'));
    await rename(pair.at('c.txt'), pair.at('texts/renamed.txt'));
    // Like a move from another file system: a new file with the same content.
    pair.write('copied.txt', 'dd');
    await rm(pair.at('d.txt'));
    assert.match(await pair.syncWell('--two-way'), /^0 files, 0 B/);
    assert.deepEqual(await pair.remoteTree(), pair.localTree());
    assert.equal((await pair.find('pictures/deep/b.jpg')).id, before.id);
    const inode = (await stat(pair.at('pictures/a.jpg'))).ino;
    await person.rename(await pair.find('pictures'), 'images');
    await person.move(await pair.find('texts/renamed.txt'), `${pair.remote}/images`);
    assert.match(await pair.syncWell('--two-way'), /^0 files, 0 B/);
    assert.deepEqual(pair.localTree(), await pair.remoteTree());
    assert.equal((await stat(pair.at('images/a.jpg'))).ino, inode);
  });

  test('does not delete files that were changed on the other side', async () => {
    const pair = createPair({ 'a.txt': 'a', 'b.txt': 'b' });
    await pair.syncWell('--two-way');
    await rm(pair.at('a.txt'));
    await pair.edit('a.txt', 'edited in the drive');
    await pair.recycle('b.txt');
    pair.write('b.txt', 'changed on disk');
    await pair.syncWell('--two-way');
    const expected = { 'a.txt': 'edited in the drive', 'b.txt': 'changed on disk' };
    assert.deepEqual(pair.localTree(), expected);
    assert.deepEqual(await pair.remoteTree(), expected);
  });

  test('keeps the permissions and modification time of a file', async () => {
    const pair = createPair({ 'run.sh': 'one' });
    await chmod(pair.at('run.sh'), 0o755);
    await pair.syncWell('--two-way');
    await pair.edit('run.sh', 'two');
    await pair.syncWell('--two-way');
    const found = await stat(pair.at('run.sh'));
    assert.equal(found.mode & 0o777, 0o755);
    assert.equal(found.mtime.toISOString(), (await pair.find('run.sh')).modifiedAt);
  });

  test('recognizes equal trees without sending anything', async () => {
    const pair = createPair({ 'a.txt': 'a', 'b.txt': 'b' });
    await user.run(['put', pair.local, '/']);
    assert.match(await pair.syncWell('--two-way'), /^0 files, 0 B/);
  });

  test('lists the drive again if its events are gone, and loses nothing', async () => {
    const pair = createPair({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
    await pair.syncWell('--two-way');
    await pair.edit('a.txt', 'edited in the drive');
    await pair.recycle('b.txt');
    pair.write('c.txt', 'changed on disk');
    service.clock.advance(31 * 24 * 60 * 60 * 1_000);
    await person.logIn();
    await person.mkdir('/newer');
    await service.app.cleanUp();
    await pair.syncWell('--two-way');
    // It is unknown whether b.txt was deleted, or whether the service was restored from a backup.
    const expected = { 'a.txt': 'edited in the drive', 'b.txt': 'b', 'c.txt': 'changed on disk' };
    assert.deepEqual(pair.localTree(), expected);
    assert.deepEqual(await pair.remoteTree(), expected);
  });

  test('deletes nothing that one side lacks since an earlier one-way sync', async () => {
    const files = { 'a.jpg': 'a', 'b.jpg': 'b', 'dir/c.jpg': 'c', 'd.jpg': 'd' };
    const pair = createPair(files);
    await pair.syncWell();
    await rm(pair.at('a.jpg'));
    await rm(pair.at('dir'), { recursive: true });
    await pair.syncWell();
    await pair.recycle('b.jpg');
    const expected = sorted({ ...files, 'dir/': '' });
    await pair.syncWell('--two-way', '--dry-run');
    await pair.syncWell('--two-way');
    assert.deepEqual(pair.localTree(), expected);
    assert.deepEqual(await pair.remoteTree(), expected);
    // After the first two-way sync, deletions count again.
    await rm(pair.at('a.jpg'));
    await pair.syncWell('--two-way');
    assert.ok(!('a.jpg' in (await pair.remoteTree())));
  });

  test('continues after it was killed', inFull, async () => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index}.txt`, `${index}`]));
    const pair = createPair(files);
    await person.mkdir(pair.remote);
    await person.upload(`${pair.remote}/remote.txt`, 'remote');
    for (const count of [5, 20]) {
      const main = path.join(import.meta.dirname, '..', '..', 'src', 'main.mjs');
      const words = [main, 'sync', pair.local, pair.remote, '--two-way', '--jobs', '1'];
      const child = spawn(process.execPath, words, { env: user.env, stdio: 'ignore' });
      const ended = once(child, 'exit');
      await waitFor(
        async () => Object.keys(await pair.remoteTree()).length > count || child.exitCode !== null,
      );
      child.kill('SIGKILL');
      await ended;
    }
    await pair.syncWell('--two-way');
    const expected = sorted({ ...files, 'remote.txt': 'remote' });
    assert.deepEqual(await pair.remoteTree(), expected);
    assert.deepEqual(pair.localTree(), expected);
  });
});

describe('holdall sync refuses', () => {
  test('to delete everything if one side is empty', async () => {
    const pair = createPair({ 'a.txt': 'a', 'b.txt': 'b' });
    await pair.syncWell('--two-way');
    await rm(pair.local, { recursive: true });
    assert.match((await pair.sync('--two-way')).notes, /does not exist/);
    await mkdir(pair.local);
    const { code, notes } = await pair.sync('--two-way');
    assert.equal(code, 1);
    assert.match(notes, /is empty.*disk not mounted.*--allow-mass-deletion/);
    assert.equal(Object.keys(await pair.remoteTree()).length, 2);
    await pair.syncWell('--two-way', '--allow-mass-deletion');
    assert.deepEqual(await pair.remoteTree(), {});
  });

  test('to delete everything on disk if the directory in the drive is gone', async () => {
    const pair = createPair({ 'a.txt': 'a', 'b.txt': 'b' });
    await pair.syncWell('--two-way');
    await user.run(['rm', pair.remote]);
    assert.equal((await pair.sync('--two-way')).code, 1);
    assert.equal(Object.keys(pair.localTree()).length, 2);
  });

  test('to delete everything if the directory has nothing but other entries', async () => {
    const pair = createPair({ 'a.txt': 'a', 'dir/b.txt': 'b' });
    await pair.syncWell('--two-way');
    await rm(pair.local, { recursive: true });
    await mkdir(pair.at('lost+found'), { recursive: true });
    const { code, notes } = await pair.sync('--two-way');
    assert.equal(code, 1);
    assert.match(notes, /Nothing that was synced is in .* any more\..*--allow-mass-deletion/);
    assert.deepEqual(await pair.remoteTree(), { 'a.txt': 'a', 'dir/': '', 'dir/b.txt': 'b' });
  });

  test('to delete the only file if one side is empty', async () => {
    const pair = createPair({ 'a.txt': 'a' });
    await pair.syncWell('--two-way');
    await rm(pair.at('a.txt'));
    assert.equal((await pair.sync('--two-way')).code, 1);
    assert.deepEqual(await pair.remoteTree(), { 'a.txt': 'a' });
  });

  test('to delete more than half of many files', async () => {
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`${index}.txt`, `${index}`]));
    const pair = createPair(files);
    await pair.syncWell('--delete');
    for (let index = 0; index < 55; index += 1) await rm(pair.at(`${index}.txt`));
    const { code, notes } = await pair.sync('--delete');
    assert.equal(code, 1);
    assert.match(notes, /55 of 60 entries are missing/);
  });

  test('to run twice for one pair', async () => {
    const pair = createPair({ 'a.txt': 'a' });
    const both = await Promise.all([pair.sync(), pair.sync()]);
    const codes = both.map(({ code }) => code).toSorted();
    assert.deepEqual(codes, [0, 1]);
    assert.match(both.map(({ notes }) => notes).join(), /Another sync of these two directories is running/);
  });
});

describe('holdall sync of a directory named by a symbolic link', () => {
  test('does not create the directory again if it is missing', async () => {
    const pair = createPair({ 'deep/a.txt': 'a' });
    const link = `${pair.local}-link`;
    await symlink(pair.local, link);
    const words = ['sync', path.join(link, 'deep'), pair.remote, '--two-way'];
    assert.equal((await user.run(words)).code, 0);
    await rm(pair.at('deep'), { recursive: true });
    const { code, notes } = await user.run(words);
    assert.equal(code, 1);
    assert.match(notes, /does not exist/);
    assert.deepEqual(await readdir(pair.local), []);
  });
});

describe('holdall sync skips', () => {
  test('on both sides what the ignore file names', async () => {
    const pair = createPair({
      '.holdallignore': '*.log\n/build/\n!keep.log\n',
      'a.log': 'a',
      'keep.log': 'keep',
      'build/b.txt': 'b',
      'deep/build/c.txt': 'c',
      '.~lock.a.odt#': 'lock',
      '.DS_Store': 'finder',
    });
    await person.upload(`${pair.remote}/remote.log`, 'remote');
    await pair.syncWell('--two-way');
    const names = Object.keys(await pair.remoteTree());
    assert.deepEqual(names, [
      '.holdallignore',
      'deep/',
      'deep/build/',
      'deep/build/c.txt',
      'keep.log',
      'remote.log',
    ]);
    assert.ok(!('remote.log' in pair.localTree()));
  });

  test('ignored files, and does not delete them once they are no longer ignored', async () => {
    const pair = createPair({ 'keep.txt': 'keep', 'a.log': 'a', 'b.log': 'b', 'logs/c.log': 'c' });
    await pair.syncWell('--two-way');
    pair.write('.holdallignore', '*.log\n/logs/\n');
    await pair.syncWell('--two-way');
    await rm(pair.at('a.log'));
    await rm(pair.at('logs'), { recursive: true });
    await pair.recycle('b.log');
    await pair.syncWell('--two-way');
    await rm(pair.at('.holdallignore'));
    await pair.syncWell('--two-way');
    const expected = { 'a.log': 'a', 'b.log': 'b', 'keep.txt': 'keep', 'logs/': '', 'logs/c.log': 'c' };
    assert.deepEqual(pair.localTree(), expected);
    assert.deepEqual(await pair.remoteTree(), expected);
  });

  test('files of operating systems, and deletes them with their directory', async () => {
    const junk = { 'fold/.DS_Store': 'x', 'fold/sub/Thumbs.db': 'x', 'fold/sub/Desktop.ini': 'x' };
    const pair = createPair({ 'a.txt': 'a', 'fold/b.txt': 'b', 'fold/sub/c.txt': 'c', ...junk });
    await pair.syncWell('--two-way');
    await pair.recycle('fold');
    await pair.syncWell('--two-way');
    assert.deepEqual(pair.localTree(), { 'a.txt': 'a' });
  });

  test('a directory that contains only such files', async () => {
    const pair = createPair({ 'fold/sub/.DS_Store': 'x', 'made/b.txt': 'b' });
    await mkdir(pair.at('empty'));
    await mkdir(pair.at('made/deep'), { recursive: true });
    pair.write('made/.DS_Store', 'x');
    await pair.syncWell('--two-way');
    const made = { 'empty/': '', 'made/': '', 'made/b.txt': 'b', 'made/deep/': '' };
    assert.deepEqual(await pair.remoteTree(), made);
    await pair.syncWell('--two-way');
    assert.deepEqual(await pair.remoteTree(), made, 'nor by the next sync');
    pair.write('fold/sub/c.txt', 'c');
    await pair.syncWell('--two-way');
    assert.equal((await pair.remoteTree())['fold/sub/c.txt'], 'c');
  });

  test('and reports ignored files in a directory that was deleted elsewhere', async () => {
    const pair = createPair({
      '.holdallignore': '*.log\nThumbs.db\n',
      'fold/sub/a.log': 'a',
      'fold/b.txt': 'b',
      'named/Thumbs.db': 'x',
      'named/c.txt': 'c',
    });
    await pair.syncWell('--two-way');
    await pair.recycle('fold');
    await pair.recycle('named');
    const notes = await pair.syncWell('--two-way');
    assert.match(notes, /fold\/sub: deleted in the drive, but it stays here/);
    assert.match(notes, /named: deleted in the drive, but it stays here/);
    assert.doesNotMatch(notes, /fold: deleted/);
    const { 'fold/sub/a.log': kept, 'named/Thumbs.db': alsoKept, 'fold/b.txt': gone } = pair.localTree();
    assert.deepEqual([kept, alsoKept, gone], ['a', 'x', undefined]);
  });

  test('and reports symbolic links', async () => {
    const pair = createPair({ 'a.txt': 'a' });
    await symlink('a.txt', pair.at('link'));
    assert.match(await pair.syncWell('--two-way'), /link: skipped/);
    assert.deepEqual(await pair.remoteTree(), { 'a.txt': 'a' });
  });

  test('a file that has become a symbolic link, without deleting it in the drive', async () => {
    const pair = createPair({ 'a.txt': 'a', 'b.txt': 'b' });
    await pair.syncWell('--two-way');
    await rm(pair.at('a.txt'));
    await symlink('b.txt', pair.at('a.txt'));
    await pair.syncWell('--two-way');
    assert.deepEqual(await pair.remoteTree(), { 'a.txt': 'a', 'b.txt': 'b' });
  });

  test('and reports names that the drive rejects', async () => {
    const pair = createPair({ 'a.txt': 'a', 'back\\slash.txt': 'b' });
    const { code, notes } = await pair.sync();
    assert.equal(code, 1);
    assert.match(notes, /back\\slash\.txt: The name must not contain/);
    assert.deepEqual(await pair.remoteTree(), { 'a.txt': 'a' });
  });
});

describe('holdall sync --dry-run', () => {
  test('prints what it would do, and does nothing', async () => {
    const pair = createPair({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'ccc' });
    await pair.syncWell('--two-way');
    await pair.edit('a.txt', 'edited in the drive');
    pair.write('a.txt', 'changed on disk');
    await rm(pair.at('b.txt'));
    await rename(pair.at('c.txt'), pair.at('d.txt'));
    pair.write('new/e.txt', 'e');
    const before = [pair.localTree(), await pair.remoteTree()];
    const lines = (await pair.sync('--two-way', '--dry-run')).out.trim().split('\n').toSorted();
    assert.deepEqual(
      lines.map((line) => line.replace(/\d{4}-\d\d-\d\d/, 'DATE')),
      [
        'conflict, rename on disk: a.txt -> a (conflict DATE).txt',
        'delete in the drive: b.txt',
        'make in the drive: new',
        'move in the drive: c.txt -> d.txt',
        'upload: new/e.txt',
      ],
    );
    assert.deepEqual([pair.localTree(), await pair.remoteTree()], before);
    const json = (await pair.sync('--two-way', '--dry-run', '--json')).out.trim().split('\n');
    assert.ok(json.map((line) => JSON.parse(line)).some(({ action }) => action === 'move-remote'));
  });
});

describe('holdall sync --watch', () => {
  test('applies each change to the other side until it is stopped', async () => {
    const pair = createPair({ 'a.txt': 'a' });
    await pair.syncWell('--two-way');
    const end = new AbortController();
    const running = user.run(['sync', pair.local, pair.remote, '--two-way', '--watch'], [], {
      signal: end.signal,
    });
    try {
      pair.write('b/c.txt', 'c');
      await waitFor(async () => (await pair.remoteTree())['b/c.txt'] === 'c');
      // In a directory that was created after the watch started.
      pair.write('b/d.txt', 'd');
      await waitFor(async () => (await pair.remoteTree())['b/d.txt'] === 'd');
      await pair.edit('a.txt', 'edited in the drive');
      await waitFor(async () => pair.localTree()['a.txt'] === 'edited in the drive');
      await rename(pair.at('b'), pair.at('moved'));
      await waitFor(async () => 'moved/c.txt' in (await pair.remoteTree()));
      await rm(pair.at('moved/c.txt'));
      await waitFor(async () => !('moved/c.txt' in (await pair.remoteTree())));
    } finally {
      end.abort();
    }
    assert.equal((await running).code, 130);
    assert.deepEqual(pair.localTree(), await pair.remoteTree());
  });
});

describe('a program that saves slowly under holdall sync --watch', () => {
  test('keeps the id and the versions of its file, whether it keeps or deletes the old one', async () => {
    const pair = createPair({ 'kept.txt': 'kept', 'deleted.txt': 'deleted' });
    await pair.syncWell('--two-way');
    const files = await Promise.all(['kept.txt', 'deleted.txt'].map((file) => pair.find(file)));
    const end = new AbortController();
    const running = user.run(['sync', pair.local, pair.remote, '--two-way', '--watch'], [], {
      signal: end.signal,
    });
    try {
      for (const name of ['kept', 'deleted']) {
        await rename(pair.at(`${name}.txt`), pair.at(`${name}.bak`));
        await waitFor(async () => `${name}.bak` in (await pair.remoteTree()));
        pair.write(`${name}.txt`, 'new content');
        if (name === 'deleted') await rm(pair.at(`${name}.bak`));
        await waitFor(async () => (await pair.remoteTree())[`${name}.txt`] === 'new content');
      }
      await waitFor(async () => JSON.stringify(await pair.remoteTree()) === JSON.stringify(pair.localTree()));
    } finally {
      end.abort();
    }
    assert.equal((await running).code, 130);
    assert.deepEqual(await pair.remoteTree(), {
      'deleted.txt': 'new content',
      'kept.bak': 'kept',
      'kept.txt': 'new content',
    });
    for (const { id, path: place } of files) {
      assert.equal((await person.ask<{ path: string }>('GET', `/api/v2/files/${id}`)).path, place);
      const versions = await person.ask<readonly unknown[]>('GET', `/api/v2/files/${id}/versions`);
      assert.equal(versions.length, 1);
    }
  });

  test('leaves the id with a file that is renamed back and forth', async () => {
    const pair = createPair({ 'a.txt': 'a', 'z.txt': 'z' });
    await pair.syncWell('--two-way');
    const { id } = await pair.find('a.txt');
    const end = new AbortController();
    const running = user.run(['sync', pair.local, pair.remote, '--two-way', '--watch'], [], {
      signal: end.signal,
    });
    try {
      for (const [from, to] of [
        ['a.txt', 'b.txt'],
        ['b.txt', 'a.txt'],
        ['a.txt', 'b.txt'],
      ] as const) {
        await rename(pair.at(from), pair.at(to));
        await waitFor(async () => to in (await pair.remoteTree()));
      }
    } finally {
      end.abort();
    }
    await running;
    assert.equal((await pair.find('b.txt')).id, id);
  });
});

describe('holdall sync --watch stops', () => {
  test('if another directory has replaced the synced one, for example because its disk is gone', async () => {
    const pair = createPair({ 'a.txt': 'a', 'b.txt': 'b' });
    // The system reports the move of the directory under its own name, as if it was an entry in itself.
    pair.write(`${path.basename(pair.local)}/c.txt`, 'c');
    await pair.syncWell('--two-way');
    const before = await pair.remoteTree();
    const end = new AbortController();
    let isWatching = false;
    const running = user.run(['sync', pair.local, pair.remote, '--two-way', '--watch'], [], {
      signal: end.signal,
      onNote: () => {
        isWatching = true;
      },
    });
    try {
      await waitFor(async () => isWatching);
      await rename(pair.local, `${pair.local}-gone`);
      pair.write('b.txt', 'b');
      const { code, notes } = await running;
      assert.equal(code, 1);
      assert.match(notes, /is no longer the one that was synchronised.*is a disk not mounted\?/);
    } finally {
      end.abort();
    }
    assert.deepEqual(await pair.remoteTree(), before);
  });
});

/** Waits for a condition. Ignores errors, because a tree may change while it is read. */
async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  await waitUntil('the other side was as expected', () => condition().catch(() => false));
}
