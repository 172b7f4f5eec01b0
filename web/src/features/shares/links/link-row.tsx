import { Group, Paper, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { KEYS } from '../../../api/keys.ts';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { notify, notifyError } from '../../../ui/notifications/notify.ts';
import { useDriveName } from '../../drives/drive-names.ts';
import { useDriveId } from '../../drives/use-drive.ts';
import { EntryBadge } from '../../entries/entry-icon.tsx';
import { LinkCard } from './link-card.tsx';
import { LinkMenu } from './link-menu.tsx';
import type { LinkTarget } from './link-target.ts';

interface LinkRowProps {
  /** What visitors see. */
  readonly name: string;
  /** Undefined if the row is next to the file or folder itself. Then its icon and path are omitted. */
  readonly target: LinkTarget | undefined;
  readonly badges?: ReactNode;
  /** The counts and the expiry. */
  readonly facts: ReactNode;
  /** The public page. */
  readonly address: string;
  /** Deletes the link. */
  readonly remove: () => Promise<null>;
  /** Renders the dialog that changes the link, if it can be changed. */
  readonly renderEdit?: ((onClose: () => void) => ReactNode) | undefined;
}

/** One of the user's links, of any kind: what it leads to, its state, and the possible actions. */
export function LinkRow({ name, target, badges, facts, address, remove, renderEdit }: LinkRowProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<'link' | 'edit' | 'revoke'>();
  const close = () => setOpen(undefined);
  return (
    <Paper withBorder p="sm" component="li">
      <Group gap="sm" justify="space-between">
        <Group gap="sm" wrap="nowrap" flex="1 1 260px" miw={0}>
          {target !== undefined && <EntryBadge entry={target} />}
          <Stack gap={4} miw={0}>
            <Group gap="xs">
              <Text fw={600} truncate miw={0} maw="100%">
                {name}
              </Text>
              {badges}
            </Group>
            {target !== undefined && <TargetPath {...target} />}
            {facts}
          </Stack>
        </Group>
        <Group gap="xs" wrap="nowrap">
          <CopyButton
            text={address}
            label={t('shares.copyLink')}
            describedAs={t('shares.copyLinkOf', { name })}
            variant="default"
            mih="var(--tap-size)"
          />
          <LinkMenu
            {...{ name, target, address }}
            onShow={() => setOpen('link')}
            onEdit={renderEdit && (() => setOpen('edit'))}
            onRevoke={() => setOpen('revoke')}
          />
        </Group>
      </Group>
      {open === 'edit' && renderEdit?.(close)}
      {open === 'link' && (
        <Dialog onClose={close} title={t('shares.linkOf', { name })} closeSize={40}>
          <LinkCard address={address} name={name} isNew />
        </Dialog>
      )}
      {open === 'revoke' && <RevokeDialog name={name} remove={remove} onClose={close} />}
    </Paper>
  );
}

function TargetPath({ path, directory, filename }: LinkTarget) {
  const { t } = useTranslation();
  const driveName = useDriveName(useDriveId());
  const inBin = directory ? t('folderLinks.inBin') : filename;
  return (
    <Text size="sm" truncate>
      {path === undefined ? inBin : [driveName, ...path.split('/').filter(Boolean)].join(' / ')}
    </Text>
  );
}

/** Asks whether to delete a link. If the link is already gone, that counts as success. */
function RevokeDialog({
  name,
  remove,
  onClose,
}: Pick<LinkRowProps, 'name' | 'remove'> & { onClose: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: async () => {
      try {
        await remove();
      } catch (error) {
        if (!(error instanceof HoldallError && error.status === 404)) throw error;
      }
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: KEYS.shares() });
      onClose();
      notify(t('shares.revoked'));
    },
    onError: notifyError,
  });
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
