import { sql } from 'kysely';
import type { Tx } from '../../../src/database/database.ts';

/** Makes the admin the manager of a drive that has none, so that the doctor does not report it. */
export async function ensureManager(tx: Tx, driveId: number, now: number): Promise<void> {
  await sql`insert into drive_member (drive_id, account_id, role, since)
    select cast(${driveId} as bigint), min(id), 'MANAGER', cast(${now} as bigint) from account where role = 'ADMIN'
      and not exists (select 1 from drive_member where drive_id = ${driveId} and role = 'MANAGER')
    having min(id) is not null`.execute(tx);
}
