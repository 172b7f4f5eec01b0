import { IconArrowLeft, IconChevronRight, IconDots } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { chainOf, nameOf, parentOf, ROOT, toDirectory } from '../../common/names/drive-paths.ts';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import { useDriveName } from '../../features/drives/drive-names.ts';
import { useDriveId } from '../../features/drives/use-drive.ts';
import { useDropTarget } from '../../features/entries/grid/pointer/use-entry-drag.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { MenuLater } from '../../ui/menus/menu-later.tsx';
import page from '../../ui/page/page.module.css';
import styles from './directory.module.css';

const TrailMenuList = lazyPart(async () => (await import('./trail-menu-list.tsx')).TrailMenuList);

/** The number of folders shown by name. The ones in between are in a menu. */
const SHOWN = 3;

interface TrailProps {
  readonly path: string;
  /** Shows buttons instead of the names of the folders above. */
  readonly isNarrow: boolean;
  /** Whether the trail must stay in one line. */
  readonly isLow: boolean;
}

/** The breadcrumb trail. Entries can be dropped onto its folders. */
export function Trail({ path, isNarrow, isLow }: TrailProps) {
  const { t } = useTranslation();
  const driveName = useDriveName(useDriveId());
  const above = chainOf(path).slice(0, -1);
  const hidden = isNarrow ? above : above.length > SHOWN ? above.slice(1, 1 - SHOWN) : [];
  const shown = above.filter((step) => !hidden.includes(step));
  return (
    <nav
      className={styles.trail}
      data-wraps={(isNarrow && !isLow) || undefined}
      aria-label={t('drive.trail')}
    >
      <ol>
        {isNarrow && path !== ROOT && (
          <li className={styles.button}>
            <IconButton
              variant="subtle"
              color="gray"
              size={40}
              label={t('drive.up')}
              renderRoot={(root) => <Link {...toDirectory(parentOf(path))} {...root} />}
            >
              <IconArrowLeft size={20} aria-hidden />
            </IconButton>
          </li>
        )}
        {isNarrow && hidden.length > 1 && (
          <li className={styles.button}>
            <Between steps={hidden} />
          </li>
        )}
        {shown.map((step, index) => (
          <li key={step}>
            <Step path={step} />
            <IconChevronRight size={16} aria-hidden />
            {index === 0 && hidden.length > 0 && (
              <>
                <Between steps={hidden} />
                <IconChevronRight size={16} aria-hidden />
              </>
            )}
          </li>
        ))}
        <li>
          <h1 className={`${page.title} ${styles.here}`} aria-current="page" title={nameOf(path)}>
            {nameOf(path) || driveName}
          </h1>
        </li>
      </ol>
    </nav>
  );
}

function Step({ path }: { readonly path: string }) {
  const drive = useDriveId();
  const driveName = useDriveName(drive);
  const target = useDropTarget({ drive, directory: path });
  return (
    <Link {...toDirectory(path)} className={`${page.title} ${styles.step}`} title={nameOf(path)} {...target}>
      {nameOf(path) || driveName}
    </Link>
  );
}

function Between({ steps }: { readonly steps: readonly string[] }) {
  const { t } = useTranslation();
  return (
    <MenuLater
      target={
        <IconButton variant="subtle" color="gray" size={40} label={t('drive.foldersAbove')}>
          <IconDots size={18} aria-hidden />
        </IconButton>
      }
    >
      {(target) => <TrailMenuList target={target} steps={steps} />}
    </MenuLater>
  );
}
