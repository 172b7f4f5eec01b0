// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FolderLinkRecord } from '../../../../../client/src/client.ts';
import { findExpiryFault } from '../links/share-options.ts';
import { linkOptionsOf, PLAIN_LINK, toLinkBody, toLinkChange } from './folder-link-options.ts';

const NOW = Date.parse('2026-05-01T12:00:00Z');

const LINK: FolderLinkRecord = {
  id: 1,
  token: 'T',
  directoryId: 7,
  directoryPath: '/Trip',
  inBin: false,
  mode: 'BOTH',
  title: 'Trip',
  note: null,
  passwordProtected: true,
  expiresAt: null,
  maxFiles: 20,
  maxBytes: 1_500_000,
  receivedFiles: 0,
  receivedBytes: 0,
  createdAt: '2026-04-01T12:00:00Z',
};

test('a link without options shows the folder, without any limit', () => {
  assert.deepEqual(toLinkBody(7, PLAIN_LINK, NOW), {
    directoryId: 7,
    mode: 'VIEW',
    title: null,
    note: null,
    maxFiles: null,
    maxBytes: null,
    expiresAt: null,
  });
});

test('limits apply only where files are accepted', () => {
  const limits = { ...PLAIN_LINK, maxFiles: 5, maxMegabytes: 1.5 };
  assert.equal(toLinkBody(7, limits, NOW).maxFiles, null);
  const { maxFiles, maxBytes } = toLinkBody(7, { ...limits, mode: 'UPLOAD' }, NOW);
  assert.deepEqual([maxFiles, maxBytes], [5, 1_500_000]);
});

test('saving without changes keeps the password and the expiry', () => {
  const before = linkOptionsOf(LINK, 'Trip');
  assert.deepEqual(toLinkChange(before, before, NOW), {
    mode: 'BOTH',
    title: null,
    note: null,
    maxFiles: 20,
    maxBytes: 1_500_000,
  });
  assert.equal(toLinkChange(before, { ...before, removesPassword: true }, NOW).password, null);
  assert.equal(toLinkChange(before, { ...before, expiry: 'day' }, NOW).expiresAt, '2026-05-02T12:00:00.000Z');
});

test('an expiry in the past is a fault', () => {
  const options = { ...PLAIN_LINK, expiry: 'date' as const };
  assert.equal(findExpiryFault({ ...options, date: '' }, NOW), 'faultDate');
  assert.equal(findExpiryFault({ ...options, date: '2020-01-01T00:00' }, NOW), 'faultPassed');
  assert.equal(findExpiryFault({ ...options, date: '2027-01-01T00:00' }, NOW), undefined);
});
