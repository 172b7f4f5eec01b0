import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../../../api/ask.ts';
import { formatBytes, formatNumber } from '../../../../messages/formats.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { notify } from '../../../../ui/notifications/notify.ts';
import { useFormAct } from '../../pieces/use-act.ts';
import { type DriveDialogProps, nameOf } from '../drive-dialog-props.ts';

/** Deletes a shared drive. The admin must type its name. */
export function DeleteDriveDialog({ drive, onClose }: DriveDialogProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const name = nameOf(drive);
  const remove = useFormAct(
    () => ask('DELETE /api/admin/drives/{id}', { path: { id: drive.id }, body: { name } }),
    () => {
      onClose();
      notify(t('admin.drives.deleted', { name }));
    },
  );
  const lost = { count: drive.fileCount, number: formatNumber(drive.fileCount) };
  return (
    <FormDialog
      title={t('admin.drives.deleteTitle', { name })}
      action={t('admin.drives.acts.delete')}
      isGrave
      isPending={remove.isPending}
      error={remove.error}
      isReady={typed === name}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <Text fw={600}>{t('admin.drives.deleteFiles', { ...lost, size: formatBytes(drive.usedBytes) })}</Text>
      <Text>{t('admin.drives.deleteText')}</Text>
      <TextInput
        label={t('admin.drives.deleteCheck', { name })}
        value={typed}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
      />
    </FormDialog>
  );
}
