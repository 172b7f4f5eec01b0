// tier: default
// runs on: sqlite
// runs on, with --full: s3
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { Failure } from '../../../src/base/failure.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { checkBooks } from '../../support/checks/books.ts';
import { ArchiveTasks, limitAccount, TestAttempt } from '../../support/tasks/archive-tasks.ts';
import { withDirectories } from '../../support/tasks/directory-tree.ts';
import { DOCS, NOISE, personWith, TEXT } from '../../support/tasks/docs-tree.ts';
import { forgeZip } from '../../support/zip/zip-forge.ts';
import { readBack } from '../../support/zip/zip-reading.ts';

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
const tasks = new ArchiveTasks(holdall);

describe('an archive task', () => {
  it('deflates contents that become smaller and stores the others, judging by the bytes and not by the name', async () => {
    const { person, docs } = await personWith(holdall, {
      ...DOCS,
      'docs/words.jpg': TEXT.repeat(500),
      'docs/tiny': 'x',
    });
    const methods = new Map<string, number>();
    for (const { entry } of await readBack(await person.download(await tasks.archive(person, docs)))) {
      methods.set(entry.fileName, entry.compressionMethod);
    }
    const expected = { 'docs/readme.txt': 8, 'docs/long.txt': 8, 'docs/words.jpg': 8, 'docs/zeros.bin': 8 };
    for (const [name, method] of Object.entries(expected)) assert.equal(methods.get(name), method, name);
    for (const name of ['docs/noise.jpg', 'docs/tiny', 'docs/empty.txt', 'docs/empty/'])
      assert.equal(methods.get(name), 0, name);
  });

  it('keeps the times of files and directories', async () => {
    const { person, docs } = await personWith(holdall, DOCS);
    const record = await tasks.archive(person, docs);
    const updatedAt = new Map(
      [docs, ...(await person.tree('/docs'))].map((each) => [each.path, Date.parse(each.updatedAt)]),
    );
    for (const { entry } of await readBack(await person.download(record))) {
      const expected = updatedAt.get(`/${entry.fileName.replace(/\/$/, '')}`) ?? 0;
      assert.equal(entry.getLastModDate().getTime(), Math.floor(expected / 1_000) * 1_000, entry.fileName);
    }
  });

  it('creates an archive of a single file and keeps its full name', async () => {
    const person = await holdall.register('alice');
    const file = await person.upload('/notes/a.txt', TEXT);
    const record = await tasks.archive(person, file);
    assert.equal(record.path, '/notes/a.txt.zip');
    const found = await readBack(await person.download(record));
    assert.deepEqual(
      found.map(({ entry, bytes }) => [entry.fileName, String(bytes)]),
      [['a.txt', TEXT]],
    );
  });

  it('creates an archive of an empty directory', async () => {
    const person = await holdall.register('alice');
    const record = await tasks.archive(person, await person.mkdir('/nothing'));
    assert.deepEqual(
      (await readBack(await person.download(record))).map(({ entry }) => entry.fileName),
      ['nothing/'],
    );
  });

  it('reads wide and deep trees page by page without leaving anything out', inFull, async () => {
    const person = await holdall.register('alice');
    // More children than fit on a page, directories with several or one child, and a deep chain.
    const names = [
      ...Array.from({ length: 2_300 }, (_, n) => `wide/empty ${n}/`),
      ...Array.from({ length: 300 }, (_, n) => `wide/a/${n}/in/`),
      ...Array.from({ length: 40 }, (_, n) => `wide/b/${n}`),
      `wide/${'d/'.repeat(100)}`,
      'wide/\u{1f44d} behind all that a sort might know/',
    ];
    const forged = forgeZip([{ name: 'beside' }, ...names.map((name) => ({ name }))]);
    await tasks.extract(person, await person.upload('/in/a.zip', new Uint8Array(forged)));
    const wide = (await person.list('/in')).items.find(({ filename }) => filename === 'wide');
    assert(wide);
    const found = await readBack(await person.download(await tasks.archive(person, wide)));
    const all = Object.keys(withDirectories(Object.fromEntries(names.map((name) => [name, '']))));
    assert.deepEqual(found.map(({ entry }) => entry.fileName).sort(), all.sort());
    const before = new Set<string>();
    for (const { entry } of found) {
      const parent = path.posix.dirname(entry.fileName);
      assert.ok(parent === '.' || before.has(`${parent}/`), `${entry.fileName} comes before its directory`);
      before.add(entry.fileName);
    }
    await checkBooks(holdall, { deep: false });
  });

  it('reports progress by files, directories and bytes, and 100 percent only at the end', async () => {
    const { person, docs } = await personWith(holdall, DOCS);
    const attempt = new TestAttempt(person, docs);
    await tasks.runArchive(attempt);
    const percents = attempt.states.map(({ progressPercent }) => Number(progressPercent));
    assert.deepEqual(
      percents,
      percents.toSorted((one, other) => one - other),
    );
    assert.ok(new Set(percents).size > 10, `${percents.length} reports`);
    assert.equal(percents.indexOf(100), percents.length - 1);
    assert.deepEqual(attempt.states[0], {
      processedFileCount: 0,
      totalFileCount: 6,
      processedDirectoryCount: 0,
      totalDirectoryCount: 4,
      progressPercent: 0,
    });
    const all = {
      processedFileCount: 6,
      totalFileCount: 6,
      processedDirectoryCount: 4,
      totalDirectoryCount: 4,
    };
    assert.deepEqual(attempt.state, { ...all, progressPercent: 100 });
  });

  it('fails if its name is taken, before or after the work', async () => {
    const { person, docs } = await personWith(holdall, DOCS);
    const run = () => tasks.runArchive(new TestAttempt(person, docs));
    tasks.beforeNextWrite(() => person.upload('/docs.zip', 'mine'));
    await assert.rejects(run, /already something named "docs\.zip"/);
    await tasks.expectFailure(person, 'DATA_STATE', /already something named "docs\.zip"/, run);
  });

  it('fails if the archive exceeds the quota or the upload limit, or if the limit is 0', async () => {
    const { person, docs } = await personWith(holdall, { 'docs/noise.jpg': NOISE });
    const run = () => tasks.runArchive(new TestAttempt(person, docs));
    await limitAccount(holdall, person, { quota: NOISE.length + 1_000 });
    await tasks.expectFailure(person, 'DATA_STATE', /not enough storage space/, run);
    await limitAccount(holdall, person, { quota: NOISE.length });
    await tasks.expectFailure(person, 'DATA_STATE', /not enough storage space/, run);
    await limitAccount(holdall, person, { quota: 10 ** 9, upload: 1_000 });
    await tasks.expectFailure(person, 'DATA_STATE', /larger than you may upload/, run);
    // Space that is used up while the job runs counts when it ends.
    await limitAccount(holdall, person, { quota: 10 ** 9, upload: 10 ** 9 });
    tasks.beforeNextWrite(() => limitAccount(holdall, person, { quota: NOISE.length + 100 }));
    await tasks.expectFailure(person, 'DATA_STATE', /not enough storage space/, run);
  });

  it('fails if the original is gone, before or after the work', async () => {
    const { person, docs } = await personWith(holdall, DOCS);
    const run = () => tasks.runArchive(new TestAttempt(person, docs));
    tasks.beforeNextWrite(() => person.recycle(docs));
    await assert.rejects(run, { name: 'JobFailure', category: 'DATA_STATE' });
    await tasks.expectFailure(person, 'DATA_STATE', /no longer exists/, run);
    const bob = await holdall.register('bob');
    await tasks.expectFailure(bob, 'DATA_STATE', /no longer exists/, () =>
      tasks.runArchive(new TestAttempt(bob, docs)),
    );
  });

  it('creates the archive where the original is now, under the name that it had at the start', async () => {
    const { person, docs } = await personWith(holdall, DOCS);
    tasks.beforeNextWrite(async () => person.rename(await person.move(docs, '/Pictures'), 'renamed'));
    await tasks.runArchive(new TestAttempt(person, docs));
    assert.deepEqual(await person.names('/Pictures'), ['renamed', 'docs.zip']);
    await checkBooks(holdall);
  });

  it('stops at once and leaves nothing if it is cancelled', async () => {
    const { person, docs } = await personWith(holdall, DOCS);
    const before = await person.state();
    for (const percent of [0, 20, 60]) {
      const attempt = new TestAttempt(person, docs);
      attempt.onReport = ({ progressPercent }) => {
        if (Number(progressPercent) >= percent) attempt.end.abort(new Error('cancelled'));
      };
      await assert.rejects(tasks.runArchive(attempt), /cancelled/);
      assert.ok(!attempt.isCompleted);
    }
    assert.deepEqual(await person.state(), before);
    await checkBooks(holdall);
  });

  it('commits nothing if it has lost its task', async () => {
    const { person, docs } = await personWith(holdall, DOCS);
    const before = await person.state();
    const attempt = new TestAttempt(person, docs);
    attempt.isLost = true;
    await assert.rejects(tasks.runArchive(attempt), { name: 'Failure', kind: 'rejected' });
    assert.deepEqual(await person.state(), before);
    await checkBooks(holdall);
  });

  it('passes on the error of an unreachable store', async () => {
    const { person, docs } = await personWith(holdall, DOCS);
    tasks.beforeNextWrite(() => Promise.reject(new Failure('unavailable', 'The store is out of reach.')));
    const run = tasks.runArchive(new TestAttempt(person, docs));
    await assert.rejects(run, { name: 'Failure', kind: 'unavailable' });
    await checkBooks(holdall);
  });
});
