import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AdminTask } from '../../../../../client/src/client.ts';
import { formatNumber, formatTime } from '../../../messages/formats.ts';
import { FAILURE_CATEGORIES, findKnown, TASK_TYPES } from '../pieces/choices.ts';
import { DetailsDrawer } from '../pieces/details-drawer.tsx';
import { OwnerLink } from '../pieces/owner-link.tsx';
import { TaskStatus } from '../pieces/task-status.tsx';

export function TaskDetails({ task, onClose }: { task: AdminTask; onClose: () => void }) {
  const { t } = useTranslation();
  const type = findKnown(TASK_TYPES, task.type);
  const category = findKnown(FAILURE_CATEGORIES, task.failureCategory);
  const typeName = type === undefined ? task.type : t(`admin.tasks.types.${type}`);
  return (
    <DetailsDrawer
      title={`${typeName} #${task.id}`}
      onClose={onClose}
      json={{ title: t('admin.tasks.state'), value: task.publicStateJson }}
      facts={[
        [t('admin.tasks.status'), <TaskStatus key="status" status={task.status} />],
        [t('admin.owner'), <OwnerLink key="owner" username={task.ownerUsername} email={task.ownerEmail} />],
        [
          t('admin.tasks.attempts'),
          t('admin.tasks.attemptsOf', {
            count: formatNumber(task.attemptCount),
            most: formatNumber(task.maxAttempts),
          }),
        ],
        [
          t('admin.tasks.failure'),
          category === undefined ? task.failureCategory : t(`admin.tasks.failures.${category}`),
        ],
        [t('admin.tasks.retryScheduled'), task.retryScheduled ? t('admin.yes') : null],
        [t('admin.tasks.lease'), t(`admin.tasks.leases.${task.leaseState}`)],
        [t('admin.tasks.worker'), task.workerOwner],
        [t('admin.tasks.correlation'), task.correlationId],
        [t('admin.created'), formatTime(task.createdAt)],
        [t('admin.changed'), formatTime(task.updatedAt)],
        [t('admin.tasks.finished'), task.finishedAt === null ? null : formatTime(task.finishedAt)],
      ]}
    >
      {task.errorMessage !== null && <Alert color="red" title={task.errorMessage} />}
    </DetailsDrawer>
  );
}
