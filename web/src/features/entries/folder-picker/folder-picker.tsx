import { Button, Group, Loader, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconChevronRight, IconFolderFilled, IconFolderPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../../api/ask.ts';
import type { DriveId } from '../../../api/in-drive.ts';
import { KEYS } from '../../../api/keys.ts';
import { messageOf } from '../../../common/message-of.ts';
import { chainOf, childOf, nameOf, ROOT } from '../../../common/names/drive-paths.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { SavedForm } from '../../../ui/fields/saved-form.tsx';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import { useDriveName } from '../../drives/use-drive.ts';
import { useFolders } from '../use-folders.ts';
import styles from './folder-picker.module.css';

interface FolderPickerProps {
  readonly title: string;
  /** The label of the button that confirms the chosen folder. */
  readonly action: string;
  readonly isPending?: boolean;
  /** The drive of the folders; the personal drive by default. */
  readonly drive?: DriveId;
  /** The folder to start in; the root by default. */
  readonly startAt?: string;
  /** Folders that can be neither chosen nor opened, such as those being moved. */
  readonly isClosed?: (path: string) => boolean;
  /** Folders that can be opened but not chosen, such as the current location. */
  readonly isUseless?: (path: string) => boolean;
  /** @param path of the directory */
  readonly onPick: (path: string) => void;
  readonly onClose: () => void;
}

/** Lets the user choose a directory of their drive, one level at a time, and create a new one. */
export function FolderPicker(props: FolderPickerProps) {
  const { title, action, isPending = false, startAt = ROOT, onPick, onClose } = props;
  const { drive, isClosed, isUseless } = props;
  const { t } = useTranslation();
  const [path, setPath] = useState(startAt);
  const [isNaming, setNaming] = useState(false);
  const go = (next: string) => {
    setPath(next);
    setNaming(false);
  };
  return (
    <Dialog
      onClose={onClose}
      title={title}
      size="md"
      // During the action, a question about a taken name may be open above this dialog.
      closeOnEscape={!isPending}
      closeOnClickOutside={!isPending}
    >
      <Stack gap="sm">
        <Trail drive={drive} path={path} onGo={go} />
        <Folders key={path} drive={drive} path={path} isClosed={isClosed} onGo={go} />
        {isNaming && <NewFolder drive={drive} path={path} onMade={go} onCancel={() => setNaming(false)} />}
        <Group justify="space-between">
          <Button
            variant="subtle"
            leftSection={<IconFolderPlus size={18} aria-hidden />}
            onClick={() => setNaming(true)}
            disabled={isNaming}
          >
            {t('drive.newFolder')}
          </Button>
          <Button
            loading={isPending}
            disabled={isUseless?.(path) === true || isClosed?.(path) === true}
            onClick={() => onPick(path)}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function Trail(props: { drive: DriveId; path: string; onGo: (path: string) => void }) {
  const { drive, path, onGo } = props;
  const { t } = useTranslation();
  const rootName = useDriveName(drive);
  const chain = chainOf(path);
  return (
    <nav aria-label={t('drive.pickerTrail')}>
      <ol className={styles.trail}>
        {chain.map((step) => (
          <Group component="li" key={step} gap={0} wrap="nowrap">
            {step !== ROOT && <IconChevronRight size={14} aria-hidden />}
            {step === path ? (
              <span aria-current="page">{nameOf(step) || rootName}</span>
            ) : (
              <UnstyledButton onClick={() => onGo(step)}>{nameOf(step) || rootName}</UnstyledButton>
            )}
          </Group>
        ))}
      </ol>
    </nav>
  );
}

interface FoldersProps {
  readonly drive: DriveId;
  readonly path: string;
  readonly isClosed: ((path: string) => boolean) | undefined;
  readonly onGo: (path: string) => void;
}

function Folders({ drive, path, isClosed, onGo }: FoldersProps) {
  const { t } = useTranslation();
  const query = useFolders(drive, path);
  const { folders = [], error, refetch, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  if (error !== null) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  return (
    <ul className={styles.list} aria-label={t('drive.pickerFolders')} aria-busy={isPending}>
      {folders.map((folder) => (
        <li key={folder.id}>
          <UnstyledButton
            className={styles.folder}
            disabled={isClosed?.(folder.path) === true}
            onClick={() => onGo(folder.path)}
          >
            <IconFolderFilled size={20} aria-hidden color="var(--mantine-primary-color-filled)" />
            <span>{folder.filename}</span>
            <IconChevronRight size={16} aria-hidden />
          </UnstyledButton>
        </li>
      ))}
      {hasNextPage && (
        <li>
          <Button
            variant="subtle"
            fullWidth
            loading={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            {t('drive.pickerMore')}
          </Button>
        </li>
      )}
      {isPending && (
        <Group component="li" justify="center" p="md">
          <Loader size="sm" aria-hidden />
        </Group>
      )}
      {!isPending && folders.length === 0 && (
        <Text component="li" c="dimmed" size="sm" p="md" ta="center">
          {t('drive.pickerEmpty')}
        </Text>
      )}
    </ul>
  );
}

interface NewFolderProps {
  readonly drive: DriveId;
  readonly path: string;
  readonly onMade: (path: string) => void;
  readonly onCancel: () => void;
}

function NewFolder({ drive, path, onMade, onCancel }: NewFolderProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const make = useMutation({
    mutationFn: () => ask('POST /api/files/mkdir', { body: { path: childOf(path, name.trim()) }, drive }),
    onSuccess: async (folder) => {
      void queryClient.invalidateQueries({ queryKey: KEYS.entries(path) });
      onMade(folder.path);
    },
  });
  const submit = () => {
    if (name.trim() !== '') make.mutate();
  };
  return (
    <SavedForm isSaving={make.isPending} onSubmit={submit}>
      <Group gap="xs" wrap="nowrap" align="flex-end">
        <TextInput
          flex={1}
          label={t('drive.folderName')}
          autoFocus
          value={name}
          error={make.error && messageOf(make.error)}
          onChange={(event) => {
            setName(event.currentTarget.value);
            make.reset();
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            // Escape cancels the new folder, but does not close the dialog.
            event.stopPropagation();
            onCancel();
          }}
        />
        <Button type="submit" variant="light" loading={make.isPending} disabled={name.trim() === ''}>
          {t('drive.create')}
        </Button>
      </Group>
    </SavedForm>
  );
}
