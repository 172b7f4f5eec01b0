// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { rawRequest } from '../../support/network/raw-request.ts';

const holdall = await startHoldall({
  env: { HOLDALL_MAX_REQUESTS_PER_ADDRESS: '20', HOLDALL_TRUST_PROXY: 'true' },
});
const ann = await holdall.register('ann');

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

/**
 * Sends requests whose bodies stay unfinished, and waits until the service handles them. Returns a function
 * that closes their connections.
 */
async function openUnfinishedRequests(
  person: Person,
  count: number,
  address: string,
): Promise<() => Promise<void>> {
  const { hostname, port } = new URL(holdall.url);
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index += 1) {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    const headers = { 'content-length': 100, 'content-type': 'application/json', expect: '100-continue' };
    socket.write(rawRequest(person, 'POST /api/auth/login', { ...headers, 'x-forwarded-for': address }));
  }
  after(() => sockets.map((socket) => socket.destroy()));
  // Otherwise a later request, which only tests the limit, could take the place of one of these.
  await Promise.all(sockets.map((socket) => once(socket, 'data')));
  return async () => {
    await Promise.all(sockets.map((socket) => once(socket.destroy(), 'close')));
  };
}

/** Repeats a call until it gets the status, because requests sent earlier may be counted later. */
async function untilStatus(status: number, person: Person, address: string): Promise<void> {
  for (;;) {
    const answer = await person.call('GET', '/api/v2/files/1', from(address));
    if (answer.status === status) return;
  }
}

describe('simultaneous requests from one address', () => {
  test('without a login get 429 beyond a fifth of the limit, until others have ended', async () => {
    const address = '203.0.113.1';
    const release = await openUnfinishedRequests(holdall.anonymous, 4, address);
    await untilStatus(429, holdall.anonymous, address);
    const answer = await holdall.anonymous.refused(429, 2429, 'GET', '/api/v2/files/1', from(address));
    assert(Number(answer.headers.get('retry-after')) >= 1);
    assert.equal((await ann.call('GET', '/api/user/profile', from(address))).status, 200, 'with a login');
    assert.equal((await holdall.anonymous.call('GET', '/api/v2/files/1', from('203.0.113.2'))).status, 401);
    await release();
    await untilStatus(401, holdall.anonymous, address);
  });

  test('beyond the limit every request is 429, also with a login', async () => {
    const address = '203.0.113.3';
    const release = await openUnfinishedRequests(ann, 20, address);
    await untilStatus(429, ann, address);
    await ann.refused(429, 1429, 'GET', '/api/user/profile', from(address));
    assert.equal((await ann.call('GET', '/api/user/profile', from('203.0.113.4'))).status, 200);
    await release();
    await untilStatus(404, ann, address);
  });
});
