import { type Logger, pino } from 'pino';
import { toReadableLine } from './readable-lines.ts';

/** Lines that wait while the log cannot be written; more are dropped. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** `auto` is text in a terminal, and JSON everywhere else. */
export type LogFormat = 'auto' | 'json' | 'text';

/**
 * Writes to standard output. If a write fails, for example on a full disk, the service continues and the next line
 * tries again.
 */
export function openLog(level: string, format: LogFormat = 'auto'): Logger {
  const destination = pino.destination({ dest: 1, sync: true, maxLength: MAX_WAITING_BYTES });
  destination.on('error', () => {});
  const isText = format === 'text' || (format === 'auto' && process.stdout.isTTY);
  if (!isText) return pino({ level }, destination);
  return pino({ level }, { write: (line) => void destination.write(toReadableLine(line)) });
}
