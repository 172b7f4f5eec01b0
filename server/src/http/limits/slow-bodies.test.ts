// tier: default
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { Failure } from '../../base/failure.ts';
import { SlowBodies } from './slow-bodies.ts';

const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => server.close());

/** A request whose body is announced but has not arrived yet. The body is read as it arrives. */
async function beginRequest() {
  // The address of a TCP server that listens is an object with a port.
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10000000\r\n\r\n');
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const errors: unknown[] = [];
  request.on('error', (error) => errors.push(error)).resume();
  const bodies = new SlowBodies();
  const body = bodies.watch(request, response);
  const tick = (count: number) => {
    for (let done = 0; done < count; done += 1) bodies.tick();
  };
  after(() => socket.destroy());
  return { socket, request, response, body, tick, errors };
}

/** Sends bytes and waits until the server has received them. */
async function send(socket: Socket, { socket: receiver }: IncomingMessage, bytes: number): Promise<void> {
  const target = receiver.bytesRead + bytes;
  socket.write(Buffer.alloc(bytes));
  while (receiver.bytesRead < target) await new Promise((resolve) => setImmediate(resolve));
}

function assertTooSlow(errors: readonly unknown[]): void {
  assert.equal(errors.length, 1);
  assert(errors[0] instanceof Failure && errors[0].kind === 'too-slow');
}

test('a body without a file is interrupted after 30 seconds, even if bytes still arrive', async () => {
  const { socket, request, tick, errors } = await beginRequest();
  for (let second = 0; second < 29; second += 1) {
    await send(socket, request, 20_000);
    tick(1);
  }
  assert.deepEqual(errors, []);
  tick(1);
  assertTooSlow(errors);
  assert.equal(request.socket.destroyed, false, 'the response can be sent');
});

test('a file may pause for the first minute and then arrive with 1 KiB a second', async () => {
  const { socket, request, body, tick, errors } = await beginRequest();
  body.expectFileContent();
  tick(59);
  for (let second = 0; second < 130; second += 1) {
    await send(socket, request, second === 0 ? 61_440 : 1_024);
    tick(1);
  }
  assert.deepEqual(errors, []);
});

test('a file that receives less than 60 KiB in a minute is interrupted after the minute', async () => {
  const { socket, request, body, tick, errors } = await beginRequest();
  body.expectFileContent();
  for (let second = 0; second < 59; second += 1) {
    await send(socket, request, 1_000);
    tick(1);
  }
  assert.deepEqual(errors, []);
  await send(socket, request, 1_000);
  tick(1);
  assertTooSlow(errors);
});

test('a file that was fast for an hour is interrupted a minute after its bytes end', async () => {
  const { socket, request, body, tick, errors } = await beginRequest();
  body.expectFileContent();
  for (let second = 0; second < 200; second += 1) {
    await send(socket, request, 20_000);
    tick(1);
  }
  tick(56);
  assert.deepEqual(errors, []);
  tick(4);
  assertTooSlow(errors);
});

test('time in which the service does not read does not count', async () => {
  const { socket, request, tick, errors } = await beginRequest();
  request.pause();
  await send(socket, request, 1_000);
  tick(100);
  request.resume();
  while (request.readableLength > 0) await new Promise((resolve) => setImmediate(resolve));
  tick(29);
  assert.deepEqual(errors, []);
  tick(1);
  assertTooSlow(errors);
});

test('a connection is closed half a minute after its body was interrupted', async () => {
  const { request, tick, errors } = await beginRequest();
  tick(60);
  assert.equal(request.socket.destroyed, false, 'the response may take a while');
  tick(1);
  assert.equal(request.socket.destroyed, true);
  assert.equal(errors.filter((error) => error instanceof Failure).length, 1);
});

test('a connection whose response was sent before the body has arrived is closed', async () => {
  const { request, response, tick, errors } = await beginRequest();
  response.end('early');
  tick(30);
  assert.equal(request.socket.destroyed, true);
  assert.deepEqual(
    errors.filter((error) => error instanceof Failure),
    [],
  );
});
