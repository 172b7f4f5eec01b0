import { Alert, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../api/ask.ts';
import { ROOT, toDirectory } from '../../common/names/drive-paths.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { useIsOpen } from '../../ui/dialogs/use-is-open.ts';
import { notify, notifyText } from '../../ui/notifications/notify.ts';
import { creationFailureText } from '../drives/creation-failure.ts';
import { MAX_DRIVE_NAME_LENGTH } from '../drives/drive-names.ts';
import { useDriveChange } from './change-drives.ts';

/** Creates an empty shared drive and opens it. */
export function CreateDriveDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isOpen = useIsOpen();
  const [name, setName] = useState('');
  const create = useDriveChange({
    change: async () => {
      try {
        return await ask('POST /api/v2/drives', { body: { name: name.trim() } });
      } catch (error) {
        if (!isOpen.current) notifyText(creationFailureText(error));
        throw error;
      }
    },
    onDone: ({ id, name: created }) => {
      notify(t('drives.created', { name: created }));
      // A user who has closed the dialog meanwhile is doing something else.
      if (!isOpen.current) return;
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
      {create.error !== null && <Alert color="red" role="alert" title={creationFailureText(create.error)} />}
    </FormDialog>
  );
}
