// tier: default
// runs on: sqlite
// runs on, with --full: s3
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { startHoldall } from '../../server/test/support/app/holdall.ts';
import { CommandLine } from './command-line.ts';

const service = await startHoldall();
const user = await CommandLine.create(service);
const { person } = user;
const TIME = new Date('2020-02-03T04:05:06.789Z');

/** Writes a file below the user's folder. */
async function write(relativePath: string, content: string | Uint8Array): Promise<string> {
  const file = user.at(relativePath);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
  await utimes(file, TIME, TIME);
  return file;
}

/** The part file of an incomplete download in the folder. */
function partOf(name: string): string {
  return user.at(`.holdall-${createHash('sha256').update(name).digest('hex').slice(0, 16)}.part`);
}

describe('holdall put', () => {
  test('uploads a directory with everything below it and keeps the times', async () => {
    await write('tree/a.txt', 'a');
    await write('tree/deep/er/b.bin', randomBytes(600_000));
    await mkdir(user.at('tree/empty'));
    await symlink('a.txt', user.at('tree/link'));
    const { code, notes } = await user.run(['put', user.at('tree'), '/backup']);
    assert.equal(code, 0, notes);
    assert.match(notes, /link: skipped/);
    assert.match(notes, /2 files, 600 kB/);
    assert.deepEqual(
      (await person.tree('/backup')).map((record) => record.path),
      [
        '/backup/tree',
        '/backup/tree/deep',
        '/backup/tree/deep/er',
        '/backup/tree/deep/er/b.bin',
        '/backup/tree/empty',
        '/backup/tree/a.txt',
      ],
    );
    const [a] = (await person.list('/backup/tree')).items.filter(({ filename }) => filename === 'a.txt');
    assert.equal(a?.modifiedAt, TIME.toISOString());
  });

  test('skips unchanged files, and treats other content as --on-conflict says', async () => {
    const file = await write('same.txt', 'first');
    assert.equal((await user.run(['put', file, '/same'])).code, 0);
    assert.match((await user.run(['put', file, '/same'])).notes, /0 files.*1 left as they were/);
    await writeFile(file, 'second');
    const failed = await user.run(['put', file, '/same']);
    assert.equal(failed.code, 1);
    assert.match(failed.notes, /A file with this name and other content/);
    assert.equal((await user.run(['put', file, '/same', '--on-conflict', 'skip'])).code, 0);
    assert.equal((await user.run(['cat', '/same/same.txt'])).out, 'first');
    assert.equal((await user.run(['put', file, '/same', '--on-conflict', 'rename'])).code, 0);
    assert.equal((await user.run(['cat', '/same/same (2).txt'])).out, 'second');
    assert.equal((await user.run(['put', file, '/same', '--on-conflict', 'replace'])).code, 0);
    assert.equal((await user.run(['cat', '/same/same.txt'])).out, 'second');
    const [record] = (await person.list('/same')).items.filter(({ filename }) => filename === 'same.txt');
    const versions = await person.ask<readonly object[]>('GET', `/api/v2/files/${record?.id}/versions`);
    assert.equal(versions.length, 1);
  });

  test('reports a file that fails, and still uploads the others', async () => {
    await write('some/a', 'a');
    await write('some/b', 'b');
    await person.mkdir('/some/some/a');
    const { code, notes } = await user.run(['put', user.at('some'), '/some', '--on-conflict', 'replace']);
    assert.equal(code, 1);
    assert.match(notes, /directory with this name exists/);
    assert.match(notes, /1 file could not be uploaded/);
    assert.deepEqual(await person.names('/some/some'), ['a', 'b']);
  });

  test('continues an interrupted upload', async () => {
    const bytes = randomBytes(24 * 1_048_576);
    const file = await write('large.bin', bytes);
    const folder = path.join(user.env.HOME ?? '', '.local', 'state', 'holdall', 'uploads');
    const end = new AbortController();
    // Progress is shown for the first time before anything was sent.
    const interrupted = { signal: end.signal, onProgress: () => end.abort() };
    assert.equal((await user.run(['put', file, '/large'], [], interrupted)).code, 130);
    assert.equal((await readdir(folder)).length, 1);
    const { code, notes } = await user.run(['put', file, '/large']);
    assert.equal(code, 0, notes);
    assert.deepEqual(await readdir(folder), []);
    const [record] = (await person.list('/large')).items;
    assert.ok((await person.download(record ?? { id: 0 })).equals(bytes));
  });
});

describe('holdall put, called in a way that is probably a mistake,', () => {
  test('rejects a local file in place of the target directory', async () => {
    const words = ['put', await write('one.txt', '1'), await write('two.txt', '2')];
    const { code, notes } = await user.run(words);
    assert.equal(code, 2);
    assert.match(notes, /two\.txt is a file on this computer/);
  });

  test('reports a missing file, and still uploads the others', async () => {
    const words = ['put', user.at('missing'), await write('three.txt', '3'), '/mistakes'];
    const { code, notes } = await user.run(words);
    assert.equal(code, 1);
    assert.match(notes, /missing: ENOENT/);
    assert.deepEqual(await person.names('/mistakes'), ['three.txt']);
  });

  test('does not create another copy when repeated with --on-conflict rename', async () => {
    const file = await write('again.txt', 'first');
    await user.run(['put', file, '/again']);
    await writeFile(file, 'second');
    for (const _ of [1, 2]) {
      assert.equal((await user.run(['put', file, '/again', '--on-conflict', 'rename'])).code, 0);
    }
    assert.deepEqual(await person.names('/again'), ['again (2).txt', 'again.txt']);
  });
});

describe('holdall get', () => {
  test('downloads a directory with everything below it and keeps the times', async () => {
    await write('source/a.txt', 'a');
    await write('source/deep/b.bin', randomBytes(300_000));
    await user.run(['put', user.at('source'), '/get']);
    await person.mkdir('/get/source/empty');
    const { code, notes } = await user.run(['get', '/get/source', user.at('copy')]);
    assert.equal(code, 0, notes);
    assert.deepEqual((await readdir(user.at('copy'), { recursive: true })).toSorted(), [
      'a.txt',
      'deep',
      'deep/b.bin',
      'empty',
    ]);
    assert.ok(
      (await readFile(user.at('copy/deep/b.bin'))).equals(await readFile(user.at('source/deep/b.bin'))),
    );
    assert.equal((await stat(user.at('copy/a.txt'))).mtime.getTime(), TIME.getTime());
  });

  test('skips unchanged files', async () => {
    await person.upload('/there/a.txt', 'a');
    await mkdir(user.at('target'));
    const words = ['get', '/there', user.at('target')];
    assert.match((await user.run(words)).notes, /^1 file, /);
    assert.match((await user.run(words)).notes, /^0 files.*1 left as they were/);
    assert.equal(await readFile(user.at('target/there/a.txt'), 'utf8'), 'a');
  });

  test('overwrites a different file only with --on-conflict replace', async () => {
    await person.upload('/over.txt', 'remote');
    const file = await write('over.txt', 'local');
    assert.equal((await user.run(['get', '/over.txt', file])).code, 1);
    assert.equal(await readFile(file, 'utf8'), 'local');
    assert.equal((await user.run(['get', '/over.txt', file, '--on-conflict', 'rename'])).code, 0);
    assert.equal(await readFile(user.at('over (2).txt'), 'utf8'), 'remote');
    assert.equal((await user.run(['get', '/over.txt', file, '--on-conflict', 'replace'])).code, 0);
    assert.equal(await readFile(file, 'utf8'), 'remote');
  });

  test('continues an interrupted download, unless the file has changed', async () => {
    const bytes = randomBytes(2_000_000);
    const record = await person.upload('/part.bin', bytes);
    const etag = (await person.fetch('HEAD', `/api/files/download/${record.id}`)).headers.get('etag') ?? '';
    for (const [tag, isRight] of [
      [etag, true],
      ['"another"', false],
    ] as const) {
      const target = user.at(`part-${isRight}.bin`);
      const part = partOf(`part-${isRight}.bin`);
      // The existing part has right or wrong bytes, which shows whether it is used.
      await writeFile(part, isRight ? bytes.subarray(0, 1_500_000) : Buffer.alloc(1_500_000));
      await writeFile(`${part}.etag`, tag);
      const { code, notes } = await user.run(['get', '/part.bin', target]);
      assert.equal(code, 0, notes);
      assert.ok((await readFile(target)).equals(bytes));
      assert.deepEqual(
        (await readdir(user.folder)).filter((name) => name.startsWith('.holdall-')),
        [],
      );
    }
  });

  test('rejects a damaged part, and downloads the file from the start in the next run', async () => {
    const bytes = randomBytes(100_000);
    const record = await person.upload('/damaged.bin', bytes);
    const etag = (await person.fetch('HEAD', `/api/files/download/${record.id}`)).headers.get('etag') ?? '';
    await writeFile(partOf('damaged.bin'), Buffer.alloc(50_000));
    await writeFile(`${partOf('damaged.bin')}.etag`, etag);
    const { code, notes } = await user.run(['get', '/damaged.bin', user.folder]);
    assert.equal(code, 1);
    assert.match(notes, /arrived damaged/);
    assert.equal((await user.run(['get', '/damaged.bin', user.folder])).code, 0);
    assert.ok((await readFile(user.at('damaged.bin'))).equals(bytes));
  });

  test('saves two files with the same name under different names, or reports the second', async () => {
    await person.upload('/twins/a/same.txt', 'first');
    await person.upload('/twins/b/same.txt', 'second');
    await mkdir(user.at('twins'));
    const words = ['get', '/twins/a/same.txt', '/twins/b/same.txt', user.at('twins')];
    const { code, notes } = await user.run(words);
    assert.equal(code, 1);
    assert.match(notes, /1 file, /);
    assert.match(notes, /same\.txt: A file with this name/);
    assert.equal((await user.run([...words, '--on-conflict', 'rename'])).code, 0);
    const saved = [await readFile(user.at('twins/same.txt')), await readFile(user.at('twins/same (2).txt'))];
    assert.deepEqual(saved.map(String).toSorted(), ['first', 'second']);
  });

  test('fails while another command downloads the same file', async () => {
    await person.upload('/busy.txt', 'busy');
    // The lock names the process of this test, which is running.
    await writeFile(`${partOf('busy.txt')}.lock`, String(process.pid));
    const { code, notes } = await user.run(['get', '/busy.txt', user.folder]);
    assert.equal(code, 1);
    assert.match(notes, /Another command is writing busy\.txt/);
    // A lock left behind by a killed process.
    await writeFile(`${partOf('busy.txt')}.lock`, '999999999');
    assert.equal((await user.run(['get', '/busy.txt', user.folder])).code, 0);
  });

  test('saves a file whose name has the maximum length', async () => {
    const name = '文'.repeat(85);
    await person.upload(`/${name}`, 'long');
    assert.equal((await user.run(['get', `/${name}`, user.folder])).code, 0);
    assert.equal(await readFile(user.at(name), 'utf8'), 'long');
  });

  test('continues if a directory cannot be created', async () => {
    await person.upload('/blocked/a/one.txt', '1');
    await person.upload('/blocked/b/two.txt', '2');
    await write('blocked/a', 'a file');
    const { code, notes } = await user.run(['get', '/blocked', user.folder]);
    assert.equal(code, 1);
    assert.match(notes, /EEXIST/);
    assert.equal(await readFile(user.at('blocked/b/two.txt'), 'utf8'), '2');
  });

  test('accepts the same paths as cat, which writes only the bytes', async () => {
    await person.upload('/cat.txt', 'one\n');
    const { code, out } = await user.run(['cat', '/cat.txt', 'cat.txt']);
    assert.deepEqual([code, out], [0, 'one\none\n']);
  });
});
