import { useElementSize, useMergedRef } from '@mantine/hooks';
import { type CSSProperties, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { EntryIcon } from '../../../features/entries/entry-icon.tsx';
import { thumbnailSizeFor } from '../../../features/entries/thumbnails/thumbnail-size.ts';
import { toLinkedThumbnail } from '../../../features/shares/folder-links/folder-link-addresses.ts';
import { PictureImage } from '../../../ui/pictures/picture-image.tsx';
import { layOutPictures } from '../../../ui/pictures/picture-lines.ts';
import { useLongPress } from '../../../ui/pictures/use-long-press.ts';
import { useRatios } from '../../../ui/pictures/use-ratios.ts';
import { useVisibleLines } from '../../../ui/pictures/use-visible-lines.ts';
import { VideoMark } from '../../../ui/pictures/video-mark.tsx';
import { useIsNarrow } from '../../../ui/screen-size.ts';
import styles from '../folder-link.module.css';
import {
  DownloadEntry,
  EntryTick,
  type LinkedEntriesProps,
  type LinkedEntryProps,
  OpenEntry,
} from './linked-entry.tsx';

/** The wanted height of a line, and the gap between pictures. */
const SIZES = { usual: { height: 200, gap: 4 }, narrow: { height: 120, gap: 2 } };
const ICON_PX = 48;

/** The entries of a directory with many pictures, in their true proportions. Only the visible ones are rendered. */
export function LinkedPictures({ token, entries, selected, onToggle, onShow }: LinkedEntriesProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const { ref: sizeRef, width } = useElementSize<HTMLDivElement>();
  const ref = useMergedRef(box, sizeRef);
  const isNarrow = useIsNarrow();
  const { total } = entries;
  const groups = useMemo(() => [{ name: '', count: total }], [total]);
  const { ratioAt, onThumbnail, learn } = useRatios(groups, entries);
  const layout = useMemo(
    () =>
      layOutPictures(width === 0 ? [] : groups, ratioAt, {
        ...(isNarrow ? SIZES.narrow : SIZES.usual),
        ...{ width, headHeight: 0, headWidth: () => 0, sectionOf: () => '' },
      }),
    [groups, ratioAt, width, isNarrow],
  );
  const { shown, pictures } = useVisibleLines(box, layout);
  const { first, last } = pictures;
  useLayoutEffect(() => learn(first, last));
  useEffect(() => {
    if (last >= first) entries.look(first, last);
  });
  const press = useLongPress((target) => {
    const path = target.closest('[data-path]')?.getAttribute('data-path');
    if (path) onToggle(path);
  }, selected.size > 0);
  return (
    <section
      ref={ref}
      className={`${styles.box} ${styles.pictures}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll only what it can focus
      tabIndex={0}
      aria-label={t('folderLinks.entries')}
      data-selecting={selected.size > 0 || undefined}
      {...press}
    >
      <ul className={styles.lines} style={{ height: layout.height }}>
        {shown.flatMap((line) =>
          Array.from({ length: line.count }, (_, step) => {
            const index = line.first + step;
            const entry = entries.at(index);
            const style: CSSProperties = {
              transform: `translate(${layout.lefts[index]}px, ${line.top}px)`,
              width: layout.widths[index],
              height: line.height,
            };
            if (entry === undefined)
              return <li key={`place-${index}`} className={styles.tile} style={style} />;
            const isSelected = selected.has(entry.path);
            return (
              <li
                key={entry.path}
                className={styles.tile}
                style={style}
                data-path={entry.path}
                data-plain={entry.thumbnailVersion === null || undefined}
                data-selected={isSelected || undefined}
                aria-setsize={total}
                aria-posinset={index + 1}
              >
                <OpenEntry entry={entry} onShow={() => onShow(entry)}>
                  <Thumbnail
                    {...{ entry, token }}
                    longest={Math.max(layout.widths[index] ?? 0, line.height)}
                    onRatio={(ratio) => onThumbnail(entry.id, ratio)}
                  />
                </OpenEntry>
                {isVideo(entry) && <VideoMark duration={entry.duration} />}
                <div className={styles.tools}>
                  <EntryTick
                    name={entry.name}
                    isSelected={isSelected}
                    onToggle={() => onToggle(entry.path)}
                  />
                  <DownloadEntry entry={entry} token={token} />
                </div>
              </li>
            );
          }),
        )}
      </ul>
    </section>
  );
}

function isVideo({ contentType }: LinkedEntryProps['entry']): boolean {
  return contentType?.startsWith('video/') === true;
}

interface ThumbnailProps extends LinkedEntryProps {
  /** The longest side of the tile in pixels. */
  readonly longest: number;
  readonly onRatio: (ratio: number) => void;
}

function Thumbnail({ entry, token, longest, onRatio }: ThumbnailProps) {
  const { path, thumbnailVersion: version } = entry;
  const icon = <EntryIcon entry={entry} size={ICON_PX} />;
  if (version === null) return icon;
  const size = thumbnailSizeFor(longest, longest, window.devicePixelRatio);
  return (
    <PictureImage src={toLinkedThumbnail(token, path, version, size)} onRatio={onRatio} instead={icon} />
  );
}
