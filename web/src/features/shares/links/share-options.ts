import type { CreateShareBody } from '../../../api/contract.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** How long a share can be used. */
export const EXPIRIES = ['never', 'day', 'week', 'month', 'date'] as const;
export type Expiry = (typeof EXPIRIES)[number];

const DAYS = { day: 1, week: 7, month: 30 } as const;

/** The options of a new share. */
export interface ShareOptions {
  readonly name: string;
  readonly password: string;
  readonly expiry: Expiry;
  /** The value of the date field, in local time; used if `expiry` is `date`. */
  readonly date: string;
  /** Empty for no limit. */
  readonly limit: number | '';
  readonly allowDownload: boolean;
  readonly allowImport: boolean;
}

export const WITHOUT_LIMITS: ShareOptions = {
  name: '',
  password: '',
  expiry: 'never',
  date: '',
  limit: '',
  allowDownload: true,
  allowImport: true,
};

/** The keys of the messages in `shares` that describe a fault. */
export type OptionFault = 'faultDate' | 'faultPassed' | 'faultNothingAllowed';

/** @param now milliseconds since 1970 */
export function findOptionFault(options: ShareOptions, now: number): OptionFault | undefined {
  if (!options.allowDownload && !options.allowImport) return 'faultNothingAllowed';
  if (options.expiry !== 'date') return undefined;
  const end = Date.parse(options.date);
  if (Number.isNaN(end)) return 'faultDate';
  return end <= now ? 'faultPassed' : undefined;
}

/** Converts options without faults to the request. */
export function toCreateBody(fileId: number, options: ShareOptions, now: number): CreateShareBody {
  const { name, password, limit, allowDownload, allowImport } = options;
  return {
    fileId,
    allowDownload,
    allowImport,
    expiresAt: toExpiry(options, now),
    maxDownloads: limit === '' ? null : limit,
    ...(name.trim() === '' ? {} : { shareName: name.trim() }),
    ...(password.trim() === '' ? {} : { password }),
  };
}

function toExpiry({ expiry, date }: ShareOptions, now: number): string | null {
  if (expiry === 'never') return null;
  return new Date(expiry === 'date' ? date : now + DAYS[expiry] * DAY_MS).toISOString();
}

/** A moment as the value of a date and time field: in local time, to the minute. */
export function toLocalField(instant: number): string {
  const offsetMs = new Date(instant).getTimezoneOffset() * 60_000;
  return new Date(instant - offsetMs).toISOString().slice(0, 16);
}
