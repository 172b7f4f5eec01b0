// tier: default
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { findFreePorts } from '../processes/free-ports.ts';
import { forward } from './forward.ts';

const servers: Server[] = [];
after(() => {
  for (const server of servers) server.close().closeAllConnections();
});

test('forwards path, method and both bodies unchanged', async () => {
  const port = await startProxy(async (incoming, response) => {
    const body = await text(incoming);
    response
      .writeHead(207, { 'set-cookie': ['a=1', 'b=2'] })
      .end(`${incoming.method} ${incoming.url} ${body}`);
  });
  const response = await send(port, { method: 'PROPFIND', path: '/a/../b//c?d=%2F', body: 'question' });
  assert.equal(response.statusCode, 207);
  assert.deepEqual(response.headers['set-cookie'], ['a=1', 'b=2']);
  assert.equal(await text(response), 'PROPFIND /a/../b//c?d=%2F question');
});

test('appends the address of the client to X-Forwarded-For', async () => {
  const port = await startProxy((incoming, response) => {
    response.end(`${incoming.headers['x-forwarded-for']} ${incoming.headers.host}`);
  });
  const headers = { 'x-forwarded-for': '192.0.2.1', host: 'drive.example' };
  assert.equal(await text(await send(port, { headers })), '192.0.2.1, 127.0.0.1 drive.example');
});

test('sends the headers of a stream before its first byte', async () => {
  const port = await startProxy((_, response) => response.flushHeaders());
  const response = await send(port);
  assert.equal(response.statusCode, 200);
  response.destroy();
});

test('aborts a response when the service aborts it', async () => {
  const port = await startProxy((_, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('a part', () => response.destroy());
  });
  await assert.rejects(text(await send(port)), { code: 'ECONNRESET' });
});

test('ends the request to the service when the client leaves', async () => {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const port = await startProxy((_, response) => {
    response.on('close', resolve).flushHeaders();
  });
  (await send(port)).destroy();
  await ended;
});

test('answers 503 and keeps the connection open if the service is not running', async () => {
  const unused = await findFreePorts(1);
  const port = await start((incoming, response) => forward(incoming, response, unused));
  const response = await send(port, { method: 'POST', body: Buffer.alloc(1_000_000) });
  assert.equal(response.statusCode, 503);
  assert.equal(response.headers.connection, 'keep-alive');
  assert.match(await text(response), /^The service is not running/);
});

/** Starts a service and a proxy that forwards all requests to it. Returns the proxy's port. */
async function startProxy(service: RequestListener): Promise<number> {
  const port = await start(service);
  return await start((incoming, response) => forward(incoming, response, port));
}

async function start(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // The address of a server that listens on a port.
  return (server.address() as AddressInfo).port;
}

async function send(
  port: number,
  options: {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Record<string, string>;
    readonly body?: string | Buffer;
  } = {},
): Promise<IncomingMessage> {
  const { body, ...rest } = options;
  const outgoing = request({ host: '127.0.0.1', port, ...rest }).end(body);
  const [response] = await once(outgoing, 'response');
  return response;
}
