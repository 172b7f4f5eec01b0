import { Anchor, Button, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { parentOf, ROOT, toDirectory } from '../../common/names/drive-paths.ts';
import { When } from '../../ui/dates/when.tsx';
import { EmptyNotice } from '../../ui/placeholders/empty-notice.tsx';
import { FailureNotice } from '../../ui/placeholders/failure-notice.tsx';
import { PersonAvatar } from '../account/person-avatar.tsx';
import classes from './activity.module.css';
import {
  type ActivityItem,
  actorKindOf,
  changeKindOf,
  isIn,
  namesIn,
  withoutDuplicates,
} from './activity-sentence.ts';

const PAGE_SIZE = 100;
/** A folder's list loads further pages by itself until it shows this many changes. */
const ENOUGH = 20;
/** The service groups at most 5,000 events, so there are few pages. */
const MAX_PAGES_AT_ONCE = 10;

interface ActivityListProps {
  readonly driveId: number;
  readonly driveName: string;
  /** Only changes in this directory are listed. The root lists all of them. */
  readonly directory: string;
  /** Called when the user follows a link to another page. */
  readonly onLeave: () => void;
}

/** Who changed what, newest first. The service lists the whole drive, and the page filters by folder. */
export function ActivityList({ driveId, driveName, directory, onLeave }: ActivityListProps) {
  const { t } = useTranslation();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: KEYS.activity(driveId),
    queryFn: ({ pageParam: page, signal }) =>
      ask('GET /api/v2/drives/{id}/activity', {
        path: { id: driveId },
        query: { page, size: PAGE_SIZE },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ page, size, total }) => ((page + 1) * size < total ? page + 1 : undefined),
  });
  const items = useMemo(() => {
    const all = withoutDuplicates(data?.pages.flatMap((page) => page.items) ?? []);
    return directory === ROOT ? all : all.filter((item) => isIn(item, directory));
  }, [data, directory]);
  const pageCount = data?.pages.length ?? 0;
  const isSearching =
    hasNextPage && items.length < ENOUGH && pageCount < MAX_PAGES_AT_ONCE && directory !== ROOT;
  useEffect(() => {
    if (isSearching && !isFetchingNextPage && error === null) void fetchNextPage();
  }, [isSearching, isFetchingNextPage, error, fetchNextPage]);
  if (data === undefined && error === null) return <Placeholder />;
  return (
    <Stack gap="md">
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {items.length > 0 && (
        <ul className={classes.list} aria-label={t('activity.list')}>
          {items.map((item) => (
            <ActivityLine
              key={item.id}
              item={item}
              driveId={driveId}
              driveName={driveName}
              onLeave={onLeave}
            />
          ))}
        </ul>
      )}
      {isSearching && error === null && <Placeholder />}
      {items.length === 0 && !hasNextPage && error === null && (
        <EmptyNotice
          drawing="clock"
          title={t(directory === ROOT ? 'activity.empty' : 'activity.emptyFolder')}
        >
          {t('activity.emptyHint')}
        </EmptyNotice>
      )}
      {hasNextPage && !isSearching && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('activity.more')}
        </Button>
      )}
    </Stack>
  );
}

function Placeholder() {
  const { t } = useTranslation();
  return (
    <Stack gap="sm" role="status" aria-label={t('common.loading')}>
      {[1, 2, 3].map((line) => (
        <Skeleton key={line} h={44} />
      ))}
    </Stack>
  );
}

interface ActivityLineProps {
  readonly item: ActivityItem;
  readonly driveId: number;
  readonly driveName: string;
  readonly onLeave: () => void;
}

function ActivityLine({ item, driveId, driveName, onLeave }: ActivityLineProps) {
  const { t } = useTranslation();
  const who = useActorName(item);
  const { folder, fromFolder, ...names } = namesIn(item);
  const place = folder || driveName;
  const { accountId, displayName, at, path, fileId } = item;
  return (
    <li className={classes.line}>
      <PersonAvatar accountId={accountId} displayName={displayName} size={32} />
      <div className={classes.words}>
        <Text size="sm">
          {t(`activity.${changeKindOf(item)}`, {
            ...names,
            who,
            folder: place,
            fromFolder: fromFolder || driveName,
          })}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          <When iso={at} />
          {path !== null && (
            <>
              {' · '}
              <Anchor
                inherit
                underline="always"
                renderRoot={(props) => (
                  <Link
                    {...toDirectory(parentOf(path), {
                      drive: driveId,
                      ...(isThere(item) && fileId !== null && { select: fileId }),
                    })}
                    {...props}
                  />
                )}
                onClick={onLeave}
              >
                {t('activity.showPlace', { folder: place })}
              </Anchor>
            </>
          )}
        </Text>
      </div>
    </li>
  );
}

/** Whether the entry was still in its folder after the change. */
function isThere(item: ActivityItem): boolean {
  return !['deleted', 'purged'].includes(changeKindOf(item));
}

function useActorName(item: ActivityItem): string {
  const { t } = useTranslation();
  const { displayName } = item;
  const kind = actorKindOf(item);
  if (kind === 'service') return t('activity.service');
  if (displayName === null || displayName === '') return t('activity.someone');
  return kind === 'visitor' ? t('activity.visitor', { name: displayName }) : displayName;
}
