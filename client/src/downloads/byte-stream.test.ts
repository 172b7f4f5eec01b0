import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openByteStream } from './byte-stream.ts';

/** A response with this body, whose connection breaks after it. */
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

function read(first: Response, openAt: (position: number) => Promise<Response>) {
  return new Response(
    openByteStream({
      first,
      start: 0,
      end: 6,
      isResumable: true,
      checksum: undefined,
      stallMs: 1_000,
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

test('a connection that breaks before the last byte is continued where it broke', async () => {
  const asked: number[] = [];
  const text = await read(breakAfter('abcd'), async (position) => {
    asked.push(position);
    return breakAfter('ef', 206, { 'content-range': 'bytes 4-5/6' });
  });
  assert.equal(text, 'abcdef');
  assert.deepEqual(asked, [4]);
});
