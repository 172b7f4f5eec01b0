/** A rounded duration, more precise for short times. */
interface TimeLeft {
  readonly unit: 'seconds' | 'minutes' | 'hours';
  readonly count: number;
}

/** Undefined if it is unknown or longer than four days. */
export function timeLeft(bytes: number, bytesPerSecond: number | undefined): TimeLeft | undefined {
  if (bytesPerSecond === undefined || bytesPerSecond <= 0) return undefined;
  const seconds = bytes / bytesPerSecond;
  if (seconds < 10) return { unit: 'seconds', count: Math.max(1, Math.ceil(seconds)) };
  if (seconds < 55) return { unit: 'seconds', count: Math.ceil(seconds / 5) * 5 };
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return { unit: 'minutes', count: minutes };
  const hours = Math.round(minutes / 60);
  return hours < 96 ? { unit: 'hours', count: hours } : undefined;
}
