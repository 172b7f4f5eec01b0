import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EntryIcon } from '../../../features/entries/entry-icon.tsx';
import { hasPage } from '../../../features/entries/entry-kind.ts';
import thumbnail from '../../../features/entries/thumbnails/thumbnail.module.css';
import { toLinkedThumbnail } from '../../../features/shares/folder-links/folder-link-addresses.ts';
import { formatBytes } from '../../../messages/formats.ts';
import { When } from '../../../ui/dates/when.tsx';
import { useLines } from '../../../ui/grid/use-lines.ts';
import { toTextPx } from '../../../ui/text-size.ts';
import styles from '../folder-link.module.css';
import {
  DownloadEntry,
  EntryTick,
  type LinkedEntriesProps,
  type LinkedEntryProps,
  OpenEntry,
} from './linked-entry.tsx';

/** The row height, as in the style sheet. */
const ROW_PX = 56;
const ICON_PX = 24;

/** The entries of a directory below a link, as a list. Only the visible ones are rendered. */
export function LinkedLines({ token, entries, selected, onToggle, onShow }: LinkedEntriesProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const { ref: sizeRef, width } = useElementSize<HTMLDivElement>();
  const ref = useMergedRef(box, sizeRef);
  const height = toTextPx(ROW_PX);
  const count = width === 0 ? 0 : entries.total;
  const { first, last } = useLines({ box, count, height, head: 0, startAt: 0 });
  useEffect(() => {
    if (last >= first) entries.look(first, last);
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll only what it can focus
    <section ref={ref} className={styles.box} tabIndex={0} aria-label={t('folderLinks.entries')}>
      <ul className={styles.lines} style={{ height: count * height }}>
        {Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => first + step).map((index) => {
          const entry = entries.at(index);
          if (entry === undefined) return null;
          const isSelected = selected.has(entry.path);
          return (
            <li
              key={entry.path}
              className={styles.row}
              style={{ transform: `translateY(${index * height}px)` }}
              data-selected={isSelected || undefined}
              aria-setsize={entries.total}
              aria-posinset={index + 1}
            >
              <EntryTick name={entry.name} isSelected={isSelected} onToggle={() => onToggle(entry.path)} />
              <OpenEntry entry={entry} onShow={() => onShow(entry)}>
                <SmallThumbnail entry={entry} token={token} />
              </OpenEntry>
              <span className={styles.fact}>{entry.directory ? '' : formatBytes(entry.size)}</span>
              <span className={`${styles.fact} ${styles.when}`}>
                <When iso={entry.modifiedAt} />
              </span>
              <DownloadEntry entry={entry} token={token} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function SmallThumbnail({ entry, token }: LinkedEntryProps) {
  const [state, setState] = useState<'loading' | 'loaded' | 'broken'>('loading');
  const { path, thumbnailVersion: version } = entry;
  if (version === null || state === 'broken') return <EntryIcon entry={entry} size={ICON_PX} />;
  const waiting = state === 'loading' ? thumbnail.waiting : undefined;
  const isPage = hasPage(entry);
  const image = (
    <img
      src={toLinkedThumbnail(token, path, version, 256)}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      className={isPage ? thumbnail.sheet : waiting}
      onLoad={() => setState('loaded')}
      onError={() => setState('broken')}
    />
  );
  return isPage ? <span className={waiting ?? thumbnail.page}>{image}</span> : image;
}
