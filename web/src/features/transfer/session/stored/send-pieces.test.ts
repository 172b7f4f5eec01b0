// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorOf } from '../../../../../../client/src/errors/read-error.ts';
import { type PieceCalls, sendPieces } from './send-pieces.ts';
import type { MadeFile } from './upload-sources.ts';

const PIECE_BYTES = 10;
const SIZE = 45;

/** A file whose bytes are their own offsets. It records the order in which its pieces are made. */
class CountedFile implements MadeFile {
  readonly size = SIZE;
  readonly pieceBytes = PIECE_BYTES;
  readonly made: number[] = [];

  async makePiece(index: number): Promise<Blob> {
    this.made.push(index);
    const start = index * PIECE_BYTES;
    const length = Math.min(PIECE_BYTES, SIZE - start);
    return new Blob([Uint8Array.from({ length }, (_, at) => start + at)]);
  }

  close(): void {}
}

/** Stores pieces. Asks the test before each call whether it fails, and with which error. */
class Service implements PieceCalls {
  readonly received: number[] = [];
  readonly calls: string[] = [];
  readonly #findFault: (call: string, count: number) => { error: Error; storedBytes?: number } | undefined;

  constructor(
    findFault: (call: string, count: number) => { error: Error; storedBytes?: number } | undefined,
  ) {
    this.#findFault = findFault;
  }

  async begin(size: number): Promise<string> {
    this.#enter(`begin ${size}`);
    this.received.length = 0;
    return 'upload';
  }

  async append(
    _upload: string,
    offset: number,
    bytes: Blob,
    onBytes: (bytes: number) => void,
  ): Promise<number> {
    const sent = [...new Uint8Array(await bytes.arrayBuffer())];
    assert.equal(offset, this.received.length);
    this.#enter(`append ${offset}`, sent);
    this.received.push(...sent);
    onBytes(sent.length);
    return this.received.length;
  }

  async findOffset(): Promise<number> {
    this.#enter('find');
    return this.received.length;
  }

  #enter(call: string, sent: readonly number[] = []): void {
    this.calls.push(call);
    const fault = this.#findFault(call, this.calls.length);
    if (fault === undefined) return;
    this.received.push(...sent.slice(0, fault.storedBytes ?? 0));
    throw fault.error;
  }
}

const ALL = Array.from({ length: SIZE }, (_, at) => at);
const never = new AbortController().signal;

async function send(service: Service, file = new CountedFile(), signal = never): Promise<readonly number[]> {
  const progress: number[] = [];
  const onBytes = (bytes: number) => void progress.push(bytes);
  await sendPieces(file, service, { onBytes, signal, wait: async () => undefined });
  return progress;
}

test('a file is sent piece by piece; each piece is made once, while the previous one is sent', async () => {
  const file = new CountedFile();
  const madeAt: [string, number][] = [];
  const service = new Service((call) => void madeAt.push([call, file.made.length]));
  assert.deepEqual(await send(service, file), [10, 20, 30, 40, 45]);
  assert.deepEqual(service.received, ALL);
  assert.deepEqual(madeAt, [
    ...[
      ['begin 45', 1],
      ['append 0', 2],
      ['append 10', 3],
    ],
    ...[
      ['append 20', 4],
      ['append 30', 5],
      ['append 40', 5],
    ],
  ]);
  assert.deepEqual(file.made, [0, 1, 2, 3, 4]);
  assert.deepEqual(service.calls, [
    ...['begin 45', 'append 0', 'append 10', 'append 20', 'append 30', 'append 40'],
  ]);
});

test('after an interruption only the rest of the piece is sent, without making it again', async () => {
  const file = new CountedFile();
  const service = new Service((call, count) =>
    call === 'append 20' && count === 4 ? { error: errorOf(0, 'gone'), storedBytes: 7 } : undefined,
  );
  await send(service, file);
  assert.deepEqual(service.received, ALL);
  assert.deepEqual(service.calls.slice(3, 7), ['append 20', 'find', 'append 27', 'append 30']);
  assert.deepEqual(file.made, [0, 1, 2, 3, 4]);
});

test('an upload that the service has lost starts over from the first piece', async () => {
  const service = new Service((call, count) =>
    call === 'append 30' && count === 5 ? { error: errorOf(410, 'expired') } : undefined,
  );
  const file = new CountedFile();
  await send(service, file);
  assert.deepEqual(service.received, ALL);
  assert.deepEqual(service.calls.slice(4, 7), ['append 30', 'begin 45', 'append 0']);
  assert.deepEqual(file.made, [0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
});

test('a piece that cannot be read or that the service rejects is not retried', async () => {
  const refused = new Service((call) => (call === 'append 10' ? { error: errorOf(413, 'full') } : undefined));
  await assert.rejects(send(refused), /full/);
  assert.equal(refused.calls.length, 3);
  const file = new CountedFile();
  file.makePiece = async () => {
    throw new Error('unreadable');
  };
  await assert.rejects(send(new Service(() => undefined), file), /unreadable/);
});

test('a cancelled upload sends nothing more', async () => {
  const stop = new AbortController();
  const service = new Service((call) => {
    if (call !== 'append 20') return undefined;
    stop.abort(new Error('cancelled'));
    return { error: errorOf(0, 'gone') };
  });
  await assert.rejects(send(service, new CountedFile(), stop.signal), /cancelled/);
  assert.equal(service.calls.at(-1), 'append 20');
});
