// tier: default
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { errorOf } from '../../../../../../client/src/errors/read-error.ts';
import { FakeService } from '../../service/fake-service.ts';
import { StoreFailure } from '../../upload-failures.ts';
import { type SendRequest, type SendWatch, SMALL_BYTES, sendFile } from './send-file.ts';

const PLACE = { directoryPath: '/docs', name: 'film.mp4', onConflict: 'FAIL' } as const;
const large = new File([new Uint8Array(SMALL_BYTES + 1)], 'film.mp4');
const small = new File(['few'], 'film.mp4');

let service: FakeService;
let sessions: (string | undefined)[];
let parts: number[];
let modes: string[];
let progress: number[];

beforeEach(() => {
  service = new FakeService();
  sessions = [];
  parts = [];
  modes = [];
  progress = [];
});

function send(
  file: File,
  more: Partial<SendRequest> = {},
  signal = new AbortController().signal,
): Promise<void> {
  const watch: SendWatch = {
    signal,
    onProgress: (bytes) => progress.push(bytes),
    onSession: (id) => sessions.push(id),
    onPart: (index) => parts.push(index),
    onMode: (mode) => modes.push(mode),
  };
  const request = {
    ...{ destination: PLACE, file, sessionId: undefined, parts: [], wasInterrupted: false },
    ...{ maxRequestBytes: SMALL_BYTES, ...more },
  };
  return sendFile(service, request, watch);
}

describe('a small file', () => {
  test('is sent in one request', async () => {
    await send(small);
    assert.deepEqual(service.calls, ['whole /docs/film.mp4']);
  });

  test('is sent through a session if a form cannot express its name', async () => {
    await send(small, { destination: { ...PLACE, name: 'a "b".txt' } });
    assert.deepEqual(service.calls, ['open /docs/a "b".txt', 'resume s1']);
  });

  test('is not sent again if it had arrived before the connection broke', async () => {
    service.failures.push(errorOf(409, 'taken'));
    service.isSameBytes = true;
    await send(small, { wasInterrupted: true });
    assert.deepEqual(service.calls, ['whole /docs/film.mp4', 'find /docs/film.mp4', 'compare']);
  });

  test('is rejected if another file has taken its name', async () => {
    service.failures.push(errorOf(409, 'taken'));
    await assert.rejects(send(small, { wasInterrupted: true }), { status: 409 });
    service.failures.push(errorOf(409, 'taken'));
    await assert.rejects(send(small), { status: 409 });
  });
});

test('a file that takes only a moment to send needs no session', async () => {
  await send(large, { maxRequestBytes: large.size });
  assert.deepEqual(service.calls, ['whole /docs/film.mp4']);
});

describe('a session', () => {
  test('in PROXY mode is sent with the resumable protocol', async () => {
    await send(large);
    assert.deepEqual(service.calls, ['open /docs/film.mp4', 'resume s1']);
    assert.deepEqual(sessions, ['s1']);
    assert.deepEqual(modes, ['PROXY']);
  });

  test('is resumed if an earlier attempt opened it', async () => {
    await send(large, { sessionId: 's0' });
    assert.deepEqual(service.calls, ['get s0', 'resume s0']);
  });

  test('needs no further request if it was completed meanwhile', async () => {
    service.status = 'COMPLETED';
    await send(large, { sessionId: 's0' });
    assert.deepEqual(service.calls, ['get s0']);
  });

  test('is completed once it has all bytes, as a new version if the user has decided so', async () => {
    service.arrivedBytes = large.size;
    await send(large, { sessionId: 's7', destination: { ...PLACE, onConflict: 'NEW_VERSION' } });
    assert.deepEqual(service.calls, ['get s7', 'complete as a new version']);
  });

  test('is replaced by another if it has expired or is unknown', async () => {
    service.status = 'EXPIRED';
    await send(large, { sessionId: 's0' });
    service.failures.push(errorOf(404, 'unknown'));
    await send(large, { sessionId: 's0' });
    assert.deepEqual(sessions, [undefined, 's1', undefined, 's2']);
  });

  test('in DIRECT_SINGLE mode is put and completed', async () => {
    service.mode = 'DIRECT_SINGLE';
    await send(large);
    assert.deepEqual(service.calls, ['open /docs/film.mp4', 'prepare', `put ${large.size}`, 'complete']);
  });

  test('is completed if its object is already in the store', async () => {
    service.mode = 'DIRECT_SINGLE';
    service.putFailures.push(new StoreFailure(412));
    await send(large, { sessionId: 's0' });
    assert.deepEqual(service.calls, ['get s0', 'prepare', `put ${large.size}`, 'complete']);
  });

  test('is not completed if the store rejects its bytes for another reason', async () => {
    service.mode = 'DIRECT_SINGLE';
    service.putFailures.push(new StoreFailure(403));
    await assert.rejects(send(large), { name: 'StoreFailure', status: 403 });
    assert.deepEqual(service.calls, ['open /docs/film.mp4', 'prepare', `put ${large.size}`]);
  });
});

describe('a session of parts', () => {
  const size = 5 * FakeService.CHUNK - 10;
  const file = new File([new Uint8Array(size)], 'film.mp4');
  beforeEach(() => {
    service.mode = 'DIRECT_MULTIPART';
  });

  test('sends its parts concurrently, records each, and completes', async () => {
    await send(file);
    assert.equal(service.mostAtOnce, 4);
    assert.deepEqual(parts.sort(), [0, 1, 2, 3, 4]);
    assert.equal(service.calls.at(-1), 'complete');
    assert.equal(Math.max(...progress), size);
  });

  test('sends only the missing parts', async () => {
    await send(file, { sessionId: 's0', parts: [0, 1, 3] });
    assert.deepEqual(parts.sort(), [2, 4]);
    assert.equal(progress.at(0), 3 * FakeService.CHUNK);
  });

  test('sends all parts again if the session was replaced', async () => {
    service.status = 'CANCELLED';
    await send(file, { sessionId: 's0', parts: [0, 1, 3] });
    assert.equal(parts.length, 5);
  });

  test('records the other parts when one fails', async () => {
    service.putFailures.push(new StoreFailure(500));
    await assert.rejects(send(file), StoreFailure);
    assert.deepEqual(parts.sort(), [1, 2, 3]);
    assert.ok(!service.calls.includes('complete'));
  });

  test('stops when its signal aborts', async () => {
    const controller = new AbortController();
    controller.abort(new Error('paused'));
    await assert.rejects(send(file, { sessionId: 's0' }, controller.signal), /paused/);
    assert.ok(!service.calls.includes('complete'));
  });
});
