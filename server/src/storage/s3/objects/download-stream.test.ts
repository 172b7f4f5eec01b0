// tier: default
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inFull } from '../../../../../tools/testing/tiers.ts';
import { Failure } from '../../../base/failure.ts';
import { DownloadStream } from './download-stream.ts';

describe('DownloadStream', () => {
  it('yields the bytes of the response', async () => {
    const body = new PassThrough();
    body.end('abcdef');
    assert.equal((await buffer(new DownloadStream(body, 6))).toString(), 'abcdef');
    const empty = new PassThrough();
    empty.end();
    assert.equal((await buffer(new DownloadStream(empty, 0))).length, 0);
  });

  it('fails when the response has fewer or more bytes than announced', async () => {
    for (const size of [5, 7]) {
      const body = new PassThrough();
      body.end('abcdef');
      await assert.rejects(buffer(new DownloadStream(body, size)), isUnavailable);
    }
  });

  it('fails when the response is interrupted', async () => {
    for (const error of [undefined, new Error('aborted')]) {
      const body = new PassThrough();
      body.write('abc');
      setImmediate(() => body.destroy(error));
      await assert.rejects(buffer(new DownloadStream(body, 6)), isUnavailable);
    }
  });

  it('fails when no bytes arrive for too long', async () => {
    const body = new PassThrough();
    body.write('abc');
    await assert.rejects(buffer(new DownloadStream(body, 6, 30)), isUnavailable);
    assert.equal(body.destroyed, true);
  });

  it('waits for a slow reader without a time limit, and pauses the response meanwhile', inFull, async () => {
    const body = new PassThrough();
    const stream = new DownloadStream(body, 1_000_000, 30);
    body.end(Buffer.alloc(1_000_000));
    let size = 0;
    for await (const chunk of stream) {
      size += chunk.length;
      if (size < 400_000) await sleep(100);
    }
    assert.equal(size, 1_000_000);
  });

  it('closes the response when the stream is destroyed, whether it was read or not', async () => {
    for (const isRead of [true, false]) {
      const body = new PassThrough();
      body.write('abc');
      const stream = new DownloadStream(body, 6);
      if (isRead) await new Promise((resolve) => stream.once('data', resolve));
      stream.destroy();
      assert.equal(body.destroyed, true);
    }
  });
});

function isUnavailable(error: unknown): boolean {
  return error instanceof Failure && error.kind === 'unavailable';
}
