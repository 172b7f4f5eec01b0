// tier: full
// runs on: sqlite, postgres
// How the index of texts is read when there are many texts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompiledQuery } from 'kysely';
import type { Tx } from '../../src/database/database.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { searchDirectly } from '../support/content-search/direct-search.ts';
import { PlainTexts, takeTexts } from '../support/content-search/plain-texts.ts';
import { isPostgres } from '../support/database/test-database.ts';

type Query = Pick<CompiledQuery, 'sql' | 'parameters'>;

let queries: Query[] = [];
const holdall = await startHoldall({
  onQuery: (query) => queries.push(query),
  extraction: new PlainTexts(),
});
const alice = await holdall.register('alice');
const tree = await alice.mkdir('/tree');
await alice.upload('/tree/letter.txt', 'a letter', 'text/plain');
await takeTexts(holdall);

/** 20,000 texts of 100 terms. One of them is in every text. */
const FILL_TEXTS = [
  `insert into blob (object_key, kind, size, reference_count, created_by, created_at)
    select 'text ' || number, 'FILE', 1, 1, 1, 1 from generate_series(1, 20000) as number`,
  `insert into entry (drive_id, parent_id, name, folded_name, is_directory, size, created_at, updated_at, blob_id)
    select ${alice.driveId}, ${tree.id}, object_key, object_key, 0, 1, 1, 1, id from blob
    where object_key like 'text %'`,
  `insert into blob_text
    select (jsonb_populate_record(sample, jsonb_build_object('blob_id', blob.id, 'terms', (
      select 'common ' || string_agg('word' || (blob.id * term) % 20000, ' ')
      from generate_series(1, 99) as term
    )))).*
    from blob_text as sample, blob
    where sample.blob_id = (select min(blob_id) from blob_text where terms is not null)
      and object_key like 'text %'`,
  'analyze blob',
  'analyze entry',
  'analyze blob_text',
];

for (const [what, q, plan] of [
  ['a rare word', 'word7', /Bitmap Index Scan on blob_text__terms/],
  // The newest texts have enough matches. The index of terms would find all of them.
  ['a frequent word', 'common', /Scan Backward using blob_text_pkey/],
] as const) {
  test(`a search in texts uses an index for ${what}`, async () => {
    queries = [];
    await searchDirectly(holdall, alice, { q, limits: { maxFewEntries: 0 } });
    const query = queries.find(({ sql }) => sql.includes('hit_entry'));
    assert.ok(query);
    assert.match(await explain(query), isPostgres ? plan : /VIRTUAL TABLE INDEX \S*M1/);
  });
}

/** Returns the plan of a query among many texts. They are rolled back. */
async function explain({ sql, parameters }: Query): Promise<string> {
  const undone = new Error('undone');
  let plan = '';
  const work = async (tx: Tx) => {
    for (const statement of isPostgres ? FILL_TEXTS : []) {
      await tx.executeQuery(CompiledQuery.raw(statement));
    }
    const verb = isPostgres ? 'explain' : 'explain query plan';
    const { rows } = await tx.executeQuery(CompiledQuery.raw(`${verb} ${sql}`, [...parameters]));
    plan = rows.map((row) => Object.values(row as object).join(' ')).join('\n');
    throw undone;
  };
  await assert.rejects(holdall.app.database.transact(work), undone);
  return plan;
}
