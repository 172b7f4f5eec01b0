import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { IconFolder } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { ask } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { leaveOutOfPhotos } from '../../features/drive/actions/leave-out-of-photos.ts';
import { useDrive } from '../../features/drives/use-drive.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { notifyError } from '../../ui/notifications/notify.ts';
import { FailureNotice } from '../../ui/placeholders/failure-notice.tsx';
import styles from './photos.module.css';

/** The folders whose pictures the user does not see here, each with a button that shows them again. */
export function LeftOutDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { id: drive, key } = useDrive();
  const { data, error, refetch } = useQuery({
    queryKey: KEYS.timelineExclusions(key),
    queryFn: ({ signal }) => ask('GET /api/v2/files/timeline/exclusions', { drive, signal }),
  });
  return (
    <Dialog onClose={onClose} title={t('photos.leftOut')}>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Loader aria-label={t('common.loading')} />}
      {data?.length === 0 && <Text size="sm">{t('photos.noneLeftOut')}</Text>}
      {data !== undefined && data.length > 0 && (
        <Stack component="ul" gap={0} className={styles.leftOut}>
          {data.map((folder) => (
            <LeftOutFolder key={folder.id} folder={folder} />
          ))}
        </Stack>
      )}
    </Dialog>
  );
}

function LeftOutFolder({ folder }: { readonly folder: EntryRecord }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const show = useMutation({
    mutationFn: () => leaveOutOfPhotos(queryClient, folder, false),
    onError: notifyError,
  });
  return (
    <Group component="li" wrap="nowrap" gap="sm" mih="var(--tap-size)">
      <IconFolder size={20} aria-hidden />
      <Text size="sm" className={styles.leftOutName}>
        {folder.path.slice(1)}
      </Text>
      <Button
        variant="light"
        size="xs"
        mih="var(--tap-size)"
        loading={show.isPending}
        onClick={() => show.mutate()}
        aria-label={t('photos.showAgainOf', { name: folder.filename })}
      >
        {t('photos.showAgain')}
      </Button>
    </Group>
  );
}
