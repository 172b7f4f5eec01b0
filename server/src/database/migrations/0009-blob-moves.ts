import type { Migration } from '../migration.ts';

export const blobMoves: Migration = {
  name: '0009-blob-moves',
  statements: ({ id, integer, text }) => [
    `create table blob_relocation (
      id ${id},
      task_id ${integer} not null,
      source_policy_id ${integer} not null references storage_policy (id),
      target_policy_id ${integer} not null references storage_policy (id),
      last_blob_id ${integer} not null,
      status ${text} not null check (status in ('COPYING', 'SWITCHED', 'ABANDONED')),
      clean_after ${integer} not null,
      created_at ${integer} not null,
      check (source_policy_id <> target_policy_id)
    )`,
    // At most one policy migration is COPYING.
    `create unique index blob_relocation__status on blob_relocation (status) where status = 'COPYING'`,

    // No foreign key to the blob, which may be deleted before its copy is removed.
    `create table blob_move (
      relocation_id ${integer} not null references blob_relocation (id),
      blob_id ${integer} not null,
      source_key ${text} not null,
      target_key ${text} not null,
      size ${integer} not null,
      sha256 ${text},
      crc32 ${integer},
      copied ${integer} not null check (copied in (0, 1)),
      unused ${integer} not null check (unused in (0, 1)),
      primary key (relocation_id, blob_id)
    )`,
    'create index blob_move__source_key on blob_move (source_key)',
    'create index blob_move__target_key on blob_move (target_key)',
  ],
};
