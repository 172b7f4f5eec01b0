// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { sql } from 'kysely';
import { inFull } from '../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { Person } from '../support/app/person.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { createManagedDrive, DRIVE_HEADER } from '../support/drives/shared-drives.ts';
import { newestOf } from '../support/events/changes.ts';
import { EventReader, type StreamMessage } from '../support/events/event-reader.ts';
import { numbered, recordUnannounced } from '../support/events/unannounced-events.ts';
import { Gate } from '../support/network/gate.ts';

/** The heartbeat interval: streams must get their events from messages, not from the periodic check. */
const NEVER_MS = 3_600_000;
const options = { env: { HOLDALL_RATE_LIMITS: 'off' }, eventBeatMs: NEVER_MS };

const one = await startHoldall(options);
const another = isPostgres ? await startHoldall({ ...options, beside: one }) : one;

/** Registers a person. Returns a client at each of the two instances, which are the same on SQLite. */
async function registerAtBoth(name: string): Promise<readonly [Person, Person]> {
  const here = await one.register(name);
  const there = new Person(here.username, another.url);
  there.login = here.login;
  return [here, there];
}

const pathsOf = (messages: readonly StreamMessage[]) => messages.map(({ data }) => data.toPath);

async function mkdirs(person: Person, paths: readonly string[]): Promise<void> {
  for (const path of paths) await person.mkdir(path);
}

describe('on every instance', () => {
  test('all streams get the events of all instances, once and in the same order', async () => {
    const [here, there] = await registerAtBoth('ann');
    const readers = await Promise.all([here, there, here, there].map((person) => EventReader.open(person)));
    const all = numbered('/at the same time ', 60);
    await Promise.all([
      mkdirs(here, all.slice(0, 20)),
      mkdirs(there, all.slice(20, 40)),
      mkdirs(here, all.slice(40)),
    ]);
    const [first = [], ...others] = await Promise.all(readers.map((reader) => reader.events(60)));
    assert.deepEqual(new Set(pathsOf(first)), new Set(all));
    const ids = first.map(({ id }) => id);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    for (const other of others) assert.deepEqual(other, first);
    for (const reader of readers) reader.close();
  });

  test('a stream that breaks at one instance can be resumed at another', async () => {
    const [here, there] = await registerAtBoth('ann');
    const reader = await EventReader.open(here);
    await mkdirs(here, ['/1', '/2']);
    const seen = (await reader.events(2)).at(-1)?.id ?? 0;
    reader.close();
    await mkdirs(here, ['/3', '/4']);
    const onwards = await EventReader.open(there, { headers: { 'last-event-id': String(seen) } });
    await mkdirs(here, ['/5']);
    assert.deepEqual(pathsOf(await onwards.events(3)), ['/3', '/4', '/5']);
    onwards.close();
  });

  test('a logout at another instance ends the stream', async () => {
    const [here, there] = await registerAtBoth('ann');
    const reader = await EventReader.open(there);
    await here.ask('POST', '/api/auth/logout');
    await reader.ended();
  });

  test('200 streams of many people each get only the events of their own drive', inFull, async () => {
    const people: (readonly [Person, Person])[] = [];
    for (let count = 0; count < 10; count += 1) people.push(await registerAtBoth(`p${count}`));
    const readers = await Promise.all(
      people.flatMap(([here, there], owner) =>
        Array.from({ length: 20 }, async (_, index) => ({
          owner,
          reader: await EventReader.open(index % 2 === 0 ? here : there),
        })),
      ),
    );
    assert.equal(readers.length, 200);
    await Promise.all(
      people.map(async ([here, there], owner) => {
        await mkdirs(here, numbered(`/${owner} `, 3));
        await mkdirs(there, [`/${owner} end`]);
      }),
    );
    for (const { owner, reader } of readers) {
      assert.deepEqual(pathsOf(await reader.events(4)), [...numbered(`/${owner} `, 3), `/${owner} end`]);
      reader.close();
    }
  });
});

test('events of an instance that crashed before it sent the message arrive with the next message', async () => {
  const [here, there] = await registerAtBoth('ann');
  const reader = await EventReader.open(there);
  await recordUnannounced(one, here, numbered('/unannounced ', 250));
  await here.mkdir('/announced');
  assert.deepEqual(pathsOf(await reader.events(251)), [...numbered('/unannounced ', 250), '/announced']);
  reader.close();
});

if (isPostgres) {
  describe('when the database connection breaks', () => {
    test('that carries the messages, streams get the missed events, once and in order', async () => {
      const [here, there] = await registerAtBoth('ann');
      const reader = await EventReader.open(there);
      const all = numbered('/while it breaks ', 60);
      for (const [index, path] of all.entries()) {
        if (index % 15 === 7) await killNotificationConnections();
        await here.mkdir(path);
      }
      assert.deepEqual(pathsOf(await reader.events(60)), all);
      reader.close();
    });

    test('that carries the messages, personal streams learn that drives may have changed', async () => {
      const [here, there] = await registerAtBoth('ann');
      const drive = await createManagedDrive(one, [[here, 'VIEWER']]);
      const readers = await Promise.all([here, there].map((person) => EventReader.open(person)));
      const inShared = await EventReader.open(here, { headers: { [DRIVE_HEADER]: String(drive) } });
      await killNotificationConnections();
      for (const reader of readers) {
        await reader.until(() => reader.messages.some(({ event }) => event === 'DRIVES_CHANGED'));
        reader.close();
      }
      assert.equal(inShared.messages.length, 1);
      inShared.close();
    });

    test('as a whole, streams stay open, and get all events once it is back', inFull, async () => {
      const url = new URL(one.databaseUrl ?? '');
      const gate = new Gate({ host: url.hostname, port: Number(url.port) });
      await gate.open();
      after(() => gate.close());
      url.port = String(gate.port);
      const cutOff = await startHoldall({
        ...options,
        beside: one,
        env: { ...options.env, HOLDALL_DATABASE_URL: url.href },
      });
      const here = await one.register('ann');
      const there = new Person(here.username, cutOff.url);
      there.login = here.login;
      const reader = await EventReader.open(there);
      const seen = await newestOf(here);
      await here.mkdir('/before');
      await reader.events(1);
      await gate.close();
      await mkdirs(here, numbered('/during ', 150));
      await gate.open();
      await here.mkdir('/after');
      const expected = ['/before', ...numbered('/during ', 150), '/after'];
      assert.deepEqual(pathsOf(await reader.events(152)), expected);
      assert.equal(reader.messages[0]?.id, seen);
      await there.mkdir('/by itself');
      const elsewhere = await EventReader.open(here, {
        query: { lastEventId: reader.messages.at(-1)?.id ?? 0 },
      });
      pathsOf(await reader.events(153));
      reader.close();
      elsewhere.close();
    });
  });
}

/** Breaks the notification connections of both instances, once both have reconnected since the last time. */
async function killNotificationConnections(): Promise<void> {
  let killed = 0;
  await waitUntil('both instances are connected', async () => {
    const { rows } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'holdall notifications' and datname = current_database()`.execute(
      one.app.database.db,
    );
    killed += rows.length;
    return killed >= 2;
  });
}
