// tier: default
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { httpFetch } from './http-fetch.ts';

const large = randomBytes(3_000_000);

/** Starts a server on loopback that answers every request like this. Returns its URL. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  // The address of a TCP server that listens is an object with a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('a response', () => {
  test('of a few bytes has its status and headers, and can be read in every way', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(201, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] });
      response.end('{"name":"näme"}');
    });
    const response = await httpFetch(url);
    assert.deepEqual([response.status, response.ok], [201, true]);
    assert.deepEqual(response.headers.getSetCookie(), ['a=1', 'b=2']);
    assert.equal(await (await httpFetch(url)).text(), '{"name":"näme"}');
    assert.deepEqual(await (await httpFetch(url)).json(), { name: 'näme' });
    assert.equal((await (await httpFetch(url)).bytes()).length, 16);
    assert.equal((await (await httpFetch(url)).arrayBuffer()).byteLength, 16);
    assert.equal((await (await httpFetch(url)).blob()).type, 'application/json');
    assert.equal(await new Response((await httpFetch(url)).body).text(), '{"name":"näme"}');
  });

  test('without a body has a null body', async () => {
    const url = await serve((_request, response) => response.writeHead(204).end());
    assert.equal((await httpFetch(url)).body, null);
    const withLength = await serve((_request, response) => response.setHeader('content-length', 5).end());
    const head = await httpFetch(withLength, { method: 'HEAD' });
    assert.deepEqual([head.body, head.headers.get('content-length')], [null, '5']);
  });

  test('of many bytes arrives whole, with and without a length', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/length') response.setHeader('content-length', large.length);
      response.end(large);
    });
    for (const address of [`${url}/length`, url]) {
      assert.ok(large.equals(await (await httpFetch(new URL(address))).bytes()));
    }
  });

  test('is an error if its connection breaks', async () => {
    const url = await serve((request, response) => {
      const length = request.url === '/small' ? 10 : large.length;
      response.writeHead(200, { 'content-length': length });
      response.write('begin', () => response.destroy());
    });
    await assert.rejects(httpFetch(`${url}/small`));
    const response = await httpFetch(url);
    await assert.rejects(response.bytes());
  });

  test('is an error if no one listens', async () => {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    await once(server.close(), 'close');
    await assert.rejects(httpFetch(`http://127.0.0.1:${port}`), { code: 'ECONNREFUSED' });
  });

  test('that redirects is followed', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/there') response.end('there');
      else response.writeHead(307, { location: '/there' }).end();
    });
    assert.equal(await (await httpFetch(url)).text(), 'there');
  });
});

describe('a body', () => {
  test('of every kind arrives with its length', async () => {
    const lengths: (string | undefined)[] = [];
    const url = await serve(async (request, response) => {
      lengths.push(request.headers['content-length']);
      response.end(await readBody(request));
    });
    const bytes = new Uint8Array(large);
    for (const [body, expected] of [
      ['nämen', Buffer.from('nämen')],
      [bytes, large],
      [bytes.buffer, large],
      [new Blob([bytes]), large],
      [bytes.subarray(5, 9), large.subarray(5, 9)],
    ] as const) {
      for (const method of ['POST', 'DELETE']) {
        const response = await httpFetch(url, { method, body });
        assert.ok(expected.equals(await response.bytes()));
        assert.equal(lengths.pop(), String(expected.length));
      }
    }
    const form = new FormData();
    form.set('field', 'value');
    assert.match(await (await httpFetch(url, { method: 'POST', body: form })).text(), /name="field"/);
  });

  test('is not sent to its end if the service rejects it', async () => {
    const url = await serve((_request, response) => response.writeHead(413).end('too large'));
    const blob = new Blob([large]);
    const manyTimes = new Blob(Array.from({ length: 100 }, () => blob));
    const response = await httpFetch(url, { method: 'PUT', body: manyTimes });
    assert.deepEqual([response.status, await response.text()], [413, 'too large']);
  });
});

describe('an aborted request', () => {
  const reason = new Error('no longer wanted');

  test('is not sent', async () => {
    const url = await serve(() => assert.fail('it was sent'));
    await assert.rejects(httpFetch(url, { signal: AbortSignal.abort(reason) }), reason);
  });

  test('ends with the reason while it waits for the response', async () => {
    const controller = new AbortController();
    const url = await serve(() => controller.abort(reason));
    await assert.rejects(httpFetch(url, { signal: controller.signal }), reason);
  });

  test('ends with the reason while its response is read', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': large.length });
      response.write('begin');
    });
    const controller = new AbortController();
    const response = await httpFetch(url, { signal: controller.signal });
    const reader = response.body?.getReader();
    assert.equal((await reader?.read())?.value?.length, 5);
    const next = reader?.read();
    controller.abort(reason);
    await assert.rejects(next ?? Promise.resolve(), reason);
  });

  test('ends even if its response has arrived but is not read yet', async () => {
    const { promise: isSent, resolve } = Promise.withResolvers<void>();
    const few = large.subarray(0, 100_000);
    const url = await serve((request, response) => {
      if (request.url === '/few') response.on('finish', resolve);
      response.end(few);
    });
    const controller = new AbortController();
    const response = await httpFetch(`${url}/few`, { signal: controller.signal });
    await isSent;
    // The rest of the first response arrives during this request.
    await (await httpFetch(url)).bytes();
    controller.abort(reason);
    await assert.rejects(response.bytes(), reason);
  });

  test('ends when its response is no longer read', async () => {
    const { promise: isClosed, resolve } = Promise.withResolvers<void>();
    const url = await serve((_request, response) => {
      response.on('close', resolve);
      response.writeHead(200, { 'content-length': large.length });
      response.write('begin');
    });
    const response = await httpFetch(url);
    await response.body?.cancel();
    await isClosed;
  });
});
