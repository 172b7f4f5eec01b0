import { formatTime } from '../../messages/formats.ts';
import { currentLocale } from '../../messages/i18n.ts';
import { capitalise, formatRelativeDate } from '../../messages/relative-date.ts';
import { useToday } from './today.ts';

interface WhenProps {
  readonly iso: string;
  /** Puts the date into a sentence. */
  readonly children?: (date: string) => string;
}

/** A date relative to today. The full date and time are its tooltip. */
export function When({ iso, children = (date) => capitalise(date, currentLocale()) }: WhenProps) {
  const formatDate = useRelativeDates();
  return (
    <time dateTime={iso} title={formatTime(iso)}>
      {children(formatDate(iso))}
    </time>
  );
}

/** Formats dates relative to today, for sentences. */
export function useRelativeDates(): (iso: string) => string {
  const today = useToday();
  return (iso) => formatRelativeDate(iso, today, { locale: currentLocale() });
}
