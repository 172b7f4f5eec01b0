import type { Migration } from '../migration.ts';

/*
 * One session for each account, client type and device. The sessions of clients that name no device have the
 * empty text, so that the unique index counts them as one.
 */
export const sessionDevices: Migration = {
  name: '0019-session-devices',
  statements: ({ integer, text }) => [
    `alter table session add column device ${text} not null default ''`,
    `alter table session add column address ${text}`,
    `alter table session add column user_agent ${text}`,
    `alter table session add column last_used_at ${integer} not null default 0`,
    'update session set last_used_at = created_at',
    'drop index session__account_id__client',
    'create unique index session__account_id__client__device on session (account_id, client, device)',
  ],
};
