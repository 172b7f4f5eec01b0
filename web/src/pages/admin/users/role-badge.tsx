import { useTranslation } from 'react-i18next';
import type { AdminUser } from '../../../../../client/src/client.ts';
import { Mark } from '../pieces/mark.tsx';

const TONES = { USER: 'plain', MODERATOR: 'good', ADMIN: 'busy' } as const;

export function RoleBadge({ role }: Pick<AdminUser, 'role'>) {
  const { t } = useTranslation();
  return <Mark tone={TONES[role]} text={t(`admin.roles.${role}`)} />;
}
