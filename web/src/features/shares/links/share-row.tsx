import { Group, Menu, Paper, Stack, Text } from '@mantine/core';
import { IconDots, IconFolder, IconLinkOff, IconLinkPlus, IconPencil, IconQrcode } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShareSummary } from '../../../api/contract.ts';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { EntryBadge } from '../../entries/entry-icon.tsx';
import { toPlace, toSharePage } from '../addresses.ts';
import { PlaceLink } from '../place-link.tsx';
import { ShareBadges, ShareCounts } from '../share-facts.tsx';
import { EditShare } from './edit-share.tsx';
import { LinkDialogs } from './link-dialogs.tsx';

interface ShareRowProps {
  readonly share: ShareSummary;
  /** Shown next to the file, so that icon and link are omitted. */
  readonly isBesideFile?: boolean;
}

/** One of the user's shares: what it is, its state, and the possible actions. */
export function ShareRow({ share, isBesideFile = false }: ShareRowProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<'link' | 'edit' | 'revoke'>();
  const { shareName: name } = share;
  const close = () => setOpen(undefined);
  const address = toSharePage(share.token);
  return (
    <Paper withBorder p="sm" component="li">
      <Group gap="sm" justify="space-between">
        <ShareFacts share={share} isBesideFile={isBesideFile} />
        <Group gap="xs" wrap="nowrap">
          <CopyButton
            text={address}
            label={t('shares.copyLink')}
            describedAs={t('shares.copyLinkOf', { name })}
            variant="default"
            mih="var(--tap-size)"
          />
          <IconButton
            variant="default"
            size={40}
            label={t('shares.showLinkOf', { name })}
            onClick={() => setOpen('link')}
          >
            <IconQrcode size={20} aria-hidden />
          </IconButton>
          {isBesideFile && (
            <IconButton
              variant="default"
              size={40}
              label={t('shares.editOf', { name })}
              onClick={() => setOpen('edit')}
            >
              <IconPencil size={20} aria-hidden />
            </IconButton>
          )}
          {isBesideFile ? (
            <IconButton
              variant="default"
              size={40}
              label={t('shares.revokeOf', { name })}
              onClick={() => setOpen('revoke')}
            >
              <IconLinkOff size={20} aria-hidden />
            </IconButton>
          ) : (
            <ShareMenu share={share} onEdit={() => setOpen('edit')} onRevoke={() => setOpen('revoke')} />
          )}
        </Group>
      </Group>
      {open === 'edit' && <EditShare share={share} onClose={close} />}
      <LinkDialogs
        open={open === 'edit' ? undefined : open}
        name={name}
        address={address}
        endpoint={`/api/v2/shares/${share.id}`}
        onClose={close}
      />
    </Paper>
  );
}

/** The facts of a share: its file, its state and its counts. */
function ShareFacts({ share, isBesideFile }: Required<ShareRowProps>) {
  const { shareName: name, file } = share;
  return (
    <Group gap="sm" wrap="nowrap" flex="1 1 260px" miw={0}>
      {!isBesideFile && file !== undefined && <EntryBadge entry={file} />}
      <Stack gap={4} miw={0}>
        <Group gap="xs">
          <Text fw={600} truncate miw={0} maw="100%">
            {name}
          </Text>
          <ShareBadges share={share} />
        </Group>
        {!isBesideFile && file !== undefined && file.filename !== name && (
          <Text size="sm" truncate>
            {file.path ?? file.filename}
          </Text>
        )}
        <ShareCounts share={share} />
      </Stack>
    </Group>
  );
}

/** The further actions of a share in the list of all shares. */
function ShareMenu({
  share,
  onEdit,
  onRevoke,
}: {
  readonly share: ShareSummary;
  readonly onEdit: () => void;
  readonly onRevoke: () => void;
}) {
  const { t } = useTranslation();
  const { shareName: name, file } = share;
  return (
    <Menu position="bottom-end" shadow="md" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <IconButton variant="default" size={40} label={t('shares.moreOf', { name })}>
          <IconDots size={20} aria-hidden />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
          {t('shares.edit')}
        </Menu.Item>
        {file?.parentPath !== undefined && (
          <Menu.Item
            renderRoot={(props) => <PlaceLink {...props} href={toPlace(file.parentPath ?? '/', file.id)} />}
            leftSection={<IconFolder size={16} aria-hidden />}
          >
            {t('shares.openPlace')}
          </Menu.Item>
        )}
        {file !== undefined && (
          <Menu.Item
            renderRoot={(props) => <Link {...props} to="/shared" search={{ file: file.id }} />}
            leftSection={<IconLinkPlus size={16} aria-hidden />}
          >
            {t('shares.another')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconLinkOff size={16} aria-hidden />} onClick={onRevoke}>
          {t('shares.revoke')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
