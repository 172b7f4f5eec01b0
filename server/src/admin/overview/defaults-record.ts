import type { DefaultsOfAccounts } from '../../accounts/accounts.ts';
import type { AccountDefaultsRecord } from './contract.ts';

export function toDefaultsRecord(defaults: DefaultsOfAccounts): AccountDefaultsRecord {
  return {
    defaultStorageQuotaBytes: defaults.quotaBytes,
    defaultMaxUploadSizeBytes: defaults.maxUploadBytes,
    defaultMaxEntries: defaults.maxEntries,
    defaultDirectories: [...defaults.directories],
  };
}
