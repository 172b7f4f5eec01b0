import { Loader, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { HttpRangeReader, ZipReader } from '@zip.js/zip.js';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../api/contract.ts';
import { KEYS } from '../../../api/keys.ts';
import { formatBytes, formatNumber, formatTime } from '../../../messages/formats.ts';
import { getSignedAddress } from '../../entries/signed-address.ts';
import classes from '../preview.module.css';

const MAX_ENTRIES = 2_000;

interface ListedFile {
  readonly name: string;
  readonly isDirectory: boolean;
  readonly size: number;
  readonly modifiedAt: string;
}

/** Lists the content of a ZIP archive. Only the archive's directory is read, which is at its end. */
export function ZipView({ entry, instead }: { readonly entry: EntryRecord; readonly instead: ReactNode }) {
  const { t } = useTranslation();
  const { data, isPending } = useQuery({
    queryKey: [...KEYS.entry(entry.id), 'zip'],
    queryFn: ({ signal }) => listArchive(entry, signal),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isPending) return <Loader color="gray" className={classes.loader} aria-label={t('preview.loading')} />;
  // A damaged archive, or a file that is no archive, can still be downloaded.
  if (data === undefined) return instead;
  return (
    <div className={classes.paper}>
      {data.isCut && (
        <Text size="sm" className={classes.cut}>
          {t('preview.firstEntries', { number: formatNumber(MAX_ENTRIES) })}
        </Text>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll only what it can focus */}
      <section className={classes.text} tabIndex={0} aria-label={entry.filename}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('drive.name')}</Table.Th>
              <Table.Th scope="col" ta="end">
                {t('drive.size')}
              </Table.Th>
              <Table.Th scope="col" visibleFrom="sm">
                {t('drive.modifiedAt')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.files.map(({ name, isDirectory, size, modifiedAt }) => (
              <Table.Tr key={name}>
                <Table.Td className={classes.long}>{name}</Table.Td>
                <Table.Td ta="end">{isDirectory ? '' : formatBytes(size)}</Table.Td>
                <Table.Td visibleFrom="sm">{formatTime(modifiedAt)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </div>
  );
}

async function listArchive(entry: EntryRecord, signal: AbortSignal) {
  const url = await getSignedAddress(entry, signal);
  const reader = new ZipReader(new HttpRangeReader(url), { signal });
  try {
    const files = new Map<string, ListedFile>();
    let isCut = false;
    for await (const { filename, directory, uncompressedSize, lastModDate } of reader.getEntriesGenerator()) {
      if (files.size === MAX_ENTRIES) {
        isCut = true;
        break;
      }
      const file = { name: filename, isDirectory: directory, size: uncompressedSize };
      files.set(filename, { ...file, modifiedAt: lastModDate.toISOString() });
    }
    return { files: [...files.values()], isCut };
  } finally {
    await reader.close();
  }
}
