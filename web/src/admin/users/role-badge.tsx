import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AdminUser } from '../../../../server/src/contract.ts';

const COLOURS = { USER: 'gray', MODERATOR: 'teal', ADMIN: 'blue' } as const;

export function RoleBadge({ role }: Pick<AdminUser, 'role'>) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" color={COLOURS[role]}>
      {t(`admin.roles.${role}`)}
    </Badge>
  );
}
