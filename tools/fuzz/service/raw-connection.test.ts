// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NoResponse, ResponseReader } from './raw-connection.ts';

const read = (text: string, isHead = false) => new ResponseReader(isHead).add(Buffer.from(text, 'latin1'));

test('a response is complete once its length has arrived, however it is split', () => {
  const reader = new ResponseReader(false);
  assert.equal(reader.add(Buffer.from('HTTP/1.1 200 OK\r\nContent-Le')), undefined);
  assert.equal(reader.add(Buffer.from('ngth: 4\r\nA: b\r\nA: c\r\n\r\nab')), undefined);
  const response = reader.add(Buffer.from('cd'));
  assert.deepEqual([response?.status, `${response?.body}`], [200, 'abcd']);
  assert.equal(response?.headers.get('a'), 'b, c');
});

test('chunks are joined', () => {
  const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
  assert.equal(read(`${head}3\r\nabc\r\n`), undefined);
  assert.equal(`${read(`${head}3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n`)?.body}`, 'abc0123456789');
});

test('a response to HEAD has no body, and interim responses are skipped', () => {
  assert.equal(read('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n', true)?.body.byteLength, 0);
  assert.equal(read('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n')?.status, 204);
});

test('bytes after the end of a response are an error', () => {
  assert.throws(() => read('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nab'), NoResponse);
  assert.throws(() => read('HTTP/1.1 204 No Content\r\n\r\nab'), NoResponse);
});

test('the first event of a stream is enough', () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n\r\n';
  assert.equal(read(head), undefined);
  assert.equal(read(`${head}event: READY\n\n`)?.isComplete, false);
});

test('a body without a length ends with its connection', () => {
  const reader = new ResponseReader(false);
  assert.equal(reader.add(Buffer.from('HTTP/1.1 200 OK\r\n\r\nabc')), undefined);
  assert.equal(`${reader.end()?.body}`, 'abc');
});
