import { useTranslation } from 'react-i18next';
import type { AdminUser } from '../../../../../client/src/client.ts';
import { Mark } from '../pieces/mark.tsx';

/** Shows whether a user cannot log in, and why. Nothing is shown for other users. */
export function StatusMark({ banned, deleting }: Pick<AdminUser, 'banned' | 'deleting'>) {
  const { t } = useTranslation();
  if (deleting) return <Mark tone="busy" text={t('admin.users.deleting')} />;
  return banned ? <Mark tone="bad" text={t('admin.users.banned')} /> : null;
}
