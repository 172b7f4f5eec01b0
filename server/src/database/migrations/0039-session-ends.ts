import type { Migration } from '../migration.ts';

/* Why login sessions ended, for the clients that still have their tokens. */
export const sessionEnds: Migration = {
  name: '0039-session-ends',
  statements: ({ integer, text }) => [
    `create table ended_session (
      id ${text} primary key,
      account_id ${integer} not null references account (id),
      refresh_hash ${text} not null,
      cause ${text} not null,
      expires_at ${integer} not null
    )`,
    'create index ended_session__account_id on ended_session (account_id, expires_at)',
    'create index ended_session__refresh_hash on ended_session (refresh_hash)',
    'create index ended_session__expires_at on ended_session (expires_at)',
  ],
};
