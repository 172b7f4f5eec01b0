import { IconLink, IconStarFilled, type TablerIcon } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { addressOf, chainOf, nameOf, ROOT, toDirectory } from '../../common/names/drive-paths.ts';
import { When } from '../../ui/dates/when.tsx';
import { useDriveNames } from '../drives/drive-names.ts';
import { driveOf } from '../entries/drive-of.ts';
import { type Column, NAME_WIDTH } from '../entries/grid/column.ts';
import styles from '../entries/grid/entry-grid.module.css';
import { EntryPicture } from '../entries/grid/entry-picture.tsx';
import type { ChosenColumn } from '../entries/grid/state/display-settings.ts';
import { useSharedIds } from '../shares/shared-ids.ts';
import { EntrySize, type ListedTime, toColumns } from './chosen-columns.tsx';

interface ColumnOptions {
  readonly isNarrow: boolean;
  readonly showPath: boolean;
  /** Whether the entries are from several drives. */
  readonly showDrive?: boolean;
  readonly time: ListedTime;
  /** The columns after the name that the user has chosen. By default, the size and the time. */
  readonly chosen?: readonly ChosenColumn[] | undefined;
  /** Says who sent a file through a link; undefined for the owner's own files. */
  readonly originOf?: (id: number) => string | undefined;
  /** A further column. It is also shown on small screens. */
  readonly below?: Column<EntryRecord> | undefined;
}

/** The columns of lists of entries outside the bin. A small screen has a single column with all facts. */
export function useEntryColumns(options: ColumnOptions) {
  const { isNarrow, showPath, showDrive = false, time, chosen, originOf, below } = options;
  const { t } = useTranslation();
  const sharedIds = useSharedIds();
  const nameOfDrive = useDriveNames();
  return useMemo((): readonly Column<EntryRecord>[] => {
    const placeOf = (entry: EntryRecord) => nameOf(entry.parentPath) || nameOfDrive(driveOf(entry));
    /** The folders above the last one, such as "My files / Work / ". They are cut first if room is short. */
    const above = (entry: EntryRecord) =>
      chainOf(entry.parentPath)
        .slice(showDrive ? 1 : 0, -1)
        .map((path) => `${nameOf(path) || nameOfDrive(driveOf(entry))} / `)
        .join('');
    const iconSize = isNarrow ? 28 : 22;
    const nameColumn: Column<EntryRecord> = {
      name: 'name',
      title: t('drive.name'),
      width: isNarrow ? 'minmax(0, 1fr)' : NAME_WIDTH,
      sort: 'default',
      cell: (entry) => (
        <span className={styles.name}>
          <span className={styles.rowPicture} style={{ width: iconSize, height: iconSize }}>
            <EntryPicture entry={entry} iconSize={iconSize} />
          </span>
          <span>
            <a
              href={addressOf(entry, driveOf(entry))}
              tabIndex={-1}
              draggable={false}
              title={entry.filename}
              data-opens
            >
              {entry.filename}
            </a>
            {entry.starred && (
              <Mark Icon={IconStarFilled} className={styles.star} label={t('drive.isStarred')} />
            )}
            {sharedIds.has(entry.id) && (
              <Mark Icon={IconLink} className={styles.shared} label={t('drive.isShared')} />
            )}
            {isNarrow && (
              <small>
                {[
                  showDrive && entry.parentPath !== ROOT ? nameOfDrive(driveOf(entry)) : undefined,
                  showPath ? placeOf(entry) : undefined,
                  originOf?.(entry.id),
                ].map((part) => part !== undefined && `${part} · `)}
                <EntrySize entry={entry} end=" · " />
                <When iso={entry[time]} />
              </small>
            )}
          </span>
        </span>
      ),
    };
    const lastColumns = below === undefined ? [] : [below];
    if (isNarrow) return [nameColumn, ...lastColumns];
    const pathColumn: Column<EntryRecord> = {
      name: 'path',
      title: t('drive.place'),
      width: 'minmax(0, 22rem)',
      cell: (entry) => (
        <span className={styles.place}>
          <Link
            {...toDirectory(entry.parentPath, { drive: driveOf(entry) })}
            tabIndex={-1}
            className={styles.path}
            title={entry.parentPath}
          >
            {/* Omitted to leave room for the sender. */}
            {originOf?.(entry.id) === undefined && <span>{above(entry)}</span>}
            <span>{placeOf(entry)}</span>
          </Link>
          {originOf?.(entry.id) !== undefined && <span>{` · ${originOf(entry.id)}`}</span>}
        </span>
      ),
    };
    const driveColumn: Column<EntryRecord> = {
      name: 'drive',
      title: t('drive.sharedDrive'),
      width: 'minmax(0, 11rem)',
      cell: (entry) => (
        <span className={styles.place}>
          <Link {...toDirectory(ROOT, { drive: driveOf(entry) })} tabIndex={-1} className={styles.path}>
            <span>{nameOfDrive(driveOf(entry))}</span>
          </Link>
        </span>
      ),
    };
    return [
      nameColumn,
      ...(showDrive ? [driveColumn] : []),
      ...(showPath ? [pathColumn] : []),
      ...toColumns(chosen, { t, time }),
      ...lastColumns,
    ];
  }, [t, sharedIds, nameOfDrive, isNarrow, showPath, showDrive, time, chosen, originOf, below]);
}

/** A small icon after the name. */
function Mark(parts: {
  readonly Icon: TablerIcon;
  readonly className: string | undefined;
  readonly label: string;
}) {
  const { Icon, className, label } = parts;
  return <Icon className={className} size={14} role="img" aria-label={label} />;
}
