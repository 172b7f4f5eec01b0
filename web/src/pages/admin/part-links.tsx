import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './admin.module.css';
import { PART_NAMES, type PartName } from './part-names.ts';
import { PARTS } from './parts.ts';

/** The way from part to part. */
export function PartLinks({ current }: { current: PartName | undefined }) {
  const { t } = useTranslation();
  const bar = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another part is another place to draw the bar to
  useEffect(() => {
    const link = bar.current?.querySelector('[aria-current]');
    // Only the bar is drawn, never the page.
    if (link instanceof HTMLElement && bar.current !== null) {
      bar.current.scrollLeft = link.offsetLeft - (bar.current.clientWidth - link.offsetWidth) / 2;
    }
  }, [current]);
  return (
    <nav ref={bar} className={classes.parts} aria-label={t('admin.parts.all')}>
      {PART_NAMES.map((name) => {
        const { Icon } = PARTS[name];
        return (
          <Link
            key={name}
            to="/admin/{-$part}"
            params={{ part: name === 'summary' ? undefined : name }}
            className={classes.part}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            <Icon size={16} aria-hidden />
            {t(`admin.parts.${name}`)}
          </Link>
        );
      })}
    </nav>
  );
}
