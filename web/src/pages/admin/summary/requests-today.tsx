import { useTranslation } from 'react-i18next';
import type { Summary } from '../../../api/contract.ts';
import { formatNumber } from '../../../messages/formats.ts';
import { type Bar, BarChart } from './bar-chart.tsx';

const HOURS = 24;

export function RequestsToday({ summary }: { summary: Summary }) {
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

/** The day keeps its width while it goes on. */
function hoursToCome(hours: Summary['requestTimeline']): Bar[] {
  const next = (hours.at(-1)?.hour ?? -1) + 1;
  return Array.from({ length: HOURS - next }, (_, index) => ({
    label: `${String(next + index).padStart(2, '0')}:00`,
    value: undefined,
  }));
}
