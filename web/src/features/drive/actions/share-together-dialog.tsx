import { Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { messageOf } from '../../../common/message-of.ts';
import { childOf, parentOf } from '../../../common/names/drive-paths.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { gatherEntries } from '../../entries/change/gather-entries.ts';
import type { Chosen } from '../../entries/entry-source.ts';

interface TogetherProps {
  readonly chosen: Chosen<EntryRecord>;
  /** Called with the folder that contains copies of everything. */
  readonly onGathered: (folder: EntryRecord) => void;
  readonly onClose: () => void;
}

/** Asks for the name of a new folder with copies of the entries, which will be shared instead of them. */
export function ShareTogetherDialog({ chosen, onGathered, onClose }: TogetherProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const folder = name.trim();
  // The service would create nested folders for a name with a slash.
  const hasSlash = folder.includes('/');
  const gather = useMutation({
    mutationFn: async () => {
      const entries = await chosen.collect();
      const [first] = entries;
      const place = parentOf(first?.path ?? '/');
      return await gatherEntries(queryClient, entries, childOf(place, folder), first?.driveId);
    },
    onSuccess: onGathered,
  });
  return (
    <FormDialog
      title={t('drive.shareTogetherTitle', { count: chosen.count })}
      action={t('drive.continue')}
      isPending={gather.isPending}
      isReady={folder !== '' && !hasSlash}
      onSubmit={gather.mutate}
      onClose={onClose}
    >
      <Text size="sm">{t('drive.shareTogetherText')}</Text>
      <TextInput
        label={t('drive.folderName')}
        data-autofocus
        value={name}
        autoComplete="off"
        maxLength={255}
        error={hasSlash ? t('drive.noSlash') : gather.error && messageOf(gather.error)}
        onChange={(event) => {
          setName(event.currentTarget.value);
          gather.reset();
        }}
      />
    </FormDialog>
  );
}
