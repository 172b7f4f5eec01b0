import { useState } from 'react';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { EntryIcon } from '../entry-icon.tsx';
import { hasPage } from '../entry-kind.ts';
import thumbnail from '../thumbnails/thumbnail.module.css';
import { useThumbnail } from '../thumbnails/use-thumbnail.ts';
import styles from './entry-grid.module.css';

interface PictureProps {
  readonly entry: EntryRecord;
  /** The size in pixels of the icon that is shown instead. */
  readonly iconSize?: number;
}

/**
 * The thumbnail of a file, or an icon for the kind of file. It fills the element around it. The size of that
 * element does not depend on it, so nothing moves when the thumbnail appears.
 */
export function EntryPicture({ entry, iconSize = 56 }: PictureProps) {
  if (entry.thumbnailVersion === null) return <EntryIcon entry={entry} size={iconSize} />;
  // The key resets the component, because a new version may load although the old one failed.
  return <Picture key={`${entry.id} ${entry.thumbnailVersion}`} entry={entry} iconSize={iconSize} />;
}

function Picture({ entry, iconSize }: Required<PictureProps>) {
  const { ref, address, isMissing } = useThumbnail(entry);
  const [isBroken, setBroken] = useState(false);
  if (isMissing || isBroken) {
    return (
      <span ref={ref} className={styles.placeholder}>
        <EntryIcon entry={entry} size={iconSize} />
      </span>
    );
  }
  if (address === undefined) return <span ref={ref} className={thumbnail.waiting} />;
  const image = {
    src: address,
    decoding: 'async',
    draggable: false,
    onError: () => setBroken(true),
  } as const;
  if (!hasPage(entry)) return <img {...image} alt="" ref={ref} className={styles.image} />;
  return (
    <span ref={ref} className={thumbnail.page}>
      <img {...image} alt="" className={thumbnail.sheet} />
    </span>
  );
}
