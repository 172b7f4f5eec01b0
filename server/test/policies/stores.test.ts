// tier: default
// runs on: sqlite, s3
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { systemIds } from '../../src/base/ids.ts';
import { Blobs } from '../../src/blobs/blobs.ts';
import { bindStore, claimPolicyStore } from '../../src/blobs/store-identity.ts';
import { BlobSweeper } from '../../src/blobs/sweep/sweeper.ts';
import { Leases } from '../../src/leases/leases.ts';
import { Policies } from '../../src/policies/policies.ts';
import { Settings } from '../../src/settings/settings.ts';
import { LocalDiskStore } from '../../src/storage/disk/local-disk.ts';
import { TestClock } from '../support/app/test-clock.ts';
import { openTestDatabase } from '../support/database/open-database.ts';
import { send } from '../support/storage/byte-sources.ts';

const HOUR = 3_600_000;
const LOCAL = { type: 'LOCAL', bucketName: null, endpoint: null, region: null, prefix: '' } as const;

/** Opens the parts of a service with a second policy, which uses the given store. */
async function open(second: (own: LocalDiskStore) => LocalDiskStore) {
  const { database } = await openTestDatabase();
  const clock = new TestClock();
  const settings = new Settings(clock, systemIds);
  const own = await newStore();
  const other = second(own);
  const policies = new Policies({
    ...{ database, clock },
    openStore: async ({ prefix }) => (prefix === '' ? own : other),
  });
  await policies.configure(LOCAL);
  const names = { database: 'the database', store: 'the store' };
  await bindStore({ database, store: own, settings, ids: systemIds, names });
  await policies.getOrCreateDefault();
  const draft = { name: 'Second', type: 'LOCAL', prefix: 'second', credentialMode: 'NONE' } as const;
  const { id: policyId } = await database.transact((tx) =>
    policies.changes.create(tx, { ...draft, maxSizeBytes: 100, capabilities: {}, enabled: true }),
  );
  const faults: string[] = [];
  const blobs = new Blobs({ database, clock, ids: systemIds, policies });
  const sweeper = new BlobSweeper({
    ...{ database, policies, settings, clock, graceMs: HOUR, uploadSessionTtlMs: HOUR, claims: [] },
    removalLease: new Leases(database, clock, 'sweeper').forName('remove objects', HOUR),
    onFault: (error) => faults.push(String(error)),
  });
  const sweep = () => sweeper.sweep(new AbortController().signal);
  return { database, clock, settings, own, other, blobs, policyId, faults, sweep };
}

test('a policy that has the default policy’s location under another name loses no file', async () => {
  const { database, clock, own, blobs, sweep, faults } = await open((own) => own);
  const bytes = await blobs.write(send(Buffer.from('kept')));
  const fixed = { kind: 'FILE', contentType: null, createdBy: 1 } as const;
  await database.transact((tx) => blobs.insert(tx, { ...bytes, ...fixed }));
  clock.advance(48 * HOUR);
  assert.equal(await sweep(), 0);
  assert.ok(await own.find(bytes.objectKey));
  assert.match(faults.join(), /belong to another policy or database/);
});

test('the sweep removes no objects of another owner from the store of a policy', async () => {
  const foreign = await newStore();
  const { clock, blobs, sweep, faults } = await open(() => foreign);
  const key = blobs.newKey();
  await foreign.write(key, send(Buffer.from('theirs')));
  clock.advance(48 * HOUR);
  assert.equal(await sweep(), 0);
  assert.ok(await foreign.find(key));
  assert.match(faults.join(), /belong to another policy or database/);
});

test('the first sweep of an empty store claims it for its policy', async () => {
  const empty = await newStore();
  const { database, settings, clock, blobs, policyId, sweep, faults } = await open(() => empty);
  await sweep();
  assert.deepEqual(faults, []);
  const key = blobs.newKey();
  await empty.write(key, send(Buffer.from('orphan')));
  clock.advance(48 * HOUR);
  assert.equal(await sweep(), 1);
  assert.equal(await empty.find(key), undefined);
  const claim = (id: number) => claimPolicyStore({ database, settings, store: empty, policyId: id });
  assert.deepEqual([await claim(policyId), await claim(policyId + 1)], [true, false]);
});

async function newStore(): Promise<LocalDiskStore> {
  const root = await mkdtemp(path.join(tmpdir(), 'holdall-policy-store-'));
  after(() => rm(root, { recursive: true }));
  return new LocalDiskStore(root);
}
