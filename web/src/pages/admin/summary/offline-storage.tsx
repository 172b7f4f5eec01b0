import { Button, Group, Paper, Progress, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Summary } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { formatBytes } from '../../../messages/formats.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { notify } from '../../../ui/notifications/notify.ts';
import { ByteInput } from '../pieces/amounts/byte-input.tsx';
import { percentOf } from '../pieces/amounts/percent.ts';
import { useFormAct } from '../pieces/use-act.ts';

/** The storage that quick transfers have announced, and its limit. */
export function OfflineStorage({ summary }: { summary: Summary }) {
  const { t } = useTranslation();
  const [isOpen, { open, close }] = useDisclosure();
  const { offlineTransferStorageBytes: used, offlineTransferStorageLimitBytes: limit } = summary;
  const text = t('storage.used', { used: formatBytes(used), quota: formatBytes(limit) });
  return (
    <Paper withBorder p="md" component="section" aria-label={t('admin.offline.title')}>
      <Title order={2} size="h5">
        {t('admin.offline.title')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('admin.offline.hint')}
      </Text>
      <Text my="sm" fw={500}>
        {text}
      </Text>
      <Progress value={percentOf(used, limit)} aria-label={text} mb="sm" />
      <Group>
        <Button variant="default" onClick={open}>
          {t('admin.offline.change')}
        </Button>
      </Group>
      {isOpen && <LimitDialog limit={limit} onClose={close} />}
    </Paper>
  );
}

function LimitDialog({ limit, onClose }: { limit: number; onClose: () => void }) {
  const { t } = useTranslation();
  const [bytes, setBytes] = useState<number | undefined>(limit);
  const change = useFormAct(
    () =>
      ask('PATCH /api/admin/settings/offline-transfer-storage-limit', {
        body: { offlineTransferStorageLimitBytes: bytes ?? limit },
      }),
    () => {
      onClose();
      notify(t('admin.offline.changed'));
    },
  );
  return (
    <FormDialog
      title={t('admin.offline.changeTitle')}
      action={t('admin.save')}
      isPending={change.isPending}
      error={change.error}
      isReady={bytes !== undefined}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <ByteInput
        label={t('admin.offline.limit')}
        description={t('admin.offline.limitHint')}
        bytes={limit}
        min={0}
        onChange={setBytes}
      />
    </FormDialog>
  );
}
