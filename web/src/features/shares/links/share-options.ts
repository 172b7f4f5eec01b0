import type { ChangeShareBody, CreateShareBody, ShareSummary } from '../../../../../client/src/client.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** How long a share can be used. */
export const EXPIRIES = ['never', 'day', 'week', 'month', 'date'] as const;
export type Expiry = (typeof EXPIRIES)[number];

const DAYS = { day: 1, week: 7, month: 30 } as const;

/** The options of a share, as they are in its form. */
export interface ShareOptions {
  readonly name: string;
  /** Empty for none, or for the present password of a share that has one. */
  readonly password: string;
  /** Removes the current password. */
  readonly removesPassword: boolean;
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
  removesPassword: false,
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
  return findExpiryFault(options, now);
}

/** @param now milliseconds since 1970 */
export function findExpiryFault(
  { expiry, date }: Pick<ShareOptions, 'expiry' | 'date'>,
  now: number,
): 'faultDate' | 'faultPassed' | undefined {
  if (expiry !== 'date') return undefined;
  const end = Date.parse(date);
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

/** The present options of a share. Nobody can read its password. */
export function optionsOf(share: ShareSummary): ShareOptions {
  const { shareName, file, expiresAt, maxDownloads, allowDownload, allowImport } = share;
  return {
    ...WITHOUT_LIMITS,
    name: shareName === file?.filename ? '' : shareName,
    expiry: expiresAt === null ? 'never' : 'date',
    date: expiresAt === null ? '' : toLocalField(Date.parse(expiresAt)),
    limit: maxDownloads ?? '',
    allowDownload,
    allowImport,
  };
}

/** The changes between options without faults. Unchanged options are left out. */
export function toChangeBody(before: ShareOptions, after: ShareOptions, now: number): ChangeShareBody {
  const name = after.name.trim();
  const hasNewEnd = before.expiry !== after.expiry || before.date !== after.date;
  return {
    ...(name === before.name ? {} : { shareName: name === '' ? null : name }),
    ...(after.limit === before.limit ? {} : { maxDownloads: after.limit === '' ? null : after.limit }),
    ...(hasNewEnd ? { expiresAt: toExpiry(after, now) } : {}),
    ...(after.allowDownload === before.allowDownload ? {} : { allowDownload: after.allowDownload }),
    ...(after.allowImport === before.allowImport ? {} : { allowImport: after.allowImport }),
    ...(after.removesPassword
      ? { password: null }
      : after.password.trim() === ''
        ? {}
        : { password: after.password }),
  };
}

/** The end of a link, as the service takes it. @param now milliseconds since 1970 */
export function toExpiry(
  { expiry, date }: Pick<ShareOptions, 'expiry' | 'date'>,
  now: number,
): string | null {
  if (expiry === 'never') return null;
  return new Date(expiry === 'date' ? date : now + DAYS[expiry] * DAY_MS).toISOString();
}

/** A moment as the value of a date and time field: in local time, to the minute. */
export function toLocalField(instant: number): string {
  const offsetMs = new Date(instant).getTimezoneOffset() * 60_000;
  return new Date(instant - offsetMs).toISOString().slice(0, 16);
}
