import type { Migration } from '../migration.ts';

export const releases: Migration = {
  name: '0010-releases',
  statements: ({ id, integer, text }) => [
    `create table mobile_release (
      id ${id},
      version_code ${integer} not null check (version_code > 0),
      version_name ${text} not null,
      file_name ${text} not null,
      blob_id ${integer} not null references blob (id),
      released_at ${integer} not null
    )`,
    'create unique index mobile_release__version_code on mobile_release (version_code)',
    'create unique index mobile_release__file_name on mobile_release (file_name)',
    'create index mobile_release__blob_id on mobile_release (blob_id)',
  ],
};
