import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '../../../common/message-of.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { useStemSelection } from './use-stem-selection.ts';

interface CompressDialogProps {
  readonly suggestedName: string;
  /** @throws HoldallError */
  readonly onCompress: (name: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the name of an archive. A rejected name stays in the field. */
export function CompressDialog({ suggestedName, onCompress, onClose }: CompressDialogProps) {
  const { t } = useTranslation();
  const [name, setName] = useState(suggestedName);
  const selectStem = useStemSelection({ filename: suggestedName, contentType: null, directory: false });
  const compress = useMutation({ mutationFn: () => onCompress(name.trim()), onSuccess: onClose });
  return (
    <FormDialog
      title={t('drive.compressTitle')}
      action={t('drive.do.compress')}
      isPending={compress.isPending}
      isReady={name.trim() !== ''}
      onSubmit={compress.mutate}
      onClose={onClose}
    >
      <TextInput
        label={t('drive.archiveName')}
        data-autofocus
        value={name}
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        error={compress.error && messageOf(compress.error)}
        onFocus={selectStem}
        onChange={(event) => {
          setName(event.currentTarget.value);
          compress.reset();
        }}
      />
    </FormDialog>
  );
}
