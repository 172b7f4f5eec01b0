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
            <TileName entry={entry} />
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

/** Names often differ at their end, such as "Invoice 2026-001.pdf". */
const END_CHARACTERS = 10;

/** The name, which is shortened in the middle where there is no room for it. */
function TileName({ entry }: { readonly entry: EntryRecord }) {
  const { filename } = entry;
  const letters = [...filename];
  const cut = letters.length < 2 * END_CHARACTERS ? letters.length : letters.length - END_CHARACTERS;
  return (
    <a
      href={addressOf(entry)}
      tabIndex={-1}
      draggable={false}
      data-opens
      title={filename}
      // The parts are one word.
      aria-label={filename}
    >
      <span>{letters.slice(0, cut).join('')}</span>
      <span>{letters.slice(cut).join('')}</span>
    </a>
  );
}
