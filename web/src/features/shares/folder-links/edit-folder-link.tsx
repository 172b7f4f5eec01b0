import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FolderLinkRecord } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { labelled } from '../../../ui/labelled.ts';
import { notify, notifyError } from '../../../ui/notifications/notify.ts';
import { FolderLinkForm } from './folder-link-form.tsx';
import { type FolderLinkOptions, linkOptionsOf, toLinkChange } from './folder-link-options.ts';

interface EditFolderLinkProps {
  readonly link: FolderLinkRecord;
  readonly onClose: () => void;
}

/** Changes the options of a folder link. Its address stays the same. */
export function EditFolderLink({ link, onClose }: EditFolderLinkProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { directoryPath: path } = link;
  const folderName = path?.slice(path.lastIndexOf('/') + 1) || t('nav.drive');
  // The options when the dialog was opened, even if the link changes meanwhile.
  const [initial] = useState(() => linkOptionsOf(link, folderName));
  const save = useMutation({
    mutationFn: (options: FolderLinkOptions) =>
      ask('PATCH /api/v2/folder-links/{id}', {
        path: { id: link.id },
        body: toLinkChange(initial, options, Date.now()),
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
      title={t('folderLinks.editTitle', { name: link.title })}
      closeButtonProps={{ ...labelled(t('common.close')), size: 40 }}
    >
      <FolderLinkForm
        folderName={folderName}
        initial={initial}
        hasPassword={link.passwordProtected}
        action={t('shares.saveChanges')}
        isPending={save.isPending}
        onSubmit={save.mutate}
      />
    </Dialog>
  );
}
