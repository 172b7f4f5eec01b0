import { type Logger, pino } from 'pino';

/** Lines that wait while the log cannot be written; more are dropped. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** Writes to standard output. If a write fails, for example on a full disk, the service continues and the next line tries again. */
export function openLog(level: string): Logger {
  const destination = pino.destination({ dest: 1, sync: true, maxLength: MAX_WAITING_BYTES });
  destination.on('error', () => {});
  return pino({ level }, destination);
}
