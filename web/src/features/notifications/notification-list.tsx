import { Button, Group, Loader, Skeleton, Stack, Title } from '@mantine/core';
import { IconChecks, IconSettings } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { EmptyNotice } from '../../ui/placeholders/empty-notice.tsx';
import { FailureNotice } from '../../ui/placeholders/failure-notice.tsx';
import { useDrives } from '../drives/use-drive.ts';
import { moveFocus } from './move-focus.ts';
import { NotificationItem } from './notification-item.tsx';
import { allOf, useMarkRead, useNewestOnly, useNotifications } from './notification-queries.ts';
import classes from './notifications.module.css';
import { useUnreadCount } from './unread-count.ts';

interface NotificationListProps {
  readonly hasTitle?: boolean;
  /** Called when the user follows a link to another page. */
  readonly onLeave: () => void;
}

/** What the user was told, newest first. A notification counts as read once it was opened or marked. */
export function NotificationList({ hasTitle = false, onLeave }: NotificationListProps) {
  const { t } = useTranslation();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } =
    useNotifications();
  useNewestOnly();
  const { mutate: markRead } = useMarkRead();
  const findDrive = useFindDrive();
  const items = allOf(data);
  const newest = items[0];
  const isAllRead = useUnreadCount() === 0;
  return (
    <div className={classes.frame}>
      <Group justify="space-between" gap="xs" wrap="nowrap" className={classes.head}>
        {hasTitle && (
          <Title order={2} size="h5">
            {t('notifications.title')}
          </Title>
        )}
        <Group gap={4} wrap="nowrap" ml="auto">
          {newest !== undefined && (
            <Button
              variant="subtle"
              size="compact-sm"
              mih="var(--tap-size)"
              leftSection={<IconChecks size={18} aria-hidden />}
              // Not really disabled, because it would lose the focus.
              data-disabled={isAllRead}
              aria-disabled={isAllRead}
              onClick={() => {
                if (!isAllRead) markRead({ until: newest.id });
              }}
            >
              {t('notifications.markAllRead')}
            </Button>
          )}
          <IconButton
            variant="subtle"
            color="gray"
            size={40}
            label={t('notifications.settings')}
            renderRoot={(props) => (
              <Link to="/profile/{-$part}" params={{ part: 'devices' }} hash="notifications" {...props} />
            )}
            onClick={onLeave}
          >
            <IconSettings size={20} aria-hidden />
          </IconButton>
        </Group>
      </Group>
      <div className={classes.content}>
        {error !== null && !isFetchNextPageError && (
          <FailureNotice error={error} onRetry={() => void refetch()} />
        )}
        {data === undefined && error === null && <Placeholder />}
        {data !== undefined && items.length === 0 && (
          <EmptyNotice drawing="bell" title={t('notifications.empty')}>
            {t('notifications.emptyHint')}
          </EmptyNotice>
        )}
        {items.length > 0 && (
          <ul className={classes.list} aria-label={t('notifications.list')} onKeyDown={moveFocus}>
            {items.map((item) => (
              <NotificationItem
                key={item.id}
                item={item}
                findDrive={findDrive}
                onRead={() => markRead({ ids: [item.id] })}
                onLeave={onLeave}
              />
            ))}
          </ul>
        )}
        {isFetchNextPageError && !isFetchingNextPage && <FailureNotice error={error} />}
        {hasNextPage && (
          <Button
            variant="default"
            fullWidth
            mt="xs"
            mih="var(--tap-size)"
            leftSection={isFetchingNextPage && <Loader size={16} aria-hidden />}
            aria-busy={isFetchingNextPage}
            // Not disabled meanwhile, because it would lose the focus.
            onClick={({ currentTarget: button }) => {
              if (isFetchingNextPage) return;
              const last = [...(button.parentElement?.querySelectorAll<HTMLElement>('li a') ?? [])].at(-1);
              void fetchNextPage().then((result) => {
                // The button disappears.
                if (!result.hasNextPage) last?.focus();
              });
            }}
          >
            {t('notifications.more')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Returns a function that finds the drive as in the addresses of pages. */
function useFindDrive() {
  const { data: drives } = useDrives();
  return useCallback(
    (id: number) =>
      drives?.some((drive) => drive.id === id && drive.kind === 'PERSONAL') === true ? undefined : id,
    [drives],
  );
}

function Placeholder() {
  const { t } = useTranslation();
  return (
    <Stack gap="sm" p="xs" role="status" aria-label={t('common.loading')}>
      {[1, 2, 3].map((line) => (
        <Skeleton key={line} h={52} />
      ))}
    </Stack>
  );
}
