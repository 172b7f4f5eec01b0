// tier: full
// runs on: postgres
// Limits on numbers of rows. The table is locked against writes until requests wait at both instances.
// Requests that counted the rows before they could write would all find room.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { waitUntil } from '../../../../tools/testing/wait-until.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { atEveryInstance, race } from '../../support/checks/race.ts';
import { sabotage } from '../../support/checks/sabotage.ts';
import { countWaitingStatements } from '../../support/database/waiting-statements.ts';
import type { DavClient } from '../../support/dav/dav-client.ts';
import { asDavClient } from '../../support/dav/dav-clients.ts';
import { TRANSFERS } from '../../support/transfer/transfer.ts';

const MIB = 1_024 ** 2;
const ROOM = 2;
const TRIES = 6;

const env = { HOLDALL_RATE_LIMITS: 'off', HOLDALL_WORKER_CONCURRENCY: '0' };
const holdall = await startHoldall({ env });
const secondInstance = await startHoldall({ beside: holdall, env });
const urls = [holdall.url, secondInstance.url];
const { db } = holdall.app.database;
let admin: Person;
let alice: Person;
let client: DavClient;
let fileIds: readonly number[];
let directoryId: number;

before(async () => {
  admin = await holdall.admin();
  alice = await holdall.register('alice');
  const files: { id: number }[] = [];
  for (let index = 0; index < 8; index += 1) files.push(await alice.upload(`/in/${index}.txt`, ''));
  fileIds = files.map(({ id }) => id);
  directoryId = (await alice.list('/')).items.find(({ filename }) => filename === 'in')?.id ?? assert.fail();
  client = await asDavClient(alice);
});

interface Limit {
  readonly what: string;
  readonly table: string;
  /** The maximum number of rows. */
  readonly limit: number;
  /** The columns in which copies of the first row differ from it, as SQL expressions of `i`. */
  readonly copy: () => Readonly<Record<string, string>>;
  readonly call: (person: Person, index: number) => Promise<{ readonly status: number }>;
  readonly actor?: () => Person;
}

const post = (path: string, body: (index: number) => object) => (person: Person, index: number) =>
  person.call('POST', path, { body: body(index) });

const LIMITS: readonly Limit[] = [
  {
    ...{ what: 'storage policies', table: 'storage_policy', limit: 100, actor: () => admin },
    copy: () => ({ name: `'p' || i`, prefix: `'p' || i`, bucket_name: `'b' || i`, is_default: '0' }),
    call: post('/api/admin/storage-policies', (index) => policy(index)),
  },
  {
    ...{ what: 'invites', table: 'invite', limit: 1_000, actor: () => admin },
    copy: () => ({ code: `'c' || i` }),
    call: post('/api/admin/invites', () => ({ uses: 1 })),
  },
  {
    ...{ what: 'app passwords of an account', table: 'app_password', limit: 50 },
    copy: () => ({ password_hash: `'h' || i` }),
    call: post('/api/user/app-passwords', (index) => ({ name: `app ${index}`, scope: 'READ' })),
  },
  {
    ...{ what: 'shares of an account', table: 'share', limit: 2_000 },
    copy: () => ({ token: `'t' || i` }),
    call: post('/api/v2/shares', () => ({ fileId: fileIds[0] })),
  },
  {
    ...{ what: 'folder links of an account', table: 'folder_link', limit: 2_000 },
    copy: () => ({ token: `'t' || i` }),
    call: post('/api/v2/folder-links', () => ({ directoryId, mode: 'VIEW' })),
  },
  {
    ...{ what: 'unfinished tasks of an account', table: 'task', limit: 500 },
    copy: () => ({ correlation_id: 'null' }),
    call: post('/api/v2/tasks/archive', () => ({ fileId: directoryId, path: '/in' })),
  },
  {
    ...{ what: 'transfers of an account', table: 'transfer_session', limit: 100 },
    copy: () => ({ id: `'s' || i`, pickup_code: `'c' || i` }),
    call: post(TRANSFERS, () => ({ mode: 'OFFLINE', files: [{ name: 'a', size: 1 }] })),
  },
  {
    ...{ what: 'locks of a drive', table: 'dav_lock', limit: 100 },
    copy: () => ({
      token: `'t' || i`,
      entry_id: `(array[${fileIds.slice(1).join()}])[1 + i % 7]`,
      is_exclusive: '0',
    }),
    call: (person, index) => client.at(person).lock(`/dav/in/new-${index}.txt`),
  },
];

describe('requests at two instances that race for the last places', () => {
  for (const limit of LIMITS) {
    test(`succeed exactly as often as there are places: ${limit.what}`, async () => {
      const { table, copy, call } = limit;
      const actor = limit.actor?.() ?? alice;
      if ((await countRows(table)) === 0) assert.ok((await call(actor, 99)).status < 300);
      const copies = limit.limit - (await countRows(table)) - ROOM;
      await sabotage(holdall, await copyStatement(table, copies, copy()));
      const statuses = await raceAtGate(
        table,
        async (person, index) => (await call(person, index)).status,
        actor,
      );
      assert.equal(statuses.filter((status) => status < 300).length, ROOM, `${statuses}`);
      assert.equal(await countRows(table), limit.limit);
    });
  }

  test('keep the properties of a drive within 16 MiB', async () => {
    for (let index = 0; index < TRIES; index += 1) await alice.upload(`/unlocked/${index}.txt`, '');
    const big = JSON.stringify([['urn:a', 'p', 'v'.repeat(16 * MIB - 70_000)]]);
    await sabotage(
      holdall,
      `insert into dav_property (entry_id, drive_id, bytes, properties)
        values (${fileIds[0]}, ${alice.driveId}, ${256 + big.length}, '${big}')`,
    );
    const step = `<D:set><D:prop><a:p>${'v'.repeat(30_000)}</a:p></D:prop></D:set>`;
    const patch = async (person: Person, index: number) =>
      (await client.at(person).proppatch(`/dav/unlocked/${index}.txt`, step)).body.includes(' 200 ')
        ? 200
        : 507;
    const statuses = await raceAtGate('dav_property', patch, alice);
    assert.equal(statuses.filter((status) => status === 200).length, ROOM, `${statuses}`);
    const { rows } = await sql<{ bytes: number }>`
      select cast(sum(bytes) as bigint) as bytes from dav_property`.execute(db);
    assert.ok((rows[0]?.bytes ?? 0) <= 16 * MIB);
  });
});

function policy(index: number): object {
  return {
    ...{ name: `new ${index}`, type: 'LOCAL', prefix: `new/${index}`, credentialMode: 'NONE', enabled: true },
    ...{ bucketName: null, endpoint: null, region: null, maxSizeBytes: 500_000, capabilities: {} },
  };
}

async function raceAtGate(
  table: string,
  call: (person: Person, index: number) => Promise<number>,
  actor: Person,
): Promise<readonly number[]> {
  const gate = new pg.Client({ connectionString: holdall.databaseUrl });
  await gate.connect();
  try {
    await gate.query(`begin; lock table ${table} in share row exclusive mode`);
    const racing = race(atEveryInstance(actor, urls), TRIES, call);
    await waitUntil(
      'requests at both instances wait',
      async () => (await countWaitingStatements(holdall.app.database)) >= urls.length,
    );
    await gate.query('commit');
    return await racing;
  } finally {
    await gate.end();
  }
}

async function countRows(table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
    db,
  );
  return Number(rows[0]?.count);
}

/** Copies the first row of a table. */
async function copyStatement(
  table: string,
  count: number,
  changes: Readonly<Record<string, string>>,
): Promise<string> {
  const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and is_identity = 'NO'`.execute(db);
  const names = rows.map(({ name }) => name);
  return `insert into ${table} (${names.join()})
    select ${names.map((name) => changes[name] ?? name).join()}
    from (select * from ${table} limit 1) as original, generate_series(1, ${count}) as i`;
}
