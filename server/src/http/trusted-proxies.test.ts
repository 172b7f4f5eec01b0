// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify } from 'fastify';
import { isTrustedProxy, type TrustedProxies } from './trusted-proxies.ts';

/** Returns the client's address for a connection from 10.0.0.1. */
async function addressOf(proxies: TrustedProxies, forwardedFor?: string): Promise<string> {
  const server = fastify({ trustProxy: isTrustedProxy(proxies) });
  server.get('/', async (request) => request.ip);
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  return (await server.inject({ url: '/', remoteAddress: '10.0.0.1', headers })).body;
}

const FORGED = '192.0.2.1, 192.0.2.2';

test('without a proxy X-Forwarded-For counts for nothing', async () => {
  assert.equal(await addressOf(0, '203.0.113.7'), '10.0.0.1');
});

test('behind one proxy the last address is the client, whatever the client wrote in front of it', async () => {
  assert.equal(await addressOf(1, '203.0.113.7'), '203.0.113.7');
  assert.equal(await addressOf(1, `${FORGED}, 203.0.113.7`), '203.0.113.7');
});

test('behind two proxies the last address but one is the client', async () => {
  assert.equal(await addressOf(2, `${FORGED}, 203.0.113.7, 10.0.0.2`), '203.0.113.7');
});

test('a list trusts only its addresses and networks', async () => {
  assert.equal(await addressOf(['10.0.0.0/8'], `${FORGED}, 203.0.113.7, 10.9.9.9`), '203.0.113.7');
  assert.equal(await addressOf(['10.0.0.1'], '203.0.113.7, 10.9.9.9'), '10.9.9.9');
  assert.equal(await addressOf(['127.0.0.1'], '203.0.113.7'), '10.0.0.1');
});

test('a request that did not pass through the proxy has the address of its connection', async () => {
  assert.equal(await addressOf(1), '10.0.0.1');
});
