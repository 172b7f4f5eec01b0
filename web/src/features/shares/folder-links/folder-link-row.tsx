import { Badge, Group, Paper, Stack, Text } from '@mantine/core';
import { IconExternalLink, IconLinkOff, IconLock, IconPencil, IconQrcode } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FolderLinkRecord } from '../../../api/contract.ts';
import { formatBytes, formatNumber, formatTime } from '../../../messages/formats.ts';
import { formatFromNow } from '../../../messages/from-now.ts';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { EntryBadge } from '../../entries/entry-icon.tsx';
import { isExpired } from '../folder-link-queries.ts';
import { LinkDialogs } from '../links/link-dialogs.tsx';
import { EditFolderLink } from './edit-folder-link.tsx';
import { toFolderLinkPage } from './folder-link-addresses.ts';

interface FolderLinkRowProps {
  readonly link: FolderLinkRecord;
  /** Shown next to the folder, so that its path is omitted. */
  readonly isBesideFolder?: boolean;
}

/** One of the user's folder links: what it allows, its state, and the possible actions. */
export function FolderLinkRow({ link, isBesideFolder = false }: FolderLinkRowProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<'link' | 'edit' | 'revoke'>();
  const close = () => setOpen(undefined);
  const name = link.title;
  const address = toFolderLinkPage(link.token);
  const look = { variant: 'default', size: 40 } as const;
  return (
    <Paper withBorder p="sm" component="li">
      <Group gap="sm" justify="space-between">
        <Group gap="sm" wrap="nowrap" flex="1 1 260px" miw={0}>
          {!isBesideFolder && <EntryBadge entry={{ filename: name, contentType: null, directory: true }} />}
          <Stack gap={4} miw={0}>
            <Group gap="xs">
              <Text fw={600} truncate miw={0} maw="100%">
                {name}
              </Text>
              <LinkBadges link={link} />
            </Group>
            {!isBesideFolder && (
              <Text size="sm" truncate>
                {link.inBin ? t('folderLinks.inBin') : link.directoryPath}
              </Text>
            )}
            <LinkFacts link={link} />
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
          <IconButton {...look} label={t('shares.showLinkOf', { name })} onClick={() => setOpen('link')}>
            <IconQrcode size={20} aria-hidden />
          </IconButton>
          <IconButton
            {...look}
            component="a"
            href={address}
            target="_blank"
            label={t('folderLinks.open', { name })}
          >
            <IconExternalLink size={20} aria-hidden />
          </IconButton>
          {!link.inBin && (
            <IconButton {...look} label={t('shares.editOf', { name })} onClick={() => setOpen('edit')}>
              <IconPencil size={20} aria-hidden />
            </IconButton>
          )}
          <IconButton {...look} label={t('shares.revokeOf', { name })} onClick={() => setOpen('revoke')}>
            <IconLinkOff size={20} aria-hidden />
          </IconButton>
        </Group>
      </Group>
      {open === 'edit' && <EditFolderLink link={link} onClose={close} />}
      <LinkDialogs
        open={open === 'edit' ? undefined : open}
        name={name}
        address={address}
        endpoint={`/api/v2/folder-links/${link.id}`}
        onClose={close}
      />
    </Paper>
  );
}

function LinkBadges({ link }: { readonly link: FolderLinkRecord }) {
  const { t } = useTranslation();
  const look = { radius: 'sm', component: 'span' } as const;
  return (
    <Group gap={6} component="span">
      <Badge {...look} variant="light">
        {t(`folderLinks.badge_${link.mode}`)}
      </Badge>
      {link.inBin && (
        <Badge {...look} color="red" variant="dot">
          {t('folderLinks.badgeInBin')}
        </Badge>
      )}
      {isExpired(link, Date.now()) && (
        <Badge {...look} color="red" variant="dot">
          {t('shares.expired')}
        </Badge>
      )}
      {link.passwordProtected && (
        <Badge {...look} color="gray" variant="light" leftSection={<IconLock size={12} aria-hidden />}>
          {t('shares.withPassword')}
        </Badge>
      )}
    </Group>
  );
}

/** The files that were received by the link, and its end. */
function LinkFacts({ link }: { readonly link: FolderLinkRecord }) {
  const { t } = useTranslation();
  const { mode, receivedFiles, receivedBytes, maxFiles, expiresAt, createdAt } = link;
  const number = formatNumber(receivedFiles);
  const facts = [
    ...(mode === 'VIEW' && receivedFiles === 0
      ? []
      : [
          maxFiles === null
            ? t('folderLinks.received', { count: receivedFiles, number })
            : t('folderLinks.receivedOf', { number, most: formatNumber(maxFiles) }),
          formatBytes(receivedBytes),
        ]),
    ...(expiresAt === null
      ? []
      : [
          t(isExpired(link, Date.now()) ? 'shares.expiredAt' : 'shares.expiresAt', {
            when: formatFromNow(expiresAt),
          }),
        ]),
    t('shares.since', { time: formatTime(createdAt) }),
  ];
  return (
    <Text size="sm" c="dimmed">
      {facts.join(' · ')}
    </Text>
  );
}
