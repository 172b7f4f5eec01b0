// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FastifyInstance, fastify } from 'fastify';
import { systemClock } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import { guardAccess } from './access.ts';
import type { FindCaller } from './caller.ts';
import { FloodLimiter } from './limits/flood-limiter.ts';
import { RequestConcurrency } from './limits/request-concurrency.ts';

function createServer(findCaller: FindCaller): FastifyInstance {
  const server = fastify();
  guardAccess(server, {
    findCaller,
    findDriveRole: async () => undefined,
    explainRefusal: async () => undefined,
    floods: new FloodLimiter(systemClock, false),
    concurrency: new RequestConcurrency(undefined),
    traffic: { countRequest: () => {}, recordActiveAccount: () => {} },
  });
  return server;
}

test('a route that does not declare who may call it prevents the start', async () => {
  const server = createServer(async () => undefined);
  server.get('/open', { config: { access: 'public', appPassword: 'read' } }, async () => 'open');
  server.get('/forgotten', async () => 'anything');
  await assert.rejects(async () => await server.ready(), /GET \/forgotten does not declare who may call it/);
});

test('a route that does not declare what app passwords may do prevents the start', async () => {
  const server = createServer(async () => undefined);
  server.get('/forgotten', { config: { access: 'login' } }, async () => 'anything');
  await assert.rejects(
    async () => await server.ready(),
    /GET \/forgotten does not declare what app passwords may do/,
  );
});

test('only a route with `takesBasic` accepts a name and an app password', async () => {
  const seen: unknown[] = [];
  const server = createServer(async (credentials) => void seen.push(credentials));
  const open = { access: 'public', appPassword: 'read' } as const;
  server.get('/basic', { config: { ...open, takesBasic: true } }, async () => '');
  server.get('/other', { config: open }, async () => '');
  const toBasic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const headers = [toBasic('ann:a:b'), toBasic('ünn:'), toBasic('no colon'), 'Basic ???', 'Basic'];
  for (const url of ['/basic', '/other']) {
    for (const authorization of headers) await server.inject({ url, headers: { authorization } });
  }
  assert.deepEqual(seen, [
    { kind: 'basic', username: 'ann', password: 'a:b' },
    { kind: 'basic', username: 'ünn', password: '' },
  ]);
});

test('a caller who cannot be looked up is not let in', async () => {
  const faults = [new Failure('unavailable', 'The database cannot be reached.'), new Error('a fault')];
  for (const fault of faults) {
    const server = createServer(() => Promise.reject(fault));
    let calls = 0;
    for (const access of ['public', 'login', 'admin'] as const) {
      server.get(`/${access}`, { config: { access, appPassword: 'read' } }, async () => {
        calls += 1;
      });
    }
    for (const url of ['/public', '/login', '/admin']) {
      const response = await server.inject({ url, headers: { authorization: 'Bearer some.valid.token' } });
      assert.equal(response.statusCode, 500);
    }
    assert.equal(calls, 0);
  }
});
