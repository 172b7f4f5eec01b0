// tier: default
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { Failure } from '../../base/failure.ts';
import { boundFetch } from './bounded-fetch.ts';

let answer: RequestListener = () => {};
const server = createServer((request, response) => answer(request, response));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
after(() => {
  server.close();
  server.closeAllConnections();
});

const bounded = boundFetch(100);
const ask = (signal = new AbortController().signal) =>
  bounded(url, { method: 'GET', headers: {}, body: undefined, redirect: 'manual', signal });
const isUnavailable = (error: unknown) => error instanceof Failure && error.kind === 'unavailable';

test('an answer keeps its status and its headers', async () => {
  answer = (_request, response) => response.writeHead(418, { 'x-some': 'thing' }).end('a'.repeat(100));
  const response = await ask();
  assert.deepEqual([response.status, response.headers.get('x-some')], [418, 'thing']);
  assert.equal(await response.text(), 'a'.repeat(100));
});

test('a redirect is not followed', async () => {
  answer = (_request, response) => response.writeHead(302, { location: '/other' }).end();
  assert.equal((await ask()).status, 302);
});

test('an answer that is too long, a server error and a broken connection are rejected', async () => {
  const answers: RequestListener[] = [
    (_request, response) => response.end('a'.repeat(101)),
    (_request, response) => response.writeHead(503).end(),
    (request) => request.socket.destroy(),
    (request, response) => response.write('a', () => request.socket.destroy()),
  ];
  for (answer of answers) await assert.rejects(ask(), isUnavailable);
});

test('a request is aborted at its timeout if the answer does not begin or does not end', async () => {
  for (answer of [() => {}, (_request, response) => response.write('a')] satisfies RequestListener[]) {
    await assert.rejects(ask(AbortSignal.timeout(200)), isUnavailable);
  }
});

test('16 requests run at the same time, and the others wait', async () => {
  let [running, most] = [0, 0];
  const release = Promise.withResolvers<void>();
  const full = Promise.withResolvers<void>();
  answer = async (_request, response) => {
    running += 1;
    most = Math.max(most, running);
    if (running === 16) full.resolve();
    await release.promise;
    running -= 1;
    response.end();
  };
  const requests = Array.from({ length: 40 }, () => ask());
  await full.promise;
  release.resolve();
  assert.equal((await Promise.all(requests)).length, 40);
  assert.ok(most <= 16, String(most));
});
