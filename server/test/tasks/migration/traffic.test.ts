// tier: full
// runs on: sqlite, s3
import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { it } from 'node:test';
import { isLong } from '../../../../tools/testing/tiers.ts';
import { OBJECT_CLAIMS } from '../../../src/app/parts.ts';
import { DAY, HOUR, MINUTE } from '../../../src/base/clock.ts';
import { ChecksumPass } from '../../../src/blobs/checksums.ts';
import { BlobSweeper } from '../../../src/blobs/sweep/sweeper.ts';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import { Leases } from '../../../src/leases/leases.ts';
import { type Holdall, startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { checkBooks } from '../../support/checks/books.ts';
import {
  addPolicy,
  assertNothingLeft,
  GRACE_MS,
  openMigrations,
  TestTask,
} from '../../support/migration/migration.ts';

const ROUNDS = isLong ? 16 : 3;
const PEOPLE = 3;
const ACTS = 6;

/** Uploads, reads, copies and purges files at random, and knows the expected contents. */
class RandomUser {
  readonly #person: Person;
  readonly #files = new Map<number, { file: EntryRecord; bytes: Buffer<ArrayBuffer> }>();
  #made = 0;

  constructor(person: Person) {
    this.#person = person;
  }

  async act(): Promise<void> {
    const known = [...this.#files.values()];
    const chosen = known[randomInt(Math.max(1, known.length))];
    if (chosen === undefined || known.length < 5) return await this.#upload();
    const acts = [
      () => this.#upload(),
      () => this.#read(chosen),
      () => this.#read(chosen),
      () => this.#copy(chosen),
      () => this.#purge(chosen),
    ];
    await acts[randomInt(acts.length)]?.();
  }

  async readAll(): Promise<void> {
    for (const each of this.#files.values()) await this.#read(each);
  }

  async #upload(): Promise<void> {
    const bytes = randomBytes(randomInt(4) === 0 ? 200_000 : randomInt(3_000));
    const file = await this.#person.upload(`/${this.#nextName()}`, bytes);
    this.#files.set(file.id, { file, bytes });
  }

  async #read({ file, bytes }: { file: EntryRecord; bytes: Buffer }): Promise<void> {
    assert.ok((await this.#person.download(file)).equals(bytes), file.path);
  }

  async #copy({ file, bytes }: { file: EntryRecord; bytes: Buffer<ArrayBuffer> }): Promise<void> {
    const directory = await this.#person.mkdir(`/${this.#nextName()}`);
    const copy = await this.#person.copy(file, directory.path);
    this.#files.set(copy.id, { file: copy, bytes });
  }

  async #purge({ file }: { file: EntryRecord }): Promise<void> {
    this.#files.delete(file.id);
    await this.#person.recycle(file);
    await this.#person.purge(file);
  }

  #nextName(): string {
    this.#made += 1;
    return `made-${this.#made}`;
  }
}

/** Blocks the clean-up of the service and returns one that runs only when the test calls it. */
async function takeOverCleanUp(holdall: Holdall) {
  const { app, clock } = holdall;
  const { database, policies, settings } = app;
  // The clean-up of the service follows real time and could run while the test clock jumps ahead.
  await database.transact((tx) =>
    tx
      .insertInto('lease')
      .values({ name: 'clean-up', holder: 'this test', expires_at: clock.now() + 1_000 * DAY })
      .execute(),
  );
  const { policyMigrations, faults } = openMigrations(holdall, []);
  const onFault = (error: unknown, doing: string) => faults.push(`${doing}: ${error}`);
  const sweeper = new BlobSweeper({
    database,
    policies,
    settings,
    clock,
    graceMs: HOUR,
    uploadSessionTtlMs: DAY,
    claims: OBJECT_CLAIMS,
    removalLease: new Leases(database, clock, 'sweeper').forName('remove objects', HOUR),
    onFault,
  });
  const checksums = new ChecksumPass({
    database,
    open: async ({ policyId, objectKey }) => (await policies.getStore(policyId)).open(objectKey),
    onFault,
  });
  const { signal } = new AbortController();
  const cleanUp = async () => {
    await checksums.run(signal);
    await policyMigrations.removeLeftovers(signal);
    await sweeper.sweep(signal);
  };
  return { cleanUp, faults };
}

/** Migrates back and forth between two policies until `isOver` returns true. */
async function migrateRepeatedly(
  holdall: Holdall,
  policyIds: readonly [number, number],
  isOver: () => boolean,
) {
  let task = new TestTask({});
  const { job, removeLeftovers, policyMigrations, faults } = openMigrations(holdall, () => [task], {
    page: { objects: 3, bytes: 1_000_000 },
  });
  let count = 0;
  for (let [source, target] = policyIds; !isOver(); [source, target] = [target, source]) {
    task = new TestTask({ sourcePolicyId: source, targetPolicyId: target });
    await job.run(task.begin(holdall));
    assert.equal(task.status, 'COMPLETED');
    count += 1;
  }
  return {
    removeLeftovers,
    count,
    faults,
    active: await policyMigrations.findActive(holdall.app.database.db),
  };
}

it('users store, read and delete files while all objects are migrated back and forth', {
  timeout: 230_000,
}, async () => {
  const holdall = await startHoldall({ env: { HOLDALL_ACCESS_TOKEN_TTL: '14d' } });
  const policyIds = [(await holdall.app.policies.getDefault()).id, await addPolicy(holdall)] as const;
  const people: RandomUser[] = [];
  for (let number = 0; number < PEOPLE; number += 1) people.push(new RandomUser(await holdall.register()));
  for (const person of people) await person.act();

  const { cleanUp, faults: swept } = await takeOverCleanUp(holdall);
  let isOver = false;
  const migrating = migrateRepeatedly(holdall, policyIds, () => isOver);
  // The error is thrown below, after the users have stopped.
  migrating.catch(() => {});
  for (let round = 0; round < ROUNDS; round += 1) {
    await Promise.all(
      people.map(async (person) => {
        for (let number = 0; number < ACTS; number += 1) await person.act();
      }),
    );
    // Only the migration runs between the clock's jump and the end of the sweep. The sweep would treat
    // anything else unfinished as older than the grace time.
    holdall.clock.advance(HOUR + MINUTE);
    await clearSomeChecksum(holdall);
    await cleanUp();
  }
  isOver = true;
  const { removeLeftovers, count, faults, active } = await migrating;
  assert.ok(count >= 1);
  assert.equal(active, undefined);
  holdall.clock.advance(GRACE_MS + HOUR);
  await removeLeftovers();
  await cleanUp();
  await assertNothingLeft(holdall);
  for (const person of people) await person.readAll();
  await checkBooks(holdall);
  assert.deepEqual([...faults, ...swept], []);
});

async function clearSomeChecksum({ app }: Holdall): Promise<void> {
  await app.database.transact((tx) =>
    tx
      .updateTable('blob')
      .set({ sha256: null, crc32: null })
      .where('id', '=', (select) => select.selectFrom('blob').select((blob) => blob.fn.max('id').as('id')))
      .execute(),
  );
}
