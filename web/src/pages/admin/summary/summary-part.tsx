import { Anchor, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Summary } from '../../../../../client/src/client.ts';
import { queryOf } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { formatBytes, formatNumber } from '../../../messages/formats.ts';
import { currentLanguage } from '../../../messages/i18n.ts';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import type { AdminSearch } from '../admin-search.ts';
import type { PartName } from '../part-names.ts';
import { type Bar, BarChart } from './bar-chart.tsx';
import { ContentSearchCard } from './content-search-card.tsx';
import { InviteCodeCard } from './invite-code.tsx';
import { MailCard } from './mail-card.tsx';
import { MaintenanceCard } from './maintenance-card.tsx';
import { OfflineStorage } from './offline-storage.tsx';

const REFRESH_MS = 30_000;

/** The totals of the service, its usage, and the invite code. */
export function SummaryPart() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    ...queryOf(KEYS.admin('summary'), 'GET /api/admin/summary'),
    refetchInterval: REFRESH_MS,
  });
  if (data === undefined) return error && <FailureNotice error={error} onRetry={() => void refetch()} />;
  return (
    <Stack>
      <SimpleGrid cols={{ base: 2, md: 5 }} spacing={{ base: 'xs', md: 'md' }}>
        <NumberCard label={t('admin.summary.users')} value={formatNumber(data.totalUsers)} part="users" />
        <NumberCard
          label={t('admin.summary.sharedDrives')}
          value={formatNumber(data.totalSharedDrives)}
          part="drives"
          search={{ kind: 'SHARED', deleted: 'false' }}
        />
        <NumberCard label={t('admin.summary.files')} value={formatNumber(data.totalFiles)} part="files" />
        <NumberCard
          label={t('admin.summary.stored')}
          value={formatBytes(data.totalStorageBytes)}
          part="blobs"
        />
        <NumberCard label={t('admin.summary.requests')} value={formatNumber(data.requestCount)} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <RequestsToday summary={data} />
        <ActiveUsers summary={data} />
        <InviteCodeCard code={data.inviteCode} />
        <OfflineStorage summary={data} />
        <MaintenanceCard />
        <MailCard />
        <ContentSearchCard />
      </SimpleGrid>
    </Stack>
  );
}

/** A number with a link to its list. */
function NumberCard(card: { label: string; value: string; part?: PartName; search?: AdminSearch }) {
  const { label, value, part, search = {} } = card;
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {part === undefined ? (
          label
        ) : (
          <Anchor
            c="dimmed"
            size="sm"
            renderRoot={(props) => <Link to="/admin/{-$part}" params={{ part }} search={search} {...props} />}
          >
            {label}
          </Anchor>
        )}
      </Text>
      <Text fz={26} fw={700} lh={1.3}>
        {value}
      </Text>
    </Paper>
  );
}

function ActiveUsers({ summary: { dailyActiveUsers: days } }: { summary: Summary }) {
  const { t } = useTranslation();
  const today = days.at(-1)?.userCount ?? 0;
  const text = t('admin.summary.activeText', {
    count: today,
    number: formatNumber(today),
    most: formatNumber(Math.max(0, ...days.map(({ userCount }) => userCount))),
  });
  return (
    <BarChart
      title={t('admin.summary.activeByDay')}
      text={text}
      labelEvery={1}
      headings={[t('admin.summary.day'), t('admin.summary.userCount'), t('admin.summary.names')]}
      bars={days.map(({ date, userCount, usernames }) => ({
        label: formatDay(date),
        value: userCount,
        more: usernames.join(', '),
      }))}
    />
  );
}

/** Formats a day in the service's time zone, not the browser's. */
function formatDay(date: string): string {
  const format = new Intl.DateTimeFormat(currentLanguage(), {
    weekday: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  });
  return format.format(new Date(`${date}T00:00:00Z`));
}

const HOURS = 24;

function RequestsToday({ summary }: { summary: Summary }) {
  const { t } = useTranslation();
  const { requestTimeline: hours, requestCount } = summary;
  const busiest = hours.toSorted((a, b) => b.requestCount - a.requestCount)[0];
  const text = t('admin.summary.requestsText', {
    count: requestCount,
    number: formatNumber(requestCount),
    hour: busiest?.label ?? '',
    most: formatNumber(busiest?.requestCount ?? 0),
  });
  return (
    <BarChart
      title={t('admin.summary.requestsByHour')}
      text={text}
      labelEvery={6}
      headings={[t('admin.summary.hour'), t('admin.summary.requestCount')]}
      bars={[...hours.map(({ label, requestCount: value }) => ({ label, value })), ...hoursToCome(hours)]}
    />
  );
}

/** Empty bars for the rest of the day, so that the axis does not move during the day. */
function hoursToCome(hours: Summary['requestTimeline']): Bar[] {
  const next = (hours.at(-1)?.hour ?? -1) + 1;
  return Array.from({ length: HOURS - next }, (_, index) => ({
    label: `${String(next + index).padStart(2, '0')}:00`,
    value: undefined,
  }));
}
