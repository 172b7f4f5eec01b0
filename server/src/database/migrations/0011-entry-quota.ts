import type { Migration } from '../migration.ts';

/*
 * Counts the entries of each account, live ones and those in the recycle bin. The root of a drive does not
 * count. Accounts that exist get the default limit.
 */
export const entryQuota: Migration = {
  name: '0011-entry-quota',
  statements: ({ integer }) => [
    `alter table account add column entry_count ${integer} not null default 0 check (entry_count >= 0)`,
    `alter table account add column max_entries ${integer} not null default 1000000 check (max_entries > 0)`,
    // One pass over all entries, instead of one per account.
    `update account set entry_count = counted.entries
      from (
        select owner_id, count(*) as entries from entry
        where parent_id is not null or deleted_at is not null
        group by owner_id
      ) as counted
      where counted.owner_id = account.id`,
  ],
};
