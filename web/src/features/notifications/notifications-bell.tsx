import { IconBell } from '@tabler/icons-react';
import { cloneElement, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import classes from './bell.module.css';
import { useUnreadCount } from './unread-count.ts';

const NotificationPanel = lazyPart(async () => (await import('./notification-panel.tsx')).NotificationPanel);

/** The largest count that has room above the bell. */
const MAX_COUNT = 99;

/** Opens the notifications, and shows how many are unread. */
export function NotificationsBell() {
  const { t } = useTranslation();
  const count = useUnreadCount();
  const [isWanted, setWanted] = useState(false);
  const button = (
    <IconButton
      variant="subtle"
      color="gray"
      size={40}
      label={count === 0 ? t('notifications.title') : t('notifications.unreadCount', { count })}
      aria-haspopup="dialog"
    >
      <IconBell size={22} aria-hidden />
    </IconButton>
  );
  const alone = cloneElement(button, { onClick: () => setWanted(true), 'aria-expanded': false });
  return (
    <span className={classes.place}>
      {isWanted ? (
        <Suspense fallback={alone}>
          <NotificationPanel target={button} />
        </Suspense>
      ) : (
        alone
      )}
      {count > 0 && (
        <span className={classes.count} aria-hidden>
          {count > MAX_COUNT ? `${MAX_COUNT}+` : count}
        </span>
      )}
    </span>
  );
}
