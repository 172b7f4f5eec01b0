import { Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminFolderLink } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { formatBytes, formatNumber, formatTime } from '../../../messages/formats.ts';
import { type Column, ownerColumn, RowName } from '../list/columns.tsx';
import { PagedList } from '../list/paged-list.tsx';
import { usePage } from '../list/use-page.ts';
import { Mark } from '../pieces/mark.tsx';
import { ownerNameOf } from '../pieces/owner-link.tsx';
import { DeleteItem, PageItem, RowMenu } from '../pieces/row-menu.tsx';
import { DeleteLinkDialog } from './delete-link-dialog.tsx';
import { SHARE_FILTERS, ShareFilters } from './share-filters.tsx';

/** The folder links of all users. */
export function FolderLinksPart() {
  const { t } = useTranslation();
  const query = usePage('folder-links', SHARE_FILTERS);
  const [toDelete, setToDelete] = useState<AdminFolderLink>();
  const columns = useLinkColumns();
  return (
    <Stack gap="xs">
      <ShareFilters />
      <PagedList
        query={query}
        filters={SHARE_FILTERS}
        title={t('admin.parts.folder-links')}
        columns={columns}
        acts={(link) => (
          <RowMenu name={link.title}>
            <PageItem href={`/f/${encodeURIComponent(link.token)}`} text={t('admin.shares.open')} />
            <DeleteItem text={t('admin.folderLinks.delete')} onClick={() => setToDelete(link)} />
          </RowMenu>
        )}
        empty={{ drawing: 'links', title: t('admin.folderLinks.none') }}
      />
      {toDelete !== undefined && (
        <DeleteLinkDialog
          kind="folderLinks"
          remove={() => ask('DELETE /api/admin/folder-links/{linkId}', { path: { linkId: toDelete.id } })}
          name={toDelete.title}
          owner={ownerNameOf(toDelete)}
          onClose={() => setToDelete(undefined)}
        />
      )}
    </Stack>
  );
}

function useLinkColumns(): Column<AdminFolderLink>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'link',
      title: t('admin.folderLinks.link'),
      cell: ({ title, directoryPath }) => <RowName name={title} hint={directoryPath} />,
    },
    ownerColumn(t('admin.owner')),
    { key: 'state', title: t('admin.shares.state'), cell: (link) => <LinkMarks link={link} /> },
    {
      key: 'expires',
      title: t('admin.shares.expires'),
      cell: ({ expiresAt }) => (expiresAt === null ? t('admin.shares.never') : formatTime(expiresAt)),
    },
    {
      key: 'received',
      title: t('admin.folderLinks.received'),
      cell: ({ receivedFiles, receivedBytes }) =>
        `${formatNumber(receivedFiles)} (${formatBytes(receivedBytes)})`,
      isNumber: true,
    },
  ];
}

function LinkMarks({ link }: { link: AdminFolderLink }) {
  const { t } = useTranslation();
  return (
    <Group gap={4}>
      <Mark
        tone={link.expired ? 'bad' : 'good'}
        text={t(link.expired ? 'admin.shares.expired' : 'admin.shares.live')}
      />
      <Mark tone="plain" text={t(`admin.folderLinks.modes.${link.mode}`)} />
      {link.passwordProtected && <Mark tone="busy" text={t('admin.shares.password')} />}
    </Group>
  );
}
