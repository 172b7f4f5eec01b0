import type { CreateShareBody } from '../../../api/contract.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** How long a share may be used. */
export const EXPIRIES = ['never', 'day', 'week', 'month', 'date'] as const;
export type Expiry = (typeof EXPIRIES)[number];

const DAYS = { day: 1, week: 7, month: 30 } as const;

/** What somebody has chosen for a new share. */
export interface ShareOptions {
  readonly name: string;
  readonly password: string;
  readonly expiry: Expiry;
  /** As the field for it gives it, in the time of this place; counts where `expiry` is `date`. */
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

/** The messages of the area `shares` that say what is wrong. */
export type OptionFault = 'faultDate' | 'faultPassed' | 'faultNothingAllowed';

/** @param now milliseconds since 1970 */
export function findOptionFault(options: ShareOptions, now: number): OptionFault | undefined {
  if (!options.allowDownload && !options.allowImport) return 'faultNothingAllowed';
  if (options.expiry !== 'date') return undefined;
  const end = Date.parse(options.date);
  if (Number.isNaN(end)) return 'faultDate';
  return end <= now ? 'faultPassed' : undefined;
}

/** Of options in which there is no fault. */
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

/** A moment as the field for dates and times takes it: in the time of this place, to the minute. */
export function toLocalField(instant: number): string {
  const offsetMs = new Date(instant).getTimezoneOffset() * 60_000;
  return new Date(instant - offsetMs).toISOString().slice(0, 16);
}
