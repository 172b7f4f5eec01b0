import { currentLanguage } from '../../../../messages/i18n.ts';

const STEPS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A duration such as "15 minutes", in the largest unit that expresses it exactly. */
export function formatDuration(seconds: number): string {
  const [unit, length] = STEPS.find(([, step]) => seconds >= step && seconds % step === 0) ?? ['second', 1];
  return new Intl.NumberFormat(currentLanguage(), { style: 'unit', unit, unitDisplay: 'long' }).format(
    seconds / length,
  );
}
