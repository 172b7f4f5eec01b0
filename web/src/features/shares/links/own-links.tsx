import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { OwnShareLink } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { formatNumber } from '../../../messages/formats.ts';
import { useDriveId } from '../../drives/use-drive.ts';
import { toLinkPage } from '../addresses.ts';
import { FactLine, originFacts } from '../share-facts.tsx';
import { newestLinksQuery } from '../shared-ids.ts';
import { LinkRow } from './link-row.tsx';
import { targetOf } from './link-target.ts';
import styles from './shares.module.css';

/** The user's links to folders, which have no options. Renders nothing if there are none. */
export function OwnLinks() {
  const { t } = useTranslation();
  const { data } = useQuery(newestLinksQuery(useDriveId()));
  if (data === undefined || data.items.length === 0) return null;
  return (
    <section>
      <Title order={2} size="h5" mb="xs">
        {t('shares.folders')}
      </Title>
      <ul className={styles.list}>
        {data.items.map((link) => (
          <OwnLinkRow key={link.id} link={link} />
        ))}
      </ul>
    </section>
  );
}

/** One link, which has no options to change. */
export function OwnLinkRow({ link }: { readonly link: OwnShareLink }) {
  const { t } = useTranslation();
  const drive = useDriveId();
  const { id, filename: name, viewCount, importCount, file, token } = link;
  return (
    <LinkRow
      name={name}
      target={targetOf(file)}
      facts={
        <FactLine
          facts={[
            t('shares.imports', { count: importCount, number: formatNumber(importCount) }),
            t('shares.views', { count: viewCount, number: formatNumber(viewCount) }),
            ...originFacts(link),
          ]}
        />
      }
      address={toLinkPage(token)}
      remove={() => ask('DELETE /api/v2/share-links/{id}', { path: { id }, drive })}
    />
  );
}
