import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../database/database.ts';
import type { Flag } from '../../database/flag.ts';
import type { LoginMethods } from '../security/login-methods.ts';
import { hasUsableFactor } from '../security/queries.ts';
import type { FirstSteps } from './contract.ts';

/** Every part reads an index until the first row. Undefined if there is no such account. */
export async function findFirstSteps(
  db: Db,
  accountId: number,
  methods: LoginMethods,
): Promise<FirstSteps | undefined> {
  const row = await db
    .selectFrom('account')
    .innerJoin('drive', 'drive.account_id', 'account.id')
    .select([
      flag(sql`drive.used_bytes > 0 or drive.kept_bytes > 0`).as('file'),
      flag(sql`exists (
        select 1 from share where share.drive_id = drive.id and share.creator_id = account.id)
        or exists (
        select 1 from folder_link where folder_link.drive_id = drive.id and folder_link.creator_id = account.id)
      `).as('link'),
      flag(sql`exists (select 1 from app_password where app_password.account_id = account.id)`).as('device'),
      hasUsableFactor(methods).as('protection'),
      flag(sql`exists (select 1 from account as other where other.id <> account.id)`).as('people'),
    ])
    .where('account.id', '=', accountId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { file, link, device, protection, people } = row;
  return {
    ...{ file: file === 1, link: link === 1, device: device === 1 },
    ...{ protection: protection === 1, people: people === 1 },
  };
}

function flag(condition: RawBuilder<unknown>): RawBuilder<Flag> {
  return sql<Flag>`case when ${condition as RawBuilder<SqlBool>} then 1 else 0 end`;
}
