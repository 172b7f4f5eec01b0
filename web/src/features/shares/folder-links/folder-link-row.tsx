import { Badge, Group, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { FolderLinkRecord } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { formatBytes, formatNumber, formatTime } from '../../../messages/formats.ts';
import { formatFromNow } from '../../../messages/from-now.ts';
import { isExpired } from '../folder-link-queries.ts';
import { LinkRow } from '../links/link-row.tsx';
import type { LinkTarget } from '../links/link-target.ts';
import { EditFolderLink } from './edit-folder-link.tsx';
import { toFolderLinkPage } from './folder-link-addresses.ts';

interface FolderLinkRowProps {
  readonly link: FolderLinkRecord;
  /** Shown next to the folder, so that its path is omitted. */
  readonly isBesideFolder?: boolean;
}

/** One of the user's folder links. */
export function FolderLinkRow({ link, isBesideFolder = false }: FolderLinkRowProps) {
  return (
    <LinkRow
      name={link.title}
      target={isBesideFolder ? undefined : targetOf(link)}
      badges={<LinkBadges link={link} />}
      facts={<LinkFacts link={link} />}
      address={toFolderLinkPage(link.token)}
      remove={() => ask('DELETE /api/v2/folder-links/{id}', { path: { id: link.id } })}
      renderEdit={link.inBin ? undefined : (onClose) => <EditFolderLink link={link} onClose={onClose} />}
    />
  );
}

function targetOf({ directoryId, directoryPath, title }: FolderLinkRecord): LinkTarget {
  const path = directoryPath ?? undefined;
  return { id: directoryId, filename: title, contentType: null, directory: true, path };
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
