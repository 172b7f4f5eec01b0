// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { startHoldall } from '../../../server/test/support/app/holdall.ts';
import { inFull } from '../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { CommandLine } from '../command-line.ts';

const service = await startHoldall();
const user = await CommandLine.create(service);
const { person } = user;

/** A new pair of directories: on disk, and in the drive. */
class Pair {
  static #count = 0;
  readonly local: string;
  readonly remote: string;

  private constructor(number: number) {
    this.local = user.at(`pair-${number}`);
    this.remote = `/pair-${number}`;
  }

  static async create(files: Readonly<Record<string, string>> = {}): Promise<Pair> {
    Pair.#count += 1;
    const pair = new Pair(Pair.#count);
    await mkdir(pair.local);
    for (const [file, content] of Object.entries(files)) await pair.write(file, content);
    return pair;
  }

  async sync(...options: readonly string[]) {
    return await user.run(['sync', this.local, this.remote, ...options]);
  }

  /** Syncs, and fails the test unless the sync succeeds. */
  async syncWell(...options: readonly string[]): Promise<string> {
    const { code, notes, out } = await this.sync(...options);
    assert.equal(code, 0, notes);
    return notes + out;
  }

  at(file: string): string {
    return path.join(this.local, file);
  }

  async write(file: string, content: string): Promise<void> {
    await mkdir(path.dirname(this.at(file)), { recursive: true });
    await writeFile(this.at(file), content);
  }

  /** The paths of all files with their contents. Directories end with `/`. */
  async localTree(): Promise<Record<string, string>> {
    const tree: Record<string, string> = {};
    for (const entry of await readdir(this.local, { recursive: true, withFileTypes: true })) {
      const file = path.relative(this.local, path.join(entry.parentPath, entry.name));
      if (entry.isDirectory()) tree[`${file}/`] = '';
      else if (entry.isFile()) tree[file] = await readFile(this.at(file), 'utf8');
    }
    return sorted(tree);
  }

  async remoteTree(): Promise<Record<string, string>> {
    const tree: Record<string, string> = {};
    for (const record of await person.tree(this.remote)) {
      const file = record.path.slice(this.remote.length + 1);
      if (file === '') continue;
      if (record.directory) tree[`${file}/`] = '';
      else tree[file] = (await person.download(record)).toString();
    }
    return sorted(tree);
  }

  async find(file: string) {
    const found = (await person.tree(this.remote)).find((record) => record.path === `${this.remote}/${file}`);
    assert.ok(found, `${file} is not in the drive`);
    return found;
  }

  /** Replaces the content of a file of the drive. */
  async edit(file: string, content: string): Promise<void> {
    const { id } = await this.find(file);
    await person.ask('PUT', `/api/v2/files/${id}/content`, {
      body: content,
      headers: { 'content-type': 'application/octet-stream' },
    });
  }

  async recycle(file: string): Promise<void> {
    await person.ask('DELETE', `/api/files/${(await this.find(file)).id}`);
  }
}

function sorted(tree: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(tree).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

describe('holdall sync', () => {
  test('uploads new and changed files, and nothing twice', async () => {
    const pair = await Pair.create({ 'a.txt': 'a', 'deep/er/b.txt': 'b' });
    await mkdir(pair.at('empty'));
    assert.match(await pair.syncWell(), /^2 files/);
    assert.deepEqual(await pair.remoteTree(), await pair.localTree());
    assert.match(await pair.syncWell(), /^0 files/);
    const { id } = await pair.find('a.txt');
    await pair.write('a.txt', 'changed');
    await pair.syncWell();
    assert.equal((await pair.find('a.txt')).id, id);
    assert.deepEqual(await pair.remoteTree(), await pair.localTree());
  });

  test('syncs both ways', async () => {
    const pair = await Pair.create({
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
    assert.deepEqual(await pair.localTree(), expected);
    assert.deepEqual(await pair.remoteTree(), expected);
  });
});

describe('holdall sync, one way,', () => {
  test('deletes only with --delete, and then into the bin', async () => {
    const pair = await Pair.create({ 'a.txt': 'a', 'dir/b.txt': 'b', 'dir/c.txt': 'c' });
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
    const pair = await Pair.create({ 'a.txt': 'a' });
    await pair.syncWell();
    await person.upload(`${pair.remote}/only.txt`, 'only');
    await pair.syncWell('--delete');
    assert.deepEqual(await pair.localTree(), { 'a.txt': 'a' });
    assert.deepEqual(await pair.remoteTree(), { 'a.txt': 'a', 'only.txt': 'only' });
  });

  test('keeps changes made in the drive under another name', async () => {
    const pair = await Pair.create({ 'a.txt': 'a' });
    await pair.syncWell();
    await pair.edit('a.txt', 'edited in the drive');
    await pair.write('a.txt', 'changed on disk');
    assert.match(await pair.syncWell(), /conflict/);
    const tree = await pair.remoteTree();
    assert.equal(tree['a.txt'], 'changed on disk');
    assert.deepEqual(Object.values(tree).toSorted(), ['changed on disk', 'edited in the drive']);
    assert.match(Object.keys(tree).join(), /a \(conflict \d{4}-\d\d-\d\d\)\.txt/);
    assert.match(await pair.syncWell(), /^0 files/);
  });

  test('uploads again what was deleted in the drive', async () => {
    const pair = await Pair.create({ 'a.txt': 'a', 'dir/b.txt': 'b' });
    await pair.syncWell();
    await pair.recycle('dir');
    await pair.syncWell();
    assert.deepEqual(await pair.remoteTree(), await pair.localTree());
  });
});

describe('holdall sync --two-way', () => {
  test('keeps both contents of a conflict on both sides', async () => {
    const pair = await Pair.create({ 'a.txt': 'first' });
    await pair.syncWell('--two-way');
    await pair.edit('a.txt', 'edited in the drive');
    await pair.write('a.txt', 'changed on disk');
    await pair.syncWell('--two-way');
    const tree = await pair.localTree();
    assert.equal(tree['a.txt'], 'edited in the drive');
    assert.deepEqual(Object.values(tree).toSorted(), ['changed on disk', 'edited in the drive']);
    assert.deepEqual(await pair.remoteTree(), tree);
  });

  test('sends no bytes for moved or renamed files', async () => {
    const pair = await Pair.create({
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
    await pair.write('copied.txt', 'dd');
    await rm(pair.at('d.txt'));
    assert.match(await pair.syncWell('--two-way'), /^0 files, 0 B/);
    assert.deepEqual(await pair.remoteTree(), await pair.localTree());
    assert.equal((await pair.find('pictures/deep/b.jpg')).id, before.id);
    const inode = (await stat(pair.at('pictures/a.jpg'))).ino;
    await person.rename(await pair.find('pictures'), 'images');
    await person.move(await pair.find('texts/renamed.txt'), `${pair.remote}/images`);
    assert.match(await pair.syncWell('--two-way'), /^0 files, 0 B/);
    assert.deepEqual(await pair.localTree(), await pair.remoteTree());
    assert.equal((await stat(pair.at('images/a.jpg'))).ino, inode);
  });

  test('does not delete files that were changed on the other side', async () => {
    const pair = await Pair.create({ 'a.txt': 'a', 'b.txt': 'b' });
    await pair.syncWell('--two-way');
    await rm(pair.at('a.txt'));
    await pair.edit('a.txt', 'edited in the drive');
    await pair.recycle('b.txt');
    await pair.write('b.txt', 'changed on disk');
    await pair.syncWell('--two-way');
    const expected = { 'a.txt': 'edited in the drive', 'b.txt': 'changed on disk' };
    assert.deepEqual(await pair.localTree(), expected);
    assert.deepEqual(await pair.remoteTree(), expected);
  });

  test('keeps the permissions and modification time of a file', async () => {
    const pair = await Pair.create({ 'run.sh': 'one' });
    await chmod(pair.at('run.sh'), 0o755);
    await pair.syncWell('--two-way');
    await pair.edit('run.sh', 'two');
    await pair.syncWell('--two-way');
    const found = await stat(pair.at('run.sh'));
    assert.equal(found.mode & 0o777, 0o755);
    assert.equal(found.mtime.toISOString(), (await pair.find('run.sh')).modifiedAt);
  });

  test('recognizes equal trees without sending anything', async () => {
    const pair = await Pair.create({ 'a.txt': 'a', 'b.txt': 'b' });
    await user.run(['put', pair.local, '/']);
    assert.match(await pair.syncWell('--two-way'), /^0 files, 0 B/);
  });

  test('lists the drive again if its events are gone, and loses nothing', async () => {
    const pair = await Pair.create({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
    await pair.syncWell('--two-way');
    await pair.edit('a.txt', 'edited in the drive');
    await pair.recycle('b.txt');
    await pair.write('c.txt', 'changed on disk');
    service.clock.advance(31 * 24 * 60 * 60 * 1_000);
    await person.logIn();
    await person.mkdir('/newer');
    await service.app.cleanUp();
    await pair.syncWell('--two-way');
    // It is unknown whether b.txt was deleted, or whether the service was restored from a backup.
    const expected = { 'a.txt': 'edited in the drive', 'b.txt': 'b', 'c.txt': 'changed on disk' };
    assert.deepEqual(await pair.localTree(), expected);
    assert.deepEqual(await pair.remoteTree(), expected);
  });

  test('deletes nothing that one side lacks since an earlier one-way sync', async () => {
    const files = { 'a.jpg': 'a', 'b.jpg': 'b', 'dir/c.jpg': 'c', 'd.jpg': 'd' };
    const pair = await Pair.create(files);
    await pair.syncWell();
    await rm(pair.at('a.jpg'));
    await rm(pair.at('dir'), { recursive: true });
    await pair.syncWell();
    await pair.recycle('b.jpg');
    const expected = sorted({ ...files, 'dir/': '' });
    await pair.syncWell('--two-way', '--dry-run');
    await pair.syncWell('--two-way');
    assert.deepEqual(await pair.localTree(), expected);
    assert.deepEqual(await pair.remoteTree(), expected);
    // After the first two-way sync, deletions count again.
    await rm(pair.at('a.jpg'));
    await pair.syncWell('--two-way');
    assert.ok(!('a.jpg' in (await pair.remoteTree())));
  });

  test('continues after it was killed', inFull, async () => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index}.txt`, `${index}`]));
    const pair = await Pair.create(files);
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
    assert.deepEqual(await pair.localTree(), expected);
  });
});

describe('holdall sync refuses', () => {
  test('to delete everything if one side is empty', async () => {
    const pair = await Pair.create({ 'a.txt': 'a', 'b.txt': 'b' });
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
    const pair = await Pair.create({ 'a.txt': 'a', 'b.txt': 'b' });
    await pair.syncWell('--two-way');
    await user.run(['rm', pair.remote]);
    assert.equal((await pair.sync('--two-way')).code, 1);
    assert.equal(Object.keys(await pair.localTree()).length, 2);
  });

  test('to delete everything if the directory has nothing but other entries', async () => {
    const pair = await Pair.create({ 'a.txt': 'a', 'dir/b.txt': 'b' });
    await pair.syncWell('--two-way');
    await rm(pair.local, { recursive: true });
    await mkdir(pair.at('lost+found'), { recursive: true });
    const { code, notes } = await pair.sync('--two-way');
    assert.equal(code, 1);
    assert.match(notes, /Nothing that was synced is in .* any more\..*--allow-mass-deletion/);
    assert.deepEqual(await pair.remoteTree(), { 'a.txt': 'a', 'dir/': '', 'dir/b.txt': 'b' });
  });

  test('to delete the only file if one side is empty', async () => {
    const pair = await Pair.create({ 'a.txt': 'a' });
    await pair.syncWell('--two-way');
    await rm(pair.at('a.txt'));
    assert.equal((await pair.sync('--two-way')).code, 1);
    assert.deepEqual(await pair.remoteTree(), { 'a.txt': 'a' });
  });

  test('to delete more than half of many files', async () => {
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`${index}.txt`, `${index}`]));
    const pair = await Pair.create(files);
    await pair.syncWell('--delete');
    for (let index = 0; index < 55; index += 1) await rm(pair.at(`${index}.txt`));
    const { code, notes } = await pair.sync('--delete');
    assert.equal(code, 1);
    assert.match(notes, /55 of 60 entries are missing/);
  });

  test('to run twice for one pair', async () => {
    const pair = await Pair.create({ 'a.txt': 'a' });
    const both = await Promise.all([pair.sync(), pair.sync()]);
    const codes = both.map(({ code }) => code).toSorted();
    assert.deepEqual(codes, [0, 1]);
    assert.match(both.map(({ notes }) => notes).join(), /Another sync of these two directories is running/);
  });
});

describe('holdall sync of a directory named by a symbolic link', () => {
  test('does not create the directory again if it is missing', async () => {
    const pair = await Pair.create({ 'deep/a.txt': 'a' });
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
    const pair = await Pair.create({
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
    assert.ok(!('remote.log' in (await pair.localTree())));
  });

  test('ignored files, and does not delete them once they are no longer ignored', async () => {
    const pair = await Pair.create({ 'keep.txt': 'keep', 'a.log': 'a', 'b.log': 'b', 'logs/c.log': 'c' });
    await pair.syncWell('--two-way');
    await pair.write('.holdallignore', '*.log\n/logs/\n');
    await pair.syncWell('--two-way');
    await rm(pair.at('a.log'));
    await rm(pair.at('logs'), { recursive: true });
    await pair.recycle('b.log');
    await pair.syncWell('--two-way');
    await rm(pair.at('.holdallignore'));
    await pair.syncWell('--two-way');
    const expected = { 'a.log': 'a', 'b.log': 'b', 'keep.txt': 'keep', 'logs/': '', 'logs/c.log': 'c' };
    assert.deepEqual(await pair.localTree(), expected);
    assert.deepEqual(await pair.remoteTree(), expected);
  });

  test('files of operating systems, and deletes them with their directory', async () => {
    const junk = { 'fold/.DS_Store': 'x', 'fold/sub/Thumbs.db': 'x', 'fold/sub/Desktop.ini': 'x' };
    const pair = await Pair.create({ 'a.txt': 'a', 'fold/b.txt': 'b', 'fold/sub/c.txt': 'c', ...junk });
    await pair.syncWell('--two-way');
    await pair.recycle('fold');
    await pair.syncWell('--two-way');
    assert.deepEqual(await pair.localTree(), { 'a.txt': 'a' });
  });

  test('a directory that contains only such files', async () => {
    const pair = await Pair.create({ 'fold/sub/.DS_Store': 'x', 'made/b.txt': 'b' });
    await mkdir(pair.at('empty'));
    await mkdir(pair.at('made/deep'), { recursive: true });
    await pair.write('made/.DS_Store', 'x');
    await pair.syncWell('--two-way');
    const made = { 'empty/': '', 'made/': '', 'made/b.txt': 'b', 'made/deep/': '' };
    assert.deepEqual(await pair.remoteTree(), made);
    await pair.syncWell('--two-way');
    assert.deepEqual(await pair.remoteTree(), made, 'nor by the next sync');
    await pair.write('fold/sub/c.txt', 'c');
    await pair.syncWell('--two-way');
    assert.equal((await pair.remoteTree())['fold/sub/c.txt'], 'c');
  });

  test('and reports ignored files in a directory that was deleted elsewhere', async () => {
    const pair = await Pair.create({
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
    const {
      'fold/sub/a.log': kept,
      'named/Thumbs.db': alsoKept,
      'fold/b.txt': gone,
    } = await pair.localTree();
    assert.deepEqual([kept, alsoKept, gone], ['a', 'x', undefined]);
  });

  test('and reports symbolic links', async () => {
    const pair = await Pair.create({ 'a.txt': 'a' });
    await symlink('a.txt', pair.at('link'));
    assert.match(await pair.syncWell('--two-way'), /link: skipped/);
    assert.deepEqual(await pair.remoteTree(), { 'a.txt': 'a' });
  });

  test('a file that has become a symbolic link, without deleting it in the drive', async () => {
    const pair = await Pair.create({ 'a.txt': 'a', 'b.txt': 'b' });
    await pair.syncWell('--two-way');
    await rm(pair.at('a.txt'));
    await symlink('b.txt', pair.at('a.txt'));
    await pair.syncWell('--two-way');
    assert.deepEqual(await pair.remoteTree(), { 'a.txt': 'a', 'b.txt': 'b' });
  });

  test('and reports names that the drive rejects', async () => {
    const pair = await Pair.create({ 'a.txt': 'a', 'back\\slash.txt': 'b' });
    const { code, notes } = await pair.sync();
    assert.equal(code, 1);
    assert.match(notes, /back\\slash\.txt: The name must not contain/);
    assert.deepEqual(await pair.remoteTree(), { 'a.txt': 'a' });
  });
});

describe('holdall sync --dry-run', () => {
  test('prints what it would do, and does nothing', async () => {
    const pair = await Pair.create({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'ccc' });
    await pair.syncWell('--two-way');
    await pair.edit('a.txt', 'edited in the drive');
    await pair.write('a.txt', 'changed on disk');
    await rm(pair.at('b.txt'));
    await rename(pair.at('c.txt'), pair.at('d.txt'));
    await pair.write('new/e.txt', 'e');
    const before = [await pair.localTree(), await pair.remoteTree()];
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
    assert.deepEqual([await pair.localTree(), await pair.remoteTree()], before);
    const json = (await pair.sync('--two-way', '--dry-run', '--json')).out.trim().split('\n');
    assert.ok(json.map((line) => JSON.parse(line)).some(({ action }) => action === 'move-remote'));
  });
});

describe('holdall sync --watch', () => {
  test('applies each change to the other side until it is stopped', async () => {
    const pair = await Pair.create({ 'a.txt': 'a' });
    await pair.syncWell('--two-way');
    const end = new AbortController();
    const running = user.run(['sync', pair.local, pair.remote, '--two-way', '--watch'], [], {
      signal: end.signal,
    });
    try {
      await pair.write('b/c.txt', 'c');
      await waitFor(async () => (await pair.remoteTree())['b/c.txt'] === 'c');
      // In a directory that was created after the watch started.
      await pair.write('b/d.txt', 'd');
      await waitFor(async () => (await pair.remoteTree())['b/d.txt'] === 'd');
      await pair.edit('a.txt', 'edited in the drive');
      await waitFor(async () => (await pair.localTree())['a.txt'] === 'edited in the drive');
      await rename(pair.at('b'), pair.at('moved'));
      await waitFor(async () => 'moved/c.txt' in (await pair.remoteTree()));
      await rm(pair.at('moved/c.txt'));
      await waitFor(async () => !('moved/c.txt' in (await pair.remoteTree())));
    } finally {
      end.abort();
    }
    assert.equal((await running).code, 130);
    assert.deepEqual(await pair.localTree(), await pair.remoteTree());
  });
});

describe('a program that saves slowly under holdall sync --watch', () => {
  test('keeps the id and the versions of its file, whether it keeps or deletes the old one', async () => {
    const pair = await Pair.create({ 'kept.txt': 'kept', 'deleted.txt': 'deleted' });
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
        await pair.write(`${name}.txt`, 'new content');
        if (name === 'deleted') await rm(pair.at(`${name}.bak`));
        await waitFor(async () => (await pair.remoteTree())[`${name}.txt`] === 'new content');
      }
      await waitFor(
        async () => JSON.stringify(await pair.remoteTree()) === JSON.stringify(await pair.localTree()),
      );
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
    const pair = await Pair.create({ 'a.txt': 'a', 'z.txt': 'z' });
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
    const pair = await Pair.create({ 'a.txt': 'a', 'b.txt': 'b' });
    // The system reports the move of the directory under its own name, as if it was an entry in itself.
    await pair.write(`${path.basename(pair.local)}/c.txt`, 'c');
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
      await pair.write('b.txt', 'b');
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
