import { type ReactNode, useState } from 'react';
import classes from './fixed-rows.module.css';
import { toTextPx } from './text-size.ts';

const MORE_ROWS = 4;

interface FixedRowsProps<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /** The height of every row at normal text size. */
  readonly rowPx: number;
  /** The maximum number of rows that are visible at once. */
  readonly rowsInSight: number;
  readonly className?: string | undefined;
  readonly rowClassName?: string | undefined;
  readonly label?: string;
  readonly children: (item: T) => ReactNode;
}

/**
 * A list that scrolls. All rows have the same height, so nothing is measured. Only the rows around the
 * visible part are rendered, even if there are ten thousand.
 */
export function FixedRows<T>(props: FixedRowsProps<T>) {
  const { items, keyOf, rowsInSight, className, rowClassName, label, children } = props;
  const [top, setTop] = useState(0);
  const rowPx = toTextPx(props.rowPx);
  const first = Math.max(0, Math.min(Math.floor(top / rowPx), items.length - 1) - MORE_ROWS);
  const rows = items.slice(first, first + rowsInSight + 2 * MORE_ROWS);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll only what it can focus
    <div className={className} tabIndex={0} onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}>
      <ul className={classes.rows} style={{ height: items.length * rowPx }} aria-label={label}>
        {rows.map((item, index) => (
          <li
            key={keyOf(item)}
            className={`${classes.row} ${rowClassName ?? ''}`}
            style={{ height: rowPx, transform: `translateY(${(first + index) * rowPx}px)` }}
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
          >
            {children(item)}
          </li>
        ))}
      </ul>
    </div>
  );
}
