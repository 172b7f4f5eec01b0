import { Button, Center, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconListCheck, IconPhotoSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ask } from '../api/ask.ts';
import { KEYS } from '../api/keys.ts';
import { useDrive } from '../features/drives/use-drive.ts';
import { TaskRow } from '../features/tasks/task-row.tsx';
import { type TaskView, toRows, viewOf } from '../features/tasks/task-view.ts';
import classes from '../features/tasks/tasks.module.css';
import { pollingOf } from '../features/tasks/use-running-tasks.ts';
import { formatTime } from '../messages/formats.ts';
import { EmptyNotice } from '../ui/placeholders/empty-notice.tsx';
import { FailureNotice } from '../ui/placeholders/failure-notice.tsx';

const SIZE = 50;

export function TasksPage() {
  const { t } = useTranslation();
  const { id: drive, key } = useDrive();
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery({
      queryKey: [...KEYS.tasks(key), 'list'],
      queryFn: ({ pageParam: page, signal }) =>
        ask('GET /api/v2/tasks', { query: { page, size: SIZE }, drive, signal }),
      initialPageParam: 0,
      getNextPageParam: ({ page, size, total }) => ((page + 1) * size < total ? page + 1 : undefined),
      refetchInterval: ({ state }) => pollingOf(state.data?.pages.flatMap(({ items }) => items)),
    });
  // Removes duplicates: a new task shifts the others, so a task may be on two pages.
  const tasks = new Map(data?.pages.flatMap(({ items }) => items).map((task) => [task.id, task]));
  return (
    <Stack maw={860}>
      <Title order={1} size="h3">
        {t('nav.tasks')}
      </Title>
      {error !== null && data === undefined && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {isPending && [1, 2, 3].map((row) => <Skeleton key={row} h={64} />)}
      {data !== undefined && tasks.size === 0 && (
        <EmptyNotice icon={<IconListCheck size={48} stroke={1.2} aria-hidden />} title={t('tasks.empty')}>
          {t('tasks.emptyHint')}
        </EmptyNotice>
      )}
      {tasks.size > 0 && (
        <ul className={classes.list}>
          {toRows([...tasks.values()].map(viewOf)).map((row) =>
            'task' in row ? (
              <TaskRow key={row.task.id} task={row.task} />
            ) : (
              <QuietRow key={row.quiet.at(-1)?.id} tasks={row.quiet} />
            ),
          )}
        </ul>
      )}
      {hasNextPage && (
        <Center>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('tasks.more')}
          </Button>
        </Center>
      )}
    </Stack>
  );
}

/** Several tasks that the service created automatically, in one row. */
function QuietRow({ tasks }: { tasks: readonly TaskView[] }) {
  const { t } = useTranslation();
  const latest = tasks[0]?.finishedAt;
  const words = [t('tasks.quietWhy'), ...(latest === undefined ? [] : [formatTime(latest)])];
  return (
    <li className={classes.row}>
      <ThemeIcon variant="light" size={40} radius="md" color="gray">
        <IconPhotoSearch size={22} aria-hidden />
      </ThemeIcon>
      <div className={classes.words}>
        <Text className={classes.title}>{t('tasks.quiet', { count: tasks.length })}</Text>
        <Text size="sm" c="dimmed">
          {words.join(' · ')}
        </Text>
      </div>
    </li>
  );
}
