import { Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminShare } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { formatBytes, formatNumber, formatTime } from '../../../messages/formats.ts';
import { type Column, ownerColumn, RowName } from '../list/columns.tsx';
import { PagedList } from '../list/paged-list.tsx';
import { usePage } from '../list/use-page.ts';
import { DetailsDrawer } from '../pieces/details-drawer.tsx';
import { Mark } from '../pieces/mark.tsx';
import { OwnerLink, ownerNameOf } from '../pieces/owner-link.tsx';
import { DeleteItem, PageItem, RowMenu } from '../pieces/row-menu.tsx';
import { DeleteLinkDialog } from './delete-link-dialog.tsx';
import { SHARE_FILTERS, ShareFilters } from './share-filters.tsx';

interface Open {
  readonly share: AdminShare;
  readonly toDelete: boolean;
}

/** The shares of all users, of both kinds. */
export function SharesPart() {
  const { t } = useTranslation();
  const query = usePage('shares', SHARE_FILTERS);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const columns = useShareColumns((share) => setOpen({ share, toDelete: false }));
  return (
    <Stack gap="xs">
      <ShareFilters />
      <PagedList
        query={query}
        filters={SHARE_FILTERS}
        title={t('admin.parts.shares')}
        columns={columns}
        acts={(share) => (
          <RowMenu name={share.shareName}>
            <PageItem href={pathOf(share)} text={t('admin.shares.open')} />
            <DeleteItem text={t('admin.shares.delete')} onClick={() => setOpen({ share, toDelete: true })} />
          </RowMenu>
        )}
        empty={{ drawing: 'links', title: t('admin.shares.none') }}
      />
      {open?.toDelete === true && (
        <DeleteLinkDialog
          kind="shares"
          remove={() => ask('DELETE /api/admin/shares/{shareId}', { path: { shareId: open.share.id } })}
          name={open.share.shareName}
          owner={ownerNameOf(open.share)}
          onClose={close}
        />
      )}
      {open?.toDelete === false && <ShareDetails share={open.share} onClose={close} />}
    </Stack>
  );
}

function useShareColumns(onOpen: (share: AdminShare) => void): Column<AdminShare>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'share',
      title: t('admin.shares.share'),
      cell: (share) => <RowName name={share.shareName} hint={share.filePath} onOpen={() => onOpen(share)} />,
    },
    ownerColumn(t('admin.owner')),
    { key: 'state', title: t('admin.shares.state'), cell: (share) => <ShareBadges share={share} /> },
    {
      key: 'expires',
      title: t('admin.shares.expires'),
      cell: ({ expiresAt }) => (expiresAt === null ? t('admin.shares.never') : formatTime(expiresAt)),
    },
    {
      key: 'downloads',
      title: t('admin.shares.downloads'),
      cell: ({ downloadCount, maxDownloads }) => countOf(downloadCount, maxDownloads),
      isNumber: true,
    },
  ];
}

function ShareBadges({ share }: { share: AdminShare }) {
  const { t } = useTranslation();
  return (
    <Group gap={4}>
      {share.expired && <Mark tone="bad" text={t('admin.shares.expired')} />}
      {share.exhausted && <Mark tone="doubtful" text={t('admin.shares.exhausted')} />}
      {!share.expired && !share.exhausted && <Mark tone="good" text={t('admin.shares.live')} />}
      {share.passwordProtected && <Mark tone="busy" text={t('admin.shares.password')} />}
      {share.kind === 'LEGACY' && <Mark tone="plain" text={t('admin.shares.link')} />}
    </Group>
  );
}

function countOf(count: number, most: number | null): string {
  return most === null ? formatNumber(count) : `${formatNumber(count)} / ${formatNumber(most)}`;
}

/** The public page of the share. */
function pathOf({ kind, token }: AdminShare): string {
  return `${kind === 'V2' ? '/s/' : '/l/'}${encodeURIComponent(token)}`;
}

function ShareDetails({ share, onClose }: { share: AdminShare; onClose: () => void }) {
  const { t } = useTranslation();
  const yesOrNo = (is: boolean) => t(is ? 'admin.yes' : 'admin.no');
  return (
    <DetailsDrawer
      title={share.shareName}
      onClose={onClose}
      facts={[
        [t('admin.owner'), <OwnerLink key="owner" owner={share} />],
        [t('admin.shares.file'), share.filePath],
        [t('admin.files.type'), share.fileContentType],
        [t('admin.files.size'), formatBytes(share.fileSize)],
        [t('admin.shares.kind'), t(`admin.shares.kinds.${share.kind}`)],
        [t('admin.shares.token'), share.token],
        [t('admin.shares.password'), yesOrNo(share.passwordProtected)],
        [t('admin.shares.allowDownload'), yesOrNo(share.allowDownload)],
        [t('admin.shares.allowImport'), yesOrNo(share.allowImport)],
        [t('admin.shares.downloads'), formatNumber(share.downloadCount)],
        [
          t('admin.shares.maxDownloads'),
          share.maxDownloads === null ? t('admin.shares.unlimited') : formatNumber(share.maxDownloads),
        ],
        [t('admin.shares.views'), formatNumber(share.viewCount)],
        [
          t('admin.shares.expires'),
          share.expiresAt === null ? t('admin.shares.never') : formatTime(share.expiresAt),
        ],
        [t('admin.created'), formatTime(share.createdAt)],
        [t('admin.list.id'), share.id],
      ]}
    />
  );
}
