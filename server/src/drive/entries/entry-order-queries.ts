import { type RawBuilder, sql } from 'kysely';
import type { SortKey } from '../contract.ts';

export interface EntryOrder {
  /** Undefined: directories first, then by name. */
  readonly sort: SortKey | undefined;
  readonly direction: 'asc' | 'desc';
}

const SORT_COLUMNS = {
  size: 'size',
  updatedAt: 'updated_at',
  createdAt: 'created_at',
  modifiedAt: 'modified_at',
} as const;

/**
 * What follows `order by`, for columns of the table `entry`. In a directory, every order is that of an index,
 * forward or backward. It is total, so each entry is on exactly one page.
 */
export function toEntryOrder({ sort, direction }: EntryOrder): RawBuilder<unknown> {
  const by = sql.raw(direction);
  const byNames = sql`entry.sort_name ${by}, entry.name ${by}, entry.id ${by}`;
  if (sort === undefined) return sql`entry.is_directory desc, ${byNames}`;
  if (sort === 'name') return byNames;
  return sql`${sql.ref(`entry.${SORT_COLUMNS[sort]}`)} ${by}, entry.id ${by}`;
}
