import type { Migration } from '../migration.ts';

export const stars: Migration = {
  name: '0020-stars',
  statements: ({ integer }) => [
    `alter table entry add column starred_at ${integer}`,
    `create index entry__starred on entry (owner_id, starred_at desc, id desc)
      where starred_at is not null and deleted_at is null`,
  ],
};
