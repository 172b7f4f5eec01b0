import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useEffect } from 'react';
import type { EntryRecord } from '../../../api/contract.ts';
import { withVariable } from '../../../ui/grid/css-variable.ts';
import { asGrid, asLine, GROUP } from '../../../ui/grid/grid-roles.ts';
import { useLines } from '../../../ui/grid/use-lines.ts';
import { useGridCells } from './entry-cell.tsx';
import styles from './entry-grid.module.css';
import type { RowsProps } from './entry-rows.tsx';
import { EntryTile } from './entry-tile.tsx';
import { useRubberBand } from './use-rubber-band.ts';

/** As large as the style sheet makes them, with the gap. */
const LINE_PX = 188;
const TILE_PX = 188;
const NARROW_TILE_PX = 150;

export type TilesProps = Omit<RowsProps<EntryRecord>, 'columns' | 'sorting'>;

/** Entries side by side, as pictures. Only the lines in view are rendered. */
export function EntryTiles(props: TilesProps) {
  const { grid, label, isNarrow, startAt = 0 } = props;
  const { source } = grid;
  const { ref: sizeRef, width } = useElementSize<HTMLDivElement>();
  const ref = useMergedRef(grid.ref, sizeRef);
  const columns = Math.max(2, Math.floor(width / (isNarrow ? NARROW_TILE_PX : TILE_PX)));
  const lines = Math.ceil(source.total / columns);
  const view = useLines({
    box: grid.ref,
    count: width === 0 ? 0 : lines,
    height: LINE_PX,
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
  const { handlers, activeId, cellAt } = useGridCells(props, { first, last });
  const startBand = useRubberBand(grid, ({ clientWidth }) => ({
    ...{ total: source.total, columns, width: clientWidth, lineHeight: LINE_PX, head: 0 },
  }));
  return (
    <div
      ref={ref}
      {...asGrid({ label, lines, columns, active: activeId })}
      className={styles.grid}
      data-tiles
      style={withVariable('--tiles', columns)}
      {...handlers}
      onPointerDown={(event) => {
        handlers.onPointerDown(event);
        startBand(event);
      }}
    >
      <div {...GROUP} className={styles.rows} style={{ height: lines * LINE_PX }}>
        {Array.from({ length: Math.max(0, view.last - view.first + 1) }, (_, step) => view.first + step).map(
          (line) => (
            <div
              key={line}
              {...asLine(line + 1)}
              className={styles.line}
              style={{ transform: `translateY(${line * LINE_PX}px)` }}
            >
              {Array.from({ length: Math.min(columns, source.total - line * columns) }, (_, step) => {
                const index = line * columns + step;
                return <EntryTile key={index} {...cellAt(index)} column={step + 1} />;
              })}
            </div>
          ),
        )}
      </div>
    </div>
  );
}
