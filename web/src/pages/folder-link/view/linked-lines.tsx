import { Checkbox } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { IconDownload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EntryIcon } from '../../../features/entries/entry-icon.tsx';
import type { Pages } from '../../../features/entries/use-pages.ts';
import { useLinkedDownload } from '../../../features/shares/folder-links/download-linked.ts';
import { toLinkedThumbnail } from '../../../features/shares/folder-links/folder-link-addresses.ts';
import type { NumberedEntry } from '../../../features/shares/folder-links/use-folder-link.ts';
import { formatBytes, formatTime } from '../../../messages/formats.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { useLines } from '../../../ui/grid/use-lines.ts';
import { toTextPx } from '../../../ui/text-size.ts';
import styles from '../folder-link.module.css';

/** The row height, as in the style sheet. */
const ROW_PX = 56;
const TILE_LINE_PX = 196;
const TILE_PX = 190;

interface LinesProps {
  readonly token: string;
  readonly entries: Pages<NumberedEntry>;
  readonly isTiles: boolean;
  /** The paths of the selected entries. */
  readonly selected: ReadonlySet<string>;
  readonly onToggle: (path: string) => void;
  readonly onShow: (entry: NumberedEntry) => void;
}

/** The entries of a directory below a link. Only the visible ones are rendered. */
export function LinkedLines({ token, entries, isTiles, selected, onToggle, onShow }: LinesProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const { ref: sizeRef, width } = useElementSize<HTMLDivElement>();
  const ref = useMergedRef(box, sizeRef);
  const columns = isTiles ? Math.max(2, Math.floor(width / TILE_PX)) : 1;
  const height = toTextPx(isTiles ? TILE_LINE_PX : ROW_PX);
  const count = width === 0 ? 0 : Math.ceil(entries.total / columns);
  const view = useLines({ box, count, height, head: 0, startAt: 0 });
  const first = view.first * columns;
  const last = Math.min(entries.total, (view.last + 1) * columns) - 1;
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
          const style: CSSProperties = { transform: `translateY(${Math.floor(index / columns) * height}px)` };
          if (isTiles) {
            style.width = `${100 / columns}%`;
            style.left = `${(100 / columns) * (index % columns)}%`;
          }
          const isSelected = selected.has(entry.path);
          const open = (
            <OpenEntry entry={entry} token={token} isTile={isTiles} onShow={() => onShow(entry)} />
          );
          const tick = (
            // The label enlarges the touch area.
            // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is in it
            <label className={styles.tick}>
              <Checkbox
                aria-label={t('folderLinks.selectOf', { name: entry.name })}
                checked={isSelected}
                onChange={() => onToggle(entry.path)}
              />
            </label>
          );
          const download = <DownloadEntry entry={entry} token={token} />;
          return (
            <li
              key={entry.path}
              className={isTiles ? styles.tile : styles.row}
              style={style}
              data-selected={isSelected || undefined}
              aria-setsize={entries.total}
              aria-posinset={index + 1}
            >
              {isTiles ? (
                <>
                  {open}
                  <div className={styles.tools}>
                    {tick}
                    {download}
                  </div>
                </>
              ) : (
                <>
                  {tick}
                  {open}
                  <span className={styles.fact}>{entry.directory ? '' : formatBytes(entry.size)}</span>
                  <span className={`${styles.fact} ${styles.when}`}>{formatTime(entry.modifiedAt)}</span>
                  {download}
                </>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface EntryProps {
  readonly entry: NumberedEntry;
  readonly token: string;
}

/** The name and picture of an entry. A click opens the directory or shows the file. */
function OpenEntry({
  entry,
  token,
  isTile,
  onShow,
}: EntryProps & { readonly isTile: boolean; readonly onShow: () => void }): ReactNode {
  const content = (
    <>
      <span className={styles.picture}>
        <EntryThumbnail entry={entry} token={token} isTile={isTile} />
      </span>
      <span className={styles.name} title={entry.name}>
        {entry.name}
      </span>
    </>
  );
  if (entry.directory) {
    return (
      <Link from="/f/$token" to="/f/$token" search={{ path: entry.path }} className={styles.open}>
        {content}
      </Link>
    );
  }
  return (
    <button type="button" className={styles.open} onClick={onShow}>
      {content}
    </button>
  );
}

function EntryThumbnail({ entry, token, isTile }: EntryProps & { readonly isTile: boolean }) {
  const [isBroken, setBroken] = useState(false);
  const { path, thumbnailVersion: version } = entry;
  if (version === null || isBroken) {
    return <EntryIcon entry={{ ...entry, filename: entry.name }} size={isTile ? 56 : 24} />;
  }
  const small = toLinkedThumbnail(token, path, version, 256);
  return (
    <img
      src={small}
      srcSet={isTile ? `${small} 1x, ${toLinkedThumbnail(token, path, version, 1024)} 2x` : undefined}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setBroken(true)}
    />
  );
}

function DownloadEntry({ entry, token }: EntryProps) {
  const { t } = useTranslation();
  const download = useLinkedDownload(token);
  return (
    <IconButton
      variant="subtle"
      color="gray"
      size={40}
      label={t('folderLinks.downloadOf', { name: entry.name })}
      onClick={() => void download([entry.path])}
    >
      <IconDownload size={18} aria-hidden />
    </IconButton>
  );
}
