import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { KEYS } from '../../../api/keys.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { labelled } from '../../../ui/labelled.ts';
import { notify, notifyError } from '../../../ui/notifications/notify.ts';
import { LinkCard } from './link-card.tsx';

interface LinkDialogsProps {
  /** The open dialog. */
  readonly open: 'link' | 'revoke' | undefined;
  readonly name: string;
  /** The public page. */
  readonly address: string;
  /** Deletes the link. */
  readonly remove: () => Promise<null>;
  readonly onClose: () => void;
}

/** The dialogs of a link of any kind: the link with its QR code, and the question before it ends. */
export function LinkDialogs({ open, name, address, remove, onClose }: LinkDialogsProps) {
  const { t } = useTranslation();
  const revoke = useStopSharing(remove, onClose);
  if (open === 'link') {
    return (
      <Dialog
        onClose={onClose}
        title={t('shares.linkOf', { name })}
        closeButtonProps={{ ...labelled(t('common.close')), size: 40 }}
      >
        <LinkCard address={address} name={name} isNew />
      </Dialog>
    );
  }
  if (open === 'revoke') {
    return (
      <ConfirmDialog
        title={t('shares.revokeTitle', { name })}
        text={t('shares.revokeText')}
        action={t('shares.revoke')}
        isPending={revoke.isPending}
        onConfirm={() => revoke.mutate()}
        onClose={onClose}
      />
    );
  }
  return null;
}

/**
 * Deletes a share or a link.
 * @param remove deletes it at the service
 * @param onDone also called if it was deleted before
 */
function useStopSharing(remove: () => Promise<null>, onDone: () => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      try {
        await remove();
      } catch (error) {
        if (!(error instanceof HoldallError && error.status === 404)) throw error;
      }
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: KEYS.shares() });
      onDone();
      notify(t('shares.revoked'));
    },
    onError: notifyError,
  });
}
