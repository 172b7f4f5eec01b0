import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useEffect } from 'react';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { cellsInBand } from '../../../ui/grid/cells-in-band.ts';
import { withVariable } from '../../../ui/grid/css-variable.ts';
import { asGrid, asLine, GROUP } from '../../../ui/grid/grid-roles.ts';
import { useLines } from '../../../ui/grid/use-lines.ts';
import { toTextPx } from '../../../ui/text-size.ts';
import { useGridCells } from './entry-cell.tsx';
import styles from './entry-grid.module.css';
import type { RowsProps } from './entry-rows.tsx';
import { EntryTile } from './entry-tile.tsx';
import { useRubberBand } from './pointer/use-rubber-band.ts';
import type { TileSize } from './state/display-settings.ts';

/**
 * For normal text size, in pixels: the height of a line of tiles with its gap, and the minimum width of a
 * tile, in general and on a phone.
 */
const PIXELS: Readonly<Record<TileSize, { line: number; tile: number; narrowTile: number }>> = {
  small: { line: 144, tile: 132, narrowTile: 105 },
  medium: { line: 188, tile: 188, narrowTile: 150 },
  large: { line: 320, tile: 320, narrowTile: 300 },
};

/** From this multiple of the normal text size on, names get two lines, because fewer letters fit in one. */
const LARGE_TEXT = 1.5;
/** The height of the second line in the style sheet. */
const SECOND_LINE_PX = 22;

export type TilesProps = Omit<RowsProps<EntryRecord>, 'columns' | 'sorting' | 'columnMenu'>;

/** A grid of entries with pictures. Only the visible lines are rendered. */
export function EntryTiles(props: TilesProps & { readonly size: TileSize }) {
  const { grid, label, isNarrow, startAt = 0 } = props;
  const { source } = grid;
  const { ref: sizeRef, width } = useElementSize<HTMLDivElement>();
  const ref = useMergedRef(grid.ref, sizeRef);
  const { line, tile, narrowTile } = PIXELS[props.size];
  // Large text gets taller lines: a larger caption would leave no room for the picture, and show no name.
  const isLargeText = toTextPx(1) >= LARGE_TEXT;
  const linePx = toTextPx(line + (isLargeText ? SECOND_LINE_PX : 0));
  const columns = Math.max(1, Math.floor(width / toTextPx(isNarrow ? narrowTile : tile)));
  const lines = Math.ceil(source.total / columns);
  const view = useLines({
    box: grid.ref,
    count: width === 0 ? 0 : lines,
    height: linePx,
    head: 0,
    startAt,
  });
  const first = view.first * columns;
  const last = Math.min(source.total, (view.last + 1) * columns) - 1;
  useEffect(() => {
    grid.view.current = {
      columns,
      lines: view.perPage,
      show: (index) => view.show(Math.floor(index / columns)),
    };
    if (last >= first) source.look(first, last);
  });
  const { handlers, activeId, cellAt, keyAt } = useGridCells(props, { first, last });
  const startBand = useRubberBand(grid, (band, { clientWidth }) =>
    cellsInBand(band, { total: source.total, columns, width: clientWidth, lineHeight: linePx, head: 0 }),
  );
  return (
    <div
      ref={ref}
      {...asGrid({ label, lines, columns, active: activeId, isSelecting: grid.count > 0 })}
      className={styles.grid}
      data-tiles
      data-large-text={isLargeText || undefined}
      style={{ ...withVariable('--tiles', columns), ...withVariable('--line', `${linePx}px`) }}
      {...handlers}
      onPointerDown={(event) => {
        handlers.onPointerDown(event);
        startBand(event);
      }}
    >
      <div {...GROUP} className={styles.rows} style={{ height: lines * linePx }}>
        {Array.from({ length: Math.max(0, view.last - view.first + 1) }, (_, step) => view.first + step).map(
          (at) => (
            <div
              key={at}
              {...asLine(at + 1)}
              className={styles.line}
              style={{ transform: `translateY(${at * linePx}px)` }}
            >
              {Array.from({ length: Math.min(columns, source.total - at * columns) }, (_, step) => {
                const index = at * columns + step;
                return <EntryTile key={keyAt(index)} {...cellAt(index)} column={step + 1} />;
              })}
            </div>
          ),
        )}
      </div>
    </div>
  );
}
