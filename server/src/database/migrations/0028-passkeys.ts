import type { Migration } from '../migration.ts';

/* Passkeys (WebAuthn): public keys of authenticators, with which their owners log in. */
export const passkeys: Migration = {
  name: '0028-passkeys',
  statements: ({ id, integer, text }) => [
    `create table passkey (
      id ${id},
      account_id ${integer} not null references account (id),
      name ${text} not null,
      credential_id ${text} not null,
      public_key ${text} not null,
      user_handle ${text} not null,
      transports ${text} not null,
      sign_count ${integer} not null,
      last_used_at ${integer},
      created_at ${integer} not null
    )`,
    'create unique index passkey__credential_id on passkey (credential_id)',
    'create index passkey__account_id on passkey (account_id)',
  ],
};
