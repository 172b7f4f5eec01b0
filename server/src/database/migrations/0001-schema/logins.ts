import type { ColumnTypes } from '../../migration.ts';

/** Login sessions, app passwords, second factors, mailed tokens, and attempts to guess a credential. */
export const logins = ({ id, integer, text }: ColumnTypes): readonly string[] => [
  // Sessions of clients that name no device have an empty `device`, so that the unique index allows only one
  // per account and client type. `present_until` is the time until which a session counts as present; its
  // event stream keeps extending it.
  `create table session (
    id ${text} primary key,
    account_id ${integer} not null references account (id),
    client ${text} not null check (client in ('desktop', 'mobile')),
    device ${text} not null default '',
    refresh_hash ${text} not null,
    refresh_expires_at ${integer} not null,
    address ${text},
    user_agent ${text},
    last_used_at ${integer} not null default 0,
    created_at ${integer} not null,
    present_until ${integer},
    present_by ${text}
  )`,
  'create unique index session__refresh_hash on session (refresh_hash)',
  'create index session__refresh_expires_at on session (refresh_expires_at)',
  'create unique index session__account_id__client__device on session (account_id, client, device)',

  // Why login sessions ended, to tell clients that still have their tokens.
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

  // One authenticator app secret per account.
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

  // The tickets between the steps of a login are signed, not stored. These are the ones that were used.
  `create table used_login_ticket (
    id ${text} primary key,
    expires_at ${integer} not null
  )`,
  'create index used_login_ticket__expires_at on used_login_ticket (expires_at)',

  // The tokens in mails to the owners of accounts. Each is good for one address.
  `create table account_token (
    token_hash ${text} primary key,
    kind ${text} not null check (kind in ('PASSWORD_RESET', 'EMAIL_VERIFICATION')),
    account_id ${integer} not null references account (id),
    folded_email ${text} not null,
    expires_at ${integer} not null
  )`,
  'create index account_token__account_id on account_token (account_id, kind, expires_at)',
  'create index account_token__expires_at on account_token (expires_at)',

  // Public keys of authenticators (WebAuthn), with which their owners log in.
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

  `create table credential_attempt (
    key ${text} primary key,
    failures ${integer} not null,
    pending ${integer} not null,
    expires_at ${integer} not null,
    blocked_until ${integer} not null
  )`,
  'create index credential_attempt__expires_at on credential_attempt (expires_at)',
];
