import { Button, Group, Skeleton } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readStored, writeStored } from '../../api/stored.ts';
import { EntryBrowser } from '../../features/drive/entry-browser.tsx';
import { Page } from '../../ui/page/page.tsx';
import { PageTitle } from '../../ui/page/page-title.tsx';
import { EmptyNotice } from '../../ui/placeholders/empty-notice.tsx';
import { FailureNotice } from '../../ui/placeholders/failure-notice.tsx';
import { ToFiles } from '../../ui/placeholders/to-files.tsx';
import { useIsLow, useIsNarrow } from '../../ui/screen-size.ts';
import { FilterMenu } from './filter-menu.tsx';
import { OnThisDay } from './on-this-day.tsx';
import { isFiltering, type PhotoFilter, readPhotoFilter } from './photo-filter.ts';
import { type PhotoGoal, PhotoGrid } from './photo-grid.tsx';
import styles from './photos.module.css';
import { useTimeline } from './use-timeline.ts';

/** On a phone, lines are lower by this factor, so about three pictures fit next to each other. */
const PHONE_FACTOR = 0.62;
const SIZE_KEY = 'holdall.photo-size';
/** The heights of lines in pixels, from many small pictures to one that fills a phone. */
const LINE_HEIGHTS = [90, 130, 180, 260, 400] as const;
const MAX_TILE_SIZE = LINE_HEIGHTS.length - 1;
const USUAL_SIZE = 2;

/** The pictures and videos of all folders, by the day on which they were taken. */
export function PhotosPage() {
  const { t } = useTranslation();
  const [filter, setFilter] = usePhotoFilter();
  const { days, source, isPending, error, retry } = useTimeline(filter);
  const [size, setSize] = useTileSize();
  const [goal, setGoal] = useState<PhotoGoal>();
  const isNarrow = useIsNarrow();
  const isLow = useIsLow();
  const hasTools = source.total > 0 || isFiltering(filter);
  // If there is little room, the title is in the toolbar.
  const isInToolbar = (isLow || isNarrow) && !isPending && error === null && hasTools;
  const status = source.total > 0 && t('photos.total', { count: source.total });
  const heading = <PageTitle count={!isLow && status}>{t('nav.photos')}</PageTitle>;
  return (
    <Page title={!isInToolbar && t('nav.photos')} isFilling>
      {error !== null && <FailureNotice error={error} onRetry={retry} />}
      {isPending && error === null && <WaitingTiles />}
      {!isPending && error === null && (
        <EntryBrowser
          source={source}
          label={t('photos.list')}
          showPath
          status={status}
          {...(isInToolbar && { heading })}
          tools={
            hasTools && (
              <>
                <SizeSlider size={size} onChange={setSize} />
                <FilterMenu filter={filter} onChange={setFilter} />
              </>
            )
          }
          empty={<NoPhotos isFiltered={isFiltering(filter)} onClear={() => setFilter({})} />}
          renderGrid={(props) => (
            <>
              {!isFiltering(filter) && <OnThisDay days={days} onGo={(day) => setGoal({ day })} />}
              <PhotoGrid
                {...props}
                days={days}
                pictures={source}
                goal={goal}
                lineHeight={heightOf(size) * (isNarrow ? PHONE_FACTOR : 1)}
              />
            </>
          )}
        />
      )}
    </Page>
  );
}

function WaitingTiles() {
  return (
    <Group gap={4}>
      {[1, 2, 3, 4].map((tile) => (
        <Skeleton key={tile} w={160} h={120} />
      ))}
    </Group>
  );
}

interface NoPhotosProps {
  /** Whether pictures may be hidden by the filter. */
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

function NoPhotos({ isFiltered, onClear }: NoPhotosProps) {
  const { t } = useTranslation();
  return (
    <EmptyNotice
      drawing="photos"
      title={t(isFiltered ? 'photos.noneMatch' : 'photos.none')}
      action={
        isFiltered ? (
          <Button variant="light" mih="var(--tap-size)" onClick={onClear}>
            {t('photos.clearFilter')}
          </Button>
        ) : (
          <ToFiles label={t('photos.upload')} />
        )
      }
    >
      {!isFiltered && t('photos.noneHint')}
    </EmptyNotice>
  );
}

interface SliderProps {
  readonly size: number;
  readonly onChange: (size: number) => void;
}

function SizeSlider({ size, onChange }: SliderProps) {
  const { t } = useTranslation();
  return (
    <input
      type="range"
      className={styles.size}
      min={0}
      max={MAX_TILE_SIZE}
      value={size}
      aria-label={t('photos.size')}
      onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
    />
  );
}

/** The filter in the address of the page. */
function usePhotoFilter(): readonly [filter: PhotoFilter, choose: (filter: PhotoFilter) => void] {
  const filter = readPhotoFilter(useSearch({ from: '/inside/in-drive/photos' }));
  const navigate = useNavigate();
  return [filter, (next) => void navigate({ to: '/photos', search: next, replace: true })];
}

/** The tile size chosen on this device, as an index into `LINE_HEIGHTS`. */
function useTileSize(): readonly [size: number, choose: (size: number) => void] {
  const [size, setSize] = useState(() => toTileSize(readStored(SIZE_KEY)));
  const choose = (next: number) => {
    setSize(next);
    writeStored(SIZE_KEY, String(next));
  };
  return [size, choose];
}

function heightOf(size: number): number {
  return LINE_HEIGHTS[size] ?? LINE_HEIGHTS[USUAL_SIZE];
}

function toTileSize(text: string | undefined): number {
  const size = text === undefined || text === '' ? USUAL_SIZE : Number(text);
  return Number.isInteger(size) && size >= 0 && size <= MAX_TILE_SIZE ? size : USUAL_SIZE;
}
