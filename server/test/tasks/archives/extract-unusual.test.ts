// tier: default
// runs on: sqlite
// Archives that violate PKWARE's specification but that other programs extract, built byte by byte.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import iconv from 'iconv-lite';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import type { ArchiveContents } from '../../../src/tasks/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { ArchiveTasks, readTree, TestAttempt } from '../../support/tasks/archive-tasks.ts';
import type { Tree } from '../../support/tasks/directory-tree.ts';
import { type ForgedEntry, forgeZip, unixMode } from '../../support/zip/zip-forge.ts';

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
const tasks = new ArchiveTasks(holdall);

const DOS = 20;
const TWO: readonly ForgedEntry[] = [
  { name: 'a.txt', content: 'one' },
  { name: 'b.txt', content: 'two' },
];
const TWO_FILES: Tree = { 'a.txt': 'one', 'b.txt': 'two' };

interface Extracted {
  readonly tree: Tree;
  readonly state: TestAttempt['state'];
}

async function upload(bytes: Uint8Array): Promise<{ person: Person; file: EntryRecord }> {
  const person = await holdall.register('alice');
  return { person, file: await person.upload('/in/a.zip', new Uint8Array(bytes)) };
}

async function extract(archive: readonly ForgedEntry[] | Buffer): Promise<Extracted> {
  const { person, file } = await upload(Buffer.isBuffer(archive) ? archive : forgeZip(archive));
  const { state } = await tasks.extract(person, file);
  const { 'a.zip': _archive, ...tree } = await readTree(person, '/in');
  return { tree, state };
}

function moved(bytes: Buffer, prefix: string): Buffer {
  return Buffer.concat([Buffer.from(prefix), bytes]);
}

describe('an archive made on Windows', () => {
  it('is extracted into the directories that its backslashes separate', async () => {
    const { tree, state } = await extract([
      { name: 'Report\\2020\\sum.txt', content: '1', madeBy: DOS },
      { name: Buffer.from('\x84\\', 'latin1'), madeBy: DOS },
      { name: 'IZArc\\x.txt', content: '2', madeBy: DOS, local: { name: 'IZArc/x.txt' } },
      { name: Buffer.from('NTFS\\n.txt'), content: '3', madeBy: (10 << 8) | 20 },
    ]);
    assert.deepEqual(tree, {
      ...{ 'IZArc/': '', 'IZArc/x.txt': '2', 'NTFS/': '', 'NTFS/n.txt': '3', 'Report/': '' },
      ...{ 'Report/2020/': '', 'Report/2020/sum.txt': '1', 'ä/': '' },
    });
    assert.equal(state.renamedCount, undefined);
  });

  it('keeps characters whose last byte is a backslash', async () => {
    const name = iconv.encode('ソフト\\表示.txt', 'shift_jis');
    const { tree } = await extract([...TWO, { name, content: 'x', madeBy: DOS }]);
    assert.deepEqual(tree, { ...TWO_FILES, 'ソフト/': '', 'ソフト/表示.txt': 'x' });
  });
});

describe('names that a drive does not allow', () => {
  it('are replaced by similar names, which the task lists', async () => {
    const { tree, state } = await extract([
      { name: 'Icon\r', content: '1' },
      { name: 'a\tb/c', content: '2' },
      { name: 'back\\slash', content: '3' },
      { name: `${'会'.repeat(86)}.txt`, content: '4' },
      { name: ' ', content: '5' },
    ]);
    const long = `${'会'.repeat(83)}.txt`;
    assert.deepEqual(tree, {
      ...{ Icon_: '1', 'a_b/': '', 'a_b/c': '2', back_slash: '3', [long]: '4', _: '5' },
    });
    assert.equal(state.renamedCount, 5);
    assert.deepEqual(Object(state.renamed)[0], { name: 'Icon\r', newName: 'Icon_' });
  });

  it('never replace another name', async () => {
    const { tree } = await extract([
      { name: 'a\tb', content: '1' },
      { name: 'a\nb', content: '2' },
      { name: 'a_b', content: '3' },
      { name: '\u00e9', content: '4' },
      { name: 'e\u0301', content: '5' },
    ]);
    assert.deepEqual(tree, { a_b: '3', 'a_b (2)': '1', 'a_b (3)': '2', é: '4', 'é (2)': '5' });
  });

  it('are kept if they are short enough after normalization', async () => {
    const name = '가'.repeat(80);
    const { tree, state } = await extract([{ name: name.normalize('NFD'), content: 'x' }]);
    assert.deepEqual([tree, state.renamedCount], [{ [name]: 'x' }, undefined]);
  });
});

describe('what a drive cannot store', () => {
  it('is left out, and the task lists it', async () => {
    const special = [0o120777, 0o020666, 0o010666, 0o150644].map((mode, index) => ({
      name: `special ${index}`,
      attributes: unixMode(mode),
    }));
    const long = { name: 'd/'.repeat(30_000) };
    const { tree, state } = await extract([...TWO, ...special, { name: '' }, long]);
    assert.deepEqual(tree, TWO_FILES);
    assert.equal(state.leftOutCount, 6);
    assert.deepEqual(Object(state.leftOut)[0], { name: 'special 0', reason: 'is a symbolic link' });
  });

  it('is listed up to a limit', async () => {
    const links = Array.from({ length: 50 }, (_, index) => ({
      name: `${index}`,
      attributes: unixMode(0o120777),
    }));
    const { state } = await extract([...TWO, ...links]);
    assert.deepEqual([state.leftOutCount, Object(state.leftOut).length], [50, 20]);
  });
});

describe('if two entries have the same path', () => {
  it('the last file wins, and directories are merged', async () => {
    const { tree, state } = await extract([
      { name: 'a/' },
      { name: 'x', content: 'first' },
      { name: 'a/' },
      { name: 'x', content: 'last' },
      { name: 'a/./b', content: 'first' },
      { name: 'a/b', content: 'last' },
    ]);
    assert.deepEqual([tree, state.replacedCount], [{ 'a/': '', 'a/b': 'last', x: 'last' }, 2]);
  });
});

describe('an archive is extracted although', () => {
  const whole = forgeZip(TWO);
  const CASES: Readonly<Record<string, Buffer>> = {
    'a line end follows it': Buffer.concat([whole, Buffer.from('\r\n')]),
    'zeros follow it': Buffer.concat([whole, Buffer.alloc(512)]),
    'its comment is shorter than declared': withCommentOf(whole, 9),
    'bytes after it look like an end record': Buffer.concat([
      whole,
      Buffer.from('PK\x05\x06'),
      Buffer.alloc(40),
    ]),
    'a program that its offsets ignore is before it': moved(whole, '#!stub\n'.repeat(50)),
    'only the offset of its directory ignores the bytes before it': forgeZip(TWO, {
      prefix: Buffer.from('#!stub\n'),
      directoryOffset: 79,
    }),
    'an extra field is longer than its place': forgeZip(
      TWO.map((entry) => ({ ...entry, extra: Buffer.from([0x55, 0x54, 0x40, 0, 3]) })),
    ),
  };
  for (const [name, bytes] of Object.entries(CASES)) {
    it(name, async () => assert.deepEqual((await extract(bytes)).tree, TWO_FILES));
  }

  it('a name declared as UTF-8 is not valid UTF-8', async () => {
    const name = { name: Buffer.from([0x61, 0xff]), flags: 1 << 11, content: 'x' };
    assert.deepEqual((await extract([...TWO, name])).tree, { ...TWO_FILES, 'a\ufffd': 'x' });
  });
});

function withCommentOf(bytes: Buffer, length: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt16LE(length, copy.byteLength - 2);
  return copy;
}

describe('the encoding of names', () => {
  const names = ['会议记录.txt', '报告.doc'].map((name) => iconv.encode(name, 'gb18030'));
  const entries = names.map((name) => ({ name, content: 'x' }));

  it('is guessed from all of them', async () => {
    assert.deepEqual((await extract(entries)).tree, { '会议记录.txt': 'x', '报告.doc': 'x' });
  });

  it('does not change names that are UTF-8', async () => {
    const field = { name: 'Größe', content: 'y' };
    assert.deepEqual((await extract([...entries, field])).tree, {
      ...{ '会议记录.txt': 'x', '报告.doc': 'x', Größe: 'y' },
    });
  });

  it('can be chosen, for the list of an archive and for its extraction', async () => {
    const { person, file } = await upload(forgeZip(entries));
    const list = (query: string) =>
      person.ask<ArchiveContents>('GET', `/api/v2/files/${file.id}/archive${query}`);
    const guessed = await list('');
    assert.equal(guessed.encoding, 'gb18030');
    assert.deepEqual(
      guessed.entries.map(({ path }) => path),
      ['会议记录.txt', '报告.doc'],
    );
    assert.equal(
      (await list('?encoding=koi8-r')).entries[1]?.path,
      iconv.decode(names[1] ?? Buffer.of(), 'koi8-r'),
    );
    const body = { fileId: file.id, path: file.path };
    const refused = await person.call('POST', '/api/v2/tasks/extract', { body: { ...body, encoding: 'x' } });
    assert.equal(refused.status, 400);
    const task = await person.ask<{ publicStateJson: object }>('POST', '/api/v2/tasks/extract', {
      body: { ...body, encoding: 'big5' },
    });
    assert.equal(Object(task.publicStateJson).filename, 'a.zip');
  });
});

describe('the list of an archive', () => {
  it('has the entries with their sizes', async () => {
    const { person, file } = await upload(moved(forgeZip([...TWO, { name: 'd/' }]), 'a program'));
    const found = await person.ask<ArchiveContents>('GET', `/api/v2/files/${file.id}/archive`);
    assert.deepEqual(found, {
      entries: [
        { path: 'a.txt', directory: false, size: 3, modifiedAt: null },
        { path: 'b.txt', directory: false, size: 3, modifiedAt: null },
        { path: 'd/', directory: true, size: 0, modifiedAt: null },
      ],
      ...{ total: 3, cut: false, encoding: null },
    });
  });

  it('is rejected for files that cannot be extracted', async () => {
    const { person, file } = await upload(forgeZip(TWO).subarray(0, 60));
    assert.equal((await person.call('GET', `/api/v2/files/${file.id}/archive`)).status, 400);
    const directory = await person.mkdir('/in/directory');
    assert.equal((await person.call('GET', `/api/v2/files/${directory.id}/archive`)).status, 400);
  });
});

describe('a file', () => {
  it('is extracted whatever its name, if it is an archive', async () => {
    const person = await holdall.register('alice');
    for (const name of ['data', 'x.zip.bak', 'setup.exe', 'letter.docm']) {
      const { id: fileId, path } = await person.upload(
        `/any/${name}`,
        new Uint8Array(moved(forgeZip(TWO), 'MZ')),
      );
      const answer = await person.call('POST', '/api/v2/tasks/extract', { body: { fileId, path } });
      assert.equal(answer.status, 200, name);
    }
  });

  it('with the longest name gets an archive with a shorter name', async () => {
    const person = await holdall.register('alice');
    const file = await person.upload(`/long/${'n'.repeat(251)}.txt`, 'x');
    const attempt = new TestAttempt(person, file);
    await tasks.runArchive(attempt);
    assert.deepEqual(
      await person.names('/long'),
      [`${'n'.repeat(251)}.txt`, `${'n'.repeat(251)}.zip`].sort(),
    );
  });
});
