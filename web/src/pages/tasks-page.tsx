import { Button, Center, Skeleton, Text, ThemeIcon } from '@mantine/core';
import { IconPhotoSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ask } from '../api/ask.ts';
import { KEYS } from '../api/keys.ts';
import { useDrive } from '../features/drives/use-drive.ts';
import { TaskRow } from '../features/tasks/task-row.tsx';
import { type TaskView, toRows, viewOf } from '../features/tasks/task-view.ts';
import classes from '../features/tasks/tasks.module.css';
import { pollingOf } from '../features/tasks/use-running-tasks.ts';
import { When } from '../ui/dates/when.tsx';
import { Page } from '../ui/page/page.tsx';
import { EmptyNotice } from '../ui/placeholders/empty-notice.tsx';
import { FailureNotice } from '../ui/placeholders/failure-notice.tsx';
import { ToFiles } from '../ui/placeholders/to-files.tsx';

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
    <Page title={t('nav.tasks')} width="reading">
      {error !== null && data === undefined && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {isPending && [1, 2, 3].map((row) => <Skeleton key={row} h={64} />)}
      {data !== undefined && tasks.size === 0 && (
        <EmptyNotice drawing="list" title={t('tasks.empty')} action={<ToFiles />}>
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
    </Page>
  );
}

/** Several tasks that the service created automatically, in one row. */
function QuietRow({ tasks }: { tasks: readonly TaskView[] }) {
  const { t } = useTranslation();
  const latest = tasks[0]?.finishedAt;
  return (
    <li className={classes.row}>
      <ThemeIcon variant="light" size={40} radius="md" color="gray">
        <IconPhotoSearch size={22} aria-hidden />
      </ThemeIcon>
      <div className={classes.words}>
        <Text className={classes.title}>{t('tasks.quiet', { count: tasks.length })}</Text>
        <Text size="sm" c="dimmed">
          {t('tasks.quietWhy')}
          {latest !== undefined && (
            <>
              {' · '}
              <When iso={latest} />
            </>
          )}
        </Text>
      </div>
    </li>
  );
}
