import type { DefaultLimits } from '../../accounts/accounts.ts';
import type { AccountDefaultsRecord } from '../contract.ts';

export function toDefaultsRecord(limits: DefaultLimits): AccountDefaultsRecord {
  return {
    defaultStorageQuotaBytes: limits.quotaBytes,
    defaultMaxUploadSizeBytes: limits.maxUploadBytes,
    defaultMaxEntries: limits.maxEntries,
  };
}
