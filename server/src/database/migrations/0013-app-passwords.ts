import type { Migration } from '../migration.ts';

export const appPasswords: Migration = {
  name: '0013-app-passwords',
  statements: ({ id, integer, text }) => [
    `create table app_password (
      id ${id},
      account_id ${integer} not null references account (id),
      name ${text} not null,
      scope ${text} not null check (scope in ('READ', 'WRITE')),
      password_hash ${text} not null,
      expires_at ${integer},
      last_used_at ${integer},
      created_at ${integer} not null
    )`,
    'create unique index app_password__password_hash on app_password (password_hash)',
    'create index app_password__account_id on app_password (account_id)',
  ],
};
