import { IconPlayerPlayFilled } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../client/src/client.ts';
import {
  type CellProps,
  EntryCheckbox,
  MoreButton,
  toCellAttributes,
} from '../../features/entries/grid/entry-cell.tsx';
import { EntryPicture } from '../../features/entries/grid/entry-picture.tsx';
import { RenameField } from '../../features/entries/grid/rename-field.tsx';
import styles from './photos.module.css';

interface TileProps extends CellProps<EntryRecord> {
  /** The column number, from 1. */
  readonly column: number;
}

/** A picture or video. The grid handles its events. */
export const PhotoTile = memo(function PhotoTile({ column, ...cell }: TileProps) {
  const { t } = useTranslation();
  const { entry, isSelected, renaming, labels } = cell;
  const isVideo = entry?.contentType?.startsWith('video/') === true;
  const attributes = {
    ...toCellAttributes(cell),
    role: 'gridcell',
    'aria-colindex': column,
    className: styles.tile,
    // Set explicitly, because a line may have free columns between its days.
    style: { gridColumnStart: column },
  };
  if (entry === undefined) return <div {...attributes} />;
  const { filename } = entry;
  const name = { 'aria-label': isVideo ? t('photos.video', { name: filename }) : filename, title: filename };
  return (
    <div {...attributes} {...name}>
      <EntryPicture entry={entry} />
      {isVideo && (
        <span className={styles.play}>
          <IconPlayerPlayFilled size={20} aria-hidden />
        </span>
      )}
      <div className={styles.check} data-check>
        <EntryCheckbox entry={entry} labels={labels} isSelected={isSelected} />
      </div>
      <div className={styles.more}>
        <MoreButton entry={entry} labels={labels} />
      </div>
      {renaming !== undefined && (
        <div className={styles.rename}>
          <RenameField entry={entry} renaming={renaming} />
        </div>
      )}
    </div>
  );
});
