import { memo, useMemo } from 'react';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { addressOf } from '../../../common/names/drive-paths.ts';
import { formatBytes } from '../../../messages/formats.ts';
import { driveOf } from '../drive-of.ts';
import { FolderSize } from '../folder-size/folder-size.tsx';
import { type CellProps, EntryCheckbox, MoreButton, toCellAttributes } from './entry-cell.tsx';
import styles from './entry-grid.module.css';
import { EntryPicture } from './entry-picture.tsx';
import { RenameField } from './rename-field.tsx';

interface TileProps extends CellProps<EntryRecord> {
  /** The column number, from 1. */
  readonly column: number;
}

/** One tile of a grid. The grid handles its events. */
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
          <small>{entry.directory ? <FolderSize folder={entry} /> : formatBytes(entry.size)}</small>
        </div>
        <MoreButton entry={entry} labels={labels} />
      </div>
    </div>
  );
});

/**
 * How much of the end of a name stays visible, where names often differ ("Invoice 2026-001.pdf"). A wide
 * letter counts twice.
 */
const END_WIDTH = 10;
/** Chinese, Japanese and Korean letters, and emoji. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/u;
const LETTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** A name that is shortened in the middle if there is no room for it. */
function TileName({ entry }: { readonly entry: EntryRecord }) {
  const { filename } = entry;
  const cut = useMemo(() => findCut(filename), [filename]);
  return (
    <a
      // Hebrew names run from right to left, so their end is on the left.
      dir="auto"
      href={addressOf(entry, driveOf(entry))}
      tabIndex={-1}
      draggable={false}
      data-opens
      title={filename}
      // Screen readers must read the parts as one name.
      aria-label={filename}
    >
      <span>{filename.slice(0, cut)}</span>
      <span>{filename.slice(cut)}</span>
    </a>
  );
}

/** The index at which the always visible end of a name begins. A short name has no such end. */
function findCut(filename: string): number {
  const letters = Array.from(LETTERS.segment(filename), ({ segment, index }) => ({
    index,
    width: WIDE.test(segment) ? 2 : 1,
  }));
  if (letters.reduce((sum, { width }) => sum + width, 0) < 2 * END_WIDTH) return filename.length;
  let room = END_WIDTH;
  const first = letters.findLastIndex(({ width }) => {
    room -= width;
    return room < 0;
  });
  return letters[first + 1]?.index ?? filename.length;
}
