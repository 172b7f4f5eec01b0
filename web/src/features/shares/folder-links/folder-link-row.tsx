import { Badge, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FolderLinkRecord } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { formatBytes, formatNumber } from '../../../messages/formats.ts';
import { formatFromNow } from '../../../messages/from-now.ts';
import { useDriveName } from '../../drives/drive-names.ts';
import { useDriveId } from '../../drives/use-drive.ts';
import { isExpired } from '../folder-link-queries.ts';
import { EditLink } from '../links/edit-link.tsx';
import { LinkRow } from '../links/link-row.tsx';
import type { LinkTarget } from '../links/link-target.ts';
import { FactLine, originFacts, PasswordBadge, StateBadge } from '../share-facts.tsx';
import { toFolderLinkPage } from './folder-link-addresses.ts';
import { FolderLinkForm } from './folder-link-form.tsx';
import { linkOptionsOf, toLinkChange } from './folder-link-options.ts';

interface FolderLinkRowProps {
  readonly link: FolderLinkRecord;
  /** Whether the row is shown next to the folder. Then the path is omitted. */
  readonly isBesideFolder?: boolean;
}

/** One of the user's folder links. */
export function FolderLinkRow({ link, isBesideFolder = false }: FolderLinkRowProps) {
  const drive = useDriveId();
  return (
    <LinkRow
      name={link.title}
      target={isBesideFolder ? undefined : targetOf(link)}
      badges={<LinkBadges link={link} />}
      facts={<LinkFacts link={link} />}
      address={toFolderLinkPage(link.token)}
      remove={() => ask('DELETE /api/v2/folder-links/{id}', { path: { id: link.id }, drive })}
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
  return (
    <Group gap={6} component="span">
      <Badge radius="sm" component="span" variant="light">
        {t(`folderLinks.badge_${link.mode}`)}
      </Badge>
      {link.inBin && <StateBadge color="red" text={t('folderLinks.badgeInBin')} />}
      {isExpired(link, Date.now()) && <StateBadge color="red" text={t('shares.expired')} />}
      {link.passwordProtected && <PasswordBadge />}
    </Group>
  );
}

/** What was received through the link, and when it expires. */
function LinkFacts({ link }: { readonly link: FolderLinkRecord }) {
  const { t } = useTranslation();
  const { mode, receivedFiles, receivedBytes, maxFiles, expiresAt } = link;
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
    ...originFacts(link),
  ];
  return <FactLine facts={facts} />;
}

/** Changes the options of a folder link. */
function EditFolderLink({
  link,
  onClose,
}: {
  readonly link: FolderLinkRecord;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const drive = useDriveId();
  const driveName = useDriveName(drive);
  const { id, directoryPath: path, title, passwordProtected } = link;
  const folderName = path?.slice(path.lastIndexOf('/') + 1) || driveName;
  return (
    <EditLink
      title={t('folderLinks.editTitle', { name: title })}
      readOptions={() => linkOptionsOf(link, folderName)}
      save={(before, after) =>
        ask('PATCH /api/v2/folder-links/{id}', {
          path: { id },
          drive,
          body: toLinkChange(before, after, Date.now()),
        })
      }
      hasPassword={passwordProtected}
      renderForm={(form) => <FolderLinkForm folderName={folderName} {...form} />}
      onClose={onClose}
    />
  );
}
