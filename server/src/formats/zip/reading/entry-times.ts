import type { Instant } from '../../../base/clock.ts';
import { NTFS_EPOCH_MS } from '../records.ts';
import { EXTENDED_TIMESTAMP, findField, NTFS, OLD_UNIX } from './extra-fields.ts';

const MODIFICATION_TIME = 1;

// Four-digit years, which every timestamp of the API can express.
const EARLIEST = Date.UTC(1000, 0, 1);
const LATEST = Date.UTC(9999, 11, 31);

/** The modification time of an entry; undefined if it is missing or invalid. */
export function readTime(dosDate: number, dosTime: number, extra: Buffer): Instant | undefined {
  const dos = fromDos(dosDate, dosTime);
  const instant = readNtfs(extra) ?? readUnix(extra, dos) ?? dos;
  return instant !== undefined && instant >= EARLIEST && instant <= LATEST ? instant : undefined;
}

/** The archive has no time zone for it, so the time counts as UTC (section 4.4.6). */
function fromDos(date: number, time: number): Instant | undefined {
  const [month, day] = [(date >>> 5) & 15, date & 31];
  const [hours, minutes, seconds] = [time >>> 11, (time >>> 5) & 63, (time & 31) * 2];
  const instant = new Date(Date.UTC(1980 + (date >>> 9), month - 1, day, hours, minutes, seconds));
  const isInCalendar = instant.getUTCMonth() === month - 1 && instant.getUTCDate() === day;
  return isInCalendar && hours < 24 && minutes < 60 && seconds < 60 ? instant.getTime() : undefined;
}

/** Section 4.5.5: tag 1 has the times of modification, access and creation in steps of 100 ns. */
function readNtfs(extra: Buffer): Instant | undefined {
  const field = findField(extra, NTFS);
  // The tags follow four reserved bytes, and have the format of extra fields.
  const times = field === undefined ? undefined : findField(field.subarray(4), 1);
  if (times === undefined || times.byteLength < 8) return undefined;
  const ticks = times.readBigUInt64LE(0);
  return ticks === 0n ? undefined : Number(ticks / 10_000n) - NTFS_EPOCH_MS;
}

function readUnix(extra: Buffer, dos: Instant | undefined): Instant | undefined {
  const extended = findField(extra, EXTENDED_TIMESTAMP);
  if (extended !== undefined && extended.byteLength >= 5 && (extended[0] ?? 0) & MODIFICATION_TIME) {
    return nearest(extended.readInt32LE(1), dos);
  }
  const old = findField(extra, OLD_UNIX);
  return old !== undefined && old.byteLength >= 8 ? nearest(old.readInt32LE(4), dos) : undefined;
}

/**
 * The field is signed, but some programs write times after 2038 as if it were unsigned. The MS-DOS time shows
 * which one is meant.
 */
function nearest(seconds: number, dos: Instant | undefined): Instant {
  const signed = seconds * 1_000;
  const unsigned = (seconds >>> 0) * 1_000;
  if (dos === undefined) return signed;
  return Math.abs(unsigned - dos) < Math.abs(signed - dos) ? unsigned : signed;
}
