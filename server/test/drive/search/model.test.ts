// tier: full
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { SEED } from '../../../../tools/testing/seed.ts';
import { isLong } from '../../../../tools/testing/tiers.ts';
import { kindOfType } from '../../../src/base/domain/file-kinds.ts';
import { foldName } from '../../../src/base/text/names/file-name.ts';
import { toLogicalPath } from '../../../src/base/text/names/logical-path.ts';
import { toPlainName } from '../../../src/base/text/names/plain-name.ts';
import { toSortName } from '../../../src/base/text/names/sort-name.ts';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import { EntryRecords } from '../../../src/drive/entries/entry-records.ts';
import { Search, type SearchConditions } from '../../../src/drive/search/search.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { checkBooks } from '../../support/checks/books.ts';
import { find } from '../../support/drive/search.ts';

const RUNS = isLong ? 12 : 3;

const holdall = await startHoldall({
  env: { HOLDALL_DEFAULT_DIRECTORIES: 'start', HOLDALL_RATE_LIMITS: 'off' },
});

const searchMany = new Search(holdall.app.database, -1);
const records = new EntryRecords(holdall.app.database);

// Names are joined from a few pieces, so searches match many names, some only where two pieces meet.
const piece = fc.constantFrom(
  'ab',
  'AB',
  'b',
  'c',
  'Ä',
  'ä',
  'øB',
  'ß',
  '写真',
  '_',
  '%',
  '"',
  "'",
  ' x',
  '👍',
);
const name = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''));
const text = fc.array(piece, { minLength: 0, maxLength: 3 }).map((pieces) => pieces.join(''));
const words = fc.array(text, { maxLength: 3 }).map((all) => all.join(' '));
const pick = fc.nat(10_000);

/** An action of a user. `pick` chooses an existing entry. */
const act = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('make' as const), pick, name }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('upload' as const), pick, name, size: fc.nat(9) }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('rename' as const), pick, name }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('move' as const), pick, target: pick }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('copy' as const), pick, target: pick }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('recycle' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('restore' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('purge' as const), pick }) },
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

const question = fc.record({
  name: fc.option(text, { nil: undefined, freq: 1 }),
  q: fc.option(words, { nil: undefined, freq: 1 }),
  kind: fc.constantFrom(undefined, undefined, undefined, 'DOCUMENT', 'OTHER'),
  type: fc.constantFrom(undefined, 'file', 'directory', 'all'),
  sizeGte: fc.option(fc.nat(9), { nil: undefined }),
  sizeLte: fc.option(fc.nat(9), { nil: undefined }),
  createdGte: fc.option(pick, { nil: undefined }),
  updatedLte: fc.option(pick, { nil: undefined }),
  modifiedFrom: fc.option(pick, { nil: undefined }),
  modifiedTo: fc.option(pick, { nil: undefined }),
  minSize: fc.option(fc.nat(9), { nil: undefined }),
  path: fc.option(pick, { nil: undefined }),
  under: fc.option(pick, { nil: undefined }),
  size: fc.integer({ min: 1, max: 40 }),
  page: fc.nat(3),
});
type Asked = typeof question extends fc.Arbitrary<infer T> ? T : never;

it('after any sequence of actions, search finds the same as a scan of all entries', {
  timeout: 240_000,
}, async () => {
  const rounds = fc.array(
    fc.record({
      acts: fc.array(fc.record({ who: fc.nat(1), act }), { minLength: 1, maxLength: 12 }),
      questions: fc.array(question, { minLength: 3, maxLength: 6 }),
    }),
    { minLength: 1, maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      const users = [await User.enter(), await User.enter()];
      for (const { acts, questions } of all) {
        for (const { who, act } of acts) await users[who]?.do(act);
        for (const user of users) await user.compare(questions);
      }
      await checkBooks(holdall, { deep: false });
    }),
    { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: 200_000 },
  );
});

class User {
  readonly #person: Person;

  private constructor(person: Person) {
    this.#person = person;
  }

  /** Registers a user with a tree. A few copies of it exceed the names that the index takes in one batch. */
  static async enter(): Promise<User> {
    const person = await holdall.register();
    for (const name of ['ab', 'Äb', 'c写真', 'b"%_']) await person.upload(`/tree/${name}/${name}`, 'x');
    const tree = await person.mkdir('/all/1');
    for (const { id } of (await person.list('/tree')).items) await person.copy({ id }, '/all/1');
    for (const target of ['/all/2', '/all/3', '/all/4']) {
      await person.mkdir(target);
      for (const other of (await person.list('/all')).items) {
        if (other.path !== target) await person.copy(other, target);
      }
    }
    assert.equal(tree.path, '/all/1');
    return new User(person);
  }

  async do(act: Act): Promise<void> {
    const entries = await this.#person.tree();
    const chosen = entries[act.pick % entries.length];
    if (chosen === undefined) return;
    const directories = entries.filter((entry) => entry.directory).map((entry) => entry.path);
    const pathOf = (pick: number) => directories[pick % directories.length] ?? '/';
    // A rejected action changes nothing. Whether it should be rejected is tested elsewhere.
    switch (act.does) {
      case 'make':
        return this.#call('POST', '/api/files/mkdir', { path: `${pathOf(act.pick)}/${act.name}` });
      case 'upload': {
        const path = `${pathOf(act.pick)}/${act.name}`;
        if (entries.some((entry) => entry.path === path) || act.name.includes('"')) return;
        await this.#person.upload(path, 'x'.repeat(act.size));
        return;
      }
      case 'rename':
        return this.#call('PATCH', `/api/files/${chosen.id}/rename`, { filename: act.name });
      case 'move':
        return this.#call('PATCH', `/api/files/${chosen.id}/move`, { path: pathOf(act.target) });
      case 'copy':
        if (entries.length > 800) return;
        return this.#call('POST', `/api/files/${chosen.id}/copy`, { path: pathOf(act.target) });
      case 'recycle':
        return this.#call('DELETE', `/api/files/${chosen.id}`);
      case 'restore':
      case 'purge': {
        const { items } = await this.#person.bin();
        const item = items[act.pick % items.length];
        if (item === undefined) return;
        const url = `/api/files/recycle-bin/${item.id}`;
        return act.does === 'purge' ? this.#call('DELETE', url) : this.#call('POST', `${url}/restore`);
      }
    }
  }

  async compare(questions: readonly Asked[]): Promise<void> {
    const entries = await this.#person.tree();
    for (const asked of questions) {
      const query = {
        ...asked,
        createdGte: entries[(asked.createdGte ?? Number.NaN) % entries.length]?.createdAt,
        updatedLte: entries[(asked.updatedLte ?? Number.NaN) % entries.length]?.updatedAt,
        modifiedFrom: entries[(asked.modifiedFrom ?? Number.NaN) % entries.length]?.modifiedAt,
        modifiedTo: entries[(asked.modifiedTo ?? Number.NaN) % entries.length]?.modifiedAt,
        path: directoryAt(entries, asked.path),
        under: directoryAt(entries, asked.under),
      };
      const matches = matchesOf(entries, query);
      const from = query.page * query.size;
      const expected = {
        items: matches.slice(from, from + query.size),
        total: matches.length,
        page: query.page,
        size: query.size,
      };
      assert.deepEqual(await find(this.#person, query), expected, JSON.stringify(query));
      // Forces the strategy for many matches.
      const { id: accountId, driveId } = this.#person;
      const many = await searchMany.find([driveId], toConditions(query), query);
      const page = await records.toPage({ accountId, driveId }, many);
      assert.deepEqual(page, expected, JSON.stringify(query));
    }
  }

  async #call(method: string, url: string, body?: unknown): Promise<void> {
    const { status } = await this.#person.call(method, url, { body });
    assert.ok([200, 400, 404, 409].includes(status), `${method} ${url}: ${status}`);
  }
}

function directoryAt(entries: readonly EntryRecord[], pick: number | undefined): string | undefined {
  if (pick === undefined) return undefined;
  const directories = entries.filter((entry) => entry.directory);
  return directories[pick % directories.length]?.path ?? '/';
}

interface Query {
  readonly name: string | undefined;
  readonly q: string | undefined;
  readonly kind: 'DOCUMENT' | 'OTHER' | undefined;
  readonly type: string | undefined;
  readonly sizeGte: number | undefined;
  readonly sizeLte: number | undefined;
  readonly createdGte: string | undefined;
  readonly updatedLte: string | undefined;
  readonly modifiedFrom: string | undefined;
  readonly modifiedTo: string | undefined;
  readonly minSize: number | undefined;
  readonly path: string | undefined;
  readonly under: string | undefined;
}

function toConditions(query: Query): SearchConditions {
  return {
    name: query.name,
    words: query.q,
    isDirectory: query.type === undefined || query.type === 'all' ? undefined : query.type !== 'file',
    kind: query.kind,
    size: { from: Math.max(query.sizeGte ?? 0, query.minSize ?? 0), to: query.sizeLte },
    created: { from: toInstant(query.createdGte), to: undefined },
    updated: { from: undefined, to: toInstant(query.updatedLte) },
    modified: { from: toInstant(query.modifiedFrom), to: toInstant(query.modifiedTo) },
    paths: [query.path, query.under].filter((path) => path !== undefined).map(toLogicalPath),
  };
}

function toInstant(timestamp: string | undefined): number | undefined {
  return timestamp === undefined ? undefined : Date.parse(timestamp);
}

/** The reference implementation: scans all entries and sorts them in the documented order. */
function matchesOf(entries: readonly EntryRecord[], query: Query): readonly EntryRecord[] {
  const text = foldName(query.name ?? '');
  const words = (query.q ?? '').split(/\s/).map(toPlainName);
  const [firstWord = ''] = words.filter((word) => word !== '');
  const begins = ({ filename }: EntryRecord) =>
    Number(
      text === ''
        ? hasForm(filename, (form) => form.startsWith(firstWord))
        : foldName(filename).startsWith(text),
    );
  const isBelow = (entry: EntryRecord, path: string) => path === '/' || entry.path.startsWith(`${path}/`);
  return (
    entries
      .filter((entry) => foldName(entry.filename).includes(text))
      .filter(({ filename }) => words.every((word) => hasForm(filename, (form) => form.includes(word))))
      .filter(
        ({ directory, contentType }) =>
          query.kind === undefined || (!directory && kindOfType(contentType) === query.kind),
      )
      .filter(
        (entry) =>
          query.type === undefined || query.type === 'all' || entry.directory === (query.type !== 'file'),
      )
      .filter((entry) => entry.size >= (query.sizeGte ?? 0) && entry.size <= (query.sizeLte ?? 1e9))
      // Timestamps have a fixed format, so comparing the texts compares the times.
      .filter(
        (entry) =>
          entry.createdAt >= (query.createdGte ?? '') && entry.updatedAt <= (query.updatedLte ?? '9'),
      )
      .filter(
        ({ modifiedAt }) =>
          modifiedAt >= (query.modifiedFrom ?? '') && modifiedAt <= (query.modifiedTo ?? '9'),
      )
      .filter((entry) => entry.size >= (query.minSize ?? 0))
      .filter((entry) => isBelow(entry, query.path ?? '/') && isBelow(entry, query.under ?? '/'))
      .toSorted(
        (a, b) =>
          begins(b) - begins(a) ||
          Buffer.compare(Buffer.from(toSortName(a.filename)), Buffer.from(toSortName(b.filename))) ||
          a.id - b.id,
      )
  );
}

/** Whether the folded name or the name without accents has a property. */
function hasForm(filename: string, has: (form: string) => boolean): boolean {
  return has(foldName(filename)) || has(toPlainName(filename));
}
