import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../database/database.ts';
import type { NamePlace } from '../../drive/drive.ts';
import type { XmlName } from '../xml/names.ts';

/** A property that a client has stored with an entry. The value is its whole element, as XML. */
export interface DeadProperty {
  readonly name: XmlName;
  readonly value: string;
}

/** The stored properties by entry id. Entries without any are left out. */
export type DeadProperties = ReadonlyMap<number, readonly DeadProperty[]>;

/** The maximum size of all properties that clients store in one drive, including its recycle bin. */
export const MAX_BYTES_OF_DRIVE = 16 * 1_024 * 1_024;

/**
 * The bytes that an entry with properties counts for in addition to them, for its row in the table and in the
 * index.
 */
export const ROW_BYTES = 256;

/** The dead properties of entries. */
export async function findDeadProperties(db: Db, entryIds: readonly number[]): Promise<DeadProperties> {
  if (entryIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('dav_property')
    .select(['entry_id', 'properties'])
    .where('entry_id', 'in', entryIds)
    .execute();
  return new Map(rows.map((row) => [row.entry_id, fromText(row.properties)]));
}

/**
 * The size of each member's dead properties, by member id, for a directory's members from `first` to `last`
 * in their order by name. Takes a range rather than ids, because a statement with a thousand ids would take
 * longer to write than to run.
 */
export async function findDeadBytesOfMembers(
  db: Db,
  directoryId: number,
  { first, last }: { readonly first: NamePlace; readonly last: NamePlace },
): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('entry')
    .innerJoin('dav_property', 'dav_property.entry_id', 'entry.id')
    .select(['dav_property.entry_id', 'dav_property.bytes'])
    .where('entry.parent_id', '=', directoryId)
    .where(sql<SqlBool>`(entry.sort_name, entry.name) >= (${first.sortName}, ${first.name})`)
    .where(sql<SqlBool>`(entry.sort_name, entry.name) <= (${last.sortName}, ${last.name})`)
    .execute();
  return new Map(rows.map(({ entry_id: entryId, bytes }) => [entryId, bytes]));
}

/** The size of all dead properties in a drive. */
export async function sumDeadBytes(db: Db, driveId: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select cast(coalesce(sum(bytes), 0) as bigint) as bytes from dav_property
    where drive_id = ${driveId}`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/** The size of an entry's dead properties and, if `isDeep`, of those of everything below it. */
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

/** Replaces all dead properties of an entry. */
export async function replaceDeadProperties(
  tx: Tx,
  { id, driveId }: { readonly id: number; readonly driveId: number },
  list: readonly DeadProperty[],
): Promise<void> {
  if (list.length === 0) {
    await tx.deleteFrom('dav_property').where('entry_id', '=', id).execute();
    return;
  }
  const properties = toText(list);
  const bytes = ROW_BYTES + Buffer.byteLength(properties);
  await tx
    .insertInto('dav_property')
    .values({ entry_id: id, drive_id: driveId, bytes, properties })
    .onConflict((conflict) => conflict.column('entry_id').doUpdateSet({ bytes, properties }))
    .execute();
}

interface PropertyCopy {
  readonly fromId: number;
  readonly toId: number;
  /** The drive of the copy. */
  readonly driveId: number;
  readonly isDeep: boolean;
}

/**
 * Copies an entry's dead properties to its copy and, if `isDeep`, those of everything below it. Both trees
 * are walked together: an entry and its copy have the same path from their roots.
 */
export async function copyDeadProperties(
  tx: Tx,
  { fromId, toId, driveId, isDeep }: PropertyCopy,
): Promise<void> {
  await sql`
    insert into dav_property (entry_id, drive_id, bytes, properties)
    with recursive twin (from_id, to_id) as (
      select cast(${fromId} as bigint), cast(${toId} as bigint)
      union all
      select original.id, copy.id
      from twin
      join entry as original on original.parent_id = twin.from_id
      join entry as copy on copy.parent_id = twin.to_id and copy.name = original.name
      where ${isDeep ? 1 : 0} = 1
    )
    select twin.to_id, cast(${driveId} as bigint), dav_property.bytes, dav_property.properties
    from twin join dav_property on dav_property.entry_id = twin.from_id`.execute(tx);
}

function toText(list: readonly DeadProperty[]): string {
  return JSON.stringify(list.map(({ name: { namespace, local }, value }) => [namespace, local, value]));
}

/** Reads what `toText` wrote. */
function fromText(text: string): readonly DeadProperty[] {
  const list = JSON.parse(text) as readonly (readonly [string, string, string])[];
  return list.map(([namespace, local, value]) => ({ name: { namespace, local }, value }));
}
