// tier: full
// runs on: sqlite
// needs: process
// Cuts the power of a busy service repeatedly. Acknowledged changes must survive, and the books must balance.
import assert from 'node:assert/strict';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../../tools/fuzz/requests/random.ts';
import { isLong } from '../../../tools/testing/tiers.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { diagnose } from '../support/checks/diagnose.ts';
import { PowerLossData } from '../support/storage/power-loss/power-loss-data.ts';

const CUTS = isLong ? 300 : 8;
const USERS = 3;
const LARGE = 700_000;

/** The hash of each live file, by its path. */
type Drive = ReadonlyMap<string, string>;

/** A user who changes their drive, one request after another. */
class BusyUser {
  readonly person: Person;
  /** The acknowledged state of the drive. */
  drive: Drive = new Map();
  /** The drive once the running request has been acknowledged. */
  next: Drive = new Map();
  #count = 0;

  constructor(person: Person) {
    this.person = person;
  }

  async workUntil(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.#act();
      this.drive = this.next;
    }
  }

  async #act(): Promise<void> {
    this.#count += 1;
    const [oldest] = this.drive.keys();
    if (this.drive.size < 4 || oldest === undefined) return await this.#upload();
    const entry = (await this.person.tree()).find((one) => one.path === oldest);
    assert.ok(entry, `${oldest} is not there`);
    if (this.#count % 3 === 0) {
      this.next = new Map([...this.drive].filter(([at]) => at !== oldest));
      await this.person.recycle(entry);
    } else if (this.#count % 3 === 1) {
      const name = `renamed ${this.#count}`;
      const at = path.posix.join(path.posix.dirname(oldest), name);
      this.next = new Map([...this.drive].map(([one, hash]) => [one === oldest ? at : one, hash]));
      await this.person.rename(entry, name);
    } else {
      await this.#upload();
    }
  }

  async #upload(): Promise<void> {
    const at = `/directory ${this.#count % 5}/file ${this.#count}`;
    const bytes = randomBytes(this.#count % 4 === 0 ? LARGE : this.#count);
    this.next = new Map([...this.drive, [at, toHash(bytes)]]);
    await this.person.upload(at, bytes);
  }
}

const TIMEOUT_MS = isLong ? 3_600_000 : 120_000;

test('acknowledged changes survive a power cut at any moment', { timeout: TIMEOUT_MS }, async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'holdall-cuts-'));
  after(() => rm(directory, { recursive: true, force: true }));
  const holdall = await startHoldall({ env: { HOLDALL_DEFAULT_DIRECTORIES: '' } });
  const users: BusyUser[] = [];
  for (let index = 0; index < USERS; index += 1) users.push(new BusyUser(await holdall.register()));
  const data = await PowerLossData.record(holdall.dataDir);

  let isOver = false;
  const work = Promise.all(users.map((user) => user.workUntil(() => isOver)));
  const seed = randomInt(2 ** 31);
  t.diagnostic(`${CUTS} cuts, seed ${seed}`);
  const random = new Random(seed);
  const states = [];
  while (states.length < CUTS) {
    // Any moment works. These are spread over the requests.
    await sleep(random.below(60));
    const dataDir = path.join(directory, `${states.length}`);
    data.cut(dataDir, states.length % 2 === 0 ? undefined : random);
    states.push({ dataDir, drives: users.map(({ drive, next }) => [drive, next] as const) });
  }
  isOver = true;
  await work;
  data.stop();

  for (const { dataDir, drives } of states) {
    await t.test(`state ${path.basename(dataDir)}`, async () => {
      const left = await startHoldall({ beside: { ...holdall, dataDir } });
      for (const [index, [drive, next]] of drives.entries()) {
        const found = await readDrive(users[index]?.person.with(users[index].person.login), left.url);
        const expected = isEqual(found, next) ? next : drive;
        assert.deepEqual(found, expected);
      }
      // The object of an unacknowledged request may be left. The doctor removes it here, as the sweeper
      // would.
      const { faults } = await diagnose(left.app, { isDeep: true, onRepair: async () => {} });
      assert.deepEqual(
        faults.filter(({ rule }) => rule !== 'orphan'),
        [],
      );
      await checkBooks(left);
    });
  }
});

async function readDrive(user: Person | undefined, url: string): Promise<Drive> {
  assert.ok(user);
  const person = new Person(user.username, url).with(user.login);
  const files = (await person.tree()).filter(({ directory }) => !directory);
  const hashes = files.map(async (file) => [file.path, toHash(await person.download(file))] as const);
  return new Map(await Promise.all(hashes));
}

function isEqual(one: Drive, other: Drive): boolean {
  return one.size === other.size && [...one].every(([at, hash]) => other.get(at) === hash);
}

function toHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
