import type { Migration } from '../migration.ts';

/*
 * When the content of a file was last modified on the client. Of files that exist the time of the upload is
 * the best guess.
 */
export const modificationTimes: Migration = {
  name: '0014-modification-times',
  statements: ({ integer }) => [
    `alter table entry add column modified_at ${integer} not null default 0`,
    'update entry set modified_at = created_at',
    'create index entry__page_by_modification on entry (parent_id, modified_at, id)',
    `alter table upload_session add column modified_at ${integer}`,
  ],
};
