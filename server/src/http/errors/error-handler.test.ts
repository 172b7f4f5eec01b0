import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify } from 'fastify';
import { Failure } from '../../base/failure.ts';
import { handleErrors } from './error-handler.ts';

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
