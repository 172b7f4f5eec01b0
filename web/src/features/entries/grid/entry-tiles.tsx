import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useEffect } from 'react';
import type { EntryRecord } from '../../../api/contract.ts';
import { withVariable } from '../../../ui/grid/css-variable.ts';
import { asGrid, asLine, GROUP } from '../../../ui/grid/grid-roles.ts';
import { useLines } from '../../../ui/grid/use-lines.ts';
import styles from './entry-grid.module.css';
import { rowId } from './entry-row.tsx';
import type { RowsProps } from './entry-rows.tsx';
import { EntryTile } from './entry-tile.tsx';
import { useGridPointer } from './use-grid-pointer.ts';
import { useRowWords } from './use-row-words.ts';

/** As large as the style sheet makes them, with the gap. */
const LINE_PX = 188;
const TILE_PX = 188;
const NARROW_TILE_PX = 150;

type TilesProps = Omit<RowsProps<EntryRecord>, 'columns' | 'sorting'>;

/** Entries side by side, as pictures. */
export function EntryTiles({ grid, label, renaming, drag, isNarrow, startAt = 0 }: TilesProps) {
  const { source } = grid;
  const words = useRowWords();
  const { over, ...dragHandlers } = drag ?? { over: undefined };
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
  const pointer = useGridPointer(grid);
  const isActiveShown = grid.active >= first && grid.active <= last;
  return (
    <div
      ref={ref}
      {...asGrid({
        label,
        lines,
        columns,
        active: isActiveShown ? rowId(grid.active) : undefined,
      })}
      className={styles.grid}
      data-tiles
      style={withVariable('--tiles', columns)}
      {...pointer}
      {...dragHandlers}
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
                const entry = source.at(index);
                return (
                  <EntryTile
                    key={index}
                    entry={entry}
                    index={index}
                    column={step + 1}
                    isSelected={entry !== undefined && grid.isSelected(entry.id)}
                    isActive={index === grid.active}
                    isOver={index === over}
                    isDraggable={drag !== undefined}
                    renaming={renaming !== undefined && renaming.id === entry?.id ? renaming : undefined}
                    words={words}
                  />
                );
              })}
            </div>
          ),
        )}
      </div>
    </div>
  );
}
