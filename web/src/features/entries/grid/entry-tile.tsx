import { IconDots } from '@tabler/icons-react';
import { memo } from 'react';
import type { EntryRecord } from '../../../api/contract.ts';
import { addressOf } from '../../../common/drive-paths.ts';
import { formatBytes } from '../../../messages/formats.ts';
import type { Renaming } from './column.ts';
import styles from './entry-grid.module.css';
import { EntryPicture } from './entry-picture.tsx';
import { type RowWords, rowId } from './entry-row.tsx';
import { RenameField } from './rename-field.tsx';

interface TileProps {
  readonly entry: EntryRecord | undefined;
  readonly index: number;
  /** Counted from 1. */
  readonly column: number;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  readonly isOver: boolean;
  readonly isDraggable: boolean;
  readonly renaming: Renaming | undefined;
  readonly words: RowWords;
}

/** One of many side by side. It does nothing by itself: the grid hears what is done to any of them. */
export const EntryTile = memo(function EntryTile(props: TileProps) {
  const { entry, index, column, isSelected, isActive, isOver, isDraggable, renaming, words } = props;
  const place = {
    id: rowId(index),
    role: 'gridcell',
    'data-index': index,
    'aria-colindex': column,
    'aria-selected': isSelected,
    'data-active': isActive || undefined,
    className: styles.tile,
  };
  if (entry === undefined) {
    return (
      <div {...place} aria-busy>
        <div className={styles.waitingTile} />
      </div>
    );
  }
  return (
    <div
      {...place}
      data-over={isOver || undefined}
      data-drop-path={entry.directory ? entry.path : undefined}
      draggable={isDraggable && renaming === undefined}
    >
      <div className={styles.picture}>
        <EntryPicture entry={entry} />
      </div>
      <div className={styles.tileCheck} data-check>
        <input
          type="checkbox"
          tabIndex={-1}
          checked={isSelected}
          readOnly
          aria-label={words.select(entry.filename)}
        />
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
        <button
          type="button"
          className={styles.more}
          tabIndex={-1}
          data-more
          aria-haspopup="menu"
          aria-label={words.more(entry.filename)}
        >
          <IconDots size={18} aria-hidden />
        </button>
      </div>
    </div>
  );
});
