import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { EntryIcon } from '../../features/entries/entry-icon.tsx';
import {
  type CellProps,
  EntryCheckbox,
  MoreButton,
  toCellAttributes,
} from '../../features/entries/grid/entry-cell.tsx';
import { RenameField } from '../../features/entries/grid/rename-field.tsx';
import { useThumbnail } from '../../features/entries/thumbnails/use-thumbnail.ts';
import { formatLength } from '../../ui/pictures/format-length.ts';
import { PictureImage } from '../../ui/pictures/picture-image.tsx';
import { VideoMark } from '../../ui/pictures/video-mark.tsx';
import styles from './photos.module.css';

interface TileProps extends CellProps<EntryRecord> {
  /** The number of the picture in its line, from 1. */
  readonly column: number;
  readonly left: number;
  readonly width: number;
  /** The length of a video in seconds. */
  readonly duration: number | null;
  /** Called when the thumbnail has loaded, with width divided by height. */
  readonly onThumbnail: (id: number, ratio: number) => void;
}

/** A picture or video. The grid handles its events. */
export const PhotoTile = memo(function PhotoTile(props: TileProps) {
  const { column, left, width, duration, onThumbnail, ...cell } = props;
  const { t } = useTranslation();
  const { entry, isSelected, renaming, labels } = cell;
  const isVideo = entry?.contentType?.startsWith('video/') === true;
  const attributes = {
    ...toCellAttributes(cell),
    role: 'gridcell',
    'aria-colindex': column,
    className: styles.tile,
    style: { left, width },
  };
  if (entry === undefined) return <div {...attributes} />;
  const { filename } = entry;
  const video =
    duration === null
      ? t('photos.video', { name: filename })
      : t('photos.videoOf', { name: filename, length: formatLength(duration) });
  const name = { 'aria-label': isVideo ? video : filename, title: filename };
  return (
    <div {...attributes} {...name}>
      <Picture key={`${entry.id} ${entry.thumbnailVersion}`} entry={entry} onThumbnail={onThumbnail} />
      {isVideo && <VideoMark duration={duration} />}
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

/** The size in pixels of the icon of a file without a thumbnail. */
const ICON_PX = 40;

function Picture({ entry, onThumbnail }: { readonly entry: EntryRecord } & Pick<TileProps, 'onThumbnail'>) {
  const { ref, address } = useThumbnail(entry);
  const icon = <EntryIcon entry={entry} size={ICON_PX} />;
  if (entry.thumbnailVersion === null) return icon;
  return (
    <PictureImage ref={ref} src={address} onRatio={(ratio) => onThumbnail(entry.id, ratio)} instead={icon} />
  );
}
