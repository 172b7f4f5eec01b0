import { sql } from 'kysely';
import type { Database } from '../../../src/database/database.ts';

interface Named {
  readonly id: number;
  readonly folded_name: string;
  readonly plain_name: string | null;
}

/**
 * Describes each difference between the entries and the name index of SQLite. On PostgreSQL the engine itself
 * keeps its index consistent.
 */
export async function auditNameIndex(
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
    // A search reads waiting entries whatever the index says.
    if (waiting.delete(entry.id)) continue;
    const { folded_name, plain_name } = entry;
    const expected = trigramsOf(plain_name === null ? folded_name : `${folded_name}/${plain_name}`);
    if (trigrams !== expected) {
      faults.push(`"${folded_name}" (${entry.id}) is indexed as "${trigrams}", not "${expected}"`);
    }
  }
  for (const id of waiting) faults.push(`${id} waits to be indexed but is not an entry`);
  for (const id of indexed.keys()) faults.push(`${id} is indexed but is not an entry`);
  return faults;
}

/** Reads the sorted trigrams of each indexed entry as one text. */
function readIndex(database: Database) {
  // Needs a transaction, because a virtual table must be created to read the index.
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
