import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { DriveRole } from '../../base/domain/drives.ts';
import { CompiledOnce } from '../../database/compiled-once.ts';
import type { Db } from '../../database/database.ts';

interface AddressedDrive {
  readonly accountId: number;
  /** The name in the address. */
  readonly driveName: string;
  /** If the address is `Name (ID)`: its parts. Otherwise, no drive has these values. */
  readonly name: string;
  readonly id: number;
}

/** The shared drive at an address, and the role of the account there. Takes one query. */
export function findAddressedDrive(
  db: Db,
  address: AddressedDrive,
): Promise<{ id: number; role: DriveRole } | undefined> {
  return ADDRESSED.findFirst(db, address);
}

/**
 * Since when the account has had the drive by its present name. Of equal names, the oldest one has the name
 * alone. So nobody can give another drive an address that an account uses already: neither by renaming the
 * drive nor by adding the account to it.
 */
const KNOWN_SINCE = sql<Instant>`case
  when coalesce(drive.named_at, drive.created_at) > drive_member.since
    then coalesce(drive.named_at, drive.created_at)
  else drive_member.since end`;

/** A drive at `Name (ID)` precedes one with that name, and of equal names the oldest one comes first. */
const ADDRESSED = new CompiledOnce<AddressedDrive, { id: number; role: DriveRole }>((db, value) =>
  db
    .selectFrom('drive_member')
    .innerJoin('drive', 'drive.id', 'drive_member.drive_id')
    .select(['drive.id', 'drive_member.role'])
    .where('drive_member.account_id', '=', value('accountId'))
    .where('drive.deleted_at', 'is', null)
    .where((where) =>
      where.or([
        where('drive.name', '=', value('driveName')),
        where.and([where('drive.name', '=', value('name')), where('drive.id', '=', value('id'))]),
      ]),
    )
    .orderBy((order) => order.case().when('drive.name', '=', value('name')).then(0).else(1).end())
    .orderBy(KNOWN_SINCE)
    .orderBy('drive.id')
    .limit(1)
    .compile(),
);

interface ListedDrive {
  readonly id: number;
  readonly name: string;
  readonly quotaBytes: number;
  readonly usedBytes: number;
  readonly createdAt: Instant;
}

/** The first shared drives of an account, by name; of equal names, the oldest one comes first. */
export async function listDrives(db: Db, accountId: number, limit: number): Promise<readonly ListedDrive[]> {
  const rows = await db
    .selectFrom('drive_member')
    .innerJoin('drive', 'drive.id', 'drive_member.drive_id')
    .select(['drive.id', 'drive.name', 'drive.quota_bytes', 'drive.used_bytes', 'drive.created_at'])
    .where('drive_member.account_id', '=', accountId)
    .where('drive.deleted_at', 'is', null)
    .orderBy('drive.name')
    .orderBy(KNOWN_SINCE)
    .orderBy('drive.id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    ...{ id: row.id, name: row.name ?? '', createdAt: row.created_at },
    ...{ quotaBytes: row.quota_bytes, usedBytes: row.used_bytes },
  }));
}
