import { Button, Group, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../api/ask.ts';
import type { EntryRecord } from '../../api/contract.ts';
import { messageOf } from '../../common/message-of.ts';
import { childOf, toDirectory } from '../../common/names/drive-paths.ts';
import { renewLists } from '../../features/entries/change/listed-entries.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { SavedForm } from '../../ui/fields/saved-form.tsx';

/** Asks for the name of a new folder, creates it, and selects it in the list. */
export function NewFolderDialog({ path, onClose }: { readonly path: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const folder = name.trim();
  // The service would create nested folders for a name with a slash.
  const hasSlash = folder.includes('/');
  const make = useMutation({
    mutationFn: () => ask<EntryRecord>('POST', '/api/files/mkdir', { body: { path: childOf(path, folder) } }),
    onSuccess: async ({ id }) => {
      await renewLists(queryClient);
      onClose();
      await navigate({ ...toDirectory(path), search: { select: id }, replace: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (folder !== '' && !hasSlash) make.mutate();
  };
  const fault = hasSlash ? t('drive.noSlash') : make.error && messageOf(make.error);
  return (
    <Dialog onClose={onClose} title={t('drive.newFolder')}>
      <SavedForm isSaving={make.isPending} onSubmit={submit}>
        <TextInput
          label={t('drive.folderName')}
          data-autofocus
          value={name}
          autoComplete="off"
          maxLength={255}
          error={fault}
          onChange={(event) => {
            setName(event.currentTarget.value);
            make.reset();
          }}
        />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={make.isPending} disabled={folder === '' || hasSlash}>
            {t('drive.create')}
          </Button>
        </Group>
      </SavedForm>
    </Dialog>
  );
}
