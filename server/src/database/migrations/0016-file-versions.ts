import type { Migration } from '../migration.ts';

export const fileVersions: Migration = {
  name: '0016-file-versions',
  statements: ({ id, integer }) => [
    `create table file_version (
      id ${id},
      entry_id ${integer} not null references entry (id) on delete cascade,
      blob_id ${integer} not null references blob (id),
      size ${integer} not null check (size >= 0),
      modified_at ${integer} not null,
      replaced_at ${integer} not null
    )`,
    'create index file_version__entry_id on file_version (entry_id, id)',
    'create index file_version__blob_id on file_version (blob_id)',
    'create index file_version__replaced_at on file_version (replaced_at, id)',
  ],
};
