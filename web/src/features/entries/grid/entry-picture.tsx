import { useState } from 'react';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { EntryIcon } from '../entry-icon.tsx';
import { useThumbnail } from '../thumbnails/use-thumbnail.ts';
import styles from './entry-grid.module.css';

interface PictureProps {
  readonly entry: EntryRecord;
  /** The size in pixels of the icon that is shown instead. */
  readonly iconSize?: number;
}

/**
 * The thumbnail of a picture, or an icon for the kind of file. It fills the element around it. The size of
 * that element does not depend on it, so nothing moves when the thumbnail appears.
 */
export function EntryPicture({ entry, iconSize = 56 }: PictureProps) {
  if (entry.thumbnailVersion === null) return <EntryIcon entry={entry} size={iconSize} />;
  // The key resets the component, because a new version may load although the old one failed.
  return <Picture key={`${entry.id} ${entry.thumbnailVersion}`} entry={entry} iconSize={iconSize} />;
}

function Picture({ entry, iconSize }: Required<PictureProps>) {
  const { ref, address } = useThumbnail(entry);
  const [isBroken, setBroken] = useState(false);
  if (address === undefined || isBroken) {
    return (
      <span ref={ref} className={styles.placeholder}>
        <EntryIcon entry={entry} size={iconSize} />
      </span>
    );
  }
  return (
    <img
      ref={ref}
      src={address}
      alt=""
      decoding="async"
      draggable={false}
      className={styles.image}
      onError={() => setBroken(true)}
    />
  );
}
