import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { KEYS } from '../../../api/keys.ts';
import { ActDialog } from '../pieces/act-dialog.tsx';

interface DeleteLinkDialogProps {
  /** Selects the texts of the dialog. */
  readonly kind: 'shares' | 'folderLinks';
  /** Deletes the link. */
  readonly remove: () => Promise<null>;
  readonly name: string;
  /** The name of the account or shared drive that owns it. */
  readonly owner: string;
  readonly onClose: () => void;
}

/** Asks whether to delete someone's link, and deletes it. */
export function DeleteLinkDialog({ kind, remove, name, owner, onClose }: DeleteLinkDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return (
    <ActDialog
      title={t(`admin.${kind}.deleteTitle`)}
      text={t(`admin.${kind}.deleteText`, { name, owner })}
      action={t(`admin.${kind}.delete`)}
      act={remove}
      done={t(`admin.${kind}.deleted`, { name, owner })}
      // The link may have been the admin's own.
      onDone={() => void queries.invalidateQueries({ queryKey: KEYS.shares() })}
      onClose={onClose}
    />
  );
}
