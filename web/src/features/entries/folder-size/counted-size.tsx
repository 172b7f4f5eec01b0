import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { queryOf } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { TurnTaker } from '../../../common/timing/turn-taker.ts';
import { formatBytes } from '../../../messages/formats.ts';
import { countSize } from './wanted-sizes.ts';

/** Counting reads every entry below a folder. */
const turns = new TurnTaker(3);

/** Counts the size of a folder, and shows it. A folder that leaves the page is not counted further. */
export function CountedSize({ folder: { id, driveId: drive } }: { readonly folder: EntryRecord }) {
  const { t } = useTranslation();
  const { queryKey, queryFn } = queryOf(KEYS.entry(id), 'GET /api/v2/files/{fileId}', {
    path: { fileId: id },
    drive,
  });
  const { data, isPending } = useQuery({
    queryKey,
    queryFn: (context) => turns.run(() => queryFn(context), context.signal),
  });
  useEffect(() => (isPending ? countSize(id) : undefined), [isPending, id]);
  if (isPending) return <Loader size={14} aria-label={t('drive.countingSize')} />;
  if (data === undefined) return t('drive.sizeFailed');
  return typeof data.totalSize === 'number' ? formatBytes(data.totalSize) : t('drive.tooManyToCount');
}
