import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { fastify } from 'fastify';
import { Failure } from '../../base/failure.ts';
import { answerBrokenHttp, handleErrors } from './error-handler.ts';

const failures = {
  '/unavailable': new Failure('unavailable', 'not now'),
  '/too-many': new Failure('too-many', 'not so fast'),
  '/explicit': new Failure('too-many', 'not so fast', { retryAfterSeconds: 30 }),
  '/invalid': new Failure('invalid', 'not so'),
};

test('Retry-After is sent for the kinds unavailable and too-many only', async () => {
  const server = fastify();
  handleErrors(server, (error) => error);
  for (const [url, failure] of Object.entries(failures)) server.get(url, () => Promise.reject(failure));
  const retryAfter = await Promise.all(
    Object.keys(failures).map(async (url) => (await server.inject(url)).headers['retry-after']),
  );
  assert.deepEqual(retryAfter, ['5', '1', '30', undefined]);
});

test('headers that do not arrive in time are 408, and the connection is closed', async () => {
  const server = createServer({ headersTimeout: 50, requestTimeout: 0, connectionsCheckingInterval: 10 });
  server.on('clientError', answerBrokenHttp).listen(0, '127.0.0.1');
  after(() => server.close());
  await once(server, 'listening');
  // The address of a TCP server that listens is an object with a port.
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n');
  const response = await text(socket);
  assert.match(response, /^HTTP\/1\.1 408 Request Timeout\r\n/);
  assert.match(response, /\r\nconnection: close\r\n/);
  assert.match(response, /\{"code":1003,"msg":"[^"]+","data":null\}$/);
});
