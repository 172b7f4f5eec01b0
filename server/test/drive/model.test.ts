// tier: full
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fc } from '../../../tools/testing/fast-check.ts';
import { SEED } from '../../../tools/testing/seed.ts';
import { isLong } from '../../../tools/testing/tiers.ts';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { formOf, type Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { treatHalfAsLong } from '../support/database/half-long.ts';
import { describeTree, ModelDrive } from '../support/drive/drive-model.ts';
import { createDrive, DRIVES, inDrive, listDrives } from '../support/drives/shared-drives.ts';

const QUOTA = 40;
const RUNS = isLong ? 60 : 10;
const MAX_ACTIONS = 40;
const MAX_SHARED = 3;

const holdall = await startHoldall({
  env: {
    HOLDALL_DEFAULT_QUOTA_BYTES: String(QUOTA),
    HOLDALL_DEFAULT_DIRECTORIES: 'a',
    HOLDALL_RATE_LIMITS: 'off',
  },
});

treatHalfAsLong(holdall.app.database);

// Few names, so that the actions conflict often.
const name = fc.constantFrom('a', 'b', 'B', 'ü');
const path = fc.array(name, { minLength: 1, maxLength: 3 });
const directory = fc.array(name, { maxLength: 3 });
const content = fc.string({ unit: fc.constantFrom('x', 'y', 'z'), maxLength: 14 });
const pick = fc.nat(7);

/**
 * An action of a user in one drive. `pick` chooses an entry of the bin, or the source and target of a copy. Sometimes it
 * chooses one that does not exist.
 */
const act = fc.oneof(
  fc.record({ does: fc.constant('mkdir' as const), path: directory }),
  fc.record({ does: fc.constant('upload' as const), directory, name, content }),
  fc.record({ does: fc.constant('rename' as const), path, name }),
  fc.record({ does: fc.constant('move' as const), path, directory }),
  fc.record({ does: fc.constant('copy' as const), pick, into: pick }),
  fc.record({ does: fc.constant('recycle' as const), path }),
  fc.record({ does: fc.constant('restore' as const), pick }),
  fc.record({ does: fc.constant('purge' as const), pick }),
  fc.record({ does: fc.constant('list' as const), directory }),
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

/** Which drive an action is about: the personal one, or a shared one. */
const where = fc.nat(MAX_SHARED);

/** An action that is about two drives, or makes one of a directory. */
const actBetween = fc.oneof(
  fc.record({
    does: fc.constantFrom('copy-to' as const, 'move-to' as const),
    ...{ pick, to: where, into: pick, mayReplace: fc.boolean() },
  }),
  fc.record({ does: fc.constant('make a drive' as const), pick }),
);
type ActBetween = typeof actBetween extends fc.Arbitrary<infer T> ? T : never;
type Put = Exclude<ActBetween, { does: 'make a drive' }>;

const step = fc.record({ who: fc.nat(1), where, act: fc.oneof(act, actBetween) });

it('after any sequence of actions, the drives match the model', { timeout: 120_000 }, async () => {
  const steps = fc.array(step, { minLength: 20, maxLength: MAX_ACTIONS });
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const team = await Team.enter();
      for (const { who, where: at, act: next } of taken) {
        if (isBetween(next)) await team.doBetweenAndCompare(who, at, next);
        else await team.userOf(who, at).doAndCompare(next);
        // The bin is in the order of the milliseconds of the deletions.
        holdall.clock.advance(1);
      }
      for (const user of team.allDrives()) await user.compareAll();
      await checkBooks(holdall);
    }),
    { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: 100_000 },
  );
});

function isBetween(next: Act | ActBetween): next is ActBetween {
  return next.does === 'copy-to' || next.does === 'move-to' || next.does === 'make a drive';
}

/** Two people with their personal drives, and their shared drives: at first one. */
class Team {
  readonly #personal: readonly User[];
  readonly #shared: { readonly id: number; readonly drive: ModelDrive }[] = [];

  private constructor(people: readonly Person[]) {
    this.#personal = people.map((person) => {
      const drive = new ModelDrive(QUOTA);
      drive.mkdir(['a']);
      return new User(person, drive, person.driveId);
    });
  }

  static async enter(): Promise<Team> {
    const people = [await holdall.register(), await holdall.register()] as const;
    const team = new Team(people);
    const { id } = await createDrive(people[0], 'Team', [{ person: people[1], role: 'MANAGER' }]);
    team.#shared.push({ id, drive: new ModelDrive(QUOTA) });
    return team;
  }

  /** One of the people in the personal drive, or in a shared one. */
  userOf(who: number, at: number): User {
    const person = this.#personal[who] ?? assert.fail();
    const shared = at === 0 ? undefined : this.#shared[(at - 1) % this.#shared.length];
    return shared === undefined ? person : person.in(shared.drive, shared.id);
  }

  /** Someone in each of the drives. */
  allDrives(): readonly User[] {
    return [...this.#personal, ...this.#shared.map((_, index) => this.userOf(index % 2, index + 1))];
  }

  async doBetweenAndCompare(who: number, at: number, next: ActBetween): Promise<void> {
    const [status, expected] = await this.#doBetween(who, at, next);
    assert.equal(status, expected, JSON.stringify({ who, at, ...next }));
  }

  /** Returns the actual status and the status that the model expects. */
  async #doBetween(who: number, at: number, next: ActBetween): Promise<[number, number]> {
    if (next.does === 'make a drive') return this.#makeDrive(who, next.pick);
    return this.userOf(who, at).put(next, this.userOf(who, next.to));
  }

  async #makeDrive(who: number, pick: number): Promise<[number, number]> {
    if (this.#shared.length === MAX_SHARED) return [200, 200];
    const [from, other] = [this.userOf(who, 0), this.userOf(1 - who, 0)];
    const drive = new ModelDrive(QUOTA);
    const { status, data, expected } = await from.moveIntoNew(drive, pick, other);
    if (status === 200) this.#shared.push({ id: data.id, drive });
    return [status, expected];
  }
}

/** A user in a drive, and the model of that drive. */
class User {
  readonly #person: Person;
  readonly #drive: ModelDrive;
  readonly #driveId: number;

  constructor(person: Person, drive: ModelDrive, driveId: number) {
    this.#person = person;
    this.#drive = drive;
    this.#driveId = driveId;
  }

  /** The same user in another drive. */
  in(drive: ModelDrive, driveId: number): User {
    return new User(inDrive(this.#person, driveId), drive, driveId);
  }

  /** Copies or moves an entry into a drive. Returns the actual status and the one that the model expects. */
  async put({ does, pick, into, mayReplace }: Put, to: User): Promise<[number, number]> {
    const [path, directory] = [this.#pickLive(pick), to.#pickDirectory(into)];
    const id = await this.#idOf(path);
    const isReplacing = mayReplace && to.#driveId !== this.#driveId;
    const replacedId = isReplacing ? await to.#idOf([...directory, path.at(-1) ?? '']) : undefined;
    const onConflict = isReplacing ? 'REPLACE' : 'FAIL';
    const body = { driveId: to.#driveId, path: textOf(directory), onConflict };
    const status = await this.#call('POST', `/api/v2/files/${id}/${does}`, body);
    const target = { drive: to.#drive, directory, replacedId };
    if (does === 'copy-to') return [status, this.#drive.copyTo(path, target)];
    return [status, this.#drive.moveTo(path, target, id)];
  }

  /** Makes a drive of something in this one, with another member. */
  async moveIntoNew(drive: ModelDrive, pick: number, other: User) {
    const path = this.#pickLive(pick);
    const id = await this.#idOf(path);
    const members = [{ username: other.#person.username, role: 'MANAGER' }];
    const body = { name: 'New', fromFileId: id, members };
    const { status, data } = await this.#person.call<{ readonly id: number }>('POST', DRIVES, { body });
    return { status, data, expected: this.#drive.moveIntoNew(path, drive, id) };
  }

  async doAndCompare(act: Act): Promise<void> {
    const before = this.#drive.usedBytes;
    const [status, expected] = await this.#do(act);
    assert.equal(status, expected, `${JSON.stringify(act)} with ${before} bytes used`);
  }

  async compareAll(): Promise<void> {
    assert.deepEqual(await this.#readTree('/'), describeTree(this.#drive.root));
    const drives = await listDrives(this.#person);
    assert.equal(drives.find(({ id }) => id === this.#driveId)?.usedBytes, this.#drive.usedBytes);
    const bin = await this.#person.bin();
    assert.deepEqual(
      bin.items.map((item) => [item.id, item.originalPath]).toSorted(byId),
      [...this.#drive.bin].map(([id, { entry, from }]) => [id, textOf([...from, entry.name])]).toSorted(byId),
    );
  }

  /** Returns the actual status and the status that the model expects. */
  async #do(act: Act): Promise<[number, number]> {
    switch (act.does) {
      case 'mkdir': {
        const body = { path: textOf(act.path) };
        return [await this.#call('POST', '/api/files/mkdir', body), this.#drive.mkdir(act.path)];
      }
      case 'upload': {
        const body = formOf(textOf([...act.directory, act.name]), act.content);
        const status = await this.#call('POST', '/api/files/upload', body);
        return [status, this.#drive.upload(act.directory, act.name, act.content)];
      }
      case 'rename': {
        const url = `/api/files/${await this.#idOf(act.path)}/rename`;
        const status = await this.#call('PATCH', url, { filename: act.name });
        return [status, this.#drive.rename(act.path, act.name)];
      }
      case 'move': {
        const url = `/api/files/${await this.#idOf(act.path)}/move`;
        const status = await this.#call('PATCH', url, { path: textOf(act.directory) });
        return [status, this.#drive.move(act.path, act.directory)];
      }
      case 'copy': {
        const [path, directory] = [this.#pickLive(act.pick), this.#pickDirectory(act.into)];
        const url = `/api/files/${await this.#idOf(path)}/copy`;
        const status = await this.#call('POST', url, { path: textOf(directory) });
        return [status, this.#drive.copy(path, directory)];
      }
      case 'recycle': {
        const id = await this.#idOf(act.path);
        return [await this.#call('DELETE', `/api/files/${id}`), this.#drive.recycle(act.path, id)];
      }
      case 'restore': {
        const id = this.#pickFromBin(act.pick);
        const status = await this.#call('POST', `/api/files/recycle-bin/${id}/restore`);
        return [status, this.#drive.restore(id)];
      }
      case 'purge': {
        const id = this.#pickFromBin(act.pick);
        return [await this.#call('DELETE', `/api/files/recycle-bin/${id}`), this.#drive.purge(id)];
      }
      case 'list': {
        const query = new URLSearchParams({ path: textOf(act.directory) });
        const found = this.#drive.find(act.directory);
        return [await this.#call('GET', `/api/files/list?${query}`), found?.content === null ? 200 : 404];
      }
    }
  }

  async #call(method: string, url: string, body?: unknown): Promise<number> {
    return (await this.#person.call(method, url, { body })).status;
  }

  /** The id of an entry, or an unknown id if it does not exist. */
  async #idOf(path: readonly string[]): Promise<number> {
    if (this.#drive.find(path) === undefined) return 999_999_999;
    const { items } = await this.#person.list(textOf(path.slice(0, -1)));
    return items.find((entry) => entry.filename === path.at(-1))?.id ?? assert.fail(`no ${textOf(path)}`);
  }

  /** Prefers files: the copy of a file must add a reference to its bytes. */
  #pickLive(pick: number): readonly string[] {
    const live = describeTree(this.#drive.root);
    const files = live.filter(([, content]) => content !== null);
    const paths = [...files, ...live].map(([at]) => at.slice(1).split('/'));
    return paths[pick % (paths.length + 1)] ?? ['not there'];
  }

  /** Chooses a directory, starting with the root. */
  #pickDirectory(pick: number): readonly string[] {
    const directories = describeTree(this.#drive.root).filter(([, content]) => content === null);
    const paths = [[], ...directories.map(([at]) => at.slice(1).split('/'))];
    return paths[pick % (paths.length + 1)] ?? ['not there'];
  }

  #pickFromBin(pick: number): number {
    return [...this.#drive.bin.keys()][pick] ?? 999_999_999;
  }

  async #readTree(directory: string): Promise<[string, string | null][]> {
    const listing = await this.#person.list(directory, { size: 1_000 });
    assert.equal(listing.total, listing.items.length);
    const below = await Promise.all(listing.items.map((entry) => this.#readEntry(entry)));
    return below.flat().toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  async #readEntry(entry: EntryRecord): Promise<[string, string | null][]> {
    if (!entry.directory) return [[entry.path, String(await this.#person.download(entry))]];
    return [[entry.path, null], ...(await this.#readTree(entry.path))];
  }
}

function textOf(path: readonly string[]): string {
  return `/${path.join('/')}`;
}

function byId([a]: readonly unknown[], [b]: readonly unknown[]): number {
  return Number(a) - Number(b);
}
