import type { Migration } from '../migration.ts';

/*
 * The second factor of logins: one secret of an authenticator app for each account, and recovery codes. Tickets
 * between the steps of a login are signed and not stored; the table has those that were used.
 */
export const secondFactors: Migration = {
  name: '0027-second-factors',
  statements: ({ integer, text }) => [
    `create table totp (
      account_id ${integer} primary key references account (id),
      sealed_secret ${text} not null,
      last_step ${integer} not null default 0,
      confirmed_at ${integer},
      created_at ${integer} not null
    )`,
    `create table recovery_code (
      code_hash ${text} primary key,
      account_id ${integer} not null references account (id)
    )`,
    'create index recovery_code__account_id on recovery_code (account_id)',
    `create table used_login_ticket (
      id ${text} primary key,
      expires_at ${integer} not null
    )`,
    'create index used_login_ticket__expires_at on used_login_ticket (expires_at)',
  ],
};
