import { toTimestamp } from '../base/dates.ts';
import type { User } from './contract.ts';
import type { Account } from './queries.ts';

/** The account as its owner sees it. */
export function toUser(account: Account): User {
  return {
    id: account.id,
    username: account.username,
    displayName: account.displayName,
    email: account.email,
    phoneNumber: account.phoneNumber,
    bio: account.bio,
    preferredLanguage: account.preferredLanguage,
    avatarUrl: account.avatarBlobId === null ? null : `/api/user/avatar/content?v=${account.avatarBlobId}`,
    role: account.role,
    mustChangePassword: account.mustChangePassword === 1,
    createdAt: toTimestamp(account.createdAt),
    storageQuotaBytes: account.quotaBytes,
    storageUsedBytes: account.usedBytes,
    keptBytes: account.keptBytes,
    maxKeptBytes: account.quotaBytes,
    maxUploadSizeBytes: account.maxUploadBytes,
    maxEntries: account.maxEntries,
    entryCount: account.entryCount,
  };
}
