import { Alert, Button, Text } from '@mantine/core';
import { IconCircleCheck, IconFolderPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import type { DriveId } from '../../../api/in-drive.ts';
import { KEYS } from '../../../api/keys.ts';
import { useSession } from '../../../api/use-session.ts';
import { toDirectory } from '../../../common/names/drive-paths.ts';
import { lazyPart } from '../../../common/timing/lazy-part.ts';
import { notifyError } from '../../../ui/notifications/notify.ts';
import { useDriveName } from '../../drives/drive-names.ts';
import { Skipped } from '../../entries/conflicts/conflict-decisions.ts';
import type { DirectoryPlace } from '../../entries/find-entry.ts';

const FolderPicker = lazyPart(
  async () => (await import('../../entries/folder-picker/folder-picker.tsx')).FolderPicker,
);

interface SaveToDriveProps {
  readonly name: string;
  /** Whether this is the primary action of the page. */
  readonly isMain: boolean;
  /** Small in a toolbar. */
  readonly size?: 'lg' | 'sm';
  /** Whether no import is left. */
  readonly isOver?: boolean;
  /** Copies the share into the directory. @throws Skipped; HoldallError */
  readonly onSave: (directory: DirectoryPlace) => Promise<EntryRecord>;
}

/** Copies the share into a drive of the visitor. Visitors without a session log in first and come back. */
export function SaveToDrive({ name, isMain, size = 'lg', isOver = false, onSave }: SaveToDriveProps) {
  const { t } = useTranslation();
  const session = useSession();
  const { href } = useLocation();
  const queries = useQueryClient();
  const [isPicking, setPicking] = useState(false);
  const save = useMutation({
    mutationFn: onSave,
    onSuccess: () => {
      setPicking(false);
      return queries.invalidateQueries({ queryKey: KEYS.entries() });
    },
    // After a skipped conflict the user can choose another folder.
    onError: (error) => error instanceof Skipped || notifyError(error),
  });
  const looks = {
    size,
    mih: 'var(--tap-size)',
    variant: isMain ? 'filled' : 'default',
    leftSection: <IconFolderPlus size={20} aria-hidden />,
  } as const;
  if (isOver && save.data === undefined) return null;
  if (session === undefined) {
    return (
      <>
        <Button {...looks} renderRoot={(props) => <Link {...props} to="/login" search={{ next: href }} />}>
          {t('shares.logInToSave')}
        </Button>
        {isMain && (
          <Text size="sm" c="dimmed" ta="center">
            {t('shares.logInHint')}
          </Text>
        )}
      </>
    );
  }
  return (
    <>
      {save.data === undefined ? (
        <Button {...looks} onClick={() => setPicking(true)} loading={save.isPending}>
          {t('shares.save')}
        </Button>
      ) : (
        <SavedNotice entry={save.data} drive={save.variables.drive} />
      )}
      {isPicking && (
        <Suspense>
          <FolderPicker
            title={t('shares.saveWhere', { name })}
            action={t('shares.saveHere')}
            isPending={save.isPending}
            isAcrossDrives
            onPick={(path, drive) => save.mutate({ drive, directory: path })}
            onClose={() => setPicking(false)}
          />
        </Suspense>
      )}
    </>
  );
}

interface SavedNoticeProps {
  readonly entry: EntryRecord;
  readonly drive: DriveId;
}

function SavedNotice({ entry, drive }: SavedNoticeProps) {
  const { t } = useTranslation();
  const name = useDriveName(drive);
  const isPersonal = drive === undefined;
  return (
    <Alert color="green" role="status" icon={<IconCircleCheck aria-hidden />}>
      <Text fw={600} mb="xs">
        {isPersonal ? t('shares.saved') : t('shares.savedIn', { name })}
      </Text>
      <Button
        variant="default"
        mih="var(--tap-size)"
        renderRoot={(props) => (
          <Link {...toDirectory(entry.parentPath, { drive, select: entry.id })} {...props} />
        )}
      >
        {isPersonal ? t('shares.openPlace') : t('shares.openIn', { name })}
      </Button>
    </Alert>
  );
}
