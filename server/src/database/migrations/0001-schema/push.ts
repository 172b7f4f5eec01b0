import type { ColumnTypes } from '../../migration.ts';

/** The browsers that want notifications, and the notifications that wait to be sent to them. */
export const push = ({ id, integer, text }: ColumnTypes): readonly string[] => [
  // A browser gets no more notifications once its login session has ended.
  `create table push_subscription (
    id ${id},
    account_id ${integer} not null references account (id),
    session_id ${text} not null references session (id) on delete cascade,
    endpoint ${text} not null,
    p256dh ${text} not null,
    auth ${text} not null,
    created_at ${integer} not null
  )`,
  'create unique index push_subscription__endpoint on push_subscription (endpoint)',
  'create unique index push_subscription__session_id on push_subscription (session_id)',
  'create index push_subscription__account_id on push_subscription (account_id, id)',

  `create table push_delivery (
    id ${id},
    subscription_id ${integer} not null references push_subscription (id) on delete cascade,
    notification_id ${integer} not null references notification (id) on delete cascade,
    next_attempt_at ${integer} not null,
    attempts ${integer} not null default 0 check (attempts >= 0)
  )`,
  'create index push_delivery__next_attempt_at on push_delivery (next_attempt_at, id)',
  'create index push_delivery__subscription_id on push_delivery (subscription_id)',
  'create index push_delivery__notification_id on push_delivery (notification_id)',
];
