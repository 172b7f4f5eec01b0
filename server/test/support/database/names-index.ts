import { sql } from 'kysely';
import type { Database } from '../../../src/database/database.ts';

interface Named {
  readonly id: number;
  readonly folded_name: string;
}

/**
 * A sentence for each entry that search would miss, and each that its index should have forgotten. On PostgreSQL the index
 * is the engine's own, and so is its truth.
 */
export async function auditNamesIndex(
  database: Database,
  entries: readonly Named[],
): Promise<readonly string[]> {
  if (database.engine.name !== 'sqlite') return [];
  const { waiting, indexed } = await readIndex(database);
  const faults: string[] = [];
  if (waiting.size >= 256) faults.push(`${waiting.size} names wait to be indexed`);
  for (const entry of entries) {
    const trigrams = indexed.get(entry.id) ?? '';
    indexed.delete(entry.id);
    // What waits is looked at whatever the index says of it.
    if (waiting.delete(entry.id)) continue;
    const expected = trigramsOf(entry.folded_name);
    if (trigrams !== expected) {
      faults.push(`"${entry.folded_name}" (${entry.id}) is indexed as "${trigrams}", not "${expected}"`);
    }
  }
  for (const id of waiting) faults.push(`${id} waits to be indexed and is no entry`);
  for (const id of indexed.keys()) faults.push(`${id} is indexed and is no entry`);
  return faults;
}

/** What the index says of each entry, as one text of its trigrams in order. */
function readIndex(database: Database) {
  // A statement that writes runs in a transaction only, and the table that shows an index is one that must be made.
  return database.transact(async (tx) => {
    await sql`create virtual table temp.entry_search_word using fts5vocab(main, entry_search, instance)`.execute(
      tx,
    );
    const { rows } = await sql<{ id: number; trigrams: string }>`
      select doc as id, group_concat(term, '|' order by term) as trigrams from entry_search_word group by doc`.execute(
      tx,
    );
    await sql`drop table temp.entry_search_word`.execute(tx);
    const { rows: waiting } = await sql<{ id: number }>`select entry_id as id from unindexed_entry`.execute(
      tx,
    );
    await sql`insert into entry_search (entry_search) values ('integrity-check')`.execute(tx);
    return {
      waiting: new Set(waiting.map((row) => row.id)),
      indexed: new Map(rows.map((row) => [row.id, row.trigrams])),
    };
  });
}

function trigramsOf(name: string): string {
  const characters = Array.from(name);
  const trigrams = characters.slice(2).map((_, index) => characters.slice(index, index + 3).join(''));
  const inOrder = [...new Set(trigrams)].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return inOrder.join('|');
}
