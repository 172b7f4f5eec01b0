// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { CompiledOnce } from '../../src/database/compiled-once.ts';
import { openTestDatabase } from '../support/database/open-database.ts';
import { isPostgres } from '../support/database/test-database.ts';

const { database } = await openTestDatabase();
const other = await openTestDatabase({ engine: 'sqlite' });

interface Values {
  readonly name: string;
  readonly value: string;
}

let compilations = 0;
const PUT = new CompiledOnce<Values, { name: string; value: string }>((db, value) => {
  compilations += 1;
  return sql<{ name: string; value: string }>`
    insert into setting (name, value, updated_at) values (${value('name')}, ${value('value')}, ${7})
    on conflict (name) do update set value = ${value('value')} || ${'!'}
    returning name, value`.compile(db);
});

test('a statement gets its values by their names, wherever they stand in it', async () => {
  const put = (values: Values) => database.transact((tx) => PUT.findFirst(tx, values));
  assert.deepEqual(await put({ name: 'one', value: 'a' }), { name: 'one', value: 'a' });
  assert.deepEqual(await put({ name: 'one', value: 'b' }), { name: 'one', value: 'b!' });
  assert.deepEqual(await put({ value: 'c', name: 'two' }), { name: 'two', value: 'c' });
});

test('a statement is compiled once for each database, in its dialect', async () => {
  const before = compilations;
  for (const { transact } of [database, other.database].map((one) => ({
    transact: one.transact.bind(one),
  }))) {
    for (const value of ['x', 'y']) {
      const row = await transact((tx) => PUT.findFirst(tx, { name: 'both', value }));
      assert.equal(row?.value, value === 'x' ? 'x' : 'y!');
    }
  }
  assert.equal(compilations - before, 1);
});

test('a statement in a transaction does not see the values of another that runs at the same time', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `racing ${index}`);
  await Promise.all(
    names.map((name) => database.transact((tx) => PUT.run(tx, { name, value: `of ${name}` }))),
  );
  const { rows } = await sql<Values>`select name, value from setting where name like 'racing %'`.execute(
    database.db,
  );
  assert.equal(rows.length, names.length);
  for (const { name, value } of rows) assert.equal(value, `of ${name}`);
});

test('without a row there is no first row', async () => {
  const FIND = new CompiledOnce<{ name: string }, { value: string }>((db, value) =>
    db.selectFrom('setting').select('value').where('name', '=', value('name')).compile(),
  );
  assert.equal(await FIND.findFirst(database.db, { name: 'no such setting' }), undefined);
  assert.deepEqual(await FIND.findFirst(database.db, { name: 'two' }), { value: 'c' });
});

test('PostgreSQL keeps such a statement by its name, and others not', { skip: !isPostgres }, async () => {
  const { rows } = await database.transact(async (tx) => {
    for (const value of ['one', 'two']) await PUT.run(tx, { name: 'kept', value });
    await sql`select value from setting where name = ${'kept'}`.execute(tx);
    return sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(tx);
  });
  assert.equal(rows.filter(({ statement }) => statement.includes('insert into setting')).length, 1);
  assert.ok(!rows.some(({ statement }) => statement.startsWith('select value')));
});
