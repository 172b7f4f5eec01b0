import { Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { messageOf } from '../../../common/message-of.ts';
import { childOf, parentOf } from '../../../common/names/drive-paths.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { SavedForm } from '../../../ui/fields/saved-form.tsx';
import { gatherEntries } from '../../entries/change/gather-entries.ts';
import type { Chosen } from '../../entries/entry-source.ts';

interface TogetherProps {
  readonly chosen: Chosen<EntryRecord>;
  /** Called with the folder that contains copies of everything. */
  readonly onGathered: (folder: EntryRecord) => void;
  readonly onClose: () => void;
}

/** Asks for the name of a new folder that will be shared instead of the single entries. */
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
      const place = parentOf(entries[0]?.path ?? '/');
      return await gatherEntries(queryClient, entries, childOf(place, folder));
    },
    onSuccess: onGathered,
  });
  const submit = () => {
    if (folder !== '' && !hasSlash) gather.mutate();
  };
  return (
    <Dialog onClose={onClose} title={t('drive.shareTogetherTitle', { count: chosen.count })}>
      <SavedForm isSaving={gather.isPending} onSubmit={submit}>
        <Text size="sm" mb="md">
          {t('drive.shareTogetherText')}
        </Text>
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
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={gather.isPending} disabled={folder === '' || hasSlash}>
            {t('drive.continue')}
          </Button>
        </Group>
      </SavedForm>
    </Dialog>
  );
}
