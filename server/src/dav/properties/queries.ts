import { sql } from 'kysely';
import type { Db, Tx } from '../../database/database.ts';
import type { XmlName } from '../xml/names.ts';

/** A property that a client has stored with an entry. The value is its whole element, as XML. */
export interface DeadProperty {
  readonly name: XmlName;
  readonly value: string;
}

/** The stored properties by entry id. Entries without any are left out. */
export type DeadProperties = ReadonlyMap<number, readonly DeadProperty[]>;

/** The most bytes of all properties that clients have stored in one drive, with its recycle bin. */
export const MAX_BYTES_OF_DRIVE = 16 * 1_024 * 1_024;

/** Rows per statement. SQLite allows 32,766 parameters. */
const ROWS_PER_STATEMENT = 1_000;

/** The dead properties of entries. */
export async function findDeadProperties(db: Db, entryIds: readonly number[]): Promise<DeadProperties> {
  if (entryIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('dav_property')
    .selectAll()
    .where('entry_id', 'in', entryIds)
    .orderBy('entry_id')
    .orderBy('namespace')
    .orderBy('name')
    .execute();
  return toProperties(rows);
}

/**
 * The bytes of the dead properties of the members of a directory whose names are `first` to `last`, by the ids of
 * the members. A statement with the ids of a thousand members would take longer to write than to run.
 */
export async function findDeadBytesOfMembers(
  db: Db,
  directoryId: number,
  { first, last }: { readonly first: string; readonly last: string },
): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('entry')
    .innerJoin('dav_property', 'dav_property.entry_id', 'entry.id')
    .select((of) => ['dav_property.entry_id', of.fn.sum<number>('dav_property.bytes').as('bytes')])
    .where('entry.parent_id', '=', directoryId)
    .where('entry.name', '>=', first)
    .where('entry.name', '<=', last)
    .groupBy('dav_property.entry_id')
    .execute();
  return new Map(rows.map(({ entry_id: entryId, bytes }) => [entryId, Number(bytes)]));
}

/** The bytes of all dead properties of a drive. */
export async function sumDeadBytes(db: Db, ownerId: number): Promise<number> {
  const { bytes } = await db
    .selectFrom('dav_property')
    .select((of) => of.fn.sum<number | null>('bytes').as('bytes'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

function toProperties(
  rows: readonly { entry_id: number; namespace: string; name: string; value: string }[],
): DeadProperties {
  const found = new Map<number, DeadProperty[]>();
  for (const { entry_id: entryId, namespace, name: local, value } of rows) {
    const property = { name: { namespace, local }, value };
    const others = found.get(entryId);
    if (others === undefined) found.set(entryId, [property]);
    else others.push(property);
  }
  return found;
}

/** What a property counts for besides its name and its value: its row in the table and the index. */
const ROW_BYTES = 64;

/** The bytes that are charged for a property. */
export function bytesOf({ name, value }: DeadProperty): number {
  return (
    ROW_BYTES + Buffer.byteLength(name.namespace) + Buffer.byteLength(name.local) + Buffer.byteLength(value)
  );
}

/** Replaces all dead properties of an entry. */
export async function replaceDeadProperties(
  tx: Tx,
  { id: entryId, ownerId }: { readonly id: number; readonly ownerId: number },
  properties: readonly DeadProperty[],
): Promise<void> {
  await tx.deleteFrom('dav_property').where('entry_id', '=', entryId).execute();
  const rows = properties.map((property) => ({
    entry_id: entryId,
    owner_id: ownerId,
    namespace: property.name.namespace,
    name: property.name.local,
    value: property.value,
    bytes: bytesOf(property),
  }));
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
    await tx
      .insertInto('dav_property')
      .values(rows.slice(at, at + ROWS_PER_STATEMENT))
      .execute();
  }
}

/** The bytes of the dead properties of an entry and, if it is deep, of everything below it. */
export async function sumDeadBytesOf(db: Db, entryId: number, isDeep: boolean): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    with recursive tree (id) as (
      select cast(${entryId} as bigint)
      union all
      select entry.id from tree join entry on entry.parent_id = tree.id where ${isDeep ? 1 : 0} = 1
    )
    select cast(coalesce(sum(dav_property.bytes), 0) as bigint) as bytes
    from tree join dav_property on dav_property.entry_id = tree.id`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/**
 * Copies the dead properties of an entry to its copy and, if it is deep, those of everything below it. The two trees
 * are walked together: an entry and its copy have the same names on the way from the roots.
 */
export async function copyDeadProperties(
  tx: Tx,
  { fromId, toId, isDeep }: { readonly fromId: number; readonly toId: number; readonly isDeep: boolean },
): Promise<void> {
  await sql`
    insert into dav_property (entry_id, owner_id, namespace, name, value, bytes)
    with recursive twin (from_id, to_id) as (
      select cast(${fromId} as bigint), cast(${toId} as bigint)
      union all
      select original.id, copy.id
      from twin
      join entry as original on original.parent_id = twin.from_id
      join entry as copy on copy.parent_id = twin.to_id and copy.name = original.name
      where ${isDeep ? 1 : 0} = 1
    )
    select twin.to_id, dav_property.owner_id, dav_property.namespace, dav_property.name, dav_property.value,
      dav_property.bytes
    from twin join dav_property on dav_property.entry_id = twin.from_id`.execute(tx);
}
