import { Group, Skeleton, Text, Title } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readStored, writeStored } from '../../api/stored.ts';
import { EntryBrowser } from '../../features/drive/entry-browser.tsx';
import pageStyles from '../../ui/full-height.module.css';
import { EmptyNotice } from '../../ui/placeholders/empty-notice.tsx';
import { FailureNotice } from '../../ui/placeholders/failure-notice.tsx';
import { useIsLow, useIsNarrow } from '../../ui/screen-size.ts';
import { PhotoGrid } from './photo-grid.tsx';
import styles from './photos.module.css';
import { useTimeline } from './use-timeline.ts';

/** On a phone, tiles are narrower by this factor, so that four fit next to each other. */
const PHONE_FACTOR = 0.78;
const SIZE_KEY = 'holdall.photo-size';
/** The minimum tile widths in pixels, from many small tiles to one that fills a phone. */
const TILE_WIDTHS = [72, 110, 160, 240, 360] as const;
const MAX_TILE_SIZE = TILE_WIDTHS.length - 1;
const USUAL_SIZE = 1;

/** The pictures and videos of all folders, by the day on which they were taken. */
export function PhotosPage() {
  const { t } = useTranslation();
  const { days, source, isPending, error, retry } = useTimeline();
  const [size, setSize] = useTileSize();
  const isNarrow = useIsNarrow();
  const isLow = useIsLow();
  const title = (
    <Title order={1} size="h3">
      {t('nav.photos')}
    </Title>
  );
  // If there is little room, the title is in the toolbar.
  const isInToolbar = (isLow || isNarrow) && !isPending && error === null && source.total > 0;
  const status = source.total > 0 && t('photos.total', { count: source.total });
  const heading = (
    <>
      {title}
      {!isLow && (
        <Text size="xs" c="dimmed" lh={1.2} truncate>
          {status}
        </Text>
      )}
    </>
  );
  return (
    <div className={pageStyles.page}>
      {!isInToolbar && title}
      {error !== null && <FailureNotice error={error} onRetry={retry} />}
      {isPending && error === null && (
        <Group gap={4}>
          {[1, 2, 3, 4].map((tile) => (
            <Skeleton key={tile} w={110} h={110} />
          ))}
        </Group>
      )}
      {!isPending && error === null && (
        <EntryBrowser
          source={source}
          label={t('photos.list')}
          showPath
          status={status}
          {...(isInToolbar && { heading })}
          tools={
            source.total > 0 && (
              <input
                type="range"
                className={styles.size}
                min={0}
                max={MAX_TILE_SIZE}
                value={size}
                aria-label={t('photos.size')}
                onChange={({ currentTarget }) => setSize(Number(currentTarget.value))}
              />
            )
          }
          empty={
            <EmptyNotice icon={<IconPhoto size={48} stroke={1.2} aria-hidden />} title={t('photos.none')}>
              {t('photos.noneHint')}
            </EmptyNotice>
          }
          renderGrid={(props) => (
            <PhotoGrid
              {...props}
              days={days}
              tileWidth={leastWidthOf(size) * (isNarrow ? PHONE_FACTOR : 1)}
            />
          )}
        />
      )}
    </div>
  );
}

/** The tile size chosen on this device, as an index into `TILE_WIDTHS`. */
function useTileSize(): readonly [size: number, choose: (size: number) => void] {
  const [size, setSize] = useState(() => toTileSize(readStored(SIZE_KEY)));
  const choose = (next: number) => {
    setSize(next);
    writeStored(SIZE_KEY, String(next));
  };
  return [size, choose];
}

function leastWidthOf(size: number): number {
  return TILE_WIDTHS[size] ?? TILE_WIDTHS[USUAL_SIZE];
}

function toTileSize(text: string | undefined): number {
  const size = text === undefined || text === '' ? USUAL_SIZE : Number(text);
  return Number.isInteger(size) && size >= 0 && size <= MAX_TILE_SIZE ? size : USUAL_SIZE;
}
