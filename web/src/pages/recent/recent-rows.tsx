import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { nameOf } from '../../common/names/drive-paths.ts';
import { useEntryColumns } from '../../features/drive/use-entry-columns.tsx';
import { useDriveName } from '../../features/drives/drive-names.ts';
import { useDriveId } from '../../features/drives/use-drive.ts';
import { ColumnHeads } from '../../features/entries/grid/column-heads.tsx';
import { useGridCells } from '../../features/entries/grid/entry-cell.tsx';
import gridStyles from '../../features/entries/grid/entry-grid.module.css';
import { EntryRow } from '../../features/entries/grid/entry-row.tsx';
import type { TilesProps } from '../../features/entries/grid/entry-tiles.tsx';
import { useRubberBand } from '../../features/entries/grid/pointer/use-rubber-band.ts';
import { formatTime } from '../../messages/formats.ts';
import { useRelativeDates } from '../../ui/dates/when.tsx';
import { withVariable } from '../../ui/grid/css-variable.ts';
import { asGrid, asLine, GROUP, LINE_HEAD } from '../../ui/grid/grid-roles.ts';
import { toTextPx } from '../../ui/text-size.ts';
import styles from './recent-page.module.css';
import type { RecentGroup } from './upload-groups.ts';

/** The row height, as in the style sheets. */
const ROW_PX = 44;
const NARROW_ROW_PX = 60;
const HEAD_PX = 48;
/** The gap between a single file and the group above it, to which it does not belong. */
const GAP_PX = 24;
const COLUMNS_PX = 40;

/** A group of which all files or only the first ones are shown. */
export interface ShownGroup extends RecentGroup {
  readonly shownCount: number;
  /** Whether the group has more files than are shown while it is closed. */
  readonly isLong: boolean;
}

interface RecentRowsProps extends TilesProps {
  readonly groups: readonly ShownGroup[];
  readonly isNarrow: boolean;
  readonly onToggle: (group: ShownGroup) => void;
}

/**
 * A list with a heading for each group of files that arrived together. It is short, so it is rendered
 * completely.
 */
export function RecentRows(props: RecentRowsProps) {
  const { grid, label, groups, isNarrow, isLow = false, onToggle, startAt: _startAt, ...rest } = props;
  const { t } = useTranslation();
  const originOf = useMemo(() => {
    const texts = new Map<number, string>();
    for (const { entries } of groups)
      for (const { id, parentPath, receivedThrough } of entries)
        if (receivedThrough !== null) {
          const { title, sender } = receivedThrough;
          const names = { title, sender: sender ?? t('recent.someone') };
          texts.set(id, t(isNamedAfter(title, parentPath) ? 'recent.sentBy' : 'recent.sentThrough', names));
        }
    return (id: number) => texts.get(id);
  }, [groups, t]);
  const columns = useEntryColumns({ isNarrow, showPath: true, time: 'updatedAt', originOf });
  const rowPx = toTextPx(isNarrow ? NARROW_ROW_PX : ROW_PX);
  const { heads, tops, height } = useMemo(() => layOut(groups, rowPx), [groups, rowPx]);
  const above = isNarrow || isLow ? 0 : toTextPx(COLUMNS_PX);
  useEffect(() => {
    const box = grid.ref.current;
    grid.view.current = {
      columns: 1,
      lines: Math.max(1, Math.floor(((box?.clientHeight ?? 0) - above) / rowPx)),
      show: (index) => {
        const top = tops[index];
        if (box !== null && top !== undefined) scrollTo(box, { top, height: rowPx, above });
      },
    };
  });
  const count = grid.source.total;
  const { handlers, activeId, cellAt } = useGridCells({ grid, ...rest }, { first: 0, last: count - 1 });
  const startBand = useRubberBand(grid, ({ top, bottom }) => {
    const first = tops.findIndex((start) => above + start + rowPx > top);
    const last = tops.findLastIndex((start) => above + start <= bottom);
    return first === -1 || last < first
      ? undefined
      : { first, last, count: last - first + 1, has: () => true };
  });
  return (
    <div
      ref={grid.ref}
      {...asGrid({
        ...{ label, lines: count + heads.length + 1, columns: columns.length + 2 },
        ...{ active: activeId, isSelecting: grid.count > 0 },
      })}
      className={gridStyles.grid}
      data-narrow={isNarrow || undefined}
      data-low={isLow || undefined}
      style={withVariable('--columns', columns.map(({ width }) => width).join(' '))}
      {...handlers}
      onPointerDown={(event) => {
        handlers.onPointerDown(event);
        startBand(event);
      }}
    >
      <ColumnHeads grid={grid} columns={columns} sorting={undefined} />
      <div {...GROUP} className={gridStyles.rows} style={{ height }}>
        {heads.map(({ group, top }, index) => (
          <div
            key={group.id}
            {...asLine(index + 2)}
            className={styles.head}
            style={{ transform: `translateY(${top}px)` }}
          >
            <GroupHead group={group} onToggle={() => onToggle(group)} />
          </div>
        ))}
        {tops.map((top, index) => (
          <EntryRow key={grid.source.at(index)?.id ?? index} {...cellAt(index)} top={top} columns={columns} />
        ))}
      </div>
    </div>
  );
}

function GroupHead({ group, onToggle }: { readonly group: ShownGroup; readonly onToggle: () => void }) {
  const { t } = useTranslation();
  const driveName = useDriveName(useDriveId());
  const formatDate = useRelativeDates();
  const { entries, folder, at, shownCount, isLong, receivedThrough } = group;
  const facts = { count: entries.length, folder: nameOf(folder) || driveName, time: formatDate(at) };
  const name =
    receivedThrough === null
      ? t('recent.together', facts)
      : t(isNamedAfter(receivedThrough.title, folder) ? 'recent.received' : 'recent.receivedThrough', {
          ...facts,
          title: receivedThrough.title,
          sender: receivedThrough.sender ?? t('recent.someone'),
        });
  return (
    <div {...LINE_HEAD} className={styles.headCell}>
      <span title={formatTime(at)}>{name}</span>
      {isLong && (
        <button
          type="button"
          aria-expanded={shownCount === entries.length}
          aria-label={t(shownCount === entries.length ? 'recent.fewerOf' : 'recent.allOf', { name })}
          onClick={onToggle}
          // The list must not handle keys that are meant for the button.
          onKeyDown={(event) => event.stopPropagation()}
        >
          {t(shownCount === entries.length ? 'recent.fewer' : 'recent.all', { count: entries.length })}
        </button>
      )}
    </div>
  );
}

/** Whether a link has the name of the folder, as it has by default. Then its title tells nothing new. */
function isNamedAfter(title: string, folder: string): boolean {
  return title === nameOf(folder);
}

/** The positions of headings and rows in pixels. A single file has no heading. */
function layOut(groups: readonly ShownGroup[], rowPx: number) {
  const heads: { group: ShownGroup; top: number }[] = [];
  const tops: number[] = [];
  let height = 0;
  let isBelowGroup = false;
  for (const group of groups) {
    const isGroup = group.entries.length > 1;
    if (isBelowGroup && !isGroup) height += toTextPx(GAP_PX);
    isBelowGroup = isGroup;
    if (isGroup) {
      heads.push({ group, top: height });
      height += toTextPx(HEAD_PX);
    }
    for (let row = 0; row < group.shownCount; row += 1) {
      tops.push(height);
      height += rowPx;
    }
  }
  return { heads, tops, height };
}

function scrollTo(
  box: HTMLElement,
  { top, height, above }: { readonly top: number; readonly height: number; readonly above: number },
): void {
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + height + above > box.scrollTop + box.clientHeight)
    box.scrollTop = top + height + above - box.clientHeight;
}
