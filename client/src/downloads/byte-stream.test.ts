// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TimeoutError } from '../errors/errors.ts';
import { openByteStream } from './byte-stream.ts';

/** A response whose connection breaks after this body. */
function breakAfter(body: string, status = 200, headers: Record<string, string> = {}): Response {
  let isSent = false;
  const stream = new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(new TypeError('terminated'));
      else controller.enqueue(new TextEncoder().encode(body));
      isSent = true;
    },
  });
  return new Response(stream, { status, headers });
}

function read(
  first: Response,
  openAt: (position: number) => Promise<Response>,
  { stallMs = 60_000, isResumable = true } = {},
) {
  return new Response(
    openByteStream({
      first,
      start: 0,
      end: 6,
      isResumable,
      checksum: undefined,
      stallMs,
      onProgress: undefined,
      signal: new AbortController().signal,
      abort: () => {},
      openAt,
    }),
  ).text();
}

test('a connection that breaks after the last byte is not opened again', async () => {
  const text = await read(breakAfter('abcdef'), () => assert.fail('asked for the rest of nothing'));
  assert.equal(text, 'abcdef');
});

test('a download whose connection breaks before the last byte continues at that point', async () => {
  const asked: number[] = [];
  const text = await read(breakAfter('abcd'), async (position) => {
    asked.push(position);
    return breakAfter('ef', 206, { 'content-range': 'bytes 4-5/6' });
  });
  assert.equal(text, 'abcdef');
  assert.deepEqual(asked, [4]);
});

test('a connection on which nothing arrives is abandoned', async () => {
  const silent = new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(3)) }));
  const reading = read(silent, () => assert.fail('asked for the rest'), { stallMs: 20, isResumable: false });
  await assert.rejects(reading, TimeoutError);
});
