import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DriveRecord } from '../../../../client/src/client.ts';
import { ask } from '../../api/ask.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { notify } from '../../ui/notifications/notify.ts';
import { useOpenOwnFiles } from '../drives/use-open-own-files.ts';
import { useDriveChange } from './change-drives.ts';

interface DeleteDriveProps {
  readonly drive: DriveRecord;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** Deletes a shared drive. The manager must type its name, because all members lose it at once. */
export function DeleteDriveDialog({ drive, onDeleted, onClose }: DeleteDriveProps) {
  const { t } = useTranslation();
  const { id, name } = drive;
  const [typed, setTyped] = useState('');
  const openOwnFiles = useOpenOwnFiles(id);
  const remove = useDriveChange({
    change: async () => {
      await ask('DELETE /api/v2/drives/{id}', { path: { id }, body: { name: typed.trim() } });
      // Done first. Otherwise the page would report that the user has lost the drive.
      await openOwnFiles();
    },
    onDone: () => {
      onDeleted();
      notify(t('drives.deleted', { name }));
    },
    showsError: true,
  });
  return (
    <FormDialog
      title={t('drives.deleteTitle', { name })}
      action={t('drives.delete')}
      isGrave
      isPending={remove.isPending}
      error={remove.error}
      isReady={typed.trim() === name}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <Text>{t('drives.deleteText')}</Text>
      <TextInput
        label={t('drives.deleteCheck', { name })}
        value={typed}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
    </FormDialog>
  );
}
