import { Text, ThemeIcon, VisuallyHidden } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowsExchange,
  IconDatabase,
  IconInbox,
  IconLinkOff,
  IconServer,
  IconShieldLock,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { DriveId } from '../../api/in-drive.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { When } from '../../ui/dates/when.tsx';
import type { NotificationKind, NotificationRecord } from './notification.ts';
import { placeOf } from './notification-place.ts';
import { wordsOf } from './notification-words.ts';
import classes from './notifications.module.css';

interface Look {
  readonly Icon: TablerIcon;
  readonly color: string;
}

const LOOKS: Readonly<Record<NotificationKind, Look>> = {
  DRIVE_MEMBER: { Icon: IconUsers, color: 'blue' },
  LINK_FILES: { Icon: IconInbox, color: 'teal' },
  TRANSFER_FETCHED: { Icon: IconArrowsExchange, color: 'teal' },
  SHARE_ENDED: { Icon: IconLinkOff, color: 'gray' },
  SECURITY: { Icon: IconShieldLock, color: 'orange' },
  DRIVE_FULL: { Icon: IconDatabase, color: 'orange' },
  TASK_FAILED: { Icon: IconAlertTriangle, color: 'red' },
  SERVICE_FAULT: { Icon: IconServer, color: 'red' },
};
const UNKNOWN: Look = { Icon: IconInbox, color: 'gray' };

interface NotificationItemProps {
  readonly item: NotificationRecord;
  readonly findDrive: (id: number) => DriveId;
  readonly onRead: () => void;
  readonly onLeave: () => void;
}

/** One notification: a link to the place that it is about. */
export function NotificationItem({ item, findDrive, onRead, onLeave }: NotificationItemProps) {
  const { t } = useTranslation();
  const { kind, at, readAt } = item;
  const { sentence, detail } = wordsOf(item);
  // A newer service may send kinds that this page does not know.
  const { Icon, color } = Object.hasOwn(LOOKS, kind) ? LOOKS[kind] : UNKNOWN;
  const isUnread = readAt === null;
  return (
    <li className={classes.item} data-unread={isUnread || undefined}>
      <ThemeIcon variant="light" size={36} radius="md" color={color}>
        <Icon size={20} aria-hidden />
      </ThemeIcon>
      <div className={classes.words}>
        <Link
          {...placeOf(item, findDrive)}
          // The folder of a link is searched when it is opened, not when the pointer passes.
          preload={false}
          className={classes.link}
          onClick={() => {
            if (isUnread) onRead();
            onLeave();
          }}
        >
          {isUnread && <VisuallyHidden>{`${t('notifications.unread')}: `}</VisuallyHidden>}
          {sentence}
        </Link>
        {detail !== undefined && (
          <Text size="xs" c="dimmed" className={classes.detail}>
            {detail}
          </Text>
        )}
        <Text size="xs" c="dimmed">
          <When iso={at} />
        </Text>
      </div>
      {isUnread && (
        <IconButton
          className={classes.mark}
          variant="subtle"
          size={32}
          label={t('notifications.markReadOf', { text: sentence })}
          tooltip={t('notifications.markRead')}
          onClick={(event) => {
            // This button disappears, so the item's link takes its focus.
            event.currentTarget.closest('li')?.querySelector('a')?.focus();
            onRead();
          }}
        >
          <span className={classes.dot} />
        </IconButton>
      )}
    </li>
  );
}
