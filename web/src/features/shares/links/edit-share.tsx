import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShareSummary } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { labelled } from '../../../ui/labelled.ts';
import { notify, notifyError } from '../../../ui/notifications/notify.ts';
import { ShareForm } from './share-form.tsx';
import { optionsOf, type ShareOptions, toChangeBody } from './share-options.ts';

interface EditShareProps {
  readonly share: ShareSummary;
  readonly onClose: () => void;
}

/** Changes the options of a share. Its link stays the same. */
export function EditShare({ share, onClose }: EditShareProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  // The options when the dialog was opened, even if the share changes meanwhile.
  const [initial] = useState(() => optionsOf(share));
  const save = useMutation({
    mutationFn: (options: ShareOptions) =>
      ask('PATCH /api/v2/shares/{id}', {
        path: { id: share.id },
        body: toChangeBody(initial, options, Date.now()),
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: KEYS.shares() });
      onClose();
      notify(t('shares.changed'));
    },
    onError: notifyError,
  });
  return (
    <Dialog
      onClose={onClose}
      size="lg"
      title={t('shares.editTitle', { name: share.shareName })}
      closeButtonProps={{ ...labelled(t('common.close')), size: 40 }}
    >
      <ShareForm
        fileName={share.file?.filename ?? share.shareName}
        initial={initial}
        hasPassword={share.passwordRequired}
        action={t('shares.saveChanges')}
        isPending={save.isPending}
        onSubmit={save.mutate}
      />
    </Dialog>
  );
}
