import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { KEYS } from '../../../api/keys.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { notify, notifyError } from '../../../ui/notifications/notify.ts';
import type { LinkFormProps } from './link-options.tsx';

interface EditLinkProps<Options> {
  readonly title: string;
  readonly readOptions: () => Options;
  readonly save: (before: Options, after: Options) => Promise<unknown>;
  readonly hasPassword: boolean;
  readonly renderForm: (props: LinkFormProps<Options>) => ReactNode;
  readonly onClose: () => void;
}

/** Changes the options of a link of any kind. Its address stays the same. */
export function EditLink<Options>(props: EditLinkProps<Options>) {
  const { title, readOptions, save, hasPassword, renderForm, onClose } = props;
  const { t } = useTranslation();
  const queries = useQueryClient();
  // Keeps the options from when the dialog was opened, even if the link changes meanwhile.
  const [initial] = useState(readOptions);
  const change = useMutation({
    mutationFn: (options: Options) => save(initial, options),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: KEYS.shares() });
      onClose();
      notify(t('shares.changed'));
    },
    onError: notifyError,
  });
  return (
    <Dialog onClose={onClose} size="lg" title={title} closeSize={40}>
      {renderForm({
        action: t('shares.saveChanges'),
        isPending: change.isPending,
        onSubmit: change.mutate,
        initial,
        hasPassword,
      })}
    </Dialog>
  );
}
