import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode, SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { asHead, asLine, GROUP } from '../../../ui/grid/grid-roles.ts';
import type { Column, Sorting } from './column.ts';
import styles from './entry-grid.module.css';
import type { EntryGrid } from './state/use-entry-grid.ts';

interface HeadsProps<T extends EntryRecord> {
  readonly grid: EntryGrid<T>;
  readonly columns: readonly Column<T>[];
  readonly sorting: Sorting | undefined;
  /** A button at the end. */
  readonly menu?: ReactNode;
}

/** The header of a list: its columns, the sort order, and the checkbox for all entries. */
export function ColumnHeads<T extends EntryRecord>({ grid, columns, sorting, menu }: HeadsProps<T>) {
  const { t } = useTranslation();
  const { count, isAll } = grid;
  return (
    <div {...GROUP} className={styles.heads}>
      <div {...asLine(1)} className={styles.headRow}>
        <div {...asHead()} className={styles.check}>
          <input
            type="checkbox"
            aria-label={t('drive.selectAll')}
            checked={isAll}
            ref={(box) => {
              if (box !== null) box.indeterminate = count > 0 && !isAll;
            }}
            onChange={grid.toggleAll}
          />
        </div>
        {columns.map((column) => (
          <Head key={column.name} column={column} sorting={sorting} />
        ))}
        <div {...asHead()}>
          <span className={styles.hidden}>{t('drive.actions')}</span>
          {menu !== undefined && (
            // biome-ignore lint/a11y/noStaticElementInteractions: keeps the menu's events from the grid around it
            <div onClick={stop} onPointerDown={stop} onContextMenu={stop} onKeyDown={stop} onFocus={stop}>
              {menu}
            </div>
          )}
        </div>
      </div>
    </div>
  );
}

function stop(event: SyntheticEvent): void {
  event.stopPropagation();
}

function Head<T>({ column, sorting }: { column: Column<T>; sorting: Sorting | undefined }) {
  const { title, sort, isNumber, isSecondLine } = column;
  if (isSecondLine === true) {
    return (
      <div {...asHead()} className={styles.hidden}>
        {title}
      </div>
    );
  }
  if (sorting === undefined || sort === undefined) {
    return (
      <div {...asHead()} className={styles.head} data-number={isNumber}>
        {title}
      </div>
    );
  }
  // The name column stands for both orders by name, with and without folders first.
  const isBy = sorting.sort === sort || (sort === 'default' && sorting.sort === 'name');
  const Arrow = sorting.order === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <div
      {...asHead(isBy ? (sorting.order === 'asc' ? 'ascending' : 'descending') : 'none')}
      className={styles.head}
      data-number={isNumber}
    >
      <button type="button" onClick={() => sorting.onSort(sort)}>
        {title}
        {isBy && <Arrow size={14} aria-hidden />}
      </button>
    </div>
  );
}
