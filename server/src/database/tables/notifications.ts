import type { Generated } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { NotificationKind } from '../../base/domain/notifications.ts';
import type { Flag } from '../flag.ts';

/** Something that an account was told. */
export interface NotificationTable {
  id: Generated<number>;
  account_id: number;
  kind: NotificationKind;
  created_at: Instant;
  /** Null while it is unread. */
  read_at: Generated<Instant | null>;
  /** A JSON object, `NotificationData` of the kind. */
  data: string;
}

/** How an account wants to be told about a kind of event. Without a row, the default applies. */
export interface NotificationSettingTable {
  account_id: number;
  kind: NotificationKind;
  app: Flag;
  mail: Flag;
}

/** Something from which an account has logged in before. */
export interface KnownLoginTable {
  account_id: number;
  /** SHA-256 of the device, or of the program and its address if the client names no device. */
  key: string;
  used_at: Instant;
}
