import type { FolderLinkBody, FolderLinkChange, FolderLinkRecord } from '../../../../../client/src/client.ts';
import {
  endOf,
  type LinkOptions,
  OPEN_LINK,
  toCommonChange,
  toExpiry,
  toNewPassword,
} from '../links/share-options.ts';

const MEGABYTE = 1_000_000;

/** The form values of a folder link. */
export interface FolderLinkOptions extends LinkOptions {
  readonly mode: FolderLinkRecord['mode'];
  readonly title: string;
  readonly note: string;
  /** Empty for no limit. */
  readonly maxFiles: number | '';
  /** In megabytes of 1,000,000 bytes; empty for no limit. */
  readonly maxMegabytes: number | '';
}

export const PLAIN_LINK: FolderLinkOptions = {
  ...OPEN_LINK,
  mode: 'VIEW',
  title: '',
  note: '',
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
    ...toNewPassword(options),
  };
}

/** The current options of a link, except its password, which cannot be read. @param name of its directory */
export function linkOptionsOf(link: FolderLinkRecord, name: string): FolderLinkOptions {
  const { mode, title, note, expiresAt, maxFiles, maxBytes } = link;
  return {
    ...PLAIN_LINK,
    mode,
    title: title === name ? '' : title,
    note: note ?? '',
    ...endOf(expiresAt),
    maxFiles: maxFiles ?? '',
    maxMegabytes: maxBytes === null ? '' : maxBytes / MEGABYTE,
  };
}

/** The request that changes a link. It omits an unchanged expiry and password. */
export function toLinkChange(
  before: FolderLinkOptions,
  after: FolderLinkOptions,
  now: number,
): FolderLinkChange {
  return { ...toCommon(after), ...toCommonChange(before, after, now) };
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
