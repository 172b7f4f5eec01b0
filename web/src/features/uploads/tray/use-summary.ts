import { useTranslation } from 'react-i18next';
import { formatBytes, formatNumber } from '../../../messages/formats.ts';
import type { UploadsView } from '../queue/upload-queue.ts';
import { timeLeft } from './time-left.ts';

/** All of it in a few words: what happens, and how far and how fast. */
export function useSummary(view: UploadsView): { readonly title: string; readonly text: string } {
  const { t } = useTranslation();
  const { totals, isHeld, isReading, bytesPerSecond } = view;
  const { count } = totals;
  const join = (parts: readonly (string | false | undefined)[]) =>
    parts.filter((part) => part !== false && part !== undefined).join(' · ');
  const problems = [
    count.failed > 0 && t('uploads.failed', { count: count.failed }),
    count.taken > 0 && t('uploads.taken', { count: count.taken }),
    count.detached > 0 && t('uploads.detached', { count: count.detached }),
    count.skipped > 0 && t('uploads.skipped', { count: count.skipped }),
  ];

  if (isReading && totals.all === 0) return { title: t('uploads.reading', { count: totals.all }), text: '' };
  if (isHeld && totals.moving > 0) return { title: t('uploads.held'), text: t('uploads.heldHint') };
  if (totals.moving > 0 || isReading) {
    const left = timeLeft(totals.size - totals.sentBytes, bytesPerSecond);
    return {
      title: t('uploads.progress', { ended: formatNumber(totals.ended), all: formatNumber(totals.all) }),
      text: join([
        `${formatNumber(Math.floor(totals.progress * 100))} %`,
        left && t(`uploads.${left.unit}Left`, { count: left.count }),
        bytesPerSecond !== undefined && t('uploads.perSecond', { size: formatBytes(bytesPerSecond) }),
        ...problems.slice(0, 2),
      ]),
    };
  }
  const said = [
    count.paused > 0 && t('uploads.paused', { count: count.paused }),
    ...problems,
    count.done > 0 && t('uploads.done', { count: count.done }),
  ].filter((part) => part !== false);
  return { title: said[0] ?? '', text: join(said.slice(1)) };
}
