import type { Migration } from '../migration.ts';

/*
 * Counts the bytes of each account in its recycle bin and in former versions of its files, which are together
 * limited to the quota. Versions get the owner of their file, so that the oldest of a drive are found.
 */
export const keptBytes: Migration = {
  name: '0046-kept-bytes',
  statements: ({ integer }) => [
    `alter table file_version add column owner_id ${integer} not null default 0`,
    `update file_version set owner_id = (select owner_id from entry where entry.id = file_version.entry_id)`,
    'create index file_version__owner_id on file_version (owner_id, replaced_at, id)',
    `alter table account add column kept_bytes ${integer} not null default 0`,
    `update account set kept_bytes = kept.bytes
      from (
        select owner_id, sum(size) as bytes from (
          select owner_id, size from entry where bin_root_id is not null
          union all
          select owner_id, size from file_version
        ) as each_one group by owner_id
      ) as kept
      where kept.owner_id = account.id`,
  ],
};
