import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord, FileVersion } from '../../../../client/src/client.ts';
import { ask, open, queryOf } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { saveFile } from '../../common/downloads.ts';
import { formatBytes, formatTime } from '../../messages/formats.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { When } from '../../ui/dates/when.tsx';
import { notify, notifyError } from '../../ui/notifications/notify.ts';
import { FailureNotice } from '../../ui/placeholders/failure-notice.tsx';
import { useDrive } from '../drives/use-drive.ts';

type Act = 'download' | 'restore' | 'delete';

/** The earlier versions of a file. Renders nothing if there are none. */
export function Versions({ file }: { readonly file: EntryRecord }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const canEdit = useDrive().can('EDIT');
  const [doomed, setDoomed] = useState<FileVersion>();
  const { data, error, refetch } = useQuery(
    queryOf(KEYS.versions(file.id), 'GET /api/v2/files/{fileId}/versions', {
      path: { fileId: file.id },
      drive: file.driveId,
    }),
  );
  const change = useMutation({
    mutationFn: async ({ act, version }: { act: Act; version: FileVersion }) => {
      const path = { fileId: file.id, versionId: version.id };
      if (act === 'download') await download(file, version.id);
      else if (act === 'restore')
        await ask('POST /api/v2/files/{fileId}/versions/{versionId}/restore', { path, drive: file.driveId });
      else await ask('DELETE /api/v2/files/{fileId}/versions/{versionId}', { path, drive: file.driveId });
    },
    onSuccess: (_, { act }) => {
      if (act !== 'download') notify(t(`details.${act === 'restore' ? 'restored' : 'deleted'}`));
    },
    onError: notifyError,
    onSettled: (_data, _error, { act }) => {
      setDoomed(undefined);
      const keys =
        act === 'restore' ? [KEYS.entries(), KEYS.recent(), KEYS.search(), KEYS.address(file.id)] : [];
      for (const queryKey of [KEYS.entry(file.id), ...keys]) void queries.invalidateQueries({ queryKey });
    },
  });
  if (error !== null) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined || data.length === 0) return null;
  const button = (act: Act, version: FileVersion, onClick: () => void) => (
    <Button
      key={act}
      variant="default"
      size="compact-md"
      mih="var(--tap-size)"
      disabled={change.isPending}
      aria-label={t(`details.${act}Of`, { time: formatTime(version.modifiedAt) })}
      onClick={onClick}
    >
      {t(`details.${act}`)}
    </Button>
  );
  return (
    <Stack gap="sm">
      <Title order={4} size="h5">
        {t('details.versions')}
      </Title>
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {data.map((version) => (
          <Stack component="li" key={version.id} gap={4}>
            <Text size="sm">
              <When iso={version.modifiedAt} /> · {formatBytes(version.size)}
            </Text>
            <Group gap="xs">
              {button('download', version, () => change.mutate({ act: 'download', version }))}
              {canEdit && button('restore', version, () => change.mutate({ act: 'restore', version }))}
              {canEdit && button('delete', version, () => setDoomed(version))}
            </Group>
          </Stack>
        ))}
      </Stack>
      {doomed !== undefined && (
        <ConfirmDialog
          title={t('details.deleteTitle')}
          text={t('details.deleteText')}
          action={t('details.delete')}
          isPending={change.isPending}
          // Above the drawer.
          zIndex={500}
          onConfirm={() => change.mutate({ act: 'delete', version: doomed })}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </Stack>
  );
}

/** The page fetches the version itself, because there is no URL for it that works without a token. */
async function download({ id, driveId: drive, filename }: EntryRecord, versionId: number): Promise<void> {
  const path = { fileId: id, versionId };
  const response = await open('GET /api/v2/files/{fileId}/versions/{versionId}', { path, drive });
  void saveFile(await response.blob(), filename);
}
