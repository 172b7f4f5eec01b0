// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY } from '../../src/base/clock.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { checkBooks } from '../support/checks/books.ts';
import { cancelTask, getTask, listTasks, queueTask, TASKS } from '../support/tasks/tasks.ts';

// No tasks run in these tests, so they stay QUEUED.
const holdall = await startHoldall({ env: { HOLDALL_WORKER_CONCURRENCY: '0' } });
const alice = await holdall.register('alice');
const mallory = await holdall.register('mallory');

const text = await alice.upload('/docs/a.txt', 'abc');
const zip = await alice.upload('/docs/b.zip', 'PK');
const picture = await alice.upload('/docs/c.png', 'x', 'application/octet-stream');
const docs = (await alice.list('/')).items.find(({ filename }) => filename === 'docs');
assert.ok(docs);

const create = (name: string, body: unknown) => alice.call('POST', `${TASKS}/${name}`, { body });

describe('a task can be created', () => {
  for (const [type, name, entry] of [
    ['ARCHIVE', 'archive', text],
    ['ARCHIVE', 'archive', docs],
    ['EXTRACT', 'extract', zip],
    ['MEDIA_META', 'media-metadata', picture],
  ] as const) {
    it(`${type} of ${entry.path}`, async () => {
      const answer = await create(name, { fileId: entry.id, path: entry.path, more: 'is ignored' });
      assert.deepEqual([answer.status, answer.code], [200, 0]);
      const task = answer.data as Awaited<ReturnType<typeof getTask>>;
      assert.deepEqual([task.type, task.status, task.userId], [type, 'QUEUED', alice.id]);
      const { fileId, path, filename, directory, contentType, size } = task.publicStateJson;
      assert.deepEqual(
        { id: fileId, path, filename, directory, contentType, size },
        {
          id: entry.id,
          path: entry.path,
          filename: entry.filename,
          directory: entry.directory,
          contentType: entry.contentType,
          size: entry.size,
        },
      );
      assert.deepEqual(await getTask(alice, task), task);
    });
  }

  it('with any spelling of the path', async () => {
    for (const path of ['docs/a.txt', '//docs//a.txt/', '/docs/a.txt']) {
      const answer = await create('archive', { fileId: text.id, path, correlationId: null });
      assert.equal(answer.status, 200, path);
    }
  });

  it('even if the name has letters with two Unicode spellings', async () => {
    const file = await alice.upload('/caf\u00e9.txt', 'x');
    const answer = await create('archive', { fileId: file.id, path: '/cafe\u0301.txt' });
    assert.equal(answer.status, 200);
  });
});

describe('a task is rejected', () => {
  for (const [what, name, body, status] of [
    ['for a path that is not the path of the file', 'archive', { fileId: text.id, path: '/a.txt' }, 400],
    ['for the path of the directory', 'archive', { fileId: text.id, path: '/docs' }, 400],
    ['for another letter case', 'archive', { fileId: text.id, path: '/docs/A.txt' }, 400],
    ['for an invalid path', 'archive', { fileId: text.id, path: '/docs/../docs/a.txt' }, 400],
    ['without a path', 'archive', { fileId: text.id }, 400],
    ['without a file', 'archive', { path: '/docs/a.txt' }, 400],
    ['with text for an id', 'archive', { fileId: String(text.id), path: '/docs/a.txt' }, 400],
    ['for a file that does not exist', 'archive', { fileId: 999_999, path: '/docs/a.txt' }, 404],
    ['EXTRACT of a directory', 'extract', { fileId: docs.id, path: '/docs' }, 400],
    ['EXTRACT of a file that is not an archive', 'extract', { fileId: text.id, path: '/docs/a.txt' }, 400],
    ['MEDIA_META of a directory', 'media-metadata', { fileId: docs.id, path: '/docs' }, 400],
    ['MEDIA_META of a text file', 'media-metadata', { fileId: text.id, path: '/docs/a.txt' }, 400],
    [
      'with a correlation id that contains NUL',
      'archive',
      { fileId: text.id, path: '/docs/a.txt', correlationId: 'a\0' },
      400,
    ],
    [
      'with a correlation id that is too long',
      'archive',
      { fileId: text.id, path: '/docs/a.txt', correlationId: 'x'.repeat(129) },
      400,
    ],
  ] as const) {
    it(what, async () => {
      const { total } = await listTasks(alice);
      await alice.refused(status, 2_000 + status, 'POST', `${TASKS}/${name}`, { body });
      assert.equal((await listTasks(alice)).total, total);
    });
  }

  it('for a file in the recycle bin, and for the root', async () => {
    const file = await alice.upload('/recycled.txt', 'x');
    await alice.recycle(file);
    await alice.refused(404, 2404, 'POST', `${TASKS}/archive`, {
      body: { fileId: file.id, path: '/recycled.txt' },
    });
    const root = await holdall.app.database.db
      .selectFrom('entry')
      .select('id')
      .where('drive_id', '=', alice.driveId)
      .where('parent_id', 'is', null)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    await alice.refused(404, 2404, 'POST', `${TASKS}/archive`, { body: { fileId: root.id, path: '/' } });
  });

  it('without a login', async () => {
    for (const [method, path] of [
      ['GET', TASKS],
      ['GET', `${TASKS}/1`],
      ['DELETE', `${TASKS}/1`],
      ['POST', `${TASKS}/1/retry`],
      ['POST', `${TASKS}/archive`],
    ] as const) {
      await holdall.anonymous.refused(401, 2401, method, path);
    }
  });
});

describe('a task of another account', () => {
  it('is not found', async () => {
    const task = await queueTask(alice, text);
    for (const id of [task.id, 999_999, Number.MAX_SAFE_INTEGER]) {
      await mallory.refused(404, 2404, 'GET', `${TASKS}/${id}`);
      await mallory.refused(404, 2404, 'DELETE', `${TASKS}/${id}`);
      await mallory.refused(404, 2404, 'POST', `${TASKS}/${id}/retry`);
    }
    for (const id of ['0', '-1', '1.5', 'x', '0x10'])
      await mallory.refused(400, 2400, 'GET', `${TASKS}/${id}`);
    await mallory.refused(404, 2404, 'POST', `${TASKS}/archive`, {
      body: { fileId: text.id, path: text.path },
    });
    assert.deepEqual(await getTask(alice, task), task);
    assert.equal((await listTasks(mallory)).total, 0);
  });
});

describe('a correlation id', () => {
  it('returns the task created with it, whatever its status is', async () => {
    const first = await queueTask(alice, text, { correlationId: 'mine' });
    assert.equal(first.correlationId, 'mine');
    assert.deepEqual(await queueTask(alice, text, { correlationId: 'mine' }), first);
    const cancelled = await cancelTask(alice, first);
    assert.deepEqual(await queueTask(alice, text, { correlationId: 'mine' }), cancelled);
  });

  it('is separate for each account, and is ignored if it is blank', async () => {
    const hers = await queueTask(alice, text, { correlationId: 'shared' });
    const file = await mallory.upload('/own.txt', 'x');
    const other = await queueTask(mallory, file, { correlationId: 'shared' });
    assert.notEqual(other.id, hers.id);
    const blank = [await queueTask(alice, text, { correlationId: ' ' }), await queueTask(alice, text)];
    assert.deepEqual(
      blank.map(({ correlationId }) => correlationId),
      [null, null],
    );
  });
});

describe('a task that has not failed', () => {
  it('cannot be retried', async () => {
    const task = await queueTask(alice, text);
    await alice.refused(400, 2400, 'POST', `${TASKS}/${task.id}/retry`);
    const cancelled = await cancelTask(alice, task);
    await alice.refused(400, 2400, 'POST', `${TASKS}/${task.id}/retry`);
    assert.deepEqual(await getTask(alice, task), cancelled);
  });

  it('can be cancelled only once', async () => {
    const task = await queueTask(alice, text);
    const cancelled = await cancelTask(alice, task);
    assert.equal(cancelled.status, 'CANCELLED');
    assert.ok(cancelled.finishedAt);
    assert.equal(cancelled.publicStateJson.phase, 'cancelled');
    assert.deepEqual(await cancelTask(alice, task), cancelled);
  });
});

describe('the list', () => {
  it('is sorted newest first, and its pages contain every task once', async () => {
    const bob = await holdall.register('bob');
    const directory = await bob.mkdir('/a');
    const ids: number[] = [];
    for (let count = 0; count < 7; count += 1) ids.unshift((await queueTask(bob, directory)).id);
    const seen: number[] = [];
    for (let page = 0; page < 3; page += 1) {
      const { items, ...rest } = await listTasks(bob, `?page=${page}&size=3`);
      assert.deepEqual(rest, { total: 7, page, size: 3 });
      seen.push(...items.map(({ id }) => id));
    }
    assert.deepEqual(seen, ids);
    assert.equal((await listTasks(bob)).size, 20);
    assert.equal((await listTasks(bob, '?size=5000')).size, 1_000);
    for (const query of ['?size=0', '?page=-1', '?page=x'])
      await bob.refused(400, 2400, 'GET', `${TASKS}${query}`);
  });
});

describe('an ended task', () => {
  it('is kept for 30 days', async () => {
    const task = await cancelTask(alice, await queueTask(alice, text));
    const waiting = await queueTask(alice, text);
    holdall.clock.advance(30 * DAY - 60_000);
    await holdall.app.cleanUp();
    await alice.logIn();
    assert.deepEqual(await getTask(alice, task), task);
    holdall.clock.advance(2 * 60_000);
    await holdall.app.cleanUp();
    await alice.refused(404, 2404, 'GET', `${TASKS}/${task.id}`);
    assert.equal((await getTask(alice, waiting)).status, 'QUEUED');
    await checkBooks(holdall);
  });
});
