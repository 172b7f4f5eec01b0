import type { FolderLinkBody, FolderLinkChange, FolderLinkRecord } from '../../../../../client/src/client.ts';
import { type Expiry, toExpiry, toLocalField } from '../links/share-options.ts';

const MEGABYTE = 1_000_000;

/** The options of a folder link, as they are in its form. */
export interface FolderLinkOptions {
  readonly mode: FolderLinkRecord['mode'];
  readonly title: string;
  readonly note: string;
  /** Empty for none, or for the present password of a link that has one. */
  readonly password: string;
  /** Removes the current password. */
  readonly removesPassword: boolean;
  readonly expiry: Expiry;
  /** The value of the date field, in local time; used if `expiry` is `date`. */
  readonly date: string;
  /** Empty for no limit. */
  readonly maxFiles: number | '';
  /** In megabytes of 1,000,000 bytes; empty for no limit. */
  readonly maxMegabytes: number | '';
}

export const PLAIN_LINK: FolderLinkOptions = {
  mode: 'VIEW',
  title: '',
  note: '',
  password: '',
  removesPassword: false,
  expiry: 'never',
  date: '',
  maxFiles: '',
  maxMegabytes: '',
};

/** Converts options without faults to the request. @param directoryId null for the root of the drive */
export function toLinkBody(
  directoryId: number | null,
  options: FolderLinkOptions,
  now: number,
): FolderLinkBody {
  return {
    directoryId,
    ...toCommon(options),
    expiresAt: toExpiry(options, now),
    ...(options.password.trim() === '' ? {} : { password: options.password }),
  };
}

/** The present options of a link. Nobody can read its password. @param name of its directory */
export function linkOptionsOf(link: FolderLinkRecord, name: string): FolderLinkOptions {
  const { mode, title, note, expiresAt, maxFiles, maxBytes } = link;
  return {
    ...PLAIN_LINK,
    mode,
    title: title === name ? '' : title,
    note: note ?? '',
    expiry: expiresAt === null ? 'never' : 'date',
    date: expiresAt === null ? '' : toLocalField(Date.parse(expiresAt)),
    maxFiles: maxFiles ?? '',
    maxMegabytes: maxBytes === null ? '' : maxBytes / MEGABYTE,
  };
}

/** The request that changes a link. The end and the password are left out if they are the same. */
export function toLinkChange(
  before: FolderLinkOptions,
  after: FolderLinkOptions,
  now: number,
): FolderLinkChange {
  const hasNewEnd = before.expiry !== after.expiry || before.date !== after.date;
  return {
    ...toCommon(after),
    ...(hasNewEnd ? { expiresAt: toExpiry(after, now) } : {}),
    ...(after.removesPassword
      ? { password: null }
      : after.password.trim() === ''
        ? {}
        : { password: after.password }),
  };
}

function toCommon({ mode, title, note, maxFiles, maxMegabytes }: FolderLinkOptions) {
  const takesFiles = mode !== 'VIEW';
  return {
    mode,
    title: title.trim() || null,
    note: note.trim() || null,
    maxFiles: takesFiles && maxFiles !== '' ? maxFiles : null,
    maxBytes: takesFiles && maxMegabytes !== '' ? Math.round(maxMegabytes * MEGABYTE) : null,
  };
}
