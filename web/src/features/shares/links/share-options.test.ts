// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findOptionFault, toCreateBody, toLocalField, WITHOUT_LIMITS } from './share-options.ts';

const NOW = Date.parse('2026-05-04T10:00:00Z');

test('without options a share has no limits', () => {
  assert.deepEqual(toCreateBody(7, WITHOUT_LIMITS, NOW), {
    fileId: 7,
    allowDownload: true,
    allowImport: true,
    expiresAt: null,
    maxDownloads: null,
  });
});

test('the chosen options are sent, and blank ones are omitted', () => {
  const options = {
    ...WITHOUT_LIMITS,
    name: ' Letter ',
    password: ' se same',
    expiry: 'week',
    limit: 3,
  } as const;
  const body = toCreateBody(7, options, NOW);
  assert.deepEqual(
    [body.shareName, body.password, body.expiresAt, body.maxDownloads],
    ['Letter', ' se same', '2026-05-11T10:00:00.000Z', 3],
  );
  const blank = toCreateBody(7, { ...WITHOUT_LIMITS, name: ' ', password: '  ' }, NOW);
  assert.ok(!('shareName' in blank) && !('password' in blank));
});

test('a date is read in the local time zone', () => {
  const end = NOW + 90 * 60_000;
  const options = { ...WITHOUT_LIMITS, expiry: 'date', date: toLocalField(end) } as const;
  assert.equal(findOptionFault(options, NOW), undefined);
  assert.equal(toCreateBody(7, options, NOW).expiresAt, new Date(end).toISOString());
});

test('invalid options are reported before they are sent', () => {
  const dated = { ...WITHOUT_LIMITS, expiry: 'date' } as const;
  assert.equal(findOptionFault({ ...dated, date: '' }, NOW), 'faultDate');
  assert.equal(findOptionFault({ ...dated, date: toLocalField(NOW) }, NOW), 'faultPassed');
  const none = { ...WITHOUT_LIMITS, allowDownload: false, allowImport: false };
  assert.equal(findOptionFault(none, NOW), 'faultNothingAllowed');
});
