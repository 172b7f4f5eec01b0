import type { Migration } from '../migration.ts';

/* What a session does when the name of its file is taken: until now it was always refused. */
export const uploadConflicts: Migration = {
  name: '0036-upload-conflicts',
  statements: ({ text }) => [
    `alter table upload_session add column on_conflict ${text} not null default 'FAIL'`,
  ],
};
