import { Button, Loader, Stack, Text, Title } from '@mantine/core';
import { IconFolderPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readShared, removeShared, type SharedFile } from '../../common/shared-files.ts';
import { FolderPicker } from '../../features/entries/folder-picker/folder-picker.tsx';
import { uploadsLater } from '../../features/uploads/choose/uploads-later.ts';
import { toPicked } from '../../features/uploads/files/picked-files.ts';
import { formatBytes } from '../../messages/formats.ts';
import { notifyError } from '../../ui/notifications/notify.ts';
import { EmptyNotice } from '../../ui/placeholders/empty-notice.tsx';

/** Saves what another app of the phone has shared in a folder of the drive. */
export function SaveSharedPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [files, setFiles] = useState<readonly SharedFile[]>();
  const [isPicking, setPicking] = useState(false);
  useEffect(() => {
    readShared().then(setFiles, (error: unknown) => {
      setFiles([]);
      notifyError(error);
    });
  }, []);
  const leave = (path: string) =>
    void navigate({ to: '/drive/$', params: { _splat: path.split('/').filter(Boolean).join('/') } });
  const save = async (path: string) => {
    if (files === undefined) return;
    // Each stays in the browser until it is in the drive: an upload that is cancelled can be begun again.
    (await uploadsLater.get()).uploadPicked(path, files.map(toPicked));
    leave(path);
  };
  const discard = async () => {
    await Promise.all((files ?? []).map(removeShared));
    leave('/');
  };
  if (files === undefined) return <Loader m="auto" aria-label={t('preview.loading')} />;
  if (files.length === 0) {
    return (
      <EmptyNotice
        icon={<IconFolderPlus size={48} stroke={1.2} aria-hidden />}
        title={t('app.nothingShared')}
      >
        <Text size="sm" mb="md">
          {t('app.nothingSharedText')}
        </Text>
        <Button onClick={() => leave('/')}>{t('common.backToFiles')}</Button>
      </EmptyNotice>
    );
  }
  return (
    <Stack maw={480} gap="md">
      <Title order={1} size="h3">
        {t('app.saveShared', { count: files.length })}
      </Title>
      <ul>
        {files.map(({ key, file }) => (
          <li key={key}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {file.name} · {formatBytes(file.size)}
            </Text>
          </li>
        ))}
      </ul>
      <Button size="md" onClick={() => setPicking(true)}>
        {t('app.chooseFolder')}
      </Button>
      <Button size="md" variant="default" onClick={() => void discard().catch(notifyError)}>
        {t('common.cancel')}
      </Button>
      {isPicking && (
        <FolderPicker
          title={t('app.saveSharedWhere')}
          action={t('app.saveSharedHere')}
          onPick={(path) => void save(path).catch(notifyError)}
          onClose={() => setPicking(false)}
        />
      )}
    </Stack>
  );
}
