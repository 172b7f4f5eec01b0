import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { messageOf } from '../../../common/message-of.ts';
import { renewLists } from '../../../features/entries/change/listed-entries.ts';
import { useStemSelection } from '../../../features/entries/change/use-stem-selection.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { useIsOpen } from '../../../ui/dialogs/use-is-open.ts';
import { notifyError } from '../../../ui/notifications/notify.ts';

interface NameDialogProps {
  readonly title: string;
  readonly label: string;
  /** A name that may be kept. Its stem is selected. */
  readonly initialName?: string;
  readonly create: (name: string) => Promise<EntryRecord>;
  /** Called after the dialog has closed by itself. */
  readonly onCreated: (entry: EntryRecord) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the name of a new entry, and creates it. A name that is taken is reported at the field. */
export function NameDialog({ title, label, initialName = '', create, onCreated, onClose }: NameDialogProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [text, setText] = useState(initialName);
  const selectStem = useStemSelection({ filename: initialName, directory: false, contentType: null });
  const isOpen = useIsOpen();
  const name = text.trim();
  // The service would create nested folders for a name with a slash.
  const hasSlash = name.includes('/');
  const make = useMutation({
    mutationFn: () => create(name),
    onSuccess: async (entry) => {
      await renewLists(queryClient);
      // Who closed it meanwhile is doing something else.
      if (!isOpen.current) return;
      onClose();
      await onCreated(entry);
    },
    onError: (error) => {
      if (!isOpen.current) notifyError(error);
    },
  });
  return (
    <FormDialog
      title={title}
      action={t('drive.create')}
      isPending={make.isPending}
      isReady={name !== '' && !hasSlash}
      onSubmit={make.mutate}
      onClose={onClose}
    >
      <TextInput
        label={label}
        data-autofocus
        value={text}
        autoComplete="off"
        maxLength={255}
        error={hasSlash ? t('drive.noSlash') : make.error && messageOf(make.error)}
        onFocus={selectStem}
        onChange={(event) => {
          setText(event.currentTarget.value);
          make.reset();
        }}
      />
    </FormDialog>
  );
}
