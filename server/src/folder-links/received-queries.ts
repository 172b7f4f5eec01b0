import { sql } from 'kysely';
import { HOUR, type Instant } from '../base/clock.ts';
import type { NotificationData } from '../base/domain/notifications.ts';
import type { Db, Tx } from '../database/database.ts';
import type { Flag } from '../database/flag.ts';
import { isLiveEntry } from '../drive/drive.ts';
import { presentCreatorOf } from '../links/links.ts';

/** After the creator was told about files, later ones are collected for this long. */
const COLLECTED_MS = HOUR;

/** The state of a link after a file was counted. */
export interface CountedFile {
  readonly linkId: number;
  /** When the creator must be told about the file. */
  readonly tellAt: Instant;
  /** Some of those who sent the files about which the creator has not been told. */
  readonly senders: readonly string[];
  /** Whether the link accepts no more files. */
  readonly isFull: boolean;
}

/**
 * Counts a received file if the link still accepts it. One statement checks everything again that may have
 * changed since the link was read, so concurrent uploads can never exceed its limits.
 * @returns undefined if the link does not accept a file of that size, or no longer does
 */
export async function countReceived(
  tx: Tx,
  id: number,
  bytes: number,
  now: Instant,
): Promise<CountedFile | undefined> {
  const { rows } = await sql<{ tell_at: Instant; senders: string; is_full: Flag }>`
    update folder_link set received_files = received_files + 1, received_bytes = received_bytes + ${bytes},
      tell_at = coalesce(tell_at, notified_at + ${COLLECTED_MS}, ${now}),
      unnotified_files = unnotified_files + 1, unnotified_bytes = unnotified_bytes + ${bytes}
    where id = ${id} and mode <> 'VIEW'
      and (expires_at is null or expires_at > ${now})
      and (max_files is null or received_files < max_files)
      and (max_bytes is null or received_bytes + ${bytes} <= max_bytes)
      and ${isLiveEntry('folder_link.entry_id')}
      and exists (select 1 from drive left join account on account.id = drive.account_id
        where drive.id = folder_link.drive_id and drive.deleted_at is null
          and coalesce(account.banned, 0) = 0)
    returning tell_at, unnotified_senders as senders,
      case when received_files = max_files or received_bytes = max_bytes then 1 else 0 end as is_full`.execute(
    tx,
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { tell_at: tellAt, senders, is_full } = row;
  return { linkId: id, tellAt, senders: JSON.parse(senders), isFull: is_full === 1 };
}

/** Replaces the senders of a link that the transaction has locked. */
export async function setSenders(tx: Tx, id: number, senders: readonly string[]): Promise<void> {
  await tx
    .updateTable('folder_link')
    .set({ unnotified_senders: JSON.stringify(senders) })
    .where('id', '=', id)
    .execute();
}

/** The ids of links whose creators must be told about received files now. */
export async function findLinksToTell(db: Db, now: Instant, limit: number): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from folder_link where tell_at is not null and tell_at <= ${now}
    order by tell_at limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

type LinkFiles = NotificationData['LINK_FILES'];

/** Files that arrived since the creator of the link was last told. */
export interface UnnotifiedFiles extends LinkFiles {
  /** Null if the account may no longer use the drive. */
  readonly creatorId: number | null;
}

/**
 * Takes the files about which the creator must be told now. Of several concurrent calls, only one gets them.
 */
export async function takeUnnotified(tx: Tx, id: number, now: Instant): Promise<UnnotifiedFiles | undefined> {
  const row = await tx
    .selectFrom('folder_link')
    .innerJoin('drive', 'drive.id', 'folder_link.drive_id')
    .select(['folder_link.id as linkId', 'title', 'drive_id as driveId', 'drive.name as driveName'])
    .select(['entry_id as directoryId', 'unnotified_files as files', 'unnotified_bytes as bytes'])
    .select(['unnotified_senders as senders', presentCreatorOf('folder_link').as('creatorId')])
    .where('folder_link.id', '=', id)
    .where('tell_at', '<=', now)
    .forNoKeyUpdate('folder_link')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  await tx
    .updateTable('folder_link')
    .set({ notified_at: now, tell_at: null })
    .set({ unnotified_files: 0, unnotified_bytes: 0, unnotified_senders: '[]' })
    .where('id', '=', id)
    .execute();
  return { ...row, senders: JSON.parse(row.senders) };
}
