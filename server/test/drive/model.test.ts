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

const QUOTA = 40;
const RUNS = isLong ? 60 : 10;
const MAX_ACTIONS = 40;

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
 * An action of a user. `pick` chooses an entry of the bin, or the source and target of a copy. Sometimes it
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

it('after any sequence of actions, the drives match the model', { timeout: 120_000 }, async () => {
  const acts = fc.array(fc.record({ who: fc.nat(1), act }), { minLength: 20, maxLength: MAX_ACTIONS });
  await fc.assert(
    fc.asyncProperty(acts, async (steps) => {
      const users = [await User.enter(), await User.enter()];
      for (const { who, act } of steps) await users[who]?.doAndCompare(act);
      for (const user of users) await user.compareAll();
      await checkBooks(holdall);
    }),
    { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: 100_000 },
  );
});

/** A user, and the model of that user's drive. */
class User {
  readonly #person: Person;
  readonly #drive = new ModelDrive(QUOTA);

  private constructor(person: Person) {
    this.#person = person;
    this.#drive.mkdir(['a']);
  }

  static async enter(): Promise<User> {
    return new User(await holdall.register());
  }

  async doAndCompare(act: Act): Promise<void> {
    const before = this.#drive.usedBytes;
    const [status, expected] = await this.#do(act);
    assert.equal(status, expected, `${JSON.stringify(act)} with ${before} bytes used`);
  }

  async compareAll(): Promise<void> {
    assert.deepEqual(await this.#readTree('/'), describeTree(this.#drive.root));
    assert.equal(await this.#person.usedBytes(), this.#drive.usedBytes);
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
