import { Button, Group, Loader, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import {
  IconChevronRight,
  IconFolder,
  IconFolderFilled,
  IconFolderPlus,
  IconUsersGroup,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DriveRecord } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import type { DriveId } from '../../../api/in-drive.ts';
import { KEYS } from '../../../api/keys.ts';
import { messageOf } from '../../../common/message-of.ts';
import { chainOf, childOf, nameOf, ROOT } from '../../../common/names/drive-paths.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { SavedForm } from '../../../ui/fields/saved-form.tsx';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import { useDriveName } from '../../drives/drive-names.ts';
import { useCanEdit, useDrives } from '../../drives/use-drive.ts';
import { FOLDER_COLOR } from '../entry-icon.tsx';
import { useFolders } from '../use-folders.ts';
import styles from './folder-picker.module.css';

interface FolderPickerProps {
  readonly title: string;
  /** The label of the button that confirms the chosen folder. */
  readonly action: string;
  readonly isPending?: boolean;
  /** The drive of the folders; the personal drive by default. */
  readonly drive?: DriveId;
  /** Whether folders of other drives can be chosen, if the user may change their content. */
  readonly isAcrossDrives?: boolean;
  /** The folder to start in; the root by default. */
  readonly startAt?: string;
  /** Folders that can be neither chosen nor opened, such as those being moved. */
  readonly isClosed?: (path: string, drive: DriveId) => boolean;
  /** Folders that can be opened but not chosen, such as the current location. */
  readonly isUseless?: (path: string, drive: DriveId) => boolean;
  /** @param path of the directory */
  readonly onPick: (path: string, drive: DriveId) => void;
  readonly onClose: () => void;
}

/** Lets the user choose a directory of their drives, one level at a time, and create a new one. */
export function FolderPicker(props: FolderPickerProps) {
  const { title, action, isPending = false, startAt = ROOT, isAcrossDrives = false, onPick, onClose } = props;
  const { isClosed, isUseless } = props;
  const { t } = useTranslation();
  const { data = [] } = useDrives();
  const drives = data.filter(({ role }) => role !== 'VIEWER');
  const mayStartIn = useCanEdit();
  const [drive, setDrive] = useState(props.drive);
  const [path, setPath] = useState(startAt);
  const [isNaming, setNaming] = useState(false);
  // The list of drives is one level above the roots.
  const [isAbove, setAbove] = useState(isAcrossDrives && !mayStartIn(props.drive));
  const go = (next: string) => {
    setPath(next);
    setAbove(false);
    setNaming(false);
  };
  const goAbove = () => {
    setAbove(true);
    setNaming(false);
  };
  const hasDrives = isAbove || (isAcrossDrives && drives.length > 1);
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
        <Trail {...{ drive, path, isAbove }} onGo={go} onGoAbove={hasDrives ? goAbove : undefined} />
        {isAbove ? (
          <Drives
            drives={drives}
            onGo={(next) => {
              setDrive(next);
              go(ROOT);
            }}
          />
        ) : (
          <Folders key={`${drive}:${path}`} drive={drive} path={path} isClosed={isClosed} onGo={go} />
        )}
        {isNaming && <NewFolder drive={drive} path={path} onMade={go} onCancel={() => setNaming(false)} />}
        <Group justify="space-between">
          <Button
            variant="subtle"
            leftSection={<IconFolderPlus size={18} aria-hidden />}
            onClick={() => setNaming(true)}
            disabled={isNaming || isAbove}
          >
            {t('drive.newFolder')}
          </Button>
          <Button
            loading={isPending}
            disabled={isAbove || isUseless?.(path, drive) === true || isClosed?.(path, drive) === true}
            onClick={() => onPick(path, drive)}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

interface TrailProps {
  readonly drive: DriveId;
  readonly path: string;
  /** Whether the drives are listed. */
  readonly isAbove: boolean;
  readonly onGo: (path: string) => void;
  /** Lists the drives; undefined if no other drive can be chosen. */
  readonly onGoAbove: (() => void) | undefined;
}

function Trail({ drive, path, isAbove, onGo, onGoAbove }: TrailProps) {
  const { t } = useTranslation();
  const rootName = useDriveName(drive);
  const chain = isAbove ? [] : chainOf(path);
  return (
    <nav aria-label={t('picker.trail')}>
      <ol className={styles.trail}>
        {onGoAbove !== undefined && (
          <li>
            {isAbove ? (
              <span aria-current="page">{t('picker.drives')}</span>
            ) : (
              <UnstyledButton onClick={onGoAbove}>{t('picker.drives')}</UnstyledButton>
            )}
          </li>
        )}
        {chain.map((step) => (
          <Group component="li" key={step} gap={0} wrap="nowrap">
            {(step !== ROOT || onGoAbove !== undefined) && <IconChevronRight size={14} aria-hidden />}
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

interface DrivesProps {
  readonly drives: readonly DriveRecord[];
  readonly onGo: (drive: DriveId) => void;
}

function Drives({ drives, onGo }: DrivesProps) {
  const { t } = useTranslation();
  return (
    <ul className={styles.list} aria-label={t('picker.drives')}>
      {drives.map(({ id, kind, name }) => (
        <li key={id}>
          <UnstyledButton
            className={styles.folder}
            onClick={() => onGo(kind === 'PERSONAL' ? undefined : id)}
          >
            {kind === 'PERSONAL' ? (
              <IconFolder size={20} aria-hidden />
            ) : (
              <IconUsersGroup size={20} aria-hidden />
            )}
            <span>{name ?? t('nav.drive')}</span>
            <IconChevronRight size={16} aria-hidden />
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}

interface FoldersProps {
  readonly drive: DriveId;
  readonly path: string;
  readonly isClosed: ((path: string, drive: DriveId) => boolean) | undefined;
  readonly onGo: (path: string) => void;
}

function Folders({ drive, path, isClosed, onGo }: FoldersProps) {
  const { t } = useTranslation();
  const query = useFolders(drive, path);
  const { folders = [], error, refetch, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  if (error !== null) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  return (
    <ul className={styles.list} aria-label={t('picker.folders')} aria-busy={isPending}>
      {folders.map((folder) => (
        <li key={folder.id}>
          <UnstyledButton
            className={styles.folder}
            disabled={isClosed?.(folder.path, drive) === true}
            onClick={() => onGo(folder.path)}
          >
            <IconFolderFilled size={20} aria-hidden color={FOLDER_COLOR} />
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
            {t('drive.moreFolders')}
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
          {t('picker.empty')}
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
