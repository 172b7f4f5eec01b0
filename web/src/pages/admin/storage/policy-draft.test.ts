// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isComplete, mayTake, newDraft, toDraft } from './policy-draft.ts';

test('a new policy has every capability of its store and no others', () => {
  const local = newDraft('LOCAL', 'Archive');
  assert.deepEqual([local.credentialMode, local.capabilities.directUpload], ['NONE', false]);
  const s3 = newDraft('S3_COMPATIBLE');
  assert.deepEqual([s3.credentialMode, s3.capabilities.directUpload], ['STATIC', true]);
  assert.ok(s3.maxSizeBytes < local.maxSizeBytes);
});

test('a policy needs a name, and a bucket if its store has buckets', () => {
  assert.equal(isComplete(newDraft('LOCAL', ' ')), false);
  assert.equal(isComplete(newDraft('LOCAL', 'Archive')), true);
  assert.equal(isComplete(newDraft('S3_COMPATIBLE', 'Archive')), false);
  assert.equal(isComplete({ ...newDraft('S3_COMPATIBLE', 'Archive'), bucketName: 'cold' }), true);
});

test('at least one way to download must remain', () => {
  const draft = newDraft('LOCAL', 'Archive');
  assert.ok(mayTake(draft, 'signedDownloadUrl') && mayTake(draft, 'serverProxyDownload'));
  const only = { ...draft, capabilities: { ...draft.capabilities, signedDownloadUrl: false } };
  assert.equal(mayTake(only, 'serverProxyDownload'), false);
  assert.equal(mayTake(only, 'requiresCors'), true);
});

test('only the editable members of an existing policy are sent', () => {
  const draft = newDraft('LOCAL', 'Archive');
  const policy = { ...draft, id: 7, defaultPolicy: false, createdAt: 'then', updatedAt: 'now' };
  assert.deepEqual(toDraft(policy), draft);
});
