import { Button, Group, Paper, Progress, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AdminPolicy, AdminTask } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { useUser } from '../../../api/use-session.ts';
import { formatBytes, formatNumber, formatTime } from '../../../messages/formats.ts';
import classes from '../admin.module.css';
import { isLive, TaskStatus } from '../pieces/task-status.tsx';
import { useAct } from '../pieces/use-act.ts';
import { readProgress } from './migration-progress.ts';

/** One migration: its progress or its result. */
export function MigrationCard({ task, policies }: { task: AdminTask; policies: readonly AdminPolicy[] }) {
  const { t } = useTranslation();
  const progress = readProgress(task);
  const nameOf = (id: number) => policies.find((policy) => policy.id === id)?.name ?? `#${id}`;
  const title = t('admin.migration.fromTo', {
    source: nameOf(progress.sourcePolicyId),
    target: nameOf(progress.targetPolicyId),
  });
  const text = t('admin.migration.progress', {
    objects: formatNumber(progress.objects),
    totalObjects: formatNumber(progress.totalObjects),
    bytes: formatBytes(progress.bytes),
    totalBytes: formatBytes(progress.totalBytes),
  });
  return (
    <Paper withBorder p="md" component="article" aria-label={title}>
      <Group justify="space-between" gap="xs">
        <Title order={3} size="h5" className={classes.anywhere}>
          {title}
        </Title>
        <TaskStatus status={task.status} />
      </Group>
      <Text size="xs" c="dimmed">
        {t('admin.migration.by', { name: task.ownerUsername, time: formatTime(task.createdAt) })}
      </Text>
      <Progress.Root size="md" my="sm">
        <Progress.Section
          value={progress.percent}
          color={task.status === 'FAILED' ? 'red' : 'blue'}
          animated={task.status === 'RUNNING'}
          aria-label={title}
        />
      </Progress.Root>
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {text} · {t('admin.migration.percent', { percent: formatNumber(progress.percent) })}
        </Text>
        <OwnActs task={task} />
      </Group>
      {task.errorMessage !== null && (
        <Text size="sm" className={classes.danger} mt="xs">
          {task.errorMessage}
        </Text>
      )}
    </Paper>
  );
}

/** The actions on a migration. Only the admin who created it can cancel or retry it. */
function OwnActs({ task }: { task: AdminTask }) {
  const { t } = useTranslation();
  const { id } = useUser();
  const cancel = useAct(() => ask('DELETE /api/v2/tasks/{id}', { path: { id: task.id }, drive: undefined }));
  const retry = useAct(() =>
    ask('POST /api/v2/tasks/{id}/retry', { path: { id: task.id }, drive: undefined }),
  );
  if (task.userId !== id) return null;
  if (isLive(task)) {
    return (
      <Button variant="default" size="compact-md" loading={cancel.isPending} onClick={() => cancel.mutate()}>
        {t('admin.migration.stop')}
      </Button>
    );
  }
  if (task.status !== 'FAILED') return null;
  return (
    <Button variant="default" size="compact-md" loading={retry.isPending} onClick={() => retry.mutate()}>
      {t('common.tryAgain')}
    </Button>
  );
}
