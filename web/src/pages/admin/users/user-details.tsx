import { useTranslation } from 'react-i18next';
import type { AdminUser } from '../../../../../client/src/client.ts';
import { formatBytes, formatNumber, formatTime } from '../../../messages/formats.ts';
import { DetailsDrawer } from '../pieces/details-drawer.tsx';
import { QuotaMeter } from './quota-meter.tsx';
import { RoleBadge } from './role-badge.tsx';
import type { UserDialogProps } from './user-dialog-props.ts';
import { UserIdentities } from './user-identities.tsx';

export function UserDetails({ user, onClose }: UserDialogProps) {
  const { t } = useTranslation();
  return (
    <DetailsDrawer
      title={user.username}
      onClose={onClose}
      facts={[
        [t('admin.users.displayName'), user.displayName],
        [t('auth.email'), user.email],
        [t('auth.phoneNumber'), user.phoneNumber],
        [t('admin.users.role'), <RoleBadge key="role" role={user.role} />],
        [t('admin.users.status'), t(`admin.users.${statusOf(user)}`)],
        [t('admin.users.storage'), <QuotaMeter key="storage" user={user} />],
        [t('admin.users.uploadLimit'), formatBytes(user.maxUploadSizeBytes)],
        [
          t('admin.users.entries'),
          t('admin.users.entriesOf', {
            used: formatNumber(user.entryCount),
            limit: formatNumber(user.maxEntries),
          }),
        ],
        [t('security.app'), t(user.totp ? 'admin.users.hasApp' : 'admin.users.hasNoApp')],
        [t('security.passkeys'), formatNumber(user.passkeys)],
        [t('auth.password'), t(user.hasPassword ? 'admin.users.hasPassword' : 'admin.users.hasNoPassword')],
        [
          t('security.identities'),
          user.identities.length === 0 ? null : <UserIdentities key="identities" user={user} />,
        ],
        [t('admin.users.registered'), formatTime(user.createdAt)],
        [
          t('admin.users.lastActive'),
          user.lastActiveAt === null ? t('admin.users.never') : formatTime(user.lastActiveAt),
        ],
        [t('admin.list.id'), user.id],
      ]}
    />
  );
}

function statusOf({ banned, deleting }: AdminUser) {
  if (deleting) return 'deleting';
  return banned ? 'banned' : 'active';
}
