// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { inFull } from '../../../tools/testing/tiers.ts';
import { toSortName } from '../../src/base/text/names/sort-name.ts';
import { Database, type Tx } from '../../src/database/database.ts';
import { MIGRATIONS, migrate } from '../../src/database/migrator.ts';
import { openPostgres } from '../../src/database/postgres/postgres.ts';
import { toTypeColumns } from '../../src/database/type-columns.ts';
import { Search } from '../../src/drive/search/search.ts';
import { startPrograms } from '../support/app/child-programs.ts';
import { auditNameIndex } from '../support/database/name-index.ts';
import { openTestDatabase } from '../support/database/open-database.ts';
import { readSchema } from '../support/database/schema-reader.ts';
import { isPostgres } from '../support/database/test-database.ts';

/** For migrations of thousands of rows: the default tier runs them on SQLite only. */
const onSqlite = isPostgres ? inFull : {};

describe('the migrator', () => {
  it('creates the schema in an empty database', async () => {
    const { database } = await openTestDatabase({ migrated: false });
    await migrate(database);
    assert.deepEqual(
      await stepsOf(database),
      MIGRATIONS.map((migration) => migration.name),
    );
  });

  it('does nothing when the schema is up to date', async () => {
    const { database } = await openTestDatabase();
    await database.transact((tx) =>
      tx.insertInto('setting').values({ name: 'kept', value: 'yes', updated_at: 1 }).execute(),
    );
    const before = await readSchema(database);
    await migrate(database);
    assert.deepEqual(await readSchema(database), before);
    const kept = await database.db.selectFrom('setting').select('value').executeTakeFirst();
    assert.equal(kept?.value, 'yes');
  });

  it('runs once when several instances start at the same time', async () => {
    const { database, url, directory } = await openTestDatabase({ migrated: false });
    const ends = await startPrograms('database/migrate-child.ts', 4, [
      directory,
      ...(url === undefined ? [] : [url]),
    ]);
    assert.deepEqual(ends, ['migrated', 'migrated', 'migrated', 'migrated']);
    assert.equal((await stepsOf(database)).length, MIGRATIONS.length);
  });

  it('rejects a schema of a newer version, and does not change it', async () => {
    const { database } = await openTestDatabase();
    const newer = { name: '9999-from-the-future', statements: () => ['create table future (id integer)'] };
    await migrate(database, [...MIGRATIONS, newer]);
    const before = await readSchema(database);
    await assert.rejects(
      migrate(database),
      /^Error: The database has the schema step 9999-from-the-future, which this version of Holdall does not know\.$/,
    );
    assert.deepEqual(await readSchema(database), before);
  });

  it('rolls back all migrations when one fails', async () => {
    const { database } = await openTestDatabase();
    const before = await readSchema(database);
    const faulty = {
      name: '9999-faulty',
      statements: () => ['create table half (id integer)', 'create table half (id integer)'],
    };
    await assert.rejects(migrate(database, [...MIGRATIONS, faulty]), /half/);
    assert.deepEqual(await readSchema(database), before);
    assert.equal((await stepsOf(database)).length, MIGRATIONS.length);
  });
});

describe('a database created before storage policies existed', () => {
  it('gets a policy for the local disk, to which all stored blobs belong', async () => {
    const { database } = await openTestDatabase({ migrated: false });
    await migrate(database, MIGRATIONS.slice(0, 1));
    await database.transact((tx) =>
      sql`insert into blob (object_key, kind, size, reference_count, created_by, created_at)
        values ('blobs/1', 'FILE', 1, 1, 1, 70), ('blobs/2', 'AVATAR', 1, 1, 1, 50)`.execute(tx),
    );
    await migrate(database);
    const [policy, ...others] = await database.db.selectFrom('storage_policy').selectAll().execute();
    assert.deepEqual(others, []);
    assert.deepEqual([policy?.type, policy?.is_default, policy?.created_at], ['LOCAL', 1, 50]);
    const blobs = await database.db.selectFrom('blob').select('policy_id').execute();
    assert.deepEqual(
      blobs.map((blob) => blob.policy_id),
      [policy?.id, policy?.id],
    );
  });

  it('gets no policy when nothing is stored: the first start creates it', async () => {
    const { database } = await openTestDatabase();
    assert.deepEqual(await database.db.selectFrom('storage_policy').selectAll().execute(), []);
  });
});

describe('a database created before search existed', () => {
  it('can be searched', async () => {
    const { database } = await openTestDatabase({ migrated: false });
    const at = MIGRATIONS.findIndex(({ name }) => name === '0006-search');
    await migrate(database, MIGRATIONS.slice(0, at));
    const ids = await database.transact((tx) => makeDrive(tx, 600));
    await migrate(database);
    assert.equal(await countFound(database, ids.owner, 'name 59'), 11);
    const entries = await database.db.selectFrom('entry').selectAll().execute();
    assert.deepEqual(await auditNameIndex(database, entries), []);
  });
});

describe('a database created before search by words existed', () => {
  it(
    'is searched by words without regard to accents, also if it has thousands of names',
    onSqlite,
    async () => {
      const { database } = await openTestDatabase({ migrated: false });
      const at = MIGRATIONS.findIndex(({ name }) => name === '0018-search-by-words');
      await migrate(database, MIGRATIONS.slice(0, at));
      const { owner } = await database.transact((tx) => makeDrive(tx, 2_300));
      await database.transact(async (tx) => {
        await sql`update entry set name = 'É' || name, folded_name = 'é' || name where name like '%7'`.execute(
          tx,
        );
        await sql`update entry set name = '写真' || name, folded_name = '写真' || name where name like '%8'`.execute(
          tx,
        );
        await sql`update entry set name = 'É' || name, folded_name = 'é' || name where parent_id is not null
        and name like 'name 1__0'`.execute(tx);
      });
      await migrate(database);
      assert.equal(await countFound(database, owner, '7 ENAME', 'words'), 249);
      assert.equal(await countFound(database, owner, 'ename', 'words'), 330);
      assert.equal(await countFound(database, owner, '写真', 'words'), 230);
      const entries = await database.db.selectFrom('entry').selectAll().execute();
      for (const { name, folded_name, plain_name } of entries) {
        assert.equal(folded_name, name.toLowerCase());
        assert.equal(plain_name, name.startsWith('É') ? folded_name.replace('é', 'e') : null);
      }
      assert.deepEqual(await auditNameIndex(database, entries), []);
    },
  );
});

describe('a database created before entries were counted', () => {
  it('gets the number of live and recycled entries of each account', async () => {
    const { database } = await openTestDatabase({ migrated: false });
    const at = MIGRATIONS.findIndex(({ name }) => name === '0011-entry-quota');
    await migrate(database, MIGRATIONS.slice(0, at));
    const alice = await database.transact((tx) => makeDrive(tx, 30));
    const bob = await database.transact((tx) => makeDrive(tx, 0, 'bob'));
    // Recycles two entries as the roots of trees in the recycle bin.
    await database.transact((tx) =>
      sql`update entry set parent_id = null, deleted_at = 5, bin_root_id = id, bin_parent_path = '/'
        where name in ('name 7', 'name 8')`.execute(tx),
    );
    await migrate(database);
    const counts = await database.db
      .selectFrom('account')
      .select(['id', 'entry_count', 'max_entries'])
      .orderBy('id')
      .execute();
    assert.deepEqual(counts, [
      { id: alice.owner, entry_count: 30, max_entries: 1_000_000 },
      { id: bob.owner, entry_count: 0, max_entries: 1_000_000 },
    ]);
  });
});

describe('a database created before kinds were stored', () => {
  it('gets the kind of each file, and none for directories', async () => {
    const { database } = await openTestDatabase({ migrated: false });
    const at = MIGRATIONS.findIndex(({ name }) => name === '0024-kinds');
    await migrate(database, MIGRATIONS.slice(0, 1));
    await database.transact((tx) =>
      sql`insert into blob (object_key, kind, size, reference_count, created_by, created_at)
        values ('blobs/1', 'FILE', 0, 1, 1, 1)`.execute(tx),
    );
    await migrate(database, MIGRATIONS.slice(0, at));
    const types = [
      ...['image/png', 'video/mp4', 'audio/flac', 'text/plain; charset=utf-8', 'application/pdf'],
      ...[
        'application/json; charset=utf-8',
        'application/zip',
        'application/zipper',
        'application/vnd.ms-excel.x',
      ],
      null,
    ];
    await database.transact(async (tx) => {
      const { owner } = await makeDrive(tx, 3);
      for (const [number, type] of types.entries()) {
        await sql`insert into entry (owner_id, parent_id, name, folded_name, is_directory, blob_id, size, content_type,
            created_at, updated_at)
          select ${owner}, min(entry.id), ${`file ${number}`}, ${`file ${number}`}, 0, min(blob.id), 0, ${type}, 1, 1
          from entry, blob`.execute(tx);
      }
    });
    await migrate(database);
    const entries = await database.db.selectFrom('entry').selectAll().orderBy('id').execute();
    assert.deepEqual(
      entries.filter(({ is_directory }) => is_directory === 1).map(({ kind }) => kind),
      [null, null, null, null],
    );
    const files = entries.filter(({ is_directory }) => is_directory === 0);
    assert.equal(files.length, types.length);
    for (const { content_type, kind } of files) assert.equal(kind, toTypeColumns(content_type).kind);
  });
});

describe('a database created before the local times of pictures were stored', () => {
  it('gets them from the metadata of the pictures, also of thousands', onSqlite, async () => {
    const { database } = await openTestDatabase({ migrated: false });
    const at = MIGRATIONS.findIndex(({ name }) => name === '0038-local-times');
    await migrate(database, MIGRATIONS.slice(0, at));
    const times = [
      ['2026-05-31T23:30:00-11:00', Date.parse('2026-05-31T23:30:00Z')],
      ['2026-06-02T00:30:00+13:00', Date.parse('2026-06-02T00:30:00Z')],
      ['2026-06-02T00:30:00', null],
      ['2026-06-02T00:30:00Z', null],
      ['2026-06-02T00:30:00+00:00', null],
      ['not a time+01:00', null],
    ] as const;
    await database.transact(async (tx) => {
      await makeDrive(tx, 2_300);
      await sql`insert into entry_metadata (entry_id, name, value) select id, 'media:size', '1' from entry`.execute(
        tx,
      );
      for (const [place, [time]] of times.entries()) {
        await sql`insert into entry_metadata (entry_id, name, value)
          select id, 'media:takenAt', ${time} from entry where id % ${times.length} = ${place}`.execute(tx);
        const taken = Date.parse(/Z|[+-]\d\d:\d\d$/.test(time) ? time : `${time}Z`) || 0;
        await sql`update entry set taken_at = ${taken} where id % ${times.length} = ${place}`.execute(tx);
      }
    });
    await migrate(database);
    const entries = await database.db.selectFrom('entry').select(['id', 'taken_local']).execute();
    assert.ok(entries.length > 2_000);
    for (const { id, taken_local } of entries)
      assert.equal(taken_local, times[id % times.length]?.[1], `${id}`);
  });
});

describe('a database created before sort keys were stored', () => {
  it('gets the sort key of each name, also if it has more than one batch of them', async () => {
    const { database } = await openTestDatabase({ migrated: false });
    const at = MIGRATIONS.findIndex(({ name }) => name === '0043-sort-names');
    await migrate(database, MIGRATIONS.slice(0, at));
    await database.transact((tx) => makeDrive(tx, 1_100));
    await migrate(database);
    const entries = await database.db
      .selectFrom('entry')
      .select(['name', 'sort_name'])
      .orderBy('sort_name')
      .execute();
    for (const { name, sort_name } of entries) assert.equal(sort_name, toSortName(name));
    assert.deepEqual(
      entries.slice(1).map(({ name }) => name),
      Array.from({ length: 1_100 }, (_, number) => `name ${number}`),
    );
  });
});

describe('a database created before texts of WebDAV clients and transfers were counted', () => {
  it('has one row for all properties of an entry, and the sums of each transfer', async () => {
    const { database } = await openTestDatabase({ migrated: false });
    const at = MIGRATIONS.findIndex(({ name }) => name === '0041-charged-texts');
    await migrate(database, MIGRATIONS.slice(0, at));
    const values = [
      ['', 'plain', '<plain>"\\\n</plain>'],
      ['urn:ü', 'p', '<x:p xmlns:x="urn:ü">😀</x:p>'],
    ];
    const { owner } = await database.transact(async (tx) => {
      const ids = await makeDrive(tx, 3);
      for (const [namespace, name, value] of values) {
        await sql`insert into dav_property (entry_id, namespace, name, value)
          select min(id), ${namespace}, ${name}, ${value} from entry`.execute(tx);
      }
      await sql`insert into transfer_session (id, mode, status, pickup_code, owner_id, sender_hash, requires_token,
          offline_bytes, last_cursor, signal_count, created_at, expires_at)
        values ('t', 'OFFLINE', 'READY', 'ABCDEF', ${ids.owner}, '', 0, 7, 0, 0, 1, 2)`.execute(tx);
      for (const position of [0, 1]) {
        await sql`insert into transfer_file (id, session_id, position, name, relative_path, size)
          values (${`f${position}`}, 't', ${position}, 'ü.txt', 'a/ü.txt', 1)`.execute(tx);
      }
      return ids;
    });
    await migrate(database);
    const [stored, ...others] = await database.db.selectFrom('dav_property').selectAll().execute();
    assert.ok(stored);
    assert.deepEqual(others, []);
    assert.deepEqual(JSON.parse(stored.properties).toSorted(), values);
    assert.equal(stored.bytes, 256 + Buffer.byteLength(stored.properties));
    assert.equal(stored.owner_id, owner);
    const transfer = await database.db.selectFrom('transfer_session').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual([transfer.file_count, transfer.text_bytes], [2, 2 * (100 + 6 + 8)]);
  });
});

if (isPostgres) {
  describe('without the right to create an extension', () => {
    it('a database is migrated, and searched without the trigram index', async () => {
      const { database, url } = await openTestDatabase({ migrated: false });
      const { role, url: roleUrl } = await makeRole(database, url ?? '');
      const poor = new Database(openPostgres(roleUrl, () => {}));
      try {
        await migrate(poor);
        assert.equal(
          (await sql`select 1 from pg_extension where extname = 'pg_trgm'`.execute(poor.db)).rows.length,
          0,
        );
        const ids = await poor.transact((tx) => makeDrive(tx, 30));
        assert.equal(await countFound(poor, ids.owner, 'name 2'), 11);
        assert.equal(await countFound(poor, ids.owner, 'é'), 0);
      } finally {
        await poor.close();
        await database.transact(async (tx) => {
          await sql.raw(`drop owned by ${role} cascade`).execute(tx);
          await sql.raw(`drop role ${role}`).execute(tx);
        });
      }
    });
  });

  describe('the schema', () => {
    it('has the same tables, columns and unique rules on both engines', async () => {
      const { database: postgres } = await openTestDatabase();
      const { database: sqlite } = await openTestDatabase({ engine: 'sqlite' });
      const schema = await readSchema(postgres);
      assert.ok(schema.tables.length >= 10, `only ${schema.tables.length} tables were read`);
      assert.ok(schema.uniqueRules.length >= 15, `only ${schema.uniqueRules.length} rules were read`);
      assert.deepEqual(schema, await readSchema(sqlite));
    });
  });
}

/** A role that may create tables in the database, and nothing else. */
async function makeRole(database: Database, url: string): Promise<{ role: string; url: string }> {
  const role = `poor_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  await database.transact(async (tx) => {
    await sql.raw(`create role ${role} login password '${password}'`).execute(tx);
    await sql.raw(`grant usage, create on schema public to ${role}`).execute(tx);
  });
  const roleUrl = new URL(url);
  roleUrl.username = role;
  roleUrl.password = password;
  return { role, url: roleUrl.href };
}

/**
 * Inserts an account whose root has `count` directories, using only columns that every version of the schema
 * has.
 */
async function makeDrive(tx: Tx, directories: number, name = 'alice'): Promise<{ owner: number }> {
  const { rows } = await sql<{ id: number }>`
    insert into account (username, folded_username, display_name, role, storage_quota_bytes, max_upload_size_bytes,
      created_at, updated_at)
    values (${name}, ${name}, ${name}, 'USER', 1, 1, 1, 1) returning id`.execute(tx);
  const owner = rows[0]?.id ?? 0;
  const insert = (parentId: number | null, name: string) => sql<{ id: number }>`
    insert into entry (owner_id, parent_id, name, folded_name, is_directory, size, child_count, created_at, updated_at)
    values (${owner}, ${parentId}, ${name}, ${name}, 1, 0, ${parentId === null ? directories : 0}, 1, 1) returning id`;
  const root = (await insert(null, '').execute(tx)).rows[0]?.id ?? 0;
  for (let number = 0; number < directories; number += 1) await insert(root, `name ${number}`).execute(tx);
  return { owner };
}

async function countFound(
  database: Database,
  ownerId: number,
  text: string,
  by: 'name' | 'words' = 'name',
): Promise<number> {
  const all = { from: undefined, to: undefined };
  const ranges = { size: all, created: all, updated: all, modified: all };
  const types = { isDirectory: undefined, kind: undefined };
  const question = { ...(by === 'name' ? { name: text } : { words: text }), ...types, ...ranges, paths: [] };
  const conditions = { name: undefined, words: undefined, ...question };
  const { items, total } = await new Search(database).find(ownerId, conditions, { page: 0, size: 1_000 });
  assert.equal(items.length, total);
  return total;
}

async function stepsOf(database: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from schema_step order by name`.execute(
    database.db,
  );
  return rows.map((row) => row.name);
}
