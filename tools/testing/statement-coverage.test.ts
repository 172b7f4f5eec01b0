// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUncoveredStatements, normaliseStatement, type RunStatement } from './statement-coverage.ts';

const onSqlite: RunStatement = {
  text: 'select "id" from "entry" where "id" = ?',
  engine: 'sqlite',
  file: 'server/test/drive/tree.test.ts',
  place: 'server/src/drive/queries.ts:20',
};

test('a statement that ran only on SQLite is reported, with its place and a file that runs it', () => {
  const other = { text: 'select 1', engine: 'postgres', file: 'cli/test/files.test.ts', place: '' } as const;
  assert.deepEqual(findUncoveredStatements([onSqlite, other]), [
    'A statement of server/src/drive/queries.ts:20 ran on SQLite only; let a test file that runs it say ' +
      '"// runs on, with --full: postgres", such as server/test/drive/tree.test.ts: ' +
      'select "id" from "entry" where "id" = ?',
  ]);
});

test('a statement is reported once, however many files run it', () => {
  const again = { ...onSqlite, file: 'server/test/drive/changes.test.ts' };
  assert.equal(findUncoveredStatements([onSqlite, again]).length, 1);
});

test('a statement is covered by any file that runs it on PostgreSQL', () => {
  const elsewhere = { ...onSqlite, engine: 'postgres', file: 'server/test/events/cursors.test.ts' } as const;
  assert.deepEqual(findUncoveredStatements([onSqlite, elsewhere]), []);
});

test('a statement that ran only on SQLite is no fault if its file also runs on PostgreSQL', () => {
  const another = { ...onSqlite, text: 'select 1', engine: 'postgres' } as const;
  assert.deepEqual(findUncoveredStatements([onSqlite, another]), []);
  assert.deepEqual(
    findUncoveredStatements([{ ...onSqlite, file: 'cli/test/files.test.ts' }, onSqlite, another]),
    [],
  );
});

test('a combination of conditions is covered if each one ran in a statement of the same place', () => {
  const begin = 'select "id" from "task" where';
  const place = 'server/src/tasks/queries.ts:9';
  const ofOwner = {
    text: `${begin} "owner_id" = ? order by "id"`,
    engine: 'postgres',
    file: 'a',
    place,
  } as const;
  const ofType = { ...ofOwner, text: `${begin} "type" = ?` };
  const ofBoth = { ...onSqlite, text: `${begin} "owner_id" = ? and "type" = ?`, place };
  assert.deepEqual(findUncoveredStatements([ofOwner, ofType, ofBoth]), []);
  assert.equal(findUncoveredStatements([ofOwner, ofBoth]).length, 1);
  assert.equal(
    findUncoveredStatements([ofOwner, ofType, { ...ofBoth, place: 'server/src/a.ts:1' }]).length,
    1,
  );
});

test('a statement that exists only on PostgreSQL is no fault', () => {
  assert.deepEqual(findUncoveredStatements([{ ...onSqlite, engine: 'postgres' }]), []);
});

test('statements of the SQLite folder, and of tables only in SQLite, are no fault', () => {
  const table = { ...onSqlite, text: 'select rowid from entry_search where entry_search match ?' };
  assert.deepEqual(findUncoveredStatements([table]), []);
  const pragma = { ...onSqlite, text: 'pragma optimize', place: 'server/src/database/sqlite/sqlite.ts:3' };
  assert.deepEqual(findUncoveredStatements([pragma]), []);
});

const ONE_TEXT = [
  {
    title: 'parameters',
    sqlite: 'a = +? and b = ?',
    postgres: 'a = $1 and b = $12',
    text: 'a = ? and b = ?',
  },
  { title: 'lists of any length', sqlite: 'a in (+?, +?)', postgres: 'a in ($1)', text: 'a in (?)' },
  {
    title: 'rows of values',
    sqlite: 'values (+?, null), (+?, +?)',
    postgres: 'values ($1, default)',
    text: 'values (?)',
  },
  {
    title: 'rows with numbers and calls',
    sqlite: '(values (0, 1, cast(+? as text)), (0, 2, cast(+? as text)))',
    postgres: '(values (0, 1, cast($1 as text)))',
    text: '(values (?, cast(? as text)))',
  },
  { title: 'numbers', sqlite: 'depth = 4', postgres: 'depth = 11', text: 'depth = ?' },
  {
    title: 'row locks',
    sqlite: 'select a from b',
    postgres: 'select a from b for update skip locked',
    text: 'select a from b',
  },
  {
    title: 'line breaks',
    sqlite: 'select a\n  from b',
    postgres: 'select a from b',
    text: 'select a from b',
  },
];

for (const { title, sqlite, postgres, text } of ONE_TEXT) {
  test(`a statement has one text on both engines: ${title}`, () => {
    assert.equal(normaliseStatement(sqlite), text);
    assert.equal(normaliseStatement(postgres), text);
  });
}

test('statements with different columns or conditions have different texts', () => {
  const texts = ['set a = $1', 'set b = $1', 'set a = $1, b = $2', 'set a = $1 where c is null'];
  assert.equal(new Set(texts.map(normaliseStatement)).size, texts.length);
});
