import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY } from '../src/base/clock.ts';
import type { EntryRecord } from '../src/drive/contract.ts';
import { checkBooks } from './support/books.ts';
import { environmentOf, runCommand, spawnCommand } from './support/command.ts';
import { DriveWorker } from './support/drive-worker.ts';
import { startHoldall } from './support/holdall.ts';
import type { Person } from './support/person.ts';
import { at, GROUNDS, OWN, SIMPLEST, startRestored } from './support/restored.ts';

const scratch = await mkdtemp(path.join(tmpdir(), 'holdall-backup-'));
after(() => rm(scratch, { recursive: true }));
const holdall = await startHoldall({
  env: { HOLDALL_ACCESS_TOKEN_TTL: '900d', HOLDALL_RATE_LIMITS: 'off' },
});
const env = environmentOf(holdall);
const newDirectory = () => mkdtemp(path.join(scratch, 'to-'));

let alice: Person;
let large: EntryRecord;
let letter: EntryRecord;
const largeBytes = randomBytes(700_000);

before(async () => {
  alice = await holdall.register('alice');
  letter = await alice.upload('/Documents/wide/ünïcode 😀.txt', 'first');
  large = await alice.upload('/large.bin', new Uint8Array(largeBytes));
  await alice.upload('/empty', '');
  await alice.recycle(await alice.upload('/gone.txt', 'recycled'));
  // The highest id that was given belongs to nothing any more.
  const last = await alice.upload('/last.txt', 'last');
  await alice.recycle(last);
  await alice.purge(last);
  const file = path.join(scratch, 'app.apk');
  await writeFile(file, 'PK\u0003\u0004');
  const words = ['release', 'publish', file, '--version-name', '1', '--version-code', '1'];
  assert.equal((await runCommand(env, words)).code, 0);
});

for (const ground of GROUNDS) {
  test(`a drive comes back on ${ground.database} and ${ground.storage}, with its logins, and goes on`, async () => {
    const directory = await newDirectory();
    const { code, said, complained } = await spawnCommand(env, ['backup', directory]);
    assert.equal(code, 0, complained.join('\n'));
    assert.match(said.join(), /^Backed up \d+ rows and \d+ objects \(\d+ bytes\), \d+ of them new\.$/);
    const restored = await startRestored(holdall, directory, ground);
    await checkBooks(restored);
    const there = at(restored, alice);
    assert.deepEqual(await there.tree(), await alice.tree());
    assert.deepEqual(await there.bin(), await alice.bin());
    assert.equal(await there.usedBytes(), await alice.usedBytes());
    assert.deepEqual(await there.download(large), largeBytes);
    assert.equal(String(await there.download(letter)), 'first');
    const packaged = await restored.anonymous.fetch('GET', '/api/app/android/download/holdall-1.apk');
    assert.equal(await packaged.text(), 'PK\u0003\u0004');
    assert.equal(await restored.inviteCode(), await holdall.inviteCode());

    // What is new has an id that nothing ever had.
    const [added, atHome] = [await there.upload('/added', 'added'), await alice.upload('/added', 'added')];
    assert.equal(added.id, atHome.id);
    await alice.recycle(atHome);
    await alice.purge(atHome);
    await there.restore((await there.bin()).items[0] ?? assert.fail());
    restored.clock.advance(2 * DAY);
    await restored.app.cleanUp();
    await checkBooks(restored);

    // And back from there to where it came from.
    const second = await newDirectory();
    const again = await runCommand(environmentOf(restored), ['backup', second]);
    assert.equal(again.code, 0, again.complained.join());
    const home = await startRestored(holdall, second, OWN);
    await checkBooks(home);
    assert.equal(String(await at(home, alice).download(added)), 'added');
    assert.deepEqual(await at(home, alice).tree(), await there.tree());
  });
}

test('a backup is for the eyes of its owner only', async () => {
  const directory = path.join(scratch, 'made', 'anew');
  assert.equal((await runCommand(env, ['backup', directory])).code, 0);
  assert.equal((await stat(directory)).mode & 0o777, 0o700);
  const file = path.join(directory, 'manifest.json');
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const { rows, tables } = JSON.parse(await readFile(file, 'utf8'));
  assert.equal((await stat(path.join(directory, rows, 'account.jsonl'))).mode & 0o777, 0o600);
  const names = tables.map(({ name }: { name: string }) => name);
  assert.ok(names.includes('entry') && names.includes('setting') && names.includes('session'));
  assert.ok(!names.includes('lease'));
});

test('backups taken while many work have all that was acknowledged before, and their books balance', async () => {
  const directory = await newDirectory();
  const people: Person[] = [];
  for (const name of ['anna', 'ben', 'cleo']) people.push(await holdall.register(name));
  const workers = people.map((person) => new DriveWorker(person, '/home'));
  for (let round = 0; round < 3; round += 1) {
    const working = Promise.all(workers.map((worker) => worker.work()));
    await sleep(100);
    const [mark] = await Promise.all(
      people.map((person) => person.upload(`/mark-${round}`, `mark ${round}`)),
    );
    const backup = await spawnCommand(env, ['backup', directory]);
    assert.equal(backup.code, 0, [...backup.said, ...backup.complained].join('\n'));
    const doctor = round === 0 ? await spawnCommand(env, ['doctor']) : undefined;
    assert.ok(doctor === undefined || doctor.code === 0, doctor?.said.join('\n'));
    for (const worker of workers) worker.rest();
    await working;
    const restored = await startRestored(holdall, directory, round === 0 ? OWN : SIMPLEST);
    await checkBooks(restored);
    const there = at(restored, people[0] ?? assert.fail());
    assert.equal(String(await there.download(mark ?? assert.fail())), `mark ${round}`);
  }
  assert.ok(workers.every(({ acknowledged }) => acknowledged > 0));

  // With nobody at work the backup is the drive, byte by byte.
  assert.equal((await spawnCommand(env, ['backup', directory])).code, 0);
  const whole = await startRestored(holdall, directory, SIMPLEST);
  for (const [index, worker] of workers.entries()) {
    await worker.compare(at(whole, people[index] ?? assert.fail()));
  }
  await checkBooks(whole);
});

test('a drive of many thousand entries is backed up, restored and examined', async () => {
  const many = await holdall.register('many');
  const { database } = holdall.app;
  const source = await many.upload('/source.txt', 'source');
  const root = await many.mkdir('/many');
  const { id: blobId } = await database.db
    .selectFrom('blob')
    .innerJoin('entry', 'entry.blob_id', 'blob.id')
    .select('blob.id')
    .where('entry.id', '=', source.id)
    .executeTakeFirstOrThrow();
  const rows = Array.from({ length: 20_000 }, (_, index) => ({
    owner_id: many.id,
    parent_id: root.id,
    name: `file-${index}`,
    folded_name: `file-${index}`,
    is_directory: 0 as const,
    blob_id: blobId,
    size: 6,
    child_count: 0,
    created_at: 1,
    updated_at: 1,
  }));
  await database.transact(async (tx) => {
    for (let index = 0; index < rows.length; index += 1_000) {
      await tx
        .insertInto('entry')
        .values(rows.slice(index, index + 1_000))
        .execute();
    }
    await tx.updateTable('entry').set({ child_count: rows.length }).where('id', '=', root.id).execute();
    await tx
      .updateTable('blob')
      .set({ reference_count: rows.length + 1 })
      .where('id', '=', blobId)
      .execute();
    await tx
      .updateTable('account')
      .set({ storage_used_bytes: 6 * (rows.length + 1) })
      .where('id', '=', many.id)
      .execute();
  });
  const directory = await newDirectory();
  assert.equal((await spawnCommand(env, ['backup', directory])).code, 0);
  const restored = await startRestored(holdall, directory, OWN);
  const page = await at(restored, many).list('/many', { size: 10, page: 1_999 });
  assert.equal(page.total, rows.length);
  assert.equal(String(await at(restored, many).download(page.items[9] ?? assert.fail())), 'source');
  const { code, said } = await spawnCommand(environmentOf(restored), ['doctor']);
  assert.equal(code, 0, said.join('\n'));
});
