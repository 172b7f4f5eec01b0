import { useTranslation } from 'react-i18next';
import type { Summary } from '../../../api/contract.ts';
import { formatNumber } from '../../../messages/formats.ts';
import { currentLanguage } from '../../../messages/i18n.ts';
import { BarChart } from './bar-chart.tsx';

export function ActiveUsers({ summary: { dailyActiveUsers: days } }: { summary: Summary }) {
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

/** A day of the service's time zone, whichever the page is in. */
function formatDay(date: string): string {
  const format = new Intl.DateTimeFormat(currentLanguage(), {
    weekday: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  });
  return format.format(new Date(`${date}T00:00:00Z`));
}
