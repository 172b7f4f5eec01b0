import { memo } from 'react';
import type { EntryRecord } from '../../../api/contract.ts';
import { addressOf } from '../../../common/names/drive-paths.ts';
import { formatBytes } from '../../../messages/formats.ts';
import { type CellProps, EntryCheckbox, MoreButton, toCellAttributes } from './entry-cell.tsx';
import styles from './entry-grid.module.css';
import { EntryPicture } from './entry-picture.tsx';
import { RenameField } from './rename-field.tsx';

interface TileProps extends CellProps<EntryRecord> {
  /** Counted from 1. */
  readonly column: number;
}

/** One of many tiles side by side. The grid handles its events. */
export const EntryTile = memo(function EntryTile({ column, ...cell }: TileProps) {
  const { entry, isSelected, renaming, labels } = cell;
  const attributes = {
    ...toCellAttributes(cell),
    role: 'gridcell',
    'aria-colindex': column,
    className: styles.tile,
  };
  if (entry === undefined) {
    return (
      <div {...attributes}>
        <div className={styles.waitingTile} />
      </div>
    );
  }
  return (
    <div {...attributes}>
      <div className={styles.picture}>
        <EntryPicture entry={entry} />
      </div>
      <div className={styles.tileCheck} data-check>
        <EntryCheckbox entry={entry} labels={labels} isSelected={isSelected} />
      </div>
      <div className={styles.caption}>
        <div className={styles.tileName}>
          {renaming === undefined ? (
            <a href={addressOf(entry)} tabIndex={-1} draggable={false} title={entry.filename}>
              {entry.filename}
            </a>
          ) : (
            <RenameField entry={entry} renaming={renaming} />
          )}
          {!entry.directory && <small>{formatBytes(entry.size)}</small>}
        </div>
        <MoreButton entry={entry} labels={labels} />
      </div>
    </div>
  );
});
