// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startHoldall } from '../../support/app/holdall.ts';

const alice = await (await startHoldall()).register('alice');

describe('bodies that would take long to parse', () => {
  const bodies = {
    'more values than a body may have': ['application/json', `[${'1,'.repeat(30_000)}1]`],
    'more levels than a body may have': ['application/json', '['.repeat(100_000)],
    'more fields than a form may have': ['application/x-www-form-urlencoded', 'a=&'.repeat(1_000)],
  } as const;
  for (const [what, [contentType, body]] of Object.entries(bodies)) {
    test(`${what}: rejected before they are parsed`, async () => {
      const options = { body, headers: { 'content-type': contentType } };
      const { msg } = await alice.refused(400, 1000, 'POST', '/api/files/mkdir', options);
      assert.match(msg, /must not have more than/);
    });
  }

  test('punctuation of JSON inside a long text does not count as many values', async () => {
    const session = await alice.ask<{ sessionId: string }>('POST', '/api/transfer/sessions', {
      body: { mode: 'ONLINE', files: [{ name: 'a', size: 1 }] },
    });
    const signals = `/api/transfer/sessions/${session.sessionId}/signals?role=sender`;
    await alice.ask('POST', signals, { body: { type: 'offer', payload: '[,:{'.repeat(10_000) } });
  });
});
