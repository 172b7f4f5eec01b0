import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminUser } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { useUser } from '../../../api/use-session.ts';
import { formatBytes, formatNumber, formatTime } from '../../../messages/formats.ts';
import { ActDialog } from '../pieces/act-dialog.tsx';
import { DetailsDrawer } from '../pieces/details-drawer.tsx';
import { QuotaMeter } from '../pieces/quota-meter.tsx';
import { RoleBadge } from './role-badge.tsx';
import type { UserDialogProps } from './user-dialog-props.ts';
import { rightsOver } from './user-rules.ts';

type Identity = AdminUser['identities'][number];

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
        [
          t('admin.users.storage'),
          <QuotaMeter key="storage" usedBytes={user.storageUsedBytes} quotaBytes={user.storageQuotaBytes} />,
        ],
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

/** The single sign-on identities of a user, each with a button to delete it if the caller may. */
function UserIdentities({ user }: { readonly user: AdminUser }) {
  const { t } = useTranslation();
  const [identities, setIdentities] = useState(user.identities);
  const [doomed, setDoomed] = useState<Identity>();
  const mayDelete = rightsOver(useUser(), user).password;
  const isLastWay = !user.hasPassword && user.passkeys === 0 && identities.length === 1;
  return (
    <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
      {identities.map((identity) => (
        <Group component="li" key={identity.id} justify="space-between" gap={4}>
          <Stack gap={0} miw={0}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {identity.issuer}
            </Text>
            <Text size="xs" c="dimmed">
              {t('security.identityMade', { time: formatTime(identity.createdAt) })}
            </Text>
          </Stack>
          {mayDelete && (
            <Button
              variant="default"
              size="xs"
              mih="var(--tap-size)"
              aria-label={t('admin.users.signOnDeleteOf', { name: identity.issuer })}
              onClick={() => setDoomed(identity)}
            >
              {t('admin.users.signOnDelete')}
            </Button>
          )}
        </Group>
      ))}
      {doomed !== undefined && (
        <ActDialog
          title={t('admin.users.signOnTitle', { name: doomed.issuer, user: user.username })}
          text={
            isLastWay
              ? `${t('admin.users.signOnText')} ${t('admin.users.signOnLastWay')}`
              : t('admin.users.signOnText')
          }
          action={t('admin.users.signOnDelete')}
          act={() =>
            ask('DELETE /api/admin/users/{userId}/identities/{identityId}', {
              path: { userId: user.id, identityId: doomed.id },
            })
          }
          done={t('admin.users.signOnDone', { name: user.username })}
          // The drawer does not refetch the user, so the list is updated here.
          onDone={() => setIdentities((before) => before.filter(({ id }) => id !== doomed.id))}
          zIndex={300}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </Stack>
  );
}
