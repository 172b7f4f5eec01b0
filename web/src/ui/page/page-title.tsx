import { type ReactNode, use } from 'react';
import classes from './page.module.css';
import { PagePlace } from './page-place.ts';

interface PageTitleProps {
  readonly children: ReactNode;
  /** A few words after the title, such as the number of items. */
  readonly count?: ReactNode;
  /** A sentence below the title. */
  readonly subtitle?: ReactNode;
}

/** The title of a page. In windows of little height, lists show it in their toolbar. */
export function PageTitle({ children, count, subtitle }: PageTitleProps) {
  const place = use(PagePlace);
  return (
    <div className={classes.words}>
      <div className={classes.line}>
        <h1 className={classes.title}>{children}</h1>
        {place}
        {count !== undefined && count !== false && <span className={classes.count}>{count}</span>}
      </div>
      {subtitle !== undefined && <p className={classes.subtitle}>{subtitle}</p>}
    </div>
  );
}
