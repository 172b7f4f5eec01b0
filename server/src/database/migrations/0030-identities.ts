import type { Migration } from '../migration.ts';

/** Who people are at the provider of single sign-on. An identity belongs to one account. */
export const identities: Migration = {
  name: '0030-identities',
  statements: ({ id, integer, text }) => [
    `create table identity (
      id ${id},
      account_id ${integer} not null references account (id),
      issuer ${text} not null,
      subject ${text} not null,
      created_at ${integer} not null
    )`,
    'create unique index identity__issuer__subject on identity (issuer, subject)',
    'create index identity__account_id on identity (account_id)',
  ],
};
