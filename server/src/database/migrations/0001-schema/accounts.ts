import type { ColumnTypes } from '../../migration.ts';

export const accounts = ({ id, integer, text }: ColumnTypes): readonly string[] => [
  `create table account (
    id ${id},
    username ${text} not null,
    folded_username ${text} not null,
    display_name ${text} not null,
    email ${text},
    folded_email ${text},
    email_verified_at ${integer},
    phone_number ${text},
    password_hash ${text},
    must_change_password ${integer} not null default 0 check (must_change_password in (0, 1)),
    role ${text} not null check (role in ('USER', 'MODERATOR', 'ADMIN')),
    banned ${integer} not null default 0 check (banned in (0, 1)),
    bio ${text},
    preferred_language ${text},
    first_steps_hidden ${integer} not null default 0 check (first_steps_hidden in (0, 1)),
    avatar_blob_id ${integer} references blob (id),
    deleting_at ${integer},
    created_at ${integer} not null,
    updated_at ${integer} not null,
    check (email_verified_at is null or folded_email is not null)
  )`,
  'create unique index account__folded_username on account (folded_username)',
  'create unique index account__folded_email on account (folded_email)',
  'create unique index account__phone_number on account (phone_number)',
  'create index account__avatar_blob_id on account (avatar_blob_id) where avatar_blob_id is not null',
  'create index account__deleting_at on account (deleting_at) where deleting_at is not null',

  // Invite codes made by administrators, in addition to the one in the settings.
  `create table invite (
    id ${id},
    code ${text} not null,
    note ${text},
    creator_id ${integer},
    max_uses ${integer} not null check (max_uses > 0),
    used_count ${integer} not null default 0 check (used_count between 0 and max_uses),
    expires_at ${integer},
    created_at ${integer} not null
  )`,
  'create unique index invite__code on invite (code)',

  // The users' identities at the single sign-on provider. An identity belongs to one account.
  `create table identity (
    id ${id},
    account_id ${integer} not null references account (id),
    issuer ${text} not null,
    subject ${text} not null,
    created_at ${integer} not null
  )`,
  'create unique index identity__issuer__subject on identity (issuer, subject)',
  'create index identity__account_id on identity (account_id)',

  // Not in `account`, so that noting activity never waits for a transaction that has locked the account.
  `create table last_activity (
    account_id ${integer} primary key references account (id),
    active_at ${integer} not null
  )`,
];
