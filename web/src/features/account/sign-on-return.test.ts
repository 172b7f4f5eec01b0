// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSignOnReturn } from './sign-on-return.ts';

test('a fragment contains a ticket, an error, a link or none of these', () => {
  assert.deepEqual(readSignOnReturn('#ticket=a.b-c_d'), { ticket: 'a.b-c_d', isLinked: false });
  assert.deepEqual(readSignOnReturn('error=no-account'), { fault: 'no-account', isLinked: false });
  assert.deepEqual(readSignOnReturn('#linked=true'), { isLinked: true });
  assert.deepEqual(readSignOnReturn(''), { isLinked: false });
  assert.deepEqual(readSignOnReturn('#security'), { isLinked: false });
});

test('an unknown error is reported as a general failure', () => {
  assert.deepEqual(readSignOnReturn('#error=constructor'), { fault: 'failed', isLinked: false });
});
