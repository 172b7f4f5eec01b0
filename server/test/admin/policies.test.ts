// tier: default
// runs on: sqlite
// runs on, with --full: s3
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AdminPolicy } from '../../src/admin/storage/contract.ts';
import { asAdmin } from '../support/app/admin.ts';
import { startHoldall } from '../support/app/holdall.ts';

const POLICIES = '/api/admin/storage-policies';
const TIB = 1024 ** 4;

const holdall = await startHoldall();
const secondInstance = await startHoldall({ beside: holdall });
const admin = await holdall.admin();
const view = asAdmin(admin);

const CAPABILITIES = {
  directUpload: true,
  multipartUpload: true,
  signedDownloadUrl: true,
  serverProxyDownload: true,
  requiresCors: true,
  maxObjectSize: 1_000_000,
};

let draftCount = 0;
function draft(change: object = {}) {
  draftCount += 1;
  return {
    name: `Archive ${draftCount}`,
    type: 'S3_COMPATIBLE',
    bucketName: 'archive',
    endpoint: 'https://s3.example.org',
    region: 'eu-1',
    prefix: `cold/${draftCount}`,
    credentialMode: 'STATIC',
    maxSizeBytes: 500_000,
    capabilities: CAPABILITIES,
    enabled: true,
    ...change,
  };
}

const localDraft = (change: object = {}) => ({
  ...draft(),
  type: 'LOCAL',
  bucketName: null,
  endpoint: null,
  region: null,
  credentialMode: 'NONE',
  capabilities: {},
  ...change,
});

const create = (body: object) => admin.ask<AdminPolicy>('POST', POLICIES, { body });
const update = (id: number, body: object) => admin.ask<AdminPolicy>('PUT', `${POLICIES}/${id}`, { body });
const list = () => admin.ask<AdminPolicy[]>('GET', POLICIES);
const getDefault = async () => {
  const found = (await list()).find((policy) => policy.defaultPolicy);
  assert.ok(found);
  return found;
};

describe('the list of policies', () => {
  test('is a bare array that begins with the default policy as configured', async () => {
    const [first] = await list();
    assert.equal(first?.defaultPolicy, true);
    assert.equal(first?.enabled, true);
    const onS3 = first?.type === 'S3_COMPATIBLE';
    assert.equal(first?.capabilities.multipartUpload, onS3);
    assert.equal(first?.credentialMode, onS3 ? 'STATIC' : 'NONE');
  });

  test('never contains credentials', async () => {
    await create(draft({ accessKeyId: 'AKIA-OF-SOMEBODY', secretAccessKey: 'their secret' }));
    const text = JSON.stringify(await list());
    assert.doesNotMatch(text, /AKIA-OF-SOMEBODY|their secret|accessKey|secretAccess/);
  });
});

describe('a new policy', () => {
  test('is stored as sent for both types, whatever store the service uses', async () => {
    const body = draft();
    const { id, createdAt, updatedAt, ...policy } = await create(body);
    assert.ok(id > 1);
    assert.equal(createdAt, updatedAt);
    assert.deepEqual(policy, { ...body, defaultPolicy: false });
    const local = await create(localDraft({ prefix: '/some/where/', enabled: false }));
    assert.deepEqual(
      [local.type, local.bucketName, local.endpoint, local.prefix, local.enabled],
      ['LOCAL', null, null, 'some/where', false],
    );
    assert.deepEqual(local.capabilities, {
      directUpload: false,
      multipartUpload: false,
      signedDownloadUrl: true,
      serverProxyDownload: true,
      requiresCors: false,
      maxObjectSize: 16 * TIB,
    });
    const amazon = await create(
      draft({ endpoint: '', region: undefined, prefix: ' ', bucketName: 'of-amazon' }),
    );
    assert.deepEqual([amazon.endpoint, amazon.region, amazon.prefix], [null, null, null]);
    assert.deepEqual(
      (await list()).filter((one) => one.id >= id).map((one) => one.id),
      [id, local.id, amazon.id],
    );
  });

  test('needs a name and a location that no other policy has', async () => {
    const body = draft();
    await create(body);
    await admin.refused(409, 1003, 'POST', POLICIES, { body: { ...body, prefix: 'elsewhere' } });
    await admin.refused(409, 1003, 'POST', POLICIES, { body: { ...body, name: 'another' } });
    await admin.refused(409, 1003, 'POST', POLICIES, {
      body: { ...body, name: 'another', endpoint: 'HTTPS://S3.example.org/', prefix: `${body.prefix}/` },
    });
  });

  for (const [what, change] of [
    ['no name', { name: undefined }],
    ['a blank name', { name: ' ' }],
    ['a long name', { name: 'x'.repeat(65) }],
    ['an unknown type', { type: 'FTP' }],
    ['no type', { type: undefined }],
    ['no bucket', { bucketName: null }],
    ['an invalid bucket name', { bucketName: '../other' }],
    ['an invalid region', { region: 'eu 1' }],
    ['a prefix that leaves its folder', { prefix: '../../etc' }],
    ['a hidden prefix', { prefix: '.partial' }],
    ['a prefix with an empty segment', { prefix: 'a//b' }],
    ['no credentials although the type needs them', { credentialMode: 'NONE' }],
    ['an unknown credential mode', { credentialMode: 'TOKEN' }],
    ['no size', { maxSizeBytes: undefined }],
    ['a size of 0', { maxSizeBytes: 0 }],
    ['a larger size than the store accepts', { maxSizeBytes: 6 * TIB }],
    [
      'a larger maximum object size than the store accepts',
      { capabilities: { ...CAPABILITIES, maxObjectSize: 6 * TIB } },
    ],
    ['no capabilities', { capabilities: undefined }],
    ['a capability that is not a boolean', { capabilities: { ...CAPABILITIES, directUpload: 'yes' } }],
    [
      'no way to download',
      { capabilities: { ...CAPABILITIES, signedDownloadUrl: false, serverProxyDownload: false } },
    ],
    ['no enabled flag', { enabled: undefined }],
    ['an endpoint that is not an HTTP URL', { endpoint: 'ftp://s3.example.org' }],
    ['an endpoint with a password', { endpoint: 'https://user:secret@s3.example.org' }],
    ['the metadata service of a cloud', { endpoint: 'http://169.254.169.254' }],
    ['the metadata service, as one number', { endpoint: 'http://2852039166' }],
    ['the metadata service, in hexadecimal', { endpoint: 'http://0xa9fea9fe/' }],
    ['the metadata service, as a mapped IPv4 address', { endpoint: 'http://[::ffff:169.254.169.254]' }],
    ['the metadata service, in IPv6', { endpoint: 'http://[fd00:ec2::254]' }],
    ['a link-local address', { endpoint: 'http://[fe80::1]:9000' }],
    ['an endpoint whose host is not a host name', { endpoint: "https://s3.example.org;script-src'self'" }],
    ['the unspecified address', { endpoint: 'http://0.0.0.0:9000' }],
  ] as const) {
    test(`with ${what} is rejected without an audit entry`, async () => {
      const before = [(await list()).length, (await view.audits()).total];
      await admin.refused(400, 1000, 'POST', POLICIES, { body: draft(change) });
      assert.deepEqual([(await list()).length, (await view.audits()).total], before);
    });
  }

  for (const [what, change] of [
    ['accept direct uploads', { capabilities: { directUpload: true } }],
    ['accept multipart uploads', { capabilities: { multipartUpload: true } }],
    ['need CORS', { capabilities: { requiresCors: true } }],
    ['have a bucket', { bucketName: 'b' }],
    ['have an endpoint', { endpoint: 'https://s3.example.org' }],
    ['have credentials', { credentialMode: 'STATIC' }],
    ['accept larger objects than its driver', { maxSizeBytes: 17 * TIB }],
  ] as const) {
    test(`on the local disk cannot ${what}`, async () => {
      await admin.refused(400, 1000, 'POST', POLICIES, { body: localDraft(change) });
    });
  }

  test('may use a store on this machine or in a private network', async () => {
    for (const endpoint of ['http://127.0.0.1:9000', 'http://10.0.0.5:9000', 'http://[::1]:9000']) {
      assert.equal((await create(draft({ endpoint }))).endpoint, endpoint);
    }
  });
});

describe('a change of a policy', () => {
  test('replaces the whole policy; missing members of the capabilities keep their values', async () => {
    const { id, createdAt } = await create(draft());
    const body = draft({ name: 'Renamed', enabled: false, capabilities: { multipartUpload: false } });
    holdall.clock.advance(1_000);
    const { updatedAt, ...after } = await update(id, body);
    assert.ok(updatedAt > createdAt);
    assert.deepEqual(after, {
      ...body,
      id,
      createdAt,
      defaultPolicy: false,
      capabilities: { ...CAPABILITIES, multipartUpload: false },
    });
    assert.equal((await update(id, { ...body, enabled: true })).enabled, true);
  });

  test('applies immediately on this instance, and on every instance within two seconds', async () => {
    const { id } = await create(draft({ maxSizeBytes: 10 }));
    assert.equal((await secondInstance.app.policies.get(id)).maxSizeBytes, 10);
    await update(id, draft({ maxSizeBytes: 20 }));
    assert.equal((await holdall.app.policies.get(id)).maxSizeBytes, 20);
    holdall.clock.advance(2_000);
    assert.equal((await secondInstance.app.policies.get(id)).maxSizeBytes, 20);
  });

  test('may change the location while nothing is stored there', async () => {
    const { id, prefix } = await create(draft());
    assert.notEqual((await update(id, draft())).prefix, prefix);
    const blobId = await insertBlob(id);
    const now = (await list()).find((policy) => policy.id === id);
    assert.ok(now);
    const same = { ...now, name: 'The same place', maxSizeBytes: 7 };
    assert.equal((await update(id, same)).maxSizeBytes, 7);
    for (const change of [
      { prefix: 'other' },
      { bucketName: 'other' },
      { endpoint: 'https://other.example.org' },
      { region: 'other-1' },
    ]) {
      await admin.refused(400, 1003, 'PUT', `${POLICIES}/${id}`, { body: { ...same, ...change } });
    }
    await admin.refused(400, 1003, 'PUT', `${POLICIES}/${id}`, { body: localDraft() });
    await deleteBlob(blobId);
    assert.equal((await update(id, { ...same, prefix: 'other' })).prefix, 'other');
  });

  test('must satisfy the same rules as a new policy', async () => {
    const { id } = await create(draft());
    const other = await create(draft());
    const url = `${POLICIES}/${id}`;
    await admin.refused(400, 1000, 'PUT', url, { body: draft({ endpoint: 'http://169.254.1.1' }) });
    await admin.refused(400, 1000, 'PUT', url, { body: draft({ name: undefined }) });
    await admin.refused(409, 1003, 'PUT', url, { body: draft({ name: other.name }) });
    await admin.refused(404, 1003, 'PUT', `${POLICIES}/999999999`, { body: draft() });
    // The location is taken, but an unknown policy is not found before conflicts are checked.
    await admin.refused(404, 1003, 'PUT', `${POLICIES}/999999999`, { body: await getDefault() });
    await admin.refused(400, 1000, 'PUT', `${POLICIES}/x`, { body: draft() });
  });
});

describe('the default policy', () => {
  test('cannot be disabled by a change of its status or of the whole policy', async () => {
    const { id, ...policy } = await getDefault();
    const before = (await view.audits()).total;
    await admin.refused(400, 1003, 'PATCH', `${POLICIES}/${id}/status`, { body: { enabled: false } });
    await admin.refused(400, 1003, 'PUT', `${POLICIES}/${id}`, { body: { ...policy, enabled: false } });
    assert.equal((await view.audits()).total, before);
    await admin.ask('PATCH', `${POLICIES}/${id}/status`, { body: { enabled: true } });
  });

  test('cannot change its location', async () => {
    const { id, ...policy } = await getDefault();
    await admin.refused(400, 1003, 'PUT', `${POLICIES}/${id}`, { body: { ...policy, prefix: 'elsewhere' } });
  });

  test('may accept less, starting with the next upload', async () => {
    const { id, ...policy } = await getDefault();
    const ann = await holdall.register('ann');
    await update(id, { ...policy, maxSizeBytes: 4 });
    await ann.upload('/small', '1234');
    const body = { path: '/', filename: 'large', size: 5 };
    await ann.refused(413, 2413, 'POST', '/api/v2/files/upload-sessions', { body });
    await update(id, policy);
    await ann.upload('/large', '12345');
  });
});

describe('the status of a policy', () => {
  test('is a boolean', async () => {
    const { id } = await create(draft());
    const set = (enabled: unknown) =>
      admin.call<AdminPolicy>('PATCH', `${POLICIES}/${id}/status`, { body: { enabled } });
    assert.equal((await set(false)).data.enabled, false);
    assert.equal((await list()).find((policy) => policy.id === id)?.enabled, false);
    assert.equal((await set(true)).data.enabled, true);
    for (const bad of ['false', 0, null, undefined]) assert.equal((await set(bad)).code, 1000);
    const body = { enabled: true };
    await admin.refused(404, 1003, 'PATCH', `${POLICIES}/999999999/status`, { body });
  });
});

async function insertBlob(policyId: number): Promise<number> {
  const { id } = await holdall.app.database.transact((tx) =>
    tx
      .insertInto('blob')
      .values({
        ...{ object_key: `blobs/20260101/0000/${policyId}`, policy_id: policyId, kind: 'FILE', size: 1 },
        ...{ sha256: null, crc32: null, content_type: null, reference_count: 0, created_by: admin.id },
        ...{ created_at: holdall.clock.now(), unreferenced_at: holdall.clock.now(), removing_at: null },
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  return id;
}

async function deleteBlob(id: number): Promise<void> {
  await holdall.app.database.transact((tx) => tx.deleteFrom('blob').where('id', '=', id).execute());
}
