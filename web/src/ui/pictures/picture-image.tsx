import { type ReactNode, type Ref, useState } from 'react';
import styles from './pictures.module.css';

interface ImageProps {
  readonly ref?: Ref<HTMLElement & HTMLImageElement>;
  /** Undefined while the address is not known yet. */
  readonly src: string | undefined;
  readonly onRatio?: (ratio: number) => void;
  /** Shown instead of a thumbnail that cannot be loaded. */
  readonly instead: ReactNode;
}

/** A thumbnail that fades in over a grey block, and tells its proportions. Decorative: the tile has the name. */
export function PictureImage({ ref, src, onRatio, instead }: ImageProps) {
  const [isLoaded, setLoaded] = useState(false);
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return instead;
  if (src === undefined) return <span ref={ref} className={styles.image} />;
  return (
    <img
      ref={ref}
      src={src}
      alt=""
      decoding="async"
      draggable={false}
      className={styles.image}
      data-loading={!isLoaded || undefined}
      onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
        setLoaded(true);
        if (naturalHeight > 0) onRatio?.(naturalWidth / naturalHeight);
      }}
      onError={() => setBroken(true)}
    />
  );
}
