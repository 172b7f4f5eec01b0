import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import styles from '../folder-link.module.css';

interface TrailProps {
  /** The title of the link, shown for its root. */
  readonly title: string;
  /** The path of the shown directory below the link. */
  readonly path: string;
}

/** The breadcrumb trail from the root of a folder link to the shown directory. */
export function LinkedTrail({ title, path }: TrailProps) {
  const { t } = useTranslation();
  const names = path.split('/').filter((name) => name !== '');
  const crumbs = [title, ...names].map((name, depth) => ({
    name,
    path: `/${names.slice(0, depth).join('/')}`,
  }));
  return (
    <nav aria-label={t('folderLinks.path')}>
      <ol className={styles.trail}>
        {crumbs.map((crumb, depth) => (
          <li key={crumb.path}>
            {depth > 0 && <IconChevronRight size={16} aria-hidden />}
            <Link
              from="/f/$token"
              to="/f/$token"
              search={depth === 0 ? {} : { path: crumb.path }}
              className={styles.crumb}
              aria-current={depth === crumbs.length - 1 ? 'page' : undefined}
            >
              {crumb.name}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
