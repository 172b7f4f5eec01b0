// tier: default
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { HttpConnection, headerOf, parseAnswerHead } from './http-connection.ts';

const REQUEST = Buffer.from('GET / HTTP/1.1\r\nHost: test\r\n\r\n');

async function connectTo(t: TestContext, onRequest: (socket: Socket, bytes: Buffer) => void) {
  const server = createServer((socket) => {
    socket.on('data', (bytes) => onRequest(socket, bytes));
    socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server's address is never a string
  const connection = await HttpConnection.open(port);
  t.after(() => {
    connection.close();
    server.close();
  });
  return connection;
}

test('a response in one piece is read, and the connection is reused', async (t) => {
  let count = 0;
  const connection = await connectTo(t, (socket) => {
    count += 1;
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello${count}`);
  });
  const first = await connection.exchange(REQUEST);
  const second = await connection.exchange(REQUEST);
  assert.deepEqual([first.status, first.bodyBytes, first.body.toString()], [200, 6, 'hello1']);
  assert.equal(second.body.toString(), 'hello2');
});

test('a connection closed by the server is not open', async (t) => {
  const connection = await connectTo(t, (socket) => {
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  });
  assert.equal(connection.isOpen, true);
  await connection.exchange(REQUEST);
  while (connection.isOpen) await setImmediate();
  await assert.rejects(connection.exchange(REQUEST), /closed the connection/);
});

test('a response that arrives byte by byte is read as one', async (t) => {
  const connection = await connectTo(t, async (socket) => {
    socket.setNoDelay(true);
    for (const byte of Buffer.from('HTTP/1.1 206 Partial Content\r\ncontent-length: 3\r\n\r\nabc')) {
      socket.write(Buffer.of(byte));
      await setImmediate();
    }
  });
  const answer = await connection.exchange(REQUEST);
  assert.deepEqual([answer.status, answer.body.toString()], [206, 'abc']);
});

test('only the beginning of a long body is kept, but all bytes are counted', async (t) => {
  const connection = await connectTo(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n');
    socket.write(Buffer.alloc(300_000, 'x'));
  });
  const answer = await connection.exchange(REQUEST, 10);
  assert.deepEqual([answer.bodyBytes, answer.body.toString()], [300_000, 'xxxxxxxxxx']);
});

test('a chunked response fails the exchange', async (t) => {
  const connection = await connectTo(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n');
  });
  await assert.rejects(connection.exchange(REQUEST), /chunked answer/);
});

test('more bytes than announced fail the exchange', async (t) => {
  const connection = await connectTo(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabc');
  });
  await assert.rejects(connection.exchange(REQUEST), /longer than its content-length/);
});

test('a connection closed by the server fails the exchange and every later one', async (t) => {
  const connection = await connectTo(t, (socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'),
  );
  await assert.rejects(connection.exchange(REQUEST), /closed the connection/);
  await assert.rejects(connection.exchange(REQUEST), /closed the connection/);
});

test('a streamed request arrives completely', async (t) => {
  let received = 0;
  const connection = await connectTo(t, (socket, bytes) => {
    received += bytes.length;
    if (bytes.at(-1) === 0x21) socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`);
  });
  const chunk = Buffer.alloc(100_000, 'x');
  const answer = await connection.stream({
    head: REQUEST,
    chunk,
    streamedBytes: 2_050_000,
    tail: Buffer.from('!'),
  });
  assert.equal(answer.status, 200);
  assert.equal(received, REQUEST.length + 2_050_000 + 1);
});

test('a response before the end of a streamed request stops sending', async (t) => {
  const connection = await connectTo(t, (socket) => {
    socket.pause();
    socket.write('HTTP/1.1 413 Content Too Large\r\nContent-Length: 4\r\n\r\nmuch');
  });
  const request = { head: REQUEST, chunk: Buffer.alloc(1_000_000), tail: Buffer.alloc(0) };
  const answer = await connection.stream({ ...request, streamedBytes: 10_000_000_000 });
  assert.deepEqual([answer.status, answer.body.toString()], [413, 'much']);
});

test('status and length are found in any case of the header', () => {
  assert.deepEqual(parseAnswerHead('HTTP/1.1 200 OK\r\nCONTENT-LENGTH:12\r\nX: y'), {
    status: 200,
    bodyBytes: 12,
  });
  assert.deepEqual(parseAnswerHead('HTTP/1.1 304 Not Modified\r\nETag: "a"'), { status: 304, bodyBytes: 0 });
});

test('a response without a length is rejected', () => {
  assert.throws(() => parseAnswerHead('HTTP/1.1 200 OK\r\nConnection: close'), /without content-length/);
});

test('a response header is found in any case, and a missing one is an error', () => {
  const answer = { status: 200, head: 'HTTP/1.1 200 OK\r\nETag: "a:b"', bodyBytes: 0, body: Buffer.alloc(0) };
  assert.equal(headerOf(answer, 'etag'), '"a:b"');
  assert.throws(() => headerOf(answer, 'location'), /the answer has no location/);
});
