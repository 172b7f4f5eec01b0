import type { ColumnTypes } from '../../migration.ts';

/** Mails that wait to be sent, and those that failed. */
export const mail = ({ id, integer, text }: ColumnTypes): readonly string[] => [
  `create table mail (
    id ${id},
    account_id ${integer} references account (id),
    address ${text} not null,
    kind ${text} not null,
    language ${text} not null,
    sealed_data ${text},
    created_at ${integer} not null,
    next_attempt_at ${integer},
    attempts ${integer} not null default 0 check (attempts >= 0),
    attempted_at ${integer},
    failed_at ${integer},
    last_error ${text},
    check ((next_attempt_at is null) = (failed_at is not null))
  )`,
  'create index mail__account_id on mail (account_id) where account_id is not null',
  'create index mail__next_attempt_at on mail (next_attempt_at) where next_attempt_at is not null',
  'create index mail__failed_at on mail (failed_at) where failed_at is not null',

  // One row per account: the mails of the last day on which it got any. `day` is the start of a day in UTC.
  // Mails that can be turned off are counted apart. Mails beyond the limits are counted, but not sent.
  `create table mail_count (
    account_id ${integer} primary key references account (id),
    day ${integer} not null,
    mails ${integer} not null check (mails >= 0),
    optional_mails ${integer} not null check (optional_mails >= 0)
  )`,
];
