import type { Migration } from '../migration.ts';

/* Invite codes of administrators, beside the one in the settings. */
export const invites: Migration = {
  name: '0021-invites',
  statements: ({ id, integer, text }) => [
    `create table invite (
      id ${id},
      code ${text} not null,
      note ${text},
      max_uses ${integer} not null check (max_uses > 0),
      used_count ${integer} not null default 0 check (used_count between 0 and max_uses),
      expires_at ${integer},
      created_at ${integer} not null
    )`,
    'create unique index invite__code on invite (code)',
  ],
};
