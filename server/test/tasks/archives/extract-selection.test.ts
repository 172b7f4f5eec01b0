// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import type { JsonObject } from '../../../src/tasks/engine/job.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { checkBooks } from '../../support/checks/books.ts';
import { ArchiveTasks, readTree, TestAttempt } from '../../support/tasks/archive-tasks.ts';
import { queueTask, waitForStatus } from '../../support/tasks/tasks.ts';
import { type ForgedEntry, forgeZip } from '../../support/zip/zip-forge.ts';

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
const tasks = new ArchiveTasks(holdall);

const ENTRIES: readonly ForgedEntry[] = [
  { name: 'album/readme.txt', content: 'read me' },
  { name: 'album/2026/Rome/a.jpg', content: 'a' },
  { name: 'album/2026/Rome/b.jpg', content: 'b' },
  { name: 'album/2026/Romeo.txt', content: 'Romeo' },
  { name: 'album/2025/Rome/c.jpg', content: 'c' },
];

async function personWithAlbum(
  entries = ENTRIES,
): Promise<{ person: Person; file: EntryRecord; target: EntryRecord }> {
  const person = await holdall.register('alice');
  const file = await person.upload('/in/a.zip', new Uint8Array(forgeZip(entries)));
  return { person, file, target: await person.mkdir('/out') };
}

/** An attempt with an input, which the test runs in place of the engine. */
function attemptWith(person: Person, file: EntryRecord, input: JsonObject): TestAttempt {
  return Object.assign(new TestAttempt(person, file), { input });
}

describe('an extract task for some entries', () => {
  it('puts files and folders into the chosen directory, without the directories above them', async () => {
    const { person, file } = await personWithAlbum();
    const task = await queueTask(person, file, {
      ...{ type: 'EXTRACT', into: '/out' },
      // A directory brings its files, named or not.
      entries: ['album/2026/Rome/', 'album/2026/Rome/a.jpg', 'album/readme.txt'],
    });
    const { publicStateJson } = await waitForStatus(person, task, 'COMPLETED');
    assert.equal(publicStateJson.entryCount, 3);
    assert.equal(publicStateJson.entries, undefined);
    assert.deepEqual(await readTree(person, '/out'), {
      'Rome/': '',
      'Rome/a.jpg': 'a',
      'Rome/b.jpg': 'b',
      'readme.txt': 'read me',
    });
    assert.deepEqual(await person.names('/in'), ['a.zip']);
    await checkBooks(holdall, { deep: false });
  });

  it('strips no root directory, and can use a new directory next to the archive', async () => {
    const { person, file } = await personWithAlbum();
    const task = await queueTask(person, file, { type: 'EXTRACT', folder: 'new', entries: ['album/2025'] });
    await waitForStatus(person, task, 'COMPLETED');
    assert.deepEqual(Object.keys(await readTree(person, '/in/new')), [
      '2025/',
      '2025/Rome/',
      '2025/Rome/c.jpg',
    ]);
  });

  it('rejects unknown directories, unusable paths and equal names before anything is done', async () => {
    const { person, file } = await personWithAlbum();
    const refused = async (status: number, body: object) => {
      const answer = await person.call('POST', '/api/v2/tasks/extract', {
        body: { fileId: file.id, path: file.path, ...body },
      });
      assert.equal(answer.status, status, JSON.stringify(body).slice(0, 100));
    };
    await refused(404, { into: '/nowhere' });
    await refused(404, { into: '/in/a.zip' });
    await refused(400, { entries: ['album/2026/Rome', 'album/2025/Rome'] });
    await refused(400, { entries: ['/'] });
    await refused(400, { entries: [] });
    await refused(400, { entries: Array.from({ length: 1_001 }, (_, index) => `album/${index}`) });
    await refused(400, { entries: Array.from({ length: 30 }, (_, index) => `${index}${'a'.repeat(4_000)}`) });
  });

  it('fails if the archive does not contain an entry', async () => {
    const { person, file, target } = await personWithAlbum();
    const input = { targetId: target.id, entries: ['album/readme.txt', 'album/2026/Rom'] };
    await tasks.expectFailure(person, 'UNSUPPORTED_INPUT', /does not contain "album\/2026\/Rom"/, () =>
      tasks.runExtract(attemptWith(person, file, input)),
    );
  });

  it('rejects an archive with a path that leads out, although that is not selected', async () => {
    const { person, file } = await personWithAlbum([...ENTRIES, { name: '../evil', content: 'x' }]);
    const input = { entries: ['album/readme.txt'] };
    await tasks.expectFailure(person, 'UNSUPPORTED_INPUT', /leads out/, () =>
      tasks.runExtract(attemptWith(person, file, input)),
    );
  });

  it('follows the directory when it is moved meanwhile, and fails when it is deleted', async () => {
    const { person, file, target } = await personWithAlbum();
    const input = { targetId: target.id, entries: ['album/readme.txt'] };
    await person.mkdir('/elsewhere');
    tasks.beforeNextWrite(() =>
      person.ask('PATCH', `/api/files/${target.id}/move`, { body: { path: '/elsewhere' } }),
    );
    await tasks.runExtract(attemptWith(person, file, input));
    assert.deepEqual(await readTree(person, '/elsewhere'), { 'out/': '', 'out/readme.txt': 'read me' });
    tasks.beforeNextWrite(() => person.recycle(target));
    await assert.rejects(tasks.runExtract(attemptWith(person, file, input)), { category: 'DATA_STATE' });
    await checkBooks(holdall, { deep: false });
  });

  it('does not replace a directory that contains the archive', async () => {
    const { person, file } = await personWithAlbum([{ name: 'top/in/x.txt', content: 'x' }]);
    const root = await person.mkdir('/top');
    await person.ask('PATCH', `/api/files/${file.id}/move`, { body: { path: '/top' } });
    const input = { onConflict: 'REPLACE', targetId: null, entries: ['top'] };
    // The root of the drive has no record, so its id comes from the parent of a directory in it.
    const { parent_id: targetId } = await holdall.app.database.db
      .selectFrom('entry')
      .select('parent_id')
      .where('id', '=', root.id)
      .executeTakeFirstOrThrow();
    await tasks.expectFailure(person, 'DATA_STATE', /already something named "top"/, () =>
      tasks.runExtract(attemptWith(person, file, { ...input, targetId })),
    );
  });
});
