import { DataList, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { JobRunRecord } from '../../../../../client/src/client.ts';
import { queryOf } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { formatNumber } from '../../../messages/formats.ts';
import { formatFromNow } from '../../../messages/from-now.ts';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import { Mark } from '../pieces/mark.tsx';
import { CardRow } from './card-row.tsx';

const REFRESH_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

/** When the last backup, check and maintenance ran, and what failed. */
export function MaintenanceCard() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    ...queryOf(KEYS.admin('maintenance'), 'GET /api/admin/maintenance'),
    refetchInterval: REFRESH_MS,
  });
  if (data === undefined) return error && <FailureNotice error={error} onRetry={() => void refetch()} />;
  const title = t('admin.maintenance.title');
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h5" mb="sm">
        {title}
      </Title>
      <DataList withDivider labelWidth="40%">
        <CardRow label={t('admin.maintenance.backup')}>
          <LastRun run={data.backup} freshDays={7} />
        </CardRow>
        <CardRow label={t('admin.maintenance.doctor')}>
          <LastRun run={data.doctor} freshDays={40} />
        </CardRow>
        <CardRow label={t('admin.maintenance.deepDoctor')}>
          <LastRun run={data.deepDoctor} freshDays={100} />
        </CardRow>
        <CardRow label={t('admin.maintenance.jobs')}>
          <Jobs runs={data.jobs} />
        </CardRow>
      </DataList>
    </Paper>
  );
}

/** @param freshDays after this many days, the last success is outdated and another run is due */
function LastRun({ run, freshDays }: { run: JobRunRecord | null; freshDays: number }) {
  const { t } = useTranslation();
  if (run === null) return <Mark tone="doubtful" text={t('admin.maintenance.never')} />;
  if (run.error === null) return <Mark tone={toTone(run, freshDays)} text={formatFromNow(run.endedAt)} />;
  return (
    <Stack gap={4}>
      <Mark tone="bad" text={t('admin.maintenance.failed', { when: formatFromNow(run.endedAt) })} />
      <Failure run={run} error={run.error} />
    </Stack>
  );
}

/** All jobs run together, so only one time is shown. Failed jobs are named. */
function Jobs({ runs }: { runs: readonly JobRunRecord[] }) {
  const { t } = useTranslation();
  const last = runs.toSorted((a, b) => a.endedAt.localeCompare(b.endedAt)).at(-1);
  if (last === undefined) return <Mark tone="plain" text={t('admin.maintenance.none')} />;
  const failed = runs.filter(({ error }) => error !== null);
  if (failed.length === 0) return <Mark tone={toTone(last, 2)} text={formatFromNow(last.endedAt)} />;
  const count = { count: failed.length, number: formatNumber(failed.length) };
  return (
    <Stack gap={4}>
      <Mark tone="bad" text={t('admin.maintenance.jobsFailed', count)} />
      {failed.map((run) => (
        <Failure key={run.name} run={run} error={`${run.name}: ${run.error}`} />
      ))}
    </Stack>
  );
}

function toTone({ endedAt }: JobRunRecord, freshDays: number): 'good' | 'doubtful' {
  return Date.now() - Date.parse(endedAt) < freshDays * DAY_MS ? 'good' : 'doubtful';
}

function Failure({ run, error }: { run: JobRunRecord; error: string }) {
  const { t } = useTranslation();
  const { succeededAt } = run;
  return (
    <Text size="sm">
      {error}{' '}
      <Text span size="sm" c="dimmed">
        {succeededAt === null
          ? t('admin.maintenance.noSuccess')
          : t('admin.maintenance.lastSuccess', { when: formatFromNow(succeededAt) })}
      </Text>
    </Text>
  );
}
