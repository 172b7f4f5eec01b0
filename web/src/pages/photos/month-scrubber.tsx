import { type KeyboardEvent, type PointerEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatMonth } from '../../messages/formats.ts';
import type { PictureLines } from '../../ui/pictures/picture-lines.ts';
import styles from './photos.module.css';

interface Month {
  /** A month such as `2026-11`. */
  readonly month: string;
  readonly top: number;
}

interface ScrubberProps {
  readonly layout: Pick<PictureLines, 'lines' | 'height'>;
  /** The first day in view. */
  readonly day: string | undefined;
  readonly onGo: (top: number) => void;
}

/** A year is not shown if it is closer than this to the year above. */
const MIN_YEAR_DISTANCE = 0.04;

/**
 * A strip beside the pictures that stands for all of them. Pressing it leads to the month at that position.
 */
export function MonthScrubber({ layout, day, onGo }: ScrubberProps) {
  const { t } = useTranslation();
  const { height } = layout;
  const months = useMemo(() => listMonths(layout), [layout]);
  const years = useMemo(() => listYears(months, height), [months, height]);
  const [isPressed, setPressed] = useState(false);
  const at = Math.max(
    0,
    months.findIndex(({ month }) => day !== undefined && month === monthOf(day)),
  );
  const current = months[at];
  if (current === undefined) return null;
  const go = (to: number) => {
    const month = months[Math.max(0, Math.min(months.length - 1, to))];
    if (month !== undefined) onGo(month.top);
  };
  const goToPointer = ({ clientY, currentTarget }: PointerEvent<HTMLElement>) => {
    const { top, height: length } = currentTarget.getBoundingClientRect();
    const wanted = ((clientY - top) / length) * height;
    go(months.findLastIndex((month) => month.top <= wanted));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    go(at + step);
  };
  return (
    <div
      className={styles.scrubber}
      role="slider"
      tabIndex={0}
      aria-label={t('photos.scrubber')}
      aria-orientation="vertical"
      aria-valuemin={1}
      aria-valuemax={months.length}
      aria-valuenow={at + 1}
      aria-valuetext={formatMonth(current.month)}
      data-pressed={isPressed || undefined}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setPressed(true);
        goToPointer(event);
      }}
      onPointerMove={(event) => {
        if (isPressed) goToPointer(event);
      }}
      onPointerUp={() => setPressed(false)}
      onPointerCancel={() => setPressed(false)}
    >
      {years.map(({ year, place }) => (
        <span key={year} className={styles.year} style={{ top: `${place * 100}%` }} aria-hidden>
          {year}
        </span>
      ))}
      <span className={styles.thumb} style={{ top: `${(current.top / height) * 100}%` }} aria-hidden>
        <span className={styles.bubble}>{formatMonth(current.month)}</span>
      </span>
    </div>
  );
}

/** @param day such as `2026-11-14` */
export function monthOf(day: string): string {
  return day.slice(0, 7);
}

const STEPS: Readonly<Record<string, number>> = {
  ...{ ArrowDown: 1, ArrowRight: 1, PageDown: 12, End: Number.POSITIVE_INFINITY },
  ...{ ArrowUp: -1, ArrowLeft: -1, PageUp: -12, Home: Number.NEGATIVE_INFINITY },
};

function listMonths({ lines }: ScrubberProps['layout']): Month[] {
  const months: Month[] = [];
  for (const { blocks, top, count } of lines) {
    const month = monthOf(blocks[0].name);
    if (count === 0 && months.at(-1)?.month !== month) months.push({ month, top });
  }
  return months;
}

function listYears(months: readonly Month[], height: number) {
  const years: { year: string; place: number }[] = [];
  let last: string | undefined;
  for (const { month, top } of months) {
    const [year, place] = [month.slice(0, 4), top / height];
    const above = years.at(-1)?.place ?? Number.NEGATIVE_INFINITY;
    if (year !== last && place - above >= MIN_YEAR_DISTANCE) years.push({ year, place });
    last = year;
  }
  return years;
}
