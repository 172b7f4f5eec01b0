import { currentLanguage } from './i18n.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** From this number of seconds on, the unit is used. */
const STEPS = [
  { unit: 'year', seconds: 365 * DAY },
  { unit: 'month', seconds: 60 * DAY, divisor: 30 * DAY },
  { unit: 'day', seconds: 2 * DAY, divisor: DAY },
  { unit: 'hour', seconds: 2 * HOUR, divisor: HOUR },
  { unit: 'minute', seconds: 2 * MINUTE, divisor: MINUTE },
  { unit: 'second', seconds: 0, divisor: 1 },
] as const;

/** A relative time such as "in 3 days" or "5 minutes ago". */
export function formatFromNow(iso: string, now = Date.now()): string {
  return formatSpan((Date.parse(iso) - now) / 1_000);
}

/** @param seconds positive for the future, negative for the past */
export function formatSpan(seconds: number): string {
  const step = STEPS.find((each) => Math.abs(seconds) >= each.seconds) ?? STEPS[5];
  const divisor = 'divisor' in step ? step.divisor : step.seconds;
  return new Intl.RelativeTimeFormat(currentLanguage(), { numeric: 'always' }).format(
    Math.round(seconds / divisor),
    step.unit,
  );
}
