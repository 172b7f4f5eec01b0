import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useEffect, useEffectEvent, useLayoutEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { TimelineRecord } from '../../../../client/src/client.ts';
import { useGridCells } from '../../features/entries/grid/entry-cell.tsx';
import type { TilesProps } from '../../features/entries/grid/entry-tiles.tsx';
import { useRubberBand } from '../../features/entries/grid/pointer/use-rubber-band.ts';
import type { Pages } from '../../features/entries/use-pages.ts';
import { formatDay } from '../../messages/formats.ts';
import { currentLocale } from '../../messages/i18n.ts';
import { dayOf } from '../../messages/relative-date.ts';
import { asGrid, asLine, GROUP, LINE_HEAD } from '../../ui/grid/grid-roles.ts';
import {
  layOutPictures,
  lineOfPicture,
  type PictureGroup,
  type PictureLine,
  type PictureLines,
} from '../../ui/pictures/picture-lines.ts';
import { moveInLines, picturesInBand } from '../../ui/pictures/picture-moves.ts';
import { useRatios } from '../../ui/pictures/use-ratios.ts';
import { useVisibleLines } from '../../ui/pictures/use-visible-lines.ts';
import { toTextPx } from '../../ui/text-size.ts';
import { namerOfDays, sampleDays } from './day-names.ts';
import { MonthScrubber, monthOf } from './month-scrubber.tsx';
import { PhotoTile } from './photo-tile.tsx';
import styles from './photos.module.css';

/** The gap between pictures. A phone has no room to waste. */
const GAPS = { usual: 4, narrow: 2 };
const HEAD_PX = 44;
/** Lines lower than this have smaller headings. */
const NORMAL_HEAD_PX = 120;

/** A day to scroll to, once for each object. */
export interface PhotoGoal {
  readonly day: string;
}

interface GridProps extends TilesProps {
  readonly days: readonly PictureGroup[];
  readonly pictures: Pages<TimelineRecord>;
  readonly goal: PhotoGoal | undefined;
  /** The height that lines should have, in pixels. */
  readonly lineHeight: number;
}

/**
 * Pictures in their true proportions, with headings for the days, and the scrubber. Only the visible lines are
 * rendered.
 */
export function PhotoGrid(props: GridProps) {
  const { grid, label, days, pictures, goal, lineHeight, isNarrow, startAt: _startAt, ...rest } = props;
  const { ref: sizeRef, width } = useElementSize<HTMLDivElement>();
  const ref = useMergedRef(grid.ref, sizeRef);
  const { ratioAt, onThumbnail, learn } = useRatios(days, pictures);
  const isTight = lineHeight < NORMAL_HEAD_PX;
  const { nameDay, headWidth } = useDayNames(isTight);
  const headHeight = toTextPx(HEAD_PX);
  const layout = useMemo(
    () =>
      layOutPictures(width === 0 ? [] : days, ratioAt, {
        ...{ width, height: lineHeight, headHeight, headWidth, sectionOf: monthOf },
        gap: isNarrow ? GAPS.narrow : GAPS.usual,
      }),
    [days, ratioAt, width, lineHeight, headHeight, headWidth, isNarrow],
  );
  const { lines, lefts, widths, columns, height } = layout;
  const view = useVisibleLines(grid.ref, layout);
  const { first, last } = view.pictures;
  useLayoutEffect(() => learn(first, last));
  useEffect(() => {
    grid.view.current = {
      columns,
      lines: Math.max(1, Math.floor((grid.ref.current?.clientHeight ?? 0) / lineHeight)),
      show: (index) => {
        const line = lines[lineOfPicture(lines, index)];
        if (line !== undefined) scrollTo(grid.ref.current, line, headHeight);
      },
      moveTo: (key, from, shape) => moveInLines(layout, key, from, shape),
    };
    if (last >= first) pictures.look(first, last);
  });
  useGoal(goal, grid, layout, headHeight);
  const { handlers, activeId, cellAt, keyAt } = useGridCells({ grid, ...rest }, { first, last });
  const startBand = useRubberBand(grid, (band) => picturesInBand(layout, band));
  const renderTiles = (line: PictureLine) =>
    Array.from({ length: line.count }, (_, place) => {
      const index = line.first + place;
      return (
        <PhotoTile
          key={keyAt(index)}
          {...cellAt(index)}
          column={place + 1}
          left={lefts[index] ?? 0}
          width={widths[index] ?? 0}
          duration={pictures.at(index)?.duration ?? null}
          onThumbnail={onThumbnail}
        />
      );
    });
  return (
    <div className={styles.body}>
      <div
        ref={ref}
        {...asGrid({ label, lines: lines.length, columns, active: activeId, isSelecting: grid.count > 0 })}
        className={styles.grid}
        data-tight={isTight || undefined}
        {...handlers}
        onPointerDown={(event) => {
          handlers.onPointerDown(event);
          startBand(event);
        }}
      >
        <div {...GROUP} className={styles.lines} style={{ height }}>
          {view.shown.map((line, step) => (
            <div
              key={line.count === 0 ? line.blocks[0].name : line.first}
              {...asLine(view.first + step + 1)}
              className={line.count === 0 ? styles.head : styles.line}
              style={{ transform: `translateY(${line.top}px)`, height: line.height }}
            >
              {line.count === 0 ? <DayHeads line={line} nameDay={nameDay} /> : renderTiles(line)}
            </div>
          ))}
        </div>
      </div>
      <MonthScrubber
        layout={layout}
        day={view.top?.blocks[0].name}
        onGo={(top) => {
          if (grid.ref.current !== null) grid.ref.current.scrollTop = top;
        }}
      />
    </div>
  );
}

interface HeadsProps {
  readonly line: PictureLine;
  readonly nameDay: (day: string) => string;
}

/** The headings of the days of a line. */
function DayHeads({ line, nameDay }: HeadsProps) {
  return line.blocks.map(({ name: day, first, count, left, width }) => {
    const attributes = {
      ...LINE_HEAD,
      'aria-label': formatDay(day),
      'aria-colindex': first - line.first + 1,
      'aria-colspan': count,
    };
    return (
      <div key={day} {...attributes} title={formatDay(day)} className={styles.day} style={{ left, width }}>
        {nameDay(day)}
      </div>
    );
  });
}

/** The sizes of headings in the style sheet. */
const FONT_PX = { usual: 14, tight: 12 };
/** Room for the letters of a font that has not loaded yet. */
const SPARE_PX = 6;

/** Names the days of headings, and tells how much room a name needs. */
function useDayNames(isTight: boolean) {
  const { i18n } = useTranslation();
  const today = dayOf(Date.now());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the language decides about the locale
  return useMemo(() => {
    const nameDay = namerOfDays(currentLocale(), today);
    const font = `600 ${toTextPx(isTight ? FONT_PX.tight : FONT_PX.usual)}px ${getComputedStyle(document.body).fontFamily}`;
    const [thisYear, otherYears] = sampleDays(today).map(
      (days) => Math.ceil(Math.max(...days.map((day) => measureText(nameDay(day), font)))) + SPARE_PX,
    );
    const headWidth = (day: string) => (day.slice(0, 4) === today.slice(0, 4) ? thisYear : otherYears) ?? 0;
    return { nameDay, headWidth };
  }, [i18n.language, today, isTight]);
}

let canvas: CanvasRenderingContext2D | null | undefined;

/** The width of a text in pixels. */
function measureText(text: string, font: string): number {
  canvas ??= document.createElement('canvas').getContext('2d');
  if (canvas === null) return 0;
  canvas.font = font;
  return canvas.measureText(text).width;
}

/** Scrolls to the heading of a day, and activates its first picture. */
function useGoal(
  goal: PhotoGoal | undefined,
  grid: GridProps['grid'],
  { lines, firsts }: PictureLines,
  headHeight: number,
): void {
  const go = useEffectEvent((day: string) => {
    const first = firsts.get(day);
    const line = first === undefined ? undefined : lines[lineOfPicture(lines, first)];
    if (first === undefined || line === undefined || grid.ref.current === null) return;
    grid.ref.current.scrollTop = line.top - headHeight;
    grid.goTo(first);
    grid.focus();
  });
  useEffect(() => {
    if (goal !== undefined) go(goal.day);
  }, [goal]);
}

/** Scrolls only as far as needed to show the line. When scrolling up, also shows the heading above it. */
function scrollTo(box: HTMLElement | null, { top, height }: PictureLine, headHeight: number): void {
  if (box === null) return;
  if (top - headHeight < box.scrollTop) box.scrollTop = top - headHeight;
  else if (top + height > box.scrollTop + box.clientHeight) box.scrollTop = top + height - box.clientHeight;
}
