import type { NotificationData, NotificationKind } from '../../../src/base/domain/notifications.ts';
import type { Holdall } from '../app/holdall.ts';

/** What an account was told about one kind of event, the oldest first. */
export async function toldTo<K extends NotificationKind>(
  { app }: Pick<Holdall, 'app'>,
  { id }: { readonly id: number },
  kind: K,
): Promise<readonly NotificationData[K][]> {
  const rows = await app.database.db
    .selectFrom('notification')
    .select('data')
    .where('account_id', '=', id)
    .where('kind', '=', kind)
    .orderBy('id')
    .execute();
  return rows.map(({ data }) => JSON.parse(data));
}
