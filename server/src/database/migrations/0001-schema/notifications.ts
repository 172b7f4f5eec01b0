import type { ColumnTypes } from '../../migration.ts';

/** What accounts are told, and how they want to be told. */
export const notifications = ({ id, integer, text }: ColumnTypes): readonly string[] => [
  `create table notification (
    id ${id},
    account_id ${integer} not null references account (id),
    kind ${text} not null,
    created_at ${integer} not null,
    read_at ${integer},
    data ${text} not null
  )`,
  'create index notification__account_id on notification (account_id, id)',
  'create index notification__unread on notification (account_id, id) where read_at is null',
  'create index notification__created_at on notification (created_at)',

  `create table notification_setting (
    account_id ${integer} not null references account (id),
    kind ${text} not null,
    app ${integer} not null check (app in (0, 1)),
    mail ${integer} not null check (mail in (0, 1)),
    primary key (account_id, kind)
  )`,

  // What an account has logged in from, so that its owner is told about other logins.
  `create table known_login (
    account_id ${integer} not null references account (id),
    key ${text} not null,
    used_at ${integer} not null,
    primary key (account_id, key)
  )`,
];
