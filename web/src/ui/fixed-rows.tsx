import { type ReactNode, useState } from 'react';
import classes from './fixed-rows.module.css';
import { toTextPx } from './text-size.ts';

const MORE_ROWS = 4;

interface FixedRowsProps<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /** The height of every row, with text of the usual size. */
  readonly rowPx: number;
  /** How many rows the list shows at once, at most. */
  readonly rowsInSight: number;
  readonly className?: string | undefined;
  readonly rowClassName?: string | undefined;
  readonly label?: string;
  readonly children: (item: T) => ReactNode;
}

/**
 * A list that scrolls. Rows have equal height, so no measuring is needed: of ten thousand, only those around
 * the view are rendered.
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
