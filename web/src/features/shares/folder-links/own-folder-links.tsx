import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import { useDriveId } from '../../drives/use-drive.ts';
import { newestFolderLinksQuery } from '../folder-link-queries.ts';
import styles from '../links/shares.module.css';
import { FolderLinkRow } from './folder-link-row.tsx';

/** The user's folder links. Renders nothing if there are none. */
export function OwnFolderLinks() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(newestFolderLinksQuery(useDriveId()));
  if (error !== null && data === undefined) {
    return <FailureNotice error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined || data.items.length === 0) return null;
  return (
    <section>
      <Title order={2} size="h5" mb="xs">
        {t('folderLinks.heading')}
      </Title>
      <ul className={styles.list}>
        {data.items.map((link) => (
          <FolderLinkRow key={link.id} link={link} />
        ))}
      </ul>
    </section>
  );
}
