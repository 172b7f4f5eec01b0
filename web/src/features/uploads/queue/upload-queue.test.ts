// tier: default
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { errorOf } from '../../../../../client/src/errors/read-error.ts';
import type { Picked } from '../files/picked-files.ts';
import type { SavedUpload } from '../persistence/saved-upload.ts';
import { FakeService } from '../service/fake-service.ts';
import type { Upload } from '../upload.ts';
import { NotPermitted } from '../upload-failures.ts';
import { SMALL_BYTES } from './request/send-file.ts';
import { UploadQueue } from './upload-queue.ts';

let service: FakeService;
let saved: Map<string, SavedUpload>;
let added: string[];
let queue: UploadQueue;
let ids: number;

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  service = new FakeService();
  saved = new Map();
  added = [];
  ids = 0;
  queue = new UploadQueue({
    service,
    uploadStore: {
      put: (uploads) => {
        for (const upload of uploads) saved.set(upload.id, upload);
      },
      putRoot: () => undefined,
      remove: (gone) => {
        for (const id of gone) saved.delete(id);
      },
    },
    onAdded: (path) => added.push(path),
    newId: () => {
      ids += 1;
      return `u${ids}`;
    },
    maxUploadSizeBytes: () => 100 * SMALL_BYTES,
  });
});
afterEach(() => mock.timers.reset());

const pick = (name: string, size = 3, folders: readonly string[] = []): Picked => ({
  file: new File([new Uint8Array(size)], name, { lastModified: 5 }),
  folders,
});
const large = (name: string) => pick(name, SMALL_BYTES + 1);

/** Runs everything that is queued in the event loop. */
async function settle(ms = 200): Promise<void> {
  for (let round = 0; round < 20; round += 1) await new Promise((resolve) => setImmediate(resolve));
  mock.timers.tick(ms);
  for (let round = 0; round < 20; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

const statuses = () => queue.view().uploads.map(({ status }: Upload) => status);
const whole = () => service.calls.filter((call) => call.startsWith('whole'));

describe('the queue', () => {
  test('sends a few at a time, in order, and reports each', async () => {
    let open = () => {};
    service.gate = new Promise((resolve) => (open = resolve));
    queue.add(
      '/docs',
      Array.from({ length: 12 }, (_, index) => pick(`${index}.txt`)),
      'b',
      undefined,
    );
    await settle();
    assert.equal(whole().length, 5);
    assert.deepEqual([queue.view().totals.moving, saved.size], [12, 12]);
    open();
    await settle();
    assert.equal(queue.view().totals.count.done, 12);
    assert.deepEqual(whole().at(11), 'whole /docs/11.txt');
    assert.deepEqual([added.length, saved.size], [12, 0]);
  });

  test('lets small files overtake large ones', async () => {
    service.gate = new Promise(() => {});
    queue.add(
      '/',
      [large('a'), large('b'), large('c'), large('d'), pick('e'), pick('f'), pick('g')],
      'b',
      undefined,
    );
    await settle();
    assert.deepEqual(statuses(), [
      ...['sending', 'sending', 'waiting', 'waiting'],
      ...['sending', 'sending', 'sending'],
    ]);
  });

  test('accepts ten thousand files quickly, and shows them as one change', async () => {
    let views = 0;
    queue.subscribe(() => (views += 1));
    const many = Array.from({ length: 10_000 }, (_, index) => pick(`${index}`, 1, ['folder']));
    service.gate = new Promise(() => {});
    queue.add('/', many, 'b', undefined);
    await settle();
    assert.equal(views, 1);
    assert.equal(queue.view().totals.all, 10_000);
  });

  test('creates empty folders, and accepts existing ones', async () => {
    service.taken.set('/docs/trip', 'directory');
    queue.add('/docs', [{ file: undefined, folders: ['trip'] }], 'b', undefined);
    await settle();
    assert.deepEqual([service.calls, statuses()], [['mkdir /docs/trip'], ['done']]);
  });

  test('starts again from zero after everything has succeeded', async () => {
    queue.add('/', [pick('a')], 'b', undefined);
    await settle();
    queue.add('/', [pick('b')], 'c', undefined);
    await settle();
    assert.deepEqual(
      queue.view().uploads.map(({ name }) => name),
      ['b'],
    );
  });
});

describe('the user', () => {
  test('pauses and resumes an upload without losing the bytes that have arrived', async () => {
    service.gate = new Promise(() => {});
    queue.add('/', [large('film')], 'b', undefined);
    await settle();
    queue.pause();
    await settle();
    assert.deepEqual([statuses(), saved.get('u1')?.isPaused], [['paused'], true]);
    assert.ok((queue.view().uploads[0]?.sentBytes ?? 0) > 0);
    service.gate = Promise.resolve();
    queue.resume('u1');
    await settle();
    assert.deepEqual(statuses(), ['done']);
    assert.deepEqual(service.calls, ['open /film', 'resume s1', 'get s1', 'resume s1']);
  });

  test('cancels an upload and drops its session', async () => {
    service.gate = new Promise(() => {});
    queue.add('/', [large('film'), pick('b')], 'b', undefined);
    await settle();
    queue.cancel('u1');
    await settle();
    assert.deepEqual([queue.view().uploads.length, saved.size], [1, 1]);
    assert.ok(service.calls.includes('cancel s1'));
  });
});

describe('a taken name', () => {
  beforeEach(async () => {
    for (const name of ['a.txt', 'b.txt', 'c.txt']) service.taken.set(`/${name}`, 'file');
    queue.add('/', [pick('a.txt'), pick('b.txt'), pick('c.txt')], 'b', undefined);
    await settle();
    assert.deepEqual(statuses(), ['taken', 'taken', 'taken']);
  });

  test('can be numbered, replaced, or skipped', async () => {
    queue.decide(new Map([['u1', 'keep-both']]));
    queue.decide(new Map([['u2', 'replace']]));
    queue.decide(new Map([['u3', 'skip']]));
    await settle();
    assert.deepEqual(statuses(), ['done', 'done', 'skipped']);
    assert.ok(service.calls.includes('whole /a (2).txt'));
    assert.ok(service.calls.includes('whole /b.txt as a new version'));
  });

  test('is numbered in a new session if it was taken while the bytes were sent', async () => {
    queue.cancel();
    service.calls.length = 0;
    service.sendResumable = async () => {
      Reflect.deleteProperty(service, 'sendResumable');
      throw errorOf(409, 'taken');
    };
    queue.add('/', [large('film')], 'c', undefined);
    await settle();
    assert.deepEqual(statuses(), ['taken']);
    queue.decide(new Map([['u4', 'keep-both']]));
    await settle();
    assert.deepEqual(statuses(), ['done']);
    const calls = ['open /film', 'find /film', 'cancel s1', 'open /film (2)', 'resume s2'];
    assert.deepEqual(service.calls, calls);
  });

  test('can be resolved once for all uploads, later conflicts included', async () => {
    queue.decide(new Map(['u1', 'u2', 'u3'].map((id) => [id, 'skip'])), 'skip');
    service.taken.set('/d.txt', 'file');
    queue.add('/', [pick('d.txt')], 'b', undefined);
    await settle();
    assert.deepEqual(new Set(statuses()), new Set(['skipped']));
  });

  test('cannot be replaced if it belongs to a folder', async () => {
    service.taken.set('/a.txt', 'directory');
    queue.decide(new Map([['u1', 'replace']]));
    await settle();
    assert.deepEqual(queue.view().uploads[0]?.problem, { kind: 'folder-in-the-way' });
  });

  test('is reported if a file is where a folder must be', async () => {
    queue.cancel();
    service.calls.length = 0;
    service.failures.push(errorOf(409, 'in the way'), errorOf(409, 'in the way'));
    queue.add('/', [pick('x.txt', 3, ['folder'])], 'c', undefined);
    await settle();
    queue.decide(new Map([['u4', 'keep-both']]));
    await settle();
    assert.deepEqual(queue.view().uploads[0]?.problem, { kind: 'parent-is-file' });
  });
});

describe('failures', () => {
  test('while the service is unreachable, all uploads wait and then continue by themselves', async () => {
    service.failures.push(errorOf(0, 'gone'));
    queue.add('/', [pick('a')], 'b', undefined);
    await settle(0);
    await settle(200);
    assert.deepEqual([statuses(), queue.view().isServiceUnreachable], [['delayed'], true]);
    queue.add('/', [pick('b')], 'c', undefined);
    await settle();
    assert.deepEqual(whole(), ['whole /a']);
    await settle(1_000);
    await settle();
    assert.deepEqual(statuses(), ['done', 'done']);
    assert.equal(queue.view().isServiceUnreachable, false);
  });

  test('uploads continue as soon as the browser is online again', async () => {
    service.failures.push(errorOf(503, 'down', { retryAfterSeconds: 600 }));
    queue.add('/', [pick('a')], 'b', undefined);
    await settle(0);
    queue.endOutage();
    await settle();
    assert.deepEqual(statuses(), ['done']);
  });

  test('a temporary failure is retried a limited number of times', async () => {
    for (let time = 0; time < 9; time += 1) service.failures.push(errorOf(500, 'oops'));
    queue.add('/', [pick('a')], 'b', undefined);
    for (let round = 0; round < 12; round += 1) await settle(30_000);
    assert.equal(whole().length, 5);
    assert.equal(queue.view().uploads[0]?.problem?.kind, 'refused');
  });

  test('a full quota or an exceeded limit is reported immediately', async () => {
    service.failures.push(errorOf(413, 'full'));
    queue.add('/', [pick('a'), pick('b', 101 * SMALL_BYTES)], 'b', undefined);
    await settle();
    assert.deepEqual(
      queue.view().uploads.map(({ problem }) => problem?.kind),
      ['over-quota', 'too-large'],
    );
    queue.retry('u1');
    await settle();
    assert.deepEqual(statuses(), ['done', 'failed']);
  });

  test('too many files and folders are not reported as a full drive', async () => {
    const sentence =
      'This drive has too many files and directories. Those in the recycle bin count until they are purged.';
    service.failures.push(errorOf(413, sentence));
    queue.add('/', [pick('a', 0)], 'b', undefined);
    await settle();
    assert.equal(queue.view().uploads[0]?.problem?.kind, 'refused');
  });

  test('a full disk of the service is not reported as a full drive', async () => {
    service.failures.push(
      errorOf(413, 'The disk of this service is full. Ask your administrator to make room.'),
      errorOf(413, 'There is not enough storage space left for this.'),
    );
    queue.add('/', [pick('a'), pick('b')], 'b', undefined);
    await settle();
    assert.deepEqual(
      queue.view().uploads.map(({ problem }) => problem?.kind),
      ['refused', 'over-quota'],
    );
  });

  test('a deleted file is distinguished from a broken connection', async () => {
    const { file, folders } = pick('a');
    const gone = Object.assign(file ?? new File([], ''), {
      slice: () => ({ arrayBuffer: () => Promise.reject(new Error('gone')) }),
    });
    service.failures.push(errorOf(0, 'gone'));
    queue.add('/', [{ file: gone, folders }], 'b', undefined);
    await settle();
    assert.deepEqual(queue.view().uploads[0]?.problem, { kind: 'changed' });
  });
});

describe('an upload of an earlier visit', () => {
  const earlier: SavedUpload = {
    ...{
      id: 'e1',
      batchId: 'b',
      kind: 'file',
      directoryPath: '/docs',
      name: 'film (2).mp4',
      size: SMALL_BYTES + 1,
    },
    ...{ fileName: 'film.mp4', folders: [], lastModified: 5, rootId: undefined, sessionId: 's9', parts: [] },
    ...{ decision: undefined, isPaused: false },
  };
  const film = pick('film.mp4', SMALL_BYTES + 1);

  test('waits for exactly its own file', async () => {
    queue.restore(earlier, { open: undefined, isPermitted: false });
    await settle();
    assert.deepEqual(statuses(), ['detached']);
    assert.equal(queue.attach([pick('film.mp4', 7), pick('other.mp4', SMALL_BYTES + 1)]), 0);
    assert.equal(queue.attach([film]), 1);
    await settle();
    assert.deepEqual(statuses(), ['done']);
    assert.equal(service.calls.at(-1), 'resume s9');
  });

  test('is not sent if its file has another size now', async () => {
    const open = async () => new File([new Uint8Array(SMALL_BYTES)], 'film.mp4');
    queue.restore(earlier, { open, isPermitted: true });
    await settle();
    assert.deepEqual(queue.view().uploads[0]?.problem, { kind: 'changed' });
    assert.ok(!service.calls.includes('resume s9'));
  });

  test('stays unchanged if it is already in the queue', async () => {
    service.gate = new Promise(() => {});
    queue.restore(earlier, { open: async () => film.file ?? new File([], ''), isPermitted: true });
    queue.restore(earlier, { open: undefined, isPermitted: false });
    await settle();
    assert.deepEqual(statuses(), ['sending']);
  });

  test('resumes when its file is uploaded to the same place again', async () => {
    queue.restore(earlier, { open: undefined, isPermitted: false });
    queue.add('/docs', [film], 'c', undefined);
    await settle();
    assert.deepEqual([statuses(), service.calls.includes('resume s9')], [['done'], true]);
  });

  test('resumes automatically if its file can be read', async () => {
    queue.restore(earlier, { open: async () => film.file ?? new File([], ''), isPermitted: true });
    await settle();
    assert.deepEqual(statuses(), ['done']);
  });

  test('resumes after the user permits it', async () => {
    let isPermitted = false;
    const open = async () => {
      if (!isPermitted) throw new NotPermitted();
      return film.file ?? new File([], '');
    };
    queue.restore({ ...earlier, rootId: 'r1' }, { open, isPermitted: false });
    await settle();
    assert.deepEqual([...queue.rootsToPermit()], ['r1']);
    isPermitted = true;
    queue.permit('r1');
    await settle();
    assert.deepEqual(statuses(), ['done']);
  });

  test('stays stored when another user logs in', async () => {
    queue.restore(earlier, { open: undefined, isPermitted: false });
    await settle();
    queue.stopAll();
    await settle();
    assert.deepEqual([queue.view().uploads.length, saved.has('e1')], [0, true]);
  });
});

test('closing the page loses only uploads that the browser cannot store', async () => {
  service.gate = new Promise(() => {});
  const { file, folders } = pick('a');
  // The queue only passes the handle on.
  const handle = {} as FileSystemHandle;
  queue.add('/', [{ file, folders, root: { id: 'r', handle } }], 'b', undefined);
  assert.equal(queue.wouldLoseFiles(), false);
  queue.add('/', [pick('b')], 'b', undefined);
  assert.equal(queue.wouldLoseFiles(), true);
});
