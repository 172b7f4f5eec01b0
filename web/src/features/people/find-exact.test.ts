// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findExact } from './find-exact.ts';

const bea = { accountId: 1, username: 'bea', displayName: 'Bea Miller' };
const bert = { accountId: 2, username: 'bert', displayName: 'Bert' };
const other = { accountId: 3, username: 'bert2', displayName: 'Bert' };

test('a typed text means the person with exactly that username, whatever the case', () => {
  assert.equal(findExact(' BERT ', [other, bert]), bert);
  assert.equal(findExact('be', [bea, bert]), undefined);
});

test('a typed e-mail address means the person whom the service found', () => {
  assert.equal(findExact('bea@example.org', [bea]), bea);
  assert.equal(findExact('bea@example.org', []), undefined);
});

test('a display name means a person only if nobody else has it', () => {
  assert.equal(findExact('bea miller', [bea, bert]), bea);
  assert.equal(findExact('Bert', [{ ...bert, username: 'robert' }, other]), undefined);
});
