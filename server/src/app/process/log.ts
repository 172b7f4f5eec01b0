import { type Logger, pino } from 'pino';
import { escapeControls } from '../../base/text/escapes.ts';

/** How many bytes may wait while the log cannot be written. Further lines are dropped. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** `auto` is text in a terminal, and JSON everywhere else. */
type LogFormat = 'auto' | 'json' | 'text';

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

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};

/** Fields that the line shows elsewhere, or that are the same in every line of one process. */
const LEFT_OUT = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err']);

const PLAIN = /^[\w./:@-]+$/;

/**
 * Turns a line of the log, which is a JSON object, into one that people read: time, level, message and the
 * rest as `name=value`. Values are JSON unless they are plain words, so no logged text can control the
 * terminal.
 */
export function toReadableLine(line: string): string {
  const record: unknown = JSON.parse(line);
  if (typeof record !== 'object' || record === null) return line;
  const fields: Readonly<Record<string, unknown>> = { ...record };
  const { level, time, msg, err } = fields;
  const words = Object.entries(fields)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]) => `${escapeControls(name)}=${toWord(value)}`);
  const head = [
    toClock(time),
    (LEVELS[Number(level)] ?? String(level)).padEnd(5),
    escapeControls(String(msg ?? '')),
  ];
  return `${[...head, ...words].join(' ')}\n${describeError(err)}`;
}

function toClock(time: unknown): string {
  const date = new Date(Number(time));
  const pad = (value: number) => String(value).padStart(2, '0');
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(pad).join(':');
}

function toWord(value: unknown): string {
  return typeof value === 'string' && PLAIN.test(value) ? value : escapeControls(JSON.stringify(value));
}

/** The stack, which begins with the message, indented below the line. */
function describeError(error: unknown): string {
  if (error === undefined) return '';
  const isObject = typeof error === 'object' && error !== null;
  const text = isObject && 'stack' in error ? String(error.stack) : JSON.stringify(error);
  return `${text
    .split('\n')
    .map((row) => `    ${escapeControls(row.trim())}`)
    .join('\n')}\n`;
}
