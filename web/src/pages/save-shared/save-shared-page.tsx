import { Alert, Button, Checkbox, Group, Loader, Stack, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DriveId } from '../../api/in-drive.ts';
import { ROOT, toDirectory } from '../../common/names/drive-paths.ts';
import { newestOf, readShared, removeShared, type SharedFile } from '../../common/shared-files.ts';
import { FolderPicker } from '../../features/entries/folder-picker/folder-picker.tsx';
import { uploadsLater } from '../../features/uploads/choose/uploads-later.ts';
import { toPicked } from '../../features/uploads/files/picked-files.ts';
import { formatBytes } from '../../messages/formats.ts';
import { notifyError } from '../../ui/notifications/notify.ts';
import { Page } from '../../ui/page/page.tsx';
import { EmptyNotice } from '../../ui/placeholders/empty-notice.tsx';
import { ToFiles } from '../../ui/placeholders/to-files.tsx';

/**
 * Saves files that another app on the phone has shared to a folder of a drive. Websites can also send
 * files, so the user decides about each one. Older files that were left are not selected.
 */
export function SaveSharedPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [files, setFiles] = useState<readonly SharedFile[]>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isPicking, setPicking] = useState(false);
  const { refused } = useSearch({ from: '/inside/save-shared' });
  useEffect(() => {
    const show = (shared: readonly SharedFile[]) => {
      setFiles(shared.toSorted((a, b) => b.sharedAt - a.sharedAt));
      setChosen(new Set(newestOf(shared).map(({ key }) => key)));
    };
    readShared().then(show, (error: unknown) => {
      setFiles([]);
      notifyError(error);
    });
  }, []);
  const leave = (path: string, drive: DriveId) => void navigate(toDirectory(path, { drive }));
  const save = async (path: string, drive: DriveId) => {
    const wanted = (files ?? []).filter(({ key }) => chosen.has(key));
    // Each file stays in the browser until it is in the drive, so a cancelled upload can be started again.
    (await uploadsLater.get()).uploadPicked({ drive, directory: path }, wanted.map(toPicked));
    leave(path, drive);
  };
  const discard = async () => {
    await Promise.all((files ?? []).map(removeShared));
    leave(ROOT, undefined);
  };
  if (files === undefined) return <Loader m="auto" aria-label={t('preview.loading')} />;
  const refusal = refused !== undefined && <Alert color="orange">{t(`app.sharedRefused.${refused}`)}</Alert>;
  if (files.length === 0) {
    return (
      <Page title={t('nav.save-shared')} width="form">
        {refusal}
        <EmptyNotice
          drawing="bag"
          title={t('app.nothingShared')}
          action={<ToFiles isOwn label={t('common.backToFiles')} />}
        >
          {t('app.nothingSharedText')}
        </EmptyNotice>
      </Page>
    );
  }
  return (
    <Page title={t('app.saveShared', { count: chosen.size })} width="form">
      {refusal}
      <Text size="sm">{t('app.sharedFromOutside')}</Text>
      <Checkbox.Group
        aria-label={t('app.sharedFiles')}
        value={[...chosen]}
        onChange={(keys) => setChosen(new Set(keys))}
      >
        <Stack gap="xs">
          {files.map(({ key, file }) => (
            <Checkbox key={key} value={key} label={`${file.name} · ${formatBytes(file.size)}`} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Group gap="xs">
        <Button size="md" disabled={chosen.size === 0} onClick={() => setPicking(true)}>
          {t('app.chooseFolder')}
        </Button>
        <Button size="md" variant="default" onClick={() => void discard().catch(notifyError)}>
          {t('app.discardShared')}
        </Button>
      </Group>
      {isPicking && (
        <FolderPicker
          title={t('app.saveSharedWhere')}
          action={t('app.saveSharedHere')}
          isAcrossDrives
          onPick={(path, drive) => void save(path, drive).catch(notifyError)}
          onClose={() => setPicking(false)}
        />
      )}
    </Page>
  );
}
