import { Loader, NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { formatNumber } from '../../../messages/formats.ts';
import { ArchiveBrowser } from '../../entries/archive/archive-browser.tsx';
import { archiveQuery, NAME_ENCODINGS, type NameEncoding } from '../../entries/archive-listing.ts';
import classes from '../preview.module.css';

/** The content of a ZIP archive as the service would extract it. */
export function ZipView({ entry, instead }: { readonly entry: EntryRecord; readonly instead: ReactNode }) {
  const { t } = useTranslation();
  const [encoding, setEncoding] = useState<NameEncoding | ''>('');
  const { data, isPending } = useQuery({
    ...archiveQuery(entry, encoding),
    placeholderData: (previous) => previous,
  });
  if (isPending) return <Loader color="gray" className={classes.loader} aria-label={t('preview.loading')} />;
  // A file that cannot be read as an archive can still be downloaded.
  if (data === undefined) return instead;
  return (
    <div className={classes.paper}>
      {data.cut && (
        <Text size="sm" className={classes.cut}>
          {t('preview.firstEntries', { number: formatNumber(data.entries.length) })}
        </Text>
      )}
      {/* If the names are in UTF-8, there is nothing to choose. */}
      {data.encoding !== null && (
        <NativeSelect
          className={classes.cut}
          label={t('preview.nameEncoding')}
          value={encoding || data.encoding}
          data={NAME_ENCODINGS.map((value) => ({ value, label: t(`preview.encodings.${value}`) }))}
          // The options have no other values.
          onChange={(event) => setEncoding(event.currentTarget.value as NameEncoding)}
        />
      )}
      <ArchiveBrowser archive={entry} contents={data} encoding={encoding || undefined} />
    </div>
  );
}
