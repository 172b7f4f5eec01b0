import { Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../api/ask.ts';
import { ROOT, toDirectory } from '../../common/names/drive-paths.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { notify } from '../../ui/notifications/notify.ts';
import { useDriveChange } from './change-drives.ts';
import { MAX_DRIVE_NAME_LENGTH } from './drive-name.ts';

/** Creates an empty shared drive and opens it. */
export function CreateDriveDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const create = useDriveChange({
    change: () => ask('POST /api/v2/drives', { body: { name: name.trim() } }),
    onDone: ({ id, name: created }) => {
      notify(t('drives.created', { name: created }));
      onClose();
      void navigate(toDirectory(ROOT, { drive: id }));
    },
    showsError: true,
  });
  return (
    <FormDialog
      title={t('drives.new')}
      action={t('drives.create')}
      isPending={create.isPending}
      error={create.error}
      isReady={name.trim() !== ''}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <Text size="sm">{t('drives.explain')}</Text>
      <TextInput
        label={t('drives.name')}
        value={name}
        autoComplete="off"
        maxLength={MAX_DRIVE_NAME_LENGTH}
        data-autofocus
        onChange={({ currentTarget: { value } }) => {
          setName(value);
          create.reset();
        }}
      />
    </FormDialog>
  );
}
