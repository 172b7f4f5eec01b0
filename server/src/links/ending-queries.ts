import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { DAY, type Instant } from '../base/clock.ts';
import type { NotificationData } from '../base/domain/notifications.ts';
import type { LinkEnding } from '../base/domain/shares.ts';
import type { Db, Tx } from '../database/database.ts';

/** How long before its expiry the creator of a link is told. */
export const SOON_MS = DAY;

/** The table of a kind of link. */
export interface LinkTable {
  readonly name: 'folder_link' | 'share';
  /** The column or expression with the link's name. */
  readonly title: RawBuilder<string>;
  /** Whether the entry of the link is live. */
  readonly isLive: RawBuilder<SqlBool>;
}

/** A link that ends, and whom to tell. */
export interface EndingLink extends Omit<NotificationData['SHARE_ENDED'], 'of' | 'reason'> {
  /** The account that created the link; null if it may no longer use the drive. */
  readonly creatorId: number | null;
}

/**
 * The account that created a link; null if it may no longer use the drive, or if the drive is deleted.
 * @param table of the link
 */
export function presentCreatorOf(table: LinkTable['name']): RawBuilder<number | null> {
  const link = sql.table(table);
  return sql`(
    select ${link}.creator_id from drive
    where drive.id = ${link}.drive_id and drive.deleted_at is null
      and (drive.account_id = ${link}.creator_id or exists (
        select 1 from drive_member
        where drive_member.drive_id = drive.id and drive_member.account_id = ${link}.creator_id
      ))
  )`;
}

/**
 * The value of `ending_noted` after a change of the expiry or of the limit. A change makes another ending
 * worth telling; an unchanged value does not.
 * @param changes.expiresAt undefined if it does not change
 * @param changes.limits the columns of the limits, with their new values
 * @param changes.expiryNoted what is noted for the new expiry
 */
export function endingNotedAfter(changes: {
  readonly expiresAt: Instant | null | undefined;
  readonly expiryNoted: LinkEnding | null;
  readonly limits: readonly { readonly column: string; readonly value: number | null }[];
}): RawBuilder<LinkEnding | null> {
  const { expiresAt, expiryNoted, limits } = changes;
  const differs = (column: string, value: number | null) =>
    value === null ? sql`${sql.ref(column)} is not null` : sql`coalesce(${sql.ref(column)}, 0) <> ${value}`;
  const limitDiffers = limits.map(({ column, value }) => differs(column, value));
  return sql`case
    when ending_noted = 'USED_UP'
      and not (${limitDiffers.length === 0 ? sql`1 = 0` : sql.join(limitDiffers, sql` or `)})
      then ending_noted
    when ${expiresAt === undefined ? sql`1 = 0` : differs('expires_at', expiresAt)}
      then ${expiryNoted === null ? sql`null` : sql`cast(${expiryNoted} as text)`}
    when ending_noted = 'USED_UP' then null
    else ending_noted end`;
}

/** The value of `ending_noted` after a refund. The share works again, so another end is worth telling. */
export function endingNotedAfterRefund(now: Instant): RawBuilder<LinkEnding | null> {
  return sql`case
    when ending_noted <> 'USED_UP' then ending_noted
    when expires_at <= ${now + SOON_MS} then 'EXPIRES_SOON'
    end`;
}

/**
 * Notes that a link is used up.
 * @returns undefined if that was noted before, or the creator was told so after `toldUntil`
 */
export async function noteUsedUp(
  tx: Tx,
  table: LinkTable,
  { id, now, toldUntil }: { id: number; now: Instant; toldUntil: Instant },
): Promise<EndingLink | undefined> {
  const isUnnoted = sql<SqlBool>`id = ${id} and coalesce(ending_noted, '') <> 'USED_UP'`;
  const link = await note(
    tx,
    table,
    sql`ending_noted = 'USED_UP', used_up_told_at = ${now}`,
    sql`${isUnnoted} and (used_up_told_at is null or used_up_told_at <= ${toldUntil})`,
  );
  if (link === undefined) await note(tx, table, sql`ending_noted = 'USED_UP'`, isUnnoted);
  return link;
}

/** The ids of links that expire until then, and whose creators do not know that. */
export async function findExpiring(
  db: Db,
  { name }: LinkTable,
  { now, until, limit }: { now: Instant; until: Instant; limit: number },
): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(name)} where ${isExpiring(now, until)}
    order by expires_at limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Notes that a link expires soon. Returns undefined if it no longer does, or if that was noted before. The
 * creator is null if the link does not work anyway, because its entry is in the recycle bin.
 */
export async function noteExpiring(
  tx: Tx,
  table: LinkTable,
  { id, now, until }: { id: number; now: Instant; until: Instant },
): Promise<EndingLink | undefined> {
  return note(tx, table, sql`ending_noted = 'EXPIRES_SOON'`, sql`id = ${id} and ${isExpiring(now, until)}`);
}

/** The same text as in the partial indexes, so that queries can use them. */
function isExpiring(now: Instant, until: Instant): RawBuilder<SqlBool> {
  return sql`ending_noted is null and expires_at is not null
    and expires_at > ${now} and expires_at <= ${until}`;
}

async function note(
  tx: Tx,
  { name, title, isLive }: LinkTable,
  changes: RawBuilder<unknown>,
  where: RawBuilder<SqlBool>,
): Promise<EndingLink | undefined> {
  const { rows } = await sql<EndingLink>`
    update ${sql.table(name)} set ${changes} where ${where}
    returning id, drive_id as "driveId", ${title} as name, expires_at as "expiresAt",
      case when ${isLive} then ${presentCreatorOf(name)} end as "creatorId"`.execute(tx);
  return rows[0];
}
