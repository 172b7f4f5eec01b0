import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { KEYS } from '../../../api/keys.ts';
import { messageOf } from '../../../common/message-of.ts';
import { messages } from '../../../messages/i18n.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { useIsOpen } from '../../../ui/dialogs/use-is-open.ts';
import { notifyError, notifyText } from '../../../ui/notifications/notify.ts';
import { renewLists } from './listed-entries.ts';
import { renameEntry } from './rename-entry.ts';
import { useStemSelection } from './use-stem-selection.ts';

/**
 * Asks for the new name of an entry that is not shown in a list. A rejected name stays in the field.
 */
export function RenameDialog(props: { readonly entry: EntryRecord; readonly onClose: () => void }) {
  const { entry } = props;
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [name, setName] = useState(entry.filename);
  const selectStem = useStemSelection(entry);
  const isOpen = useIsOpen();
  const isClosed = useRef(false);
  const onClose = () => {
    isClosed.current = true;
    props.onClose();
  };
  const rename = useMutation({
    mutationFn: () => renameEntry(queryClient, entry, name),
    onSuccess: async (isDone) => {
      if (!isDone) return;
      await Promise.all([
        renewLists(queryClient),
        queryClient.invalidateQueries({ queryKey: KEYS.entry(entry.id) }),
      ]);
      onClose();
    },
    onError: (error) => {
      if (!isOpen.current) notifyError(error);
    },
  });
  useNoticeOfLoss({ filename: entry.filename, typed: name, isSent: rename.isPending }, isClosed);
  const isNew = name.trim() !== '' && name !== entry.filename;
  return (
    <FormDialog
      title={t('drive.do.rename')}
      action={t('drive.do.rename')}
      isPending={rename.isPending}
      isReady={isNew}
      onSubmit={rename.mutate}
      onClose={onClose}
    >
      <TextInput
        label={t('drive.newName')}
        data-autofocus
        value={name}
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        error={rename.error && messageOf(rename.error)}
        onFocus={selectStem}
        onChange={(event) => {
          setName(event.currentTarget.value);
          rename.reset();
        }}
      />
    </FormDialog>
  );
}

/** Shows what the user has typed if the dialog disappears because another device has deleted the file. */
function useNoticeOfLoss(
  state: {
    readonly filename: string;
    readonly typed: string;
    /** Whether the new name was sent. Then the response reports its fate instead. */
    readonly isSent: boolean;
  },
  isClosed: RefObject<boolean>,
): void {
  const latest = useRef(state);
  latest.current = state;
  useEffect(
    () => () => {
      const { filename: name, typed: text, isSent } = latest.current;
      if (!isClosed.current && !isSent && text !== name)
        notifyText(messages.t('preview.notRenamed', { name, text }));
    },
    [isClosed],
  );
}
