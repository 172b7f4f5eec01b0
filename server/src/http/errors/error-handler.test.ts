// tier: default
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { type FastifyBaseLogger, fastify } from 'fastify';
import { pino } from 'pino';
import { Failure } from '../../base/failure.ts';
import { answerMalformedHttp, handleErrors } from './error-handler.ts';

const failures = {
  '/unavailable': new Failure('unavailable', 'not now'),
  '/too-many': new Failure('too-many', 'not so fast'),
  '/explicit': new Failure('too-many', 'not so fast', { retryAfterSeconds: 30 }),
  '/invalid': new Failure('invalid', 'not so'),
};

test('only errors of the kinds unavailable and too-many have a Retry-After', async () => {
  const server = fastify();
  handleErrors(server, (error) => error);
  for (const [url, failure] of Object.entries(failures)) server.get(url, () => Promise.reject(failure));
  const retryAfter = await Promise.all(
    Object.keys(failures).map(async (url) => (await server.inject(url)).headers['retry-after']),
  );
  assert.deepEqual(retryAfter, ['5', '1', '30', undefined]);
});

test('an unexpected error reveals nothing, and the log has it under the request id', async () => {
  const lines: string[] = [];
  const loggerInstance: FastifyBaseLogger = pino({ level: 'error' }, { write: (line) => lines.push(line) });
  const server = fastify({ loggerInstance, genReqId: () => 'the-request' });
  handleErrors(server, (error) => error);
  const cause = new Error('select\n "password_hash" from "account" failed at 10.0.0.5', { cause: 'secret' });
  server.get('/api/v2/x', () => Promise.reject(Object.assign(cause, { statusCode: 500, code: 'XX000' })));
  const { statusCode, payload } = await server.inject('/api/v2/x');
  const { code, msg, data, ...others } = JSON.parse(payload);
  assert.deepEqual([statusCode, code, data, others], [500, 2500, null, {}]);
  assert.doesNotMatch(msg, /select|password|10\.0\.0\.5|secret|XX000/);
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /"requestId":"the-request".*password_hash/);
});

test('headers that do not arrive in time are answered with 408, and the connection is closed', async () => {
  const server = createServer({ headersTimeout: 50, requestTimeout: 0, connectionsCheckingInterval: 10 });
  server.on('clientError', answerMalformedHttp).listen(0, '127.0.0.1');
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
