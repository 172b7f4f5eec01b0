import type { Migration } from '../migration.ts';

/* An account that is being deleted: its data goes in several transactions, and its row last. */
export const accountDeletion: Migration = {
  name: '0025-account-deletion',
  statements: ({ integer }) => [
    `alter table account add column deleting_at ${integer}`,
    'create index account__deleting_at on account (deleting_at) where deleting_at is not null',
  ],
};
