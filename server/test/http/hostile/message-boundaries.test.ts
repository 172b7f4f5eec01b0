// tier: default
// runs on: sqlite
// Requests whose end can be read in two ways. If a proxy and the service disagree about it, the rest of one
// request becomes the beginning of the next one, which may come from someone else (request smuggling).
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startHoldall } from '../../support/app/holdall.ts';

const { url } = await startHoldall();
const { hostname, port, host } = new URL(url);

const SMUGGLED = `GET /api/v2/site/ping HTTP/1.1\r\nhost: ${host}\r\n\r\n`;

for (const [what, headers, body] of [
  ['both a length and chunks', ['content-length: 5', 'transfer-encoding: chunked'], '0\r\n\r\n'],
  ['chunks and then a length', ['transfer-encoding: chunked', 'content-length: 5'], '0\r\n\r\n'],
  ['two different lengths', ['content-length: 2', 'content-length: 20'], '{}'],
  ['two equal lengths', ['content-length: 2', 'content-length: 2'], '{}'],
  ['a list of lengths', ['content-length: 2, 20'], '{}'],
  ['a length with a sign', ['content-length: +2'], '{}'],
  ['a length in hexadecimal', ['content-length: 0x2'], '{}'],
  ['chunks that are not the last encoding', ['transfer-encoding: chunked, identity'], '0\r\n\r\n'],
  ['an unknown encoding', ['transfer-encoding: xchunked'], '0\r\n\r\n'],
  ['a blank before the colon', ['transfer-encoding : chunked'], '0\r\n\r\n'],
  ['a header on two lines', ['transfer-encoding:', ' chunked'], '0\r\n\r\n'],
  ['a line feed that ends a header', ['x: y\ncontent-length: 2'], '{}'],
  ['a carriage return in a header', ['x: y\rcontent-length: 2'], '{}'],
  ['a chunk size with a sign', ['transfer-encoding: chunked'], '+0\r\n\r\n'],
  ['a chunk size in another notation', ['transfer-encoding: chunked'], '0x0\r\n\r\n'],
] as const) {
  test(`a request with ${what} is rejected, and what follows is not answered`, async () => {
    const head = [
      'POST /api/auth/login HTTP/1.1',
      `host: ${host}`,
      'content-type: application/json',
      ...headers,
    ];
    const received = await exchange(`${head.join('\r\n')}\r\n\r\n${body}${SMUGGLED}`);
    assert.equal(received.match(/HTTP\/1\.1 \d/g)?.length, 1, received);
    assert.match(received, /^HTTP\/1\.1 400 /);
    assert.match(received, /\r\nconnection: close\r\n/i);
  });
}

test('a request with one length, or in chunks, is followed by the next one', async () => {
  const last = SMUGGLED.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n');
  for (const [header, body] of [
    ['content-length: 2', '{}'],
    ['transfer-encoding: chunked', '2\r\n{}\r\n0\r\n\r\n'],
  ]) {
    const head = `POST /api/auth/login HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n${header}`;
    const received = await exchange(`${head}\r\n\r\n${body}${last}`);
    assert.deepEqual(received.match(/HTTP\/1\.1 \d{3}/g), ['HTTP/1.1 400', 'HTTP/1.1 200'], received);
  }
});

for (const [what, status, hosts] of [
  ['two equal hosts', 400, [host, host]],
  ['two different hosts', 400, [host, 'other.example.org']],
  ['no host', 400, []],
  ['a host with a path', 400, [`${host}/x`]],
  ['a host with a user', 400, [`me@${host}`]],
  ['a list of hosts', 400, [`${host}, other.example.org`]],
  ['a host with a blank', 400, ['a b']],
  ['one host', 200, [host]],
  ['an IPv6 address and a port as its host', 200, ['[::1]:8080']],
  ['an empty host', 200, ['']],
] as const) {
  test(`a request with ${what} is answered with ${status}`, async () => {
    const headers = [...hosts.map((each) => `Host: ${each}`), 'connection: close'].join('\r\n');
    const received = await exchange(`GET /api/v2/site/ping HTTP/1.1\r\n${headers}\r\n\r\n`);
    assert.equal(received.slice(0, 12), `HTTP/1.1 ${status}`, received);
  });
}

/** Sends the bytes. Returns everything that arrives until the service closes the connection. */
async function exchange(sent: string): Promise<string> {
  // Only ends a connection that the service fails to close.
  const signal = AbortSignal.timeout(120_000);
  const socket = connect({ port: Number(port), host: hostname, signal });
  socket.write(sent, 'latin1');
  return await text(socket);
}
