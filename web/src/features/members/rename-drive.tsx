import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DriveRecord } from '../../../../client/src/client.ts';
import { ask } from '../../api/ask.ts';
import { messageOf } from '../../common/message-of.ts';
import { SavedForm } from '../../ui/fields/saved-form.tsx';
import { notify } from '../../ui/notifications/notify.ts';
import { MAX_DRIVE_NAME_LENGTH } from '../drives/drive-names.ts';
import { useDriveChange } from './change-drives.ts';

/** The field with the name of a drive. */
export function RenameDrive({ drive }: { readonly drive: DriveRecord }) {
  const { t } = useTranslation();
  const [name, setName] = useState(drive.name ?? '');
  const rename = useDriveChange({
    change: () => ask('PATCH /api/v2/drives/{id}', { path: { id: drive.id }, body: { name: name.trim() } }),
    onDone: (renamed) => notify(t('drives.renamed', { name: renamed.name })),
    showsError: true,
  });
  const isChanged = name.trim() !== '' && name.trim() !== drive.name;
  return (
    <SavedForm
      isSaving={rename.isPending}
      onSubmit={() => {
        if (isChanged) rename.mutate();
      }}
    >
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          label={t('drives.name')}
          value={name}
          autoComplete="off"
          maxLength={MAX_DRIVE_NAME_LENGTH}
          error={rename.error && messageOf(rename.error)}
          onChange={({ currentTarget: { value } }) => {
            setName(value);
            rename.reset();
          }}
        />
        <Button type="submit" variant="default" loading={rename.isPending} disabled={!isChanged}>
          {t('drives.rename')}
        </Button>
      </Group>
    </SavedForm>
  );
}
