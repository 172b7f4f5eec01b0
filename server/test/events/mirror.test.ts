// tier: full
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fc } from '../../../tools/testing/fast-check.ts';
import { SEED } from '../../../tools/testing/seed.ts';
import { isLong } from '../../../tools/testing/tiers.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { formOf, Person } from '../support/app/person.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { newestOf, readChanges } from '../support/events/changes.ts';
import { describeDrive, Mirror } from '../support/events/mirror.ts';

const RUNS = isLong ? 50 : 8;
const MAX_STEPS = 60;
/** The heartbeat interval: streams must get their events from messages, not from the periodic check. */
const NEVER_MS = 3_600_000;

const options = {
  env: { HOLDALL_RATE_LIMITS: 'off', HOLDALL_DEFAULT_DIRECTORIES: 'a' },
  eventBeatMs: NEVER_MS,
};
const one = await startHoldall(options);
const another = isPostgres ? await startHoldall({ ...options, beside: one }) : one;

// Few names, so that operations often affect the same entries.
const name = fc.constantFrom('a', 'b', 'ab');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `/${names.join('/')}`);
const directory = fc.array(name, { maxLength: 2 }).map((names) => `/${names.join('/')}`);
const pick = fc.nat(7);
const instance = fc.nat(1);

const act = fc.oneof(
  fc.record({ does: fc.constant('mkdir' as const), path }),
  fc.record({ does: fc.constant('upload' as const), path, size: fc.nat(9) }),
  fc.record({ does: fc.constant('rename' as const), pick, name }),
  fc.record({ does: fc.constant('move' as const), pick, directory }),
  fc.record({ does: fc.constant('copy' as const), pick, directory }),
  fc.record({ does: fc.constant('recycle' as const), pick }),
  fc.record({ does: fc.constant('restore' as const), pick }),
  fc.record({ does: fc.constant('purge' as const), pick }),
);

/** A step of the client that follows the events. */
const turn = fc.oneof(
  fc.record({ turn: fc.constant('page' as const), limit: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ turn: fc.constant('stream' as const), maxEvents: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ turn: fc.constant('catch up' as const), limit: fc.integer({ min: 1, max: 9 }) }),
  fc.record({
    turn: fc.constant('catch up while others act' as const),
    acts: fc.array(act, { maxLength: 4 }),
  }),
  fc.record({ turn: fc.constant('save' as const) }),
  fc.record({ turn: fc.constant('return to the saved state' as const) }),
  fc.record({ turn: fc.constant('read known events again' as const), back: fc.integer({ min: 1, max: 6 }) }),
);

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act, at: instance }) },
  { weight: 1, arbitrary: fc.record({ follow: turn, at: instance }) },
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

it('a client that follows the events ends up with the tree of the drive', { timeout: 120_000 }, async () => {
  let events = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step), { minLength: 20, maxLength: MAX_STEPS }), async (steps) => {
      const user = await User.enter();
      for (const [each] of steps) {
        if ('act' in each) await user.act(each.act, each.at);
        else await user.follow(each.follow, each.at);
      }
      events += await user.compare();
    }),
    { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: 100_000 },
  );
  assert.ok(events > 40, `only ${events} events`);
});

/** A person who is logged in at both instances, and a client that follows the events. */
class User {
  readonly #persons: readonly [Person, Person];
  #mirror: Mirror;
  #saved: Mirror;

  private constructor(here: Person, there: Person, begin: number) {
    this.#persons = [here, there];
    this.#mirror = new Mirror(begin);
    this.#saved = this.#mirror.save();
  }

  static async enter(): Promise<User> {
    const here = await one.register();
    const there = new Person(here.username, another.url);
    there.login = here.login;
    const { items } = await readChanges(here, { limit: 1 });
    return new User(here, there, (items[0]?.id ?? 1) - 1);
  }

  /** Tries an operation. Many are rejected and record no event. */
  async act(act: Act, at: number): Promise<void> {
    const person = this.#personAt(at);
    const answer = await this.#try(person, act);
    assert.ok([200, 400, 404, 409].includes(answer.status), `${JSON.stringify(act)}: ${answer.msg}`);
  }

  async follow(turn: Turn, at: number): Promise<void> {
    const person = this.#personAt(at);
    switch (turn.turn) {
      case 'page':
        return void (await this.#mirror.readPage(person, turn.limit));
      case 'stream':
        return await this.#mirror.follow(person, { maxEvents: turn.maxEvents, upTo: await newestOf(person) });
      case 'catch up':
        await this.#mirror.catchUp(person, turn.limit);
        return await this.#assertSame();
      case 'catch up while others act': {
        const acting = (async () => {
          for (const act of turn.acts) await this.act(act, 1 - at);
        })();
        await Promise.all([acting, this.#mirror.catchUp(person, 3)]);
        return;
      }
      case 'save':
        this.#saved = this.#mirror.save();
        return;
      case 'return to the saved state':
        this.#mirror = this.#saved.save();
        return;
      case 'read known events again': {
        const cursor = Math.max(this.#saved.cursor, this.#mirror.cursor - turn.back);
        const { items } = await readChanges(person, { cursor, limit: turn.back });
        for (const { id, ...event } of items) if (id <= this.#mirror.cursor) this.#mirror.take(id, event);
      }
    }
  }

  /**
   * Compares a client that resumes with a client that begins at the first event. Returns the number of
   * events.
   */
  async compare(): Promise<number> {
    const [here, there] = this.#persons;
    await this.#mirror.follow(there, { maxEvents: Number.POSITIVE_INFINITY, upTo: await newestOf(here) });
    await this.#mirror.catchUp(there, 10);
    await this.#assertSame();
    const { items } = await readChanges(here, { limit: 1_000 });
    const newcomer = new Mirror((items[0]?.id ?? 1) - 1);
    await newcomer.catchUp(here, 1_000);
    assert.deepEqual(newcomer.describe(), this.#mirror.describe());
    return items.length;
  }

  async #assertSame(): Promise<void> {
    assert.deepEqual(this.#mirror.describe(), await describeDrive(this.#persons[0]));
  }

  #personAt(at: number): Person {
    return at === 0 ? this.#persons[0] : this.#persons[1];
  }

  async #try(person: Person, act: Act) {
    switch (act.does) {
      case 'mkdir':
        return await person.call('POST', '/api/files/mkdir', { body: { path: act.path } });
      case 'upload':
        return await person.call('POST', '/api/files/upload', {
          body: formOf(act.path, 'x'.repeat(act.size)),
        });
      case 'rename':
        return await person.call('PATCH', `/api/files/${await this.#pick(act.pick)}/rename`, {
          body: { filename: act.name },
        });
      case 'move':
      case 'copy': {
        const method = act.does === 'move' ? 'PATCH' : 'POST';
        const url = `/api/files/${await this.#pick(act.pick)}/${act.does}`;
        return await person.call(method, url, { body: { path: act.directory } });
      }
      case 'recycle':
        return await person.call('DELETE', `/api/files/${await this.#pick(act.pick)}`);
      case 'restore':
        return await person.call(
          'POST',
          `/api/files/recycle-bin/${await this.#pickFromBin(act.pick)}/restore`,
        );
      case 'purge':
        return await person.call('DELETE', `/api/files/recycle-bin/${await this.#pickFromBin(act.pick)}`);
    }
  }

  /** Returns the id of an existing entry, or sometimes of none. */
  async #pick(pick: number): Promise<number> {
    const records = await this.#persons[0].tree().catch(() => []);
    return records[pick % Math.max(1, records.length)]?.id ?? 999_999_999;
  }

  async #pickFromBin(pick: number): Promise<number> {
    return (await this.#persons[0].bin()).items[pick % 3]?.id ?? 999_999_999;
  }
}
