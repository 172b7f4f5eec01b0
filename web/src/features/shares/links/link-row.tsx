import { Group, Paper, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { EntryBadge } from '../../entries/entry-icon.tsx';
import { LinkDialogs } from './link-dialogs.tsx';
import { LinkMenu } from './link-menu.tsx';
import type { LinkTarget } from './link-target.ts';

interface LinkRowProps {
  /** What visitors see. */
  readonly name: string;
  /** Undefined next to the file or folder itself, which makes its icon and its path needless. */
  readonly target: LinkTarget | undefined;
  readonly badges?: ReactNode;
  /** The counts and the end. */
  readonly facts: ReactNode;
  /** The public page. */
  readonly address: string;
  /** Deletes the link. */
  readonly remove: () => Promise<null>;
  /** Makes the dialog that changes the link, if it can be changed. */
  readonly renderEdit?: ((onClose: () => void) => ReactNode) | undefined;
}

/** One of the user's links, of any kind: what it leads to, its state, and the possible actions. */
export function LinkRow({ name, target, badges, facts, renderEdit, ...link }: LinkRowProps) {
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
            text={link.address}
            label={t('shares.copyLink')}
            describedAs={t('shares.copyLinkOf', { name })}
            variant="default"
            mih="var(--tap-size)"
          />
          <LinkMenu
            {...{ name, target }}
            address={link.address}
            onShow={() => setOpen('link')}
            onEdit={renderEdit && (() => setOpen('edit'))}
            onRevoke={() => setOpen('revoke')}
          />
        </Group>
      </Group>
      {open === 'edit' && renderEdit?.(close)}
      <LinkDialogs open={open === 'edit' ? undefined : open} name={name} {...link} onClose={close} />
    </Paper>
  );
}

function TargetPath({ path, directory, filename }: LinkTarget) {
  const { t } = useTranslation();
  const inBin = directory ? t('folderLinks.inBin') : filename;
  return (
    <Text size="sm" truncate>
      {path === undefined ? inBin : [t('nav.drive'), ...path.split('/').filter(Boolean)].join(' / ')}
    </Text>
  );
}
