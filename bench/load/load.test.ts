// tier: default
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { inFull } from '../../tools/testing/tiers.ts';
import { each, inTurnFor, runLoad } from './load.ts';
import { getRequest } from './requests.ts';

async function serve(t: TestContext, answer: (url: string) => number) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    asked.push(url);
    response.statusCode = answer(url);
    response.end(`about ${url}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo; // a TCP server's address is never a string
  return { port, asked };
}

test('every request is sent once, over several connections', async (t) => {
  const { port, asked } = await serve(t, () => 200);
  const paths = Array.from({ length: 50 }, (_, index) => `/${index}`);
  const result = await runLoad({ port, connections: 8, next: each(paths.map((path) => getRequest(path))) });
  assert.equal(result.answers, 50);
  assert.deepEqual(asked.sort(), paths.sort());
});

test('an unexpected status ends the load, and the error shows the request and the body', async (t) => {
  const { port } = await serve(t, (url) => (url === '/7' ? 503 : 200));
  const requests = Array.from({ length: 20 }, (_, index) => getRequest(`/${index}`));
  await assert.rejects(
    runLoad({ port, connections: 2, next: each(requests) }),
    /GET \/7 answered 503: about \/7/,
  );
});

test('requests are sent in turn until time is up', inFull, async (t) => {
  const { port, asked } = await serve(t, () => 200);
  const next = inTurnFor(0.5, [getRequest('/a'), getRequest('/b')]);
  const result = await runLoad({ port, connections: 1, next });
  assert.ok(result.seconds >= 0.5);
  assert.deepEqual(asked.slice(0, 3), ['/a', '/b', '/a']);
});
