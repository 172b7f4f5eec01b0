// tier: full
// runs on: sqlite
// needs: archivers
// Archives made by other programs are unpacked to their original trees.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { runArchiver } from '../../../../tools/programs/archivers.ts';
import { isLong } from '../../../../tools/testing/tiers.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { checkBooks } from '../../support/checks/books.ts';
import { ArchiveTasks, readTree } from '../../support/tasks/archive-tasks.ts';
import { makeDirectory, subtree, type Tree, withDirectories } from '../../support/tasks/directory-tree.ts';

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
const tasks = new ArchiveTasks(holdall);

const DOCS: Tree = withDirectories({
  'docs/readme.txt': 'read me\n'.repeat(100),
  'docs/empty.txt': '',
  'docs/empty/': '',
  'docs/deep/er/and/deeper.bin': '\u0000\u0001\u00fe\u00ff'.repeat(200_000),
  'docs/deep/UPPER and lower.TXT': 'x',
  'docs/Übung/日本語 👍.txt': 'unicode',
  'docs/café.txt': 'composed',
});
const ASCII: Tree = withDirectories({
  'docs/readme.txt': 'read me\n'.repeat(100),
  'docs/deep/er/file.bin': 'x'.repeat(300_000),
});

/** Packs `docs` into `a.zip`. */
interface Maker {
  readonly name: string;
  readonly run: (directory: string) => Promise<unknown>;
  /** The content of `docs`. */
  readonly tree?: Tree;
}

const python = (code: string) => (directory: string) =>
  runArchiver('python3', ['-c', `import os, sys, zipfile\n${code}`], directory);

const WALK = `
def walk():
    for place, names, files in os.walk('docs'):
        yield place + '/'
        for file in files: yield os.path.join(place, file)
`;

const MAKERS: readonly Maker[] = [
  { name: 'zip', run: (at) => runArchiver('zip', ['-r', '-q', 'a.zip', 'docs'], at) },
  { name: 'zip, stored', run: (at) => runArchiver('zip', ['-r', '-q', '-0', 'a.zip', 'docs'], at) },
  {
    name: 'zip, with data descriptors',
    run: (at) => runArchiver('zip', ['-r', '-q', '-fd', 'a.zip', 'docs'], at),
  },
  {
    name: 'zip, to a pipe',
    run: python(`import subprocess
made = subprocess.run(['zip', '-r', '-q', '-', 'docs'], stdout=subprocess.PIPE, check=True)
open('a.zip', 'wb').write(made.stdout)`),
  },
  {
    name: 'zip, without entries for directories',
    run: (at) => runArchiver('zip', ['-r', '-q', '-D', 'a.zip', 'docs'], at),
    tree: Object.fromEntries(Object.entries(DOCS).filter(([name]) => name !== 'docs/empty/')),
  },
  { name: '7z', run: (at) => runArchiver('7z', ['a', '-tzip', 'a.zip', 'docs'], at) },
  {
    name: '7z, with Deflate64',
    run: (at) => runArchiver('7z', ['a', '-tzip', '-mm=Deflate64', 'a.zip', 'docs'], at),
  },
  {
    name: '7z, at maximum compression',
    run: (at) => runArchiver('7z', ['a', '-tzip', '-mx=9', 'a.zip', 'docs'], at),
  },
  {
    name: 'Python',
    run: python(`${WALK}
with zipfile.ZipFile('a.zip', 'w', zipfile.ZIP_DEFLATED) as z:
    for each in walk(): z.write(each)`),
  },
  {
    name: 'Python, to a stream and all in ZIP64',
    run: python(`${WALK}
class Stream:
    def __init__(self, file): self.file = file
    def write(self, data): return self.file.write(data)
    def flush(self): self.file.flush()
with open('a.zip', 'wb') as file, zipfile.ZipFile(Stream(file), 'w', zipfile.ZIP_DEFLATED) as z:
    for each in walk():
        if each.endswith('/'): z.writestr(zipfile.ZipInfo(each), '')
        else:
            with z.open(zipfile.ZipInfo(each), 'w', force_zip64=True) as to, open(each, 'rb') as fr: to.write(fr.read())`),
  },
  {
    name: 'Python, names in CP437',
    run: python(`${WALK}
zipfile.ZipInfo._encodeFilenameFlags = lambda self: (self.filename.encode('cp437'), self.flag_bits)
os.rename('docs/deep', 'docs/Größe ½')
with zipfile.ZipFile('a.zip', 'w') as z:
    for each in walk(): z.write(each)`),
    tree: Object.fromEntries(
      Object.entries(ASCII).map(([name, content]) => [name.replace('deep', 'Größe ½'), content]),
    ),
  },
  {
    name: 'Python, names in UTF-8 without the flag',
    run: python(`${WALK}
zipfile.ZipInfo._encodeFilenameFlags = lambda self: (self.filename.encode('utf-8'), self.flag_bits & ~0x800)
with zipfile.ZipFile('a.zip', 'w') as z:
    for each in walk(): z.write(each)`),
  },
  {
    name: 'zip, appended to a self-extracting program, with adjusted offsets',
    run: async (at) => {
      await runArchiver('zip', ['-r', '-q', 'plain.zip', 'docs'], at);
      const stub =
        "open('a.zip', 'wb').write(b'#!/bin/sh\\nexit 0\\n' * 500 + open('plain.zip', 'rb').read())";
      await runArchiver('python3', ['-c', stub], at);
      await runArchiver('zip', ['-q', '-A', 'a.zip'], at);
    },
  },
];

describe('an archive made by', () => {
  for (const { name, run, tree = DOCS } of MAKERS) {
    it(`${name} is unpacked to the original tree`, async () => {
      const directory = await makeDirectory(tree === DOCS ? DOCS : name.includes('CP437') ? ASCII : DOCS);
      await run(directory);
      const alice = await holdall.register('alice');
      const bytes = await readFile(path.join(directory, 'a.zip'));
      const file = await alice.upload('/in/archive.zip', new Uint8Array(bytes));
      const { state } = await tasks.extract(alice, file);
      const { 'archive.zip': _archive, ...found } = await readTree(alice, '/in');
      assert.deepEqual(found, subtree(tree, 'docs/'));
      const names = Object.keys(found);
      const files = names.filter((each) => !each.endsWith('/')).length;
      assert.deepEqual(state, {
        processedFileCount: files,
        totalFileCount: files,
        processedDirectoryCount: names.length - files,
        totalDirectoryCount: names.length - files,
        progressPercent: 100,
      });
      await checkBooks(holdall);
    });
  }

  it('jar is unpacked to the original tree, including the manifest', async () => {
    const directory = await makeDirectory(DOCS);
    await runArchiver('jar', ['cf', 'a.jar', '-C', 'docs', '.'], directory);
    const alice = await holdall.register('alice');
    const bytes = await readFile(path.join(directory, 'a.jar'));
    await tasks.extract(alice, await alice.upload('/in/a.jar', new Uint8Array(bytes)));
    const {
      'a.jar': _archive,
      'META-INF/MANIFEST.MF': manifest,
      'META-INF/': _metaInf,
      ...found
    } = await readTree(alice, '/in');
    assert.match(manifest ?? '', /^Manifest-Version: 1\.0/);
    assert.deepEqual(found, subtree(DOCS, 'docs/'));
    await checkBooks(holdall);
  });
});

describe('an archive in an unsupported format is rejected:', () => {
  const ways: readonly [string, readonly string[], RegExp][] = [
    ['encrypted', ['-psecret'], /"docs\/[^"]*" is encrypted/],
    ['encrypted with AES', ['-psecret', '-mem=AES256'], /"docs\/[^"]*" is encrypted/],
    ['LZMA', ['-mm=LZMA'], /"docs\/[^"]*" uses an unsupported compression method \(14\)/],
    ['in volumes', ['-v100k', '-mx=0'], /not a ZIP archive|one part of several/],
  ];
  for (const [name, options, says] of ways) {
    it(name, async () => {
      const directory = await makeDirectory(DOCS);
      await runArchiver('7z', ['a', '-tzip', ...options, 'a.zip', 'docs'], directory);
      const made = name === 'in volumes' ? 'a.zip.001' : 'a.zip';
      const alice = await holdall.register('alice');
      const bytes = await readFile(path.join(directory, made));
      const file = await alice.upload('/in/a.zip', new Uint8Array(bytes));
      await tasks.expectExtractFailure(alice, file, 'UNSUPPORTED_INPUT', says);
    });
  }
});

it('an archive that zip writes from a pipe to a pipe, in ZIP64, is unpacked', async () => {
  const directory = await makeDirectory();
  await python(`import subprocess
made = subprocess.run(['zip', '-q', '-', '-'], input=b'streamed ' * 1000, stdout=subprocess.PIPE, check=True)
open('a.zip', 'wb').write(made.stdout)`)(directory);
  const bytes = await readFile(path.join(directory, 'a.zip'));
  assert.equal(bytes.readUInt32LE(22), 0xffff_ffff);
  const alice = await holdall.register('alice');
  await tasks.extract(alice, await alice.upload('/in/a.zip', new Uint8Array(bytes)));
  assert.equal((await readTree(alice, '/in'))['-'], 'streamed '.repeat(1_000));
});

// Most entries are directories, because every file costs a flushed write or a request.
const ENTRIES = isLong ? 50_000 : 10_000;
const FILES = isLong ? 4_000 : 800;

it(`an archive of ${ENTRIES} entries is unpacked`, { timeout: 240_000 }, async () => {
  const directory = await makeDirectory();
  await python(`
with zipfile.ZipFile('a.zip', 'w') as z:
    for n in range(${ENTRIES}):
        if n < ${FILES}: z.writestr('all/%d/%d.txt' % (n % 100, n), str(n))
        else: z.writestr('all/%d/%d/' % (n % 100, n), '')`)(directory);
  const alice = await holdall.register('alice');
  const file = await alice.upload('/in/a.zip', new Uint8Array(await readFile(path.join(directory, 'a.zip'))));
  const { states, state } = await tasks.extract(alice, file);
  assert.deepEqual([state.totalFileCount, state.totalDirectoryCount], [FILES, ENTRIES - FILES + 100]);
  const percents = states.map(({ progressPercent }) => Number(progressPercent));
  assert.deepEqual(
    percents,
    percents.toSorted((one, other) => one - other),
  );
  assert.equal(percents.filter((percent) => percent === 100).length, 1);
  assert.equal((await alice.list('/in')).total, 101);
  assert.equal((await alice.list('/in/37')).total, ENTRIES / 100);
  const inOne = (await alice.list('/in/99', { size: 1_000 })).items;
  assert.equal(inOne.filter((entry) => entry.directory).length, (ENTRIES - FILES) / 100);
  const last = inOne.findLast((entry) => !entry.directory);
  assert(last);
  assert.equal(last.filename, `${await alice.download(last)}.txt`);
  await checkBooks(holdall, { deep: false });
});
