import { Alert, Stack, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminTask } from '../../../../../client/src/client.ts';
import { formatNumber, formatTime } from '../../../messages/formats.ts';
import classes from '../admin.module.css';
import { ChoiceFilter } from '../list/choice-filter.tsx';
import { type Column, ownerColumn } from '../list/columns.tsx';
import { FilterBar } from '../list/filter-bar.tsx';
import { PagedList } from '../list/paged-list.tsx';
import { TextFilter } from '../list/text-filter.tsx';
import { usePage } from '../list/use-page.ts';
import { FAILURE_CATEGORIES, findKnown, LEASE_STATES, TASK_STATUSES, TASK_TYPES } from '../pieces/choices.ts';
import { DetailsDrawer } from '../pieces/details-drawer.tsx';
import { OwnerLink } from '../pieces/owner-link.tsx';
import { isLive, TaskStatus } from '../pieces/task-status.tsx';

const FILTERS = ['userQuery', 'type', 'status', 'failureCategory', 'leaseState'];

/** The background tasks of all users. */
export function TasksPart() {
  const { t } = useTranslation();
  const query = usePage('tasks', FILTERS, (page) => page.items.some(isLive));
  const [openId, setOpenId] = useState<number>();
  // Looked up again, so that the drawer shows the current state of the task.
  const open = query.data?.items.find(({ id }) => id === openId);
  const columns = useTaskColumns(setOpenId);
  return (
    <Stack gap="xs">
      <FilterBar>
        <TextFilter name="userQuery" label={t('admin.owner')} hint={t('admin.ownerHint')} />
        <ChoiceFilter
          name="type"
          label={t('admin.tasks.type')}
          choices={TASK_TYPES.map((value) => ({ value, label: t(`admin.tasks.types.${value}`) }))}
        />
        <ChoiceFilter
          name="status"
          label={t('admin.tasks.status')}
          choices={TASK_STATUSES.map((value) => ({ value, label: t(`admin.tasks.statuses.${value}`) }))}
        />
        <ChoiceFilter
          name="failureCategory"
          label={t('admin.tasks.failure')}
          choices={FAILURE_CATEGORIES.map((value) => ({ value, label: t(`admin.tasks.failures.${value}`) }))}
        />
        <ChoiceFilter
          name="leaseState"
          label={t('admin.tasks.lease')}
          choices={LEASE_STATES.map((value) => ({ value, label: t(`admin.tasks.leases.${value}`) }))}
        />
      </FilterBar>
      <PagedList
        query={query}
        filters={FILTERS}
        title={t('admin.parts.tasks')}
        columns={columns}
        empty={{ drawing: 'list', title: t('admin.tasks.none') }}
      />
      {open && <TaskDetails task={open} onClose={() => setOpenId(undefined)} />}
    </Stack>
  );
}

function useTaskColumns(onOpen: (id: number) => void): Column<AdminTask>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'task',
      title: t('admin.tasks.task'),
      cell: (task) => {
        const type = findKnown(TASK_TYPES, task.type);
        return (
          <UnstyledButton className={classes.open} onClick={() => onOpen(task.id)}>
            {type === undefined ? task.type : t(`admin.tasks.types.${type}`)} #{task.id}
          </UnstyledButton>
        );
      },
    },
    {
      key: 'status',
      title: t('admin.tasks.status'),
      cell: (task) => (
        <>
          <TaskStatus status={task.status} />
          <FailureLine task={task} />
        </>
      ),
    },
    ownerColumn(t('admin.owner')),
    {
      key: 'attempts',
      title: t('admin.tasks.attempts'),
      cell: ({ attemptCount, maxAttempts }) =>
        t('admin.tasks.attemptsOf', { count: formatNumber(attemptCount), most: formatNumber(maxAttempts) }),
    },
    {
      key: 'lease',
      title: t('admin.tasks.lease'),
      cell: ({ leaseState, workerOwner }) => (
        <>
          {t(`admin.tasks.leases.${leaseState}`)}
          {workerOwner !== null && (
            <Text size="xs" c="dimmed" className={classes.anywhere}>
              {workerOwner}
            </Text>
          )}
        </>
      ),
    },
    { key: 'created', title: t('admin.created'), cell: ({ createdAt }) => formatTime(createdAt) },
  ];
}

function FailureLine({ task: { failureCategory, retryScheduled } }: { task: AdminTask }) {
  const { t } = useTranslation();
  const category = findKnown(FAILURE_CATEGORIES, failureCategory);
  const words = [
    category === undefined ? failureCategory : t(`admin.tasks.failures.${category}`),
    retryScheduled ? t('admin.tasks.retryScheduled') : null,
  ].filter((word) => word !== null);
  if (words.length === 0) return null;
  return (
    <Text size="xs" c="dimmed" mt={2}>
      {words.join(' · ')}
    </Text>
  );
}

function TaskDetails({ task, onClose }: { task: AdminTask; onClose: () => void }) {
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
        [t('admin.owner'), <OwnerLink key="owner" owner={task} />],
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
