import type { ChangeShareBody, CreateShareBody, ShareSummary } from '../../../../../client/src/client.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** How long a share can be used. */
export const EXPIRIES = ['never', 'day', 'week', 'month', 'date'] as const;
export type Expiry = (typeof EXPIRIES)[number];

const DAYS = { day: 1, week: 7, month: 30 } as const;

/** The form values that links of all kinds have in common. */
export interface LinkOptions {
  /** Empty for no password, or to keep the current one. */
  readonly password: string;
  /** Removes the current password. */
  readonly removesPassword: boolean;
  readonly expiry: Expiry;
  /** The value of the date field, in local time; used if `expiry` is `date`. */
  readonly date: string;
}

export interface ShareOptions extends LinkOptions {
  readonly name: string;
  /** Empty for no limit. */
  readonly limit: number | '';
  readonly allowDownload: boolean;
  readonly allowImport: boolean;
}

export const OPEN_LINK: LinkOptions = { password: '', removesPassword: false, expiry: 'never', date: '' };

export const WITHOUT_LIMITS: ShareOptions = {
  ...OPEN_LINK,
  name: '',
  limit: '',
  allowDownload: true,
  allowImport: true,
};

/** Faults, named after the messages in `shares` that describe them. */
export type OptionFault = 'faultDate' | 'faultPassed' | 'faultNothingAllowed';

/** @param now milliseconds since 1970 */
export function findOptionFault(options: ShareOptions, now: number): OptionFault | undefined {
  if (!options.allowDownload && !options.allowImport) return 'faultNothingAllowed';
  return findExpiryFault(options, now);
}

/** @param now milliseconds since 1970 */
export function findExpiryFault(
  { expiry, date }: Pick<LinkOptions, 'expiry' | 'date'>,
  now: number,
): 'faultDate' | 'faultPassed' | undefined {
  if (expiry !== 'date') return undefined;
  const end = Date.parse(date);
  if (Number.isNaN(end)) return 'faultDate';
  return end <= now ? 'faultPassed' : undefined;
}

/** Converts options without faults to the request. */
export function toCreateBody(fileId: number, options: ShareOptions, now: number): CreateShareBody {
  const { name, limit, allowDownload, allowImport } = options;
  return {
    fileId,
    allowDownload,
    allowImport,
    expiresAt: toExpiry(options, now),
    maxDownloads: limit === '' ? null : limit,
    ...(name.trim() === '' ? {} : { shareName: name.trim() }),
    ...toNewPassword(options),
  };
}

/** The current options of a share, except its password, which cannot be read. */
export function optionsOf(share: ShareSummary): ShareOptions {
  const { shareName, file, expiresAt, maxDownloads, allowDownload, allowImport } = share;
  return {
    ...WITHOUT_LIMITS,
    name: shareName === file?.filename ? '' : shareName,
    ...endOf(expiresAt),
    limit: maxDownloads ?? '',
    allowDownload,
    allowImport,
  };
}

/** The changes between options without faults. Unchanged options are left out. */
export function toChangeBody(before: ShareOptions, after: ShareOptions, now: number): ChangeShareBody {
  const name = after.name.trim();
  return {
    ...(name === before.name ? {} : { shareName: name === '' ? null : name }),
    ...(after.limit === before.limit ? {} : { maxDownloads: after.limit === '' ? null : after.limit }),
    ...(after.allowDownload === before.allowDownload ? {} : { allowDownload: after.allowDownload }),
    ...(after.allowImport === before.allowImport ? {} : { allowImport: after.allowImport }),
    ...toCommonChange(before, after, now),
  };
}

/** The form values for the expiry of an existing link. */
export function endOf(expiresAt: string | null): Pick<LinkOptions, 'expiry' | 'date'> {
  if (expiresAt === null) return { expiry: 'never', date: '' };
  return { expiry: 'date', date: toLocalField(Date.parse(expiresAt)) };
}

/** The changed expiry and password of a link. Omits what stays the same. */
export function toCommonChange(before: LinkOptions, after: LinkOptions, now: number) {
  const hasNewEnd = before.expiry !== after.expiry || before.date !== after.date;
  return {
    ...(hasNewEnd ? { expiresAt: toExpiry(after, now) } : {}),
    ...(after.removesPassword ? { password: null } : toNewPassword(after)),
  };
}

/** The typed password, if there is one. */
export function toNewPassword({ password }: LinkOptions): { password?: string } {
  return password.trim() === '' ? {} : { password };
}

/** The expiry of a link in the format of the service. @param now milliseconds since 1970 */
export function toExpiry({ expiry, date }: Pick<LinkOptions, 'expiry' | 'date'>, now: number): string | null {
  if (expiry === 'never') return null;
  return new Date(expiry === 'date' ? date : now + DAYS[expiry] * DAY_MS).toISOString();
}

/** A moment as the value of a date and time field: in local time, to the minute. */
export function toLocalField(instant: number): string {
  const offsetMs = new Date(instant).getTimezoneOffset() * 60_000;
  return new Date(instant - offsetMs).toISOString().slice(0, 16);
}
