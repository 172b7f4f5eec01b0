import type { Migration } from '../migration.ts';

/* An account that an administrator has created: its user must replace the password before anything else. */
export const temporaryPasswords: Migration = {
  name: '0022-temporary-passwords',
  statements: ({ integer }) => [
    `alter table account add column must_change_password ${integer} not null default 0
      check (must_change_password in (0, 1))`,
  ],
};
