import type { TFunction } from 'i18next';
import { type ReactNode, Suspense } from 'react';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import { formatBytes } from '../../messages/formats.ts';
import { When } from '../../ui/dates/when.tsx';
import { FolderSize } from '../entries/folder-size/folder-size.tsx';
import { type Column, DATE_WIDTH } from '../entries/grid/column.ts';
import { type ChosenColumn, DEFAULT_COLUMNS } from '../entries/grid/state/display-settings.ts';

const EntryKind = lazyPart(async () => (await import('./entry-kind-text.tsx')).EntryKindText);

/**
 * The time in a list: when the content was last modified (anywhere), or when the entry was last changed in
 * the drive.
 */
export type ListedTime = 'modifiedAt' | 'updatedAt';

interface ColumnContext {
  readonly t: TFunction;
  readonly time: ListedTime;
}

/** The columns that a user can choose. By default, the size and the time. */
export function toColumns(
  chosen: readonly ChosenColumn[] = DEFAULT_COLUMNS,
  { t, time }: ColumnContext,
): readonly Column<EntryRecord>[] {
  const toDateColumn = (name: ListedTime | 'createdAt'): Column<EntryRecord> => ({
    name,
    title: t(`drive.${name}`),
    width: DATE_WIDTH,
    sort: name,
    cell: (entry) => <When iso={entry[name]} />,
  });
  const columns: Readonly<Record<ChosenColumn, Column<EntryRecord>>> = {
    size: {
      name: 'size',
      title: t('drive.size'),
      width: '7.5rem',
      isNumber: true,
      sort: 'size',
      cell: (entry) => <EntrySize entry={entry} />,
    },
    kind: {
      name: 'kind',
      title: t('drive.kind'),
      width: 'minmax(0, 10rem)',
      cell: (entry) => (
        <Suspense fallback={null}>
          <EntryKind entry={entry} />
        </Suspense>
      ),
    },
    modifiedAt: toDateColumn(time),
    createdAt: toDateColumn('createdAt'),
    changedBy: {
      name: 'changedBy',
      title: t('drive.changedBy'),
      width: 'minmax(0, 10rem)',
      cell: ({ changedBy }) => changedBy?.displayName,
    },
  };
  return chosen.map((name) => columns[name]);
}

/** The size of a file, or of a folder if it was requested. @param props.end follows the size */
export function EntrySize(props: { readonly entry: EntryRecord; readonly end?: string }): ReactNode {
  const { entry, end = '' } = props;
  if (entry.directory) return <FolderSize folder={entry} end={end} />;
  return formatBytes(entry.size) + end;
}
