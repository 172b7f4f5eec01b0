import type { DataOf } from '../../../../client/src/client.ts';

/** Something that the user was told. */
export type NotificationRecord = DataOf<'GET /api/v2/notifications'>['items'][number];

export type NotificationKind = NotificationRecord['kind'];

/** What a kind of notification tells. */
export type FactsOf<K extends NotificationKind> = Extract<NotificationRecord, { kind: K }>['data'];
