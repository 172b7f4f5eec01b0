import { Button, Pagination, Skeleton, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../api/ask.ts';
import { KEYS } from '../api/keys.ts';
import { lazyPart } from '../common/timing/lazy-part.ts';
import { useDrive, useDriveId } from '../features/drives/use-drive.ts';
import { newestFolderLinksQuery } from '../features/shares/folder-link-queries.ts';
import { OwnFolderLinks } from '../features/shares/folder-links/own-folder-links.tsx';
import { OwnLinks } from '../features/shares/links/own-links.tsx';
import { ShareRow } from '../features/shares/links/share-row.tsx';
import styles from '../features/shares/links/shares.module.css';
import { newestLinksQuery } from '../features/shares/shared-ids.ts';
import { formatNumber } from '../messages/formats.ts';
import { labelled } from '../ui/labelled.ts';
import { notifyError } from '../ui/notifications/notify.ts';
import { Page } from '../ui/page/page.tsx';
import { EmptyNotice } from '../ui/placeholders/empty-notice.tsx';
import { FailureNotice } from '../ui/placeholders/failure-notice.tsx';
import { ToFiles } from '../ui/placeholders/to-files.tsx';

const ShareDialog = lazyPart(async () => (await import('../features/shares/share-dialog.tsx')).ShareDialog);

const PAGE_SIZE = 25;

/** All shares of the user, newest first. */
export function SharesPage() {
  const { t } = useTranslation();
  const [wanted, setPage] = useState(0);
  const { id: drive, key, can } = useDrive();
  const { data, error, refetch } = useQuery({
    ...queryOf([...KEYS.shares(key), 'page', wanted], 'GET /api/v2/shares/mine', {
      query: { page: wanted, size: PAGE_SIZE },
      drive,
    }),
    placeholderData: keepPreviousData,
  });
  const folderLinks = useQuery(newestFolderLinksQuery(drive));
  const olderLinks = useQuery(newestLinksQuery(drive));
  const hasNoOtherLinks = folderLinks.data?.total === 0 && olderLinks.data?.total === 0;
  const pages = Math.ceil((data?.total ?? 0) / PAGE_SIZE);
  // All shares on the last page may have been revoked.
  if (data !== undefined && wanted > 0 && wanted >= pages) setPage(Math.max(0, pages - 1));
  return (
    <Page title={t('nav.links')} actions={can('EDIT') && <ShareDrive />} width="reading">
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && [0, 1, 2].map((row) => <Skeleton key={row} h={84} />)}
      {data?.total === 0 && hasNoOtherLinks && (
        <EmptyNotice
          drawing="links"
          title={t('shares.emptyTitle')}
          action={<ToFiles label={t('shares.shareSomething')} />}
        >
          {t('shares.emptyText')}
        </EmptyNotice>
      )}
      {data !== undefined && data.total > 0 && (
        <section>
          <Title order={2} size="h5" mb="xs">
            {t('shares.files', { count: data.total, number: formatNumber(data.total) })}
          </Title>
          <Text size="sm" c="dimmed" mb="xs">
            {t('shares.usesHint')}
          </Text>
          <ul className={styles.list}>
            {data.items.map((share) => (
              <ShareRow key={share.id} share={share} />
            ))}
          </ul>
        </section>
      )}
      {pages > 1 && (
        <nav aria-label={t('shares.pages')}>
          <Pagination
            total={pages}
            value={wanted + 1}
            onChange={(page) => setPage(page - 1)}
            size={40}
            siblings={0}
            getItemProps={(page) => ({ 'aria-label': t('shares.pageNumber', { page }) })}
            getControlProps={(control) =>
              labelled(t(control === 'next' ? 'shares.nextPage' : 'shares.previousPage'))
            }
          />
        </nav>
      )}
      <OwnFolderLinks />
      <OwnLinks />
      <NewShare />
    </Page>
  );
}

/** A button that shares the root of the drive, which does not appear as a row in any list. */
function ShareDrive() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" h={40} onClick={() => setOpen(true)}>
        {t('folderLinks.shareDrive')}
      </Button>
      <Suspense>{isOpen && <ShareDialog entry={undefined} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

/** The share dialog for the file or folder in the address. */
function NewShare() {
  const drive = useDriveId();
  const { file } = useSearch({ from: '/inside/in-drive/shared' });
  const navigate = useNavigate();
  const { data: entry, error } = useQuery({
    ...queryOf(KEYS.entry(file ?? 0), 'GET /api/v2/files/{fileId}', { path: { fileId: file ?? 0 }, drive }),
    enabled: file !== undefined,
  });
  useEffect(() => {
    if (error !== null) notifyError(error);
  }, [error]);
  if (file === undefined || entry === undefined) return null;
  return (
    <Suspense>
      <ShareDialog entry={entry} onClose={() => void navigate({ to: '/shared' })} />
    </Suspense>
  );
}
