import { Anchor, Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconPlus, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DriveRecord } from '../../../../client/src/client.ts';
import { ask, queryOf } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { ROOT, toDirectory } from '../../common/names/drive-paths.ts';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import { useDrives, useMayCreateDrives } from '../../features/drives/use-drive.ts';
import { useDriveChange } from '../../features/members/change-drives.ts';
import { DriveSettings } from '../../features/members/drive-settings.tsx';
import { formatBytes } from '../../messages/formats.ts';
import { formatFromNow } from '../../messages/from-now.ts';
import { notify } from '../../ui/notifications/notify.ts';
import { Page } from '../../ui/page/page.tsx';
import { EmptyNotice } from '../../ui/placeholders/empty-notice.tsx';
import { FailureNotice } from '../../ui/placeholders/failure-notice.tsx';
import { ListPlaceholder } from '../../ui/placeholders/list-placeholder.tsx';

const CreateDriveDialog = lazyPart(
  async () => (await import('../../features/members/create-drive-dialog.tsx')).CreateDriveDialog,
);

/** The shared drives of the user, and the deleted ones. */
export function DrivesPage() {
  const { t } = useTranslation();
  const { data, error, refetch } = useDrives();
  const [isCreating, setCreating] = useState(false);
  const mayCreate = useMayCreateDrives();
  const drives = data?.filter(({ kind }) => kind === 'SHARED');
  const button = mayCreate ? (
    <Button h={40} leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setCreating(true)}>
      {t('drives.new')}
    </Button>
  ) : undefined;
  return (
    <Page
      title={t('nav.drives')}
      actions={drives !== undefined && drives.length > 0 && button}
      width="reading"
    >
      {error !== null && data === undefined && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {drives === undefined && error === null && <ListPlaceholder />}
      {drives?.length === 0 && (
        <EmptyNotice drawing="people" title={t('drives.empty')} action={button}>
          {t('drives.explain')} {mayCreate && t('drives.explainCreate')}
        </EmptyNotice>
      )}
      {drives !== undefined && drives.length > 0 && (
        <DriveList label={t('nav.drives')}>
          {drives.map((drive) => (
            <DriveRow key={drive.id} drive={drive} />
          ))}
        </DriveList>
      )}
      <DeletedDrives />
      {isCreating && (
        <Suspense fallback={null}>
          <CreateDriveDialog onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </Page>
  );
}

function DriveList({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }} aria-label={label}>
      {children}
    </Stack>
  );
}

function DriveRow({ drive }: { readonly drive: DriveRecord }) {
  const { t } = useTranslation();
  const { id, name, role, memberCount, usedBytes, quotaBytes } = drive;
  const facts = [
    t('drives.count', { count: memberCount }),
    t('drives.usage', { used: formatBytes(usedBytes), quota: formatBytes(quotaBytes) }),
  ];
  return (
    <Paper component="li" withBorder p="sm" radius="md">
      <Group justify="space-between" gap="xs">
        <div style={{ minWidth: 0, flex: '1 1 220px' }}>
          <Group gap="xs">
            <Anchor
              fw={600}
              renderRoot={(props) => <Link {...toDirectory(ROOT, { drive: id })} {...props} />}
              style={{ overflowWrap: 'anywhere' }}
            >
              {name}
            </Anchor>
            <Badge variant="light" radius="sm" color={role === 'VIEWER' ? 'gray' : 'blue'}>
              {t(`drives.roles.${role}`)}
            </Badge>
          </Group>
          <Text size="sm" c="dimmed">
            {facts.join(' · ')}
          </Text>
        </div>
        <DriveSettings drive={drive}>
          {(open) => (
            <Button
              variant="default"
              mih="var(--tap-size)"
              leftSection={<IconUsers size={18} aria-hidden />}
              aria-label={t('drives.membersOf', { name })}
              onClick={open}
            >
              {t('drives.settings')}
            </Button>
          )}
        </DriveSettings>
      </Group>
    </Paper>
  );
}

/** Deleted drives, which their managers can restore. Renders nothing if there are none. */
function DeletedDrives() {
  const { t } = useTranslation();
  const { data = [] } = useQuery(
    queryOf(KEYS.deletedDrives(), 'GET /api/v2/drives', { query: { deleted: true } }),
  );
  const restore = useDriveChange({
    change: ({ id }: DriveRecord) => ask('POST /api/v2/drives/{id}/restore', { path: { id } }),
    onDone: ({ name }) => notify(t('drives.restored', { name })),
  });
  if (data.length === 0) return null;
  return (
    <section>
      <Title order={2} size="h5" mb={4}>
        {t('drives.deletedTitle')}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t('drives.deletedHint')}
      </Text>
      <DriveList label={t('drives.deletedTitle')}>
        {data.map((drive) => (
          <Paper key={drive.id} component="li" withBorder p="sm" radius="md">
            <Group justify="space-between" gap="xs">
              <div style={{ minWidth: 0, flex: '1 1 220px' }}>
                <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
                  {drive.name}
                </Text>
                {drive.deletedAt !== null && (
                  <Text size="sm" c="dimmed">
                    {t('drives.deletedAt', { when: formatFromNow(drive.deletedAt) })}
                  </Text>
                )}
              </div>
              {drive.role === 'MANAGER' && (
                <Button
                  variant="default"
                  mih="var(--tap-size)"
                  loading={restore.isPending && restore.variables.id === drive.id}
                  aria-label={t('drives.restoreOf', { name: drive.name })}
                  onClick={() => restore.mutate(drive)}
                >
                  {t('drives.restore')}
                </Button>
              )}
            </Group>
          </Paper>
        ))}
      </DriveList>
    </section>
  );
}
