// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { CompiledOnce, nameOfCompiled } from '../../src/database/compiled-once.ts';
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

test('a statement gets its values by name, wherever they are used in it', async () => {
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

test('a statement does not get values of the same statement in a simultaneous transaction', async () => {
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

test('a statement that finds no row returns undefined as its first row', async () => {
  const FIND = new CompiledOnce<{ name: string }, { value: string }>((db, value) =>
    db.selectFrom('setting').select('value').where('name', '=', value('name')).compile(),
  );
  assert.equal(await FIND.findFirst(database.db, { name: 'no such setting' }), undefined);
  assert.deepEqual(await FIND.findFirst(database.db, { name: 'two' }), { value: 'c' });
});

test('only such a statement has a name, by which PostgreSQL keeps it prepared', async () => {
  await database.transact(async (tx) => {
    for (const value of ['one', 'two']) await PUT.run(tx, { name: 'kept', value });
    const other = sql<{ value: string }>`select value from setting where name = ${'kept'}`.compile(tx);
    await tx.executeQuery(other);
    assert.equal(nameOfCompiled(other.sql), undefined);
    if (!isPostgres) return;
    const { rows } = await sql<{ name: string; statement: string }>`
      select name, statement from pg_prepared_statements`.execute(tx);
    const kept = rows.filter(({ statement }) => /insert into setting|select value/.test(statement));
    assert.deepEqual(
      kept.map(({ name, statement }) => name === nameOfCompiled(statement) && statement.includes('insert')),
      [true],
    );
  });
});
