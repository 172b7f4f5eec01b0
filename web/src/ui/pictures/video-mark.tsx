import { IconPlayerPlayFilled } from '@tabler/icons-react';
import { formatLength } from './format-length.ts';
import styles from './pictures.module.css';

/** A small sign on the picture of a video, with its length in seconds if it is known. */
export function VideoMark({ duration }: { readonly duration: number | null }) {
  return (
    <span className={styles.video}>
      <IconPlayerPlayFilled size={12} aria-hidden />
      {duration !== null && formatLength(duration)}
    </span>
  );
}
