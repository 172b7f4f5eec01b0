import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useEffect, useMemo } from 'react';
import { useGridCells } from '../../features/entries/grid/entry-cell.tsx';
import type { TilesProps } from '../../features/entries/grid/entry-tiles.tsx';
import { useRubberBand } from '../../features/entries/grid/pointer/use-rubber-band.ts';
import { formatDay, formatShortDay } from '../../messages/formats.ts';
import { withVariable } from '../../ui/grid/css-variable.ts';
import { asGrid, asLine, GROUP, LINE_HEAD } from '../../ui/grid/grid-roles.ts';
import { toTextPx } from '../../ui/text-size.ts';
import {
  type DayBlock,
  type DayCount,
  type DayLine,
  layOutDays,
  lineOfPicture,
  moveInDays,
  picturesInBand,
} from './day-lines.ts';
import { MonthScrubber } from './month-scrubber.tsx';
import { PhotoTile } from './photo-tile.tsx';
import styles from './photos.module.css';
import { useDayLines } from './use-day-lines.ts';

/** The gap between tiles, as in the style sheet. */
const GAP_PX = 4;
const HEAD_PX = 44;

/** The width of a heading with and without the day of the week. */
const HEAD_WIDTHS = { full: 240, short: 86 };
/** Tiles narrower than this have smaller headings. */
const NORMAL_HEAD_PX = 108;

interface GridProps extends TilesProps {
  readonly days: readonly DayCount[];
  /** The minimum width of a tile in pixels. */
  readonly tileWidth: number;
}

/** Square tiles with headings for the days, and the scrubber. Only the visible lines are rendered. */
export function PhotoGrid(props: GridProps) {
  const { grid, label, days, tileWidth, startAt: _startAt, ...rest } = props;
  const { source } = grid;
  const { ref: sizeRef, width } = useElementSize<HTMLDivElement>();
  const ref = useMergedRef(grid.ref, sizeRef);
  const columns = Math.max(1, Math.floor((width + GAP_PX) / (tileWidth + GAP_PX)));
  const lineHeight = Math.max(1, (width + GAP_PX) / columns);
  const headHeight = toTextPx(HEAD_PX);
  const layout = useMemo(() => {
    if (width === 0) return { lines: [], height: 0 };
    const headColumns = columnsFor(HEAD_WIDTHS.short, columns, lineHeight);
    return layOutDays(days, { columns, lineHeight, headHeight, headColumns });
  }, [days, columns, lineHeight, headHeight, width]);
  const { lines, height } = layout;
  const formatHead = useMemo(() => chooseFormat(lines, lineHeight), [lines, lineHeight]);
  const view = useDayLines(grid.ref, layout);
  const shown = lines.slice(view.first, view.last + 1);
  const [first, last] = [shown[0]?.first ?? 0, lastPicture(shown.at(-1))];
  useEffect(() => {
    grid.view.current = {
      columns,
      lines: Math.max(1, Math.floor((grid.ref.current?.clientHeight ?? 0) / lineHeight)),
      show: (index) => {
        const top = lines[lineOfPicture(lines, index)]?.top;
        if (top !== undefined) scrollTo(grid.ref.current, { top, height: lineHeight, headHeight });
      },
      moveTo: (key, from, shape) => moveInDays(lines, key, from, shape),
    };
    if (last >= first) source.look(first, last);
  });
  const { handlers, activeId, cellAt, keyAt } = useGridCells({ grid, ...rest }, { first, last });
  const startBand = useRubberBand(grid, (band) => picturesInBand(lines, band, lineHeight));
  return (
    <div className={styles.body}>
      <div
        ref={ref}
        {...asGrid({ label, lines: lines.length, columns, active: activeId, isSelecting: grid.count > 0 })}
        className={styles.grid}
        data-tight={lineHeight - GAP_PX < toTextPx(NORMAL_HEAD_PX) || undefined}
        style={withVariable('--tiles', columns)}
        {...handlers}
        onPointerDown={(event) => {
          handlers.onPointerDown(event);
          startBand(event);
        }}
      >
        <div {...GROUP} className={styles.lines} style={{ height }}>
          {shown.map((line, step) => (
            <div
              key={line.count === 0 ? line.day : line.first}
              {...asLine(view.first + step + 1)}
              className={line.count === 0 ? styles.head : styles.line}
              style={{
                transform: `translateY(${line.top}px)`,
                height: line.count === 0 ? headHeight : lineHeight - GAP_PX,
              }}
            >
              {line.blocks.map((block) =>
                line.count === 0 ? (
                  <DayHead key={block.day} block={block} format={formatHead} />
                ) : (
                  Array.from({ length: block.count }, (_, place) => {
                    const index = block.first + place;
                    return (
                      <PhotoTile key={keyAt(index)} {...cellAt(index)} column={block.column + place + 1} />
                    );
                  })
                ),
              )}
            </div>
          ))}
        </div>
      </div>
      <MonthScrubber
        layout={layout}
        day={lines[view.top]?.day}
        onGo={(top) => {
          if (grid.ref.current !== null) grid.ref.current.scrollTop = top;
        }}
      />
    </div>
  );
}

type FormatDay = (day: string) => string;

/** All headings have the same format: the long one if every day has room for it. */
function chooseFormat(lines: readonly DayLine[], lineHeight: number): FormatDay {
  const widthPx = toTextPx(HEAD_WIDTHS.full);
  const hasRoom = ({ span }: DayBlock) => span * lineHeight - GAP_PX >= widthPx;
  return lines.every(({ blocks }) => blocks.every(hasRoom)) ? formatDay : formatShortDay;
}

/** The heading of a day. */
function DayHead({ block, format }: { readonly block: DayBlock; readonly format: FormatDay }) {
  const { day, column, span } = block;
  const attributes = {
    ...LINE_HEAD,
    'aria-label': formatDay(day),
    'aria-colindex': column + 1,
    'aria-colspan': span,
  };
  return (
    <div
      {...attributes}
      title={formatDay(day)}
      className={styles.day}
      style={{ gridColumn: `${column + 1} / span ${span}` }}
    >
      {format(day)}
    </div>
  );
}

/** The number of columns needed for a width, limited to all columns. */
function columnsFor(px: number, columns: number, lineHeight: number): number {
  return Math.min(columns, Math.ceil((toTextPx(px) + GAP_PX) / lineHeight));
}

function lastPicture(line: { readonly first: number; readonly count: number } | undefined): number {
  return line === undefined ? -1 : line.first + line.count - 1;
}

/** Scrolls only as far as needed to show the line. When scrolling up, also shows the heading above it. */
function scrollTo(
  box: HTMLElement | null,
  { top, height, headHeight }: { readonly top: number; readonly height: number; readonly headHeight: number },
): void {
  if (box === null) return;
  if (top - headHeight < box.scrollTop) box.scrollTop = top - headHeight;
  else if (top + height > box.scrollTop + box.clientHeight) box.scrollTop = top + height - box.clientHeight;
}
