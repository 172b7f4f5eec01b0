// tier: default
// runs on: sqlite
// runs on, with --full: s3
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { isFull } from '../../../../tools/testing/tiers.ts';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { checkBooks } from '../../support/checks/books.ts';
import { ArchiveTasks, limitAccount, readTree, TestAttempt } from '../../support/tasks/archive-tasks.ts';
import type { Tree } from '../../support/tasks/directory-tree.ts';
import { type ForgedEntry, forgeZip } from '../../support/zip/zip-forge.ts';

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
const tasks = new ArchiveTasks(holdall);
const { db } = holdall.app.database;

/** Registers a user and uploads an archive to `/in/a.zip`. */
async function personWith(entries: readonly ForgedEntry[]): Promise<{ person: Person; file: EntryRecord }> {
  const person = await holdall.register('alice');
  return { person, file: await person.upload('/in/a.zip', new Uint8Array(forgeZip(entries))) };
}

async function extracted(entries: readonly ForgedEntry[]): Promise<Tree> {
  const { person, file } = await personWith(entries);
  await tasks.extract(person, file);
  const { 'a.zip': _archive, ...found } = await readTree(person, '/in');
  await checkBooks(holdall, { deep: false });
  return found;
}

const TWO: readonly ForgedEntry[] = [
  { name: 'docs/a.txt', content: 'one' },
  { name: 'docs/b/c.txt', content: 'three' },
];

describe('an extract task', () => {
  it('leaves out a single top directory', async () => {
    assert.deepEqual(await extracted(TWO), { 'a.txt': 'one', 'b/': '', 'b/c.txt': 'three' });
    const listed = [{ name: 'docs/' }, ...TWO];
    assert.deepEqual(await extracted(listed), { 'a.txt': 'one', 'b/': '', 'b/c.txt': 'three' });
  });

  it('leaves out the single top directory only, not a single directory inside it', async () => {
    assert.deepEqual(await extracted([{ name: 'a/b/c.txt', content: 'x' }]), { 'b/': '', 'b/c.txt': 'x' });
  });

  it('leaves nothing out if there are several top entries', async () => {
    assert.deepEqual(await extracted([...TWO, { name: 'readme', content: 'x' }]), {
      'docs/': '',
      'docs/a.txt': 'one',
      'docs/b/': '',
      'docs/b/c.txt': 'three',
      readme: 'x',
    });
  });

  it('keeps a single empty directory, and a single file', async () => {
    assert.deepEqual(await extracted([{ name: 'empty/' }]), { 'empty/': '' });
    assert.deepEqual(await extracted([{ name: 'file', content: 'x' }]), { file: 'x' });
  });

  it('creates nothing from an empty archive', async () => {
    assert.deepEqual(await extracted([]), {});
    assert.deepEqual(await extracted([{ name: './' }]), {});
  });

  it('recognizes an archive by its content, not by its name', async () => {
    const person = await holdall.register('alice');
    const file = await person.upload('/in/program.exe', new Uint8Array(forgeZip(TWO)));
    await tasks.extract(person, file);
    assert.deepEqual(await person.names('/in'), ['b', 'a.txt', 'program.exe']);
  });

  it('decodes names as UTF-8 if they are flagged so, by the Unicode path field, or as CP437', async () => {
    const cp437 = Buffer.from([0x81, 0x2e, 0x74]);
    const field = unicodePath('??', '日本');
    const found = await extracted([
      { name: cp437, content: 'a' },
      { name: 'é.t', content: 'b' },
      { name: Buffer.from('ж.t'), content: 'c' },
      { name: Buffer.from('??'), extra: field, content: 'd' },
      { name: 'e\u0301 nfd.t', content: 'e' },
    ]);
    assert.deepEqual(found, { 'ü.t': 'a', 'é.t': 'b', 'ж.t': 'c', 日本: 'd', 'é nfd.t': 'e' });
  });

  it('sets the types of files from their extensions, and new times', async () => {
    const { person, file } = await personWith([
      { name: 'a.jpg', content: 'x' },
      { name: 'b', content: 'y' },
    ]);
    await tasks.extract(person, file);
    const [jpg, other] = (await person.list('/in')).items.filter(({ filename }) => filename !== 'a.zip');
    assert.deepEqual([jpg?.contentType, other?.contentType], ['image/jpeg', 'application/octet-stream']);
    const details = await person.details(jpg ?? file);
    assert.equal(details.sha256, '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881');
  });

  it('emits events for top entries only', async () => {
    const { person, file } = await personWith([...TWO, { name: 'readme', content: 'x' }]);
    await tasks.extract(person, file);
    const events = await db
      .selectFrom('event')
      .select(['event_type', 'to_path'])
      .where('drive_id', '=', person.driveId)
      .orderBy('id')
      .execute();
    assert.deepEqual(
      events.slice(-2).map(({ event_type, to_path }) => `${event_type} ${to_path}`),
      ['CREATED /in/docs', 'CREATED /in/readme'],
    );
    assert.equal(events.filter(({ to_path }) => to_path?.startsWith('/in/docs/')).length, 0);
  });

  it('merges nothing: it fails if a name is taken, before or after the work', async () => {
    for (const taken of ['directory', 'file'] as const) {
      const { person, file } = await personWith([...TWO, { name: 'readme', content: 'x' }]);
      const take = () => (taken === 'file' ? person.upload('/in/docs', 'x') : person.mkdir('/in/docs'));
      tasks.beforeNextWrite(take);
      await assert.rejects(tasks.extract(person, file), { name: 'JobFailure', category: 'DATA_STATE' });
      await tasks.expectExtractFailure(person, file, 'DATA_STATE', /already something named "docs" here/);
    }
  });

  it('fails if it exceeds the quota or the upload limit, before or after the work', async () => {
    const { person, file } = await personWith([
      { name: 'a', content: 'x'.repeat(1_000) },
      { name: 'b', content: 'x'.repeat(1_000) },
    ]);
    await limitAccount(holdall, person, { quota: file.size + 1_999 });
    await tasks.expectExtractFailure(person, file, 'DATA_STATE', /unpacks to 2000 bytes, and 1999 are free/);
    await limitAccount(holdall, person, { quota: file.size + 500 });
    await tasks.expectExtractFailure(person, file, 'DATA_STATE', /"a".*not enough storage space/);
    await limitAccount(holdall, person, { quota: 10 ** 9, upload: 999 });
    await tasks.expectExtractFailure(person, file, 'DATA_STATE', /"a".*larger than you may upload/);
    await limitAccount(holdall, person, { quota: file.size + 2_000, upload: 1_000 });
    tasks.beforeNextWrite(() => limitAccount(holdall, person, { quota: file.size + 1_999 }));
    await tasks.expectExtractFailure(person, file, 'DATA_STATE', /not enough storage space/);
    await limitAccount(holdall, person, { quota: file.size + 2_000 });
    await tasks.extract(person, file);
    assert.equal(await person.usedBytes(), file.size + 2_000);
  });

  it('fails if the archive is gone, is a directory or belongs to another account', async () => {
    const { person, file } = await personWith(TWO);
    const bob = await holdall.register('bob');
    await tasks.expectExtractFailure(bob, file, 'DATA_STATE', /no longer exists/);
    const directory = await person.mkdir('/in/directory');
    await tasks.expectExtractFailure(person, directory, 'UNSUPPORTED_INPUT', /directory cannot be unpacked/);
    tasks.beforeNextWrite(() => person.recycle(file));
    await assert.rejects(tasks.extract(person, file), { name: 'JobFailure', category: 'DATA_STATE' });
    await tasks.expectExtractFailure(person, file, 'DATA_STATE', /no longer exists/);
  });

  it('unpacks into the directory that now contains the archive', async () => {
    const { person, file } = await personWith(TWO);
    tasks.beforeNextWrite(() => person.move(file, '/Pictures'));
    await tasks.extract(person, file);
    assert.deepEqual(await person.names('/Pictures'), ['b', 'a.txt', 'a.zip']);
    assert.deepEqual(await person.names('/in'), []);
    await checkBooks(holdall);
  });

  it('stops at once and leaves nothing if it is cancelled', async () => {
    const entries = Array.from({ length: 200 }, (_, n) => ({ name: `${n}`, content: 'x'.repeat(n) }));
    entries.push({ name: 'large', content: 'x'.repeat(700_000) });
    const { person, file } = await personWith(entries);
    const before = await person.state();
    for (const percent of [0, 1, 80]) {
      const attempt = new TestAttempt(person, file);
      attempt.onReport = ({ progressPercent }) => {
        if (Number(progressPercent) >= percent) attempt.end.abort(new Error('cancelled'));
      };
      await assert.rejects(tasks.runExtract(attempt), /cancelled/);
      assert.ok(!attempt.isCompleted);
    }
    assert.deepEqual(await person.state(), before);
    await checkBooks(holdall);
  });

  it('commits nothing if it has lost its task', async () => {
    const { person, file } = await personWith(TWO);
    const before = await person.state();
    const attempt = new TestAttempt(person, file);
    attempt.isLost = true;
    await assert.rejects(tasks.runExtract(attempt), { name: 'Failure', kind: 'rejected' });
    assert.deepEqual(await person.state(), before);
    await checkBooks(holdall);
  });
});

describe('any packed tree', () => {
  // Few names, so paths share directories, and files collide with directories.
  const name = fc.constantFrom('a', 'b', 'Ü', '日本', 'c.txt', ' x ', 'e\u0301');
  const path = fc.array(name, { minLength: 1, maxLength: 4 });
  const content = fc.oneof(
    fc.constant(''),
    fc.string({ maxLength: 40 }),
    fc.integer({ min: 1, max: 400_000 }).map((size) => 'repeated '.repeat(size / 9)),
    fc
      .uint8Array({ minLength: 1_000, maxLength: 3_000 })
      .map((bytes) => Buffer.from(bytes).toString('latin1')),
  );
  const node = fc.record({ path, content: fc.option(content) });

  it('is unpacked to the same tree', { timeout: 300_000 }, async () => {
    const person = await holdall.register('alice');
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(node, { maxLength: 12 }), async (nodes) => {
        run += 1;
        const root = await person.mkdir(`/run ${run}/tree`);
        for (const { path: segments, content: text } of nodes) {
          const place = [`/run ${run}/tree`, ...segments].join('/');
          // If a name is taken, the task fails and leaves the drive unchanged.
          if (text === null) await person.fetch('POST', '/api/files/mkdir', { body: { path: place } });
          else await person.fetch('POST', '/api/files/upload', { body: latin1Form(place, text) });
        }
        const before = await readTree(person, root.path);
        const archive = await tasks.archive(person, root);
        await person.mkdir(`/run ${run}/out`);
        const moved = await person.move(archive, `/run ${run}/out`);
        await tasks.extract(person, moved);
        const { 'tree.zip': _archive, ...after } = await readTree(person, `/run ${run}/out`);
        // A single empty directory is not left out.
        const expected = Object.keys(before).length === 0 ? { 'tree/': '' } : before;
        assert.deepEqual(after, expected);
      }),
      { seed: 20_261_121, numRuns: isFull ? 25 : 5, interruptAfterTimeLimit: 200_000 },
    );
    await checkBooks(holdall);
  });
});

/** Info-ZIP's Unicode path field: version 1, the CRC of the plain name, the name in UTF-8. */
function unicodePath(other: string, name: string): Buffer {
  const bytes = Buffer.from(name);
  const head = Buffer.alloc(9);
  head.writeUInt16LE(0x7075, 0);
  head.writeUInt16LE(5 + bytes.byteLength, 2);
  head.writeUInt8(1, 4);
  head.writeUInt32LE(crc32(other), 5);
  return Buffer.concat([head, bytes]);
}

function latin1Form(place: string, text: string): FormData {
  const cut = place.lastIndexOf('/');
  const form = new FormData();
  form.set('path', place.slice(0, cut));
  form.set('file', new Blob([Buffer.from(text, 'latin1')]), place.slice(cut + 1));
  return form;
}
