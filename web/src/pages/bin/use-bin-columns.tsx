import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { BinRecord } from '../../../../client/src/client.ts';
import { nameOf, parentOf } from '../../common/names/drive-paths.ts';
import { useDriveName } from '../../features/drives/drive-names.ts';
import { useDriveId } from '../../features/drives/use-drive.ts';
import { EntryIcon } from '../../features/entries/entry-icon.tsx';
import { type Column, DATE_WIDTH, NAME_WIDTH } from '../../features/entries/grid/column.ts';
import styles from '../../features/entries/grid/entry-grid.module.css';
import { formatTime } from '../../messages/formats.ts';
import { When } from '../../ui/dates/when.tsx';
import { daysLeft } from './days-left.ts';

/** The columns of the recycle bin: original location, deletion time, days left. */
export function useBinColumns(isNarrow: boolean): readonly Column<BinRecord>[] {
  const { t } = useTranslation();
  const driveName = useDriveName(useDriveId());
  return useMemo(() => {
    const placeOf = ({ originalPath }: BinRecord) => nameOf(parentOf(originalPath)) || driveName;
    const leftOf = ({ expiresAt }: BinRecord) => t('bin.days', { count: daysLeft(expiresAt, Date.now()) });
    const name: Column<BinRecord> = {
      name: 'name',
      title: t('drive.name'),
      width: isNarrow ? 'minmax(0, 1fr)' : NAME_WIDTH,
      cell: (entry) => (
        <span className={styles.name}>
          <EntryIcon entry={entry} size={isNarrow ? 28 : 22} />
          <span>
            <b title={entry.originalPath}>{entry.filename}</b>
            {isNarrow && <small>{`${placeOf(entry)} · ${leftOf(entry)}`}</small>}
          </span>
        </span>
      ),
    };
    if (isNarrow) return [name];
    return [
      name,
      {
        name: 'place',
        title: t('bin.place'),
        width: 'minmax(0, 16rem)',
        cell: (entry) => <span title={parentOf(entry.originalPath)}>{placeOf(entry)}</span>,
      },
      {
        name: 'deletedAt',
        title: t('bin.deleted'),
        width: DATE_WIDTH,
        cell: (entry) => <When iso={entry.deletedAt} />,
      },
      {
        name: 'expiresAt',
        title: t('bin.purgedIn'),
        width: '7.5rem',
        cell: (entry) => <span title={formatTime(entry.expiresAt)}>{leftOf(entry)}</span>,
      },
    ];
  }, [t, isNarrow, driveName]);
}
