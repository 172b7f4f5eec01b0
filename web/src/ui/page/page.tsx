import { type ReactNode, type Ref, useState } from 'react';
import classes from './page.module.css';
import { ActionsPlace } from './page-actions.tsx';
import { PageTitle } from './page-title.tsx';

/** Lists and the administration are as wide as the window. Forms are 720 px wide, and text 960 px. */
type PageWidth = 'full' | 'form' | 'reading';

interface PageProps {
  readonly ref?: Ref<HTMLDivElement>;
  /** A text, or an element that contains the `h1`. Without it, the title is in the toolbar of the list. */
  readonly title: ReactNode;
  /** A sentence below the title. */
  readonly subtitle?: ReactNode;
  /** Buttons at the end of the title's line. */
  readonly actions?: ReactNode;
  readonly width?: PageWidth;
  /** Whether the page is as tall as the window, so its list scrolls instead of the page. */
  readonly isFilling?: boolean;
  readonly children: ReactNode;
}

/** The frame of every page: the title in one place and size, its actions, and the width of the content. */
export function Page({ ref, title, subtitle, actions, width = 'full', isFilling, children }: PageProps) {
  const [actionsPlace, setActionsPlace] = useState<HTMLElement | null>(null);
  const hasTitle = title !== undefined && title !== false;
  return (
    <div ref={ref} className={classes.page} data-width={width} data-filling={isFilling || undefined}>
      {hasTitle && (
        <div className={classes.head}>
          {typeof title === 'string' ? <PageTitle subtitle={subtitle}>{title}</PageTitle> : title}
          <div ref={setActionsPlace} className={classes.actions}>
            {actions}
          </div>
        </div>
      )}
      <ActionsPlace value={actionsPlace}>{children}</ActionsPlace>
    </div>
  );
}
