import type { Migration } from '../migration.ts';

export const zipTickets: Migration = {
  name: '0017-zip-tickets',
  statements: ({ integer, text }) => [
    `create table zip_ticket (
      token_hash ${text} primary key,
      owner_id ${integer} not null references account (id),
      name ${text} not null,
      entry_ids ${text} not null,
      is_started ${integer} not null check (is_started in (0, 1)),
      expires_at ${integer} not null
    )`,
    'create index zip_ticket__owner_id on zip_ticket (owner_id, expires_at)',
    'create index zip_ticket__expires_at on zip_ticket (expires_at)',
  ],
};
