import type { Accounts, DefaultsOfAccounts } from '../../accounts/accounts.ts';
import { Failure } from '../../base/failure.ts';
import { type FileName, toFileName } from '../../base/text/names/file-name.ts';
import type { Caller } from '../../http/caller.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Transfers } from '../../transfer/transfer.ts';
import type { AuditedActions } from '../audited-actions.ts';
import type { AccountDefaultsBody, AccountDefaultsRecord } from './contract.ts';

const MIN_INVITE_CODE_LENGTH = 8;
const MAX_INVITE_CODE_LENGTH = 64;

interface ServiceSettingsParts {
  readonly accounts: Accounts;
  readonly settings: Settings;
  readonly actions: AuditedActions;
  readonly transfers: Transfers;
}

/** The settings that administrators can change while the service runs. */
export class ServiceSettings {
  readonly #parts: ServiceSettingsParts;

  constructor(parts: ServiceSettingsParts) {
    this.#parts = parts;
  }

  /** Returns the code as stored, without surrounding white space. @throws Failure `invalid` */
  setInviteCode(caller: Caller, text: string): Promise<string> {
    const code = toInviteCode(text);
    return this.#parts.actions.perform(caller, async (tx) => {
      await this.#parts.settings.putInviteCode(tx, code);
      const summary = 'Set the invite code.';
      return { result: code, entry: { action: 'UPDATE_INVITE_CODE', ...INVITE_CODE, summary } };
    });
  }

  /** Returns the new code. */
  rotateInviteCode(caller: Caller): Promise<string> {
    return this.#parts.actions.perform(caller, async (tx) => {
      const code = await this.#parts.settings.rotateInviteCode(tx);
      const summary = 'Replaced the invite code by a random one.';
      return { result: code, entry: { action: 'ROTATE_INVITE_CODE', ...INVITE_CODE, summary } };
    });
  }

  /** Changes what new accounts get from now on. @throws Failure `invalid` */
  setAccountDefaults(caller: Caller, change: AccountDefaultsBody): Promise<AccountDefaultsRecord> {
    const { defaults } = this.#parts.accounts;
    const { defaultDirectories: names } = change;
    const directories = names == null ? names : toDirectoryNames(names);
    return this.#parts.actions.perform(caller, async (tx) => {
      const before = toDefaultsRecord(await defaults.find(tx));
      await defaults.change(tx, {
        quotaBytes: change.defaultStorageQuotaBytes,
        maxUploadBytes: change.defaultMaxUploadSizeBytes,
        maxEntries: change.defaultMaxEntries,
        directories,
      });
      const after = toDefaultsRecord(await defaults.find(tx));
      const target = { targetType: 'SETTING', targetId: null, target: 'defaults of new accounts' } as const;
      const summary = 'Set the defaults of new accounts.';
      const details = { before, after };
      return { result: after, entry: { action: 'UPDATE_ACCOUNT_DEFAULTS', ...target, summary, details } };
    });
  }

  setOfflineLimit(caller: Caller, bytes: number): Promise<number> {
    const { offlineLimit } = this.#parts.transfers;
    return this.#parts.actions.perform(caller, async (tx) => {
      const before = await offlineLimit.getOfflineLimit(tx);
      await offlineLimit.setOfflineLimit(tx, bytes);
      const target = {
        targetType: 'SETTING',
        targetId: null,
        target: 'offline transfer storage limit',
      } as const;
      const summary = `Set the storage limit of OFFLINE transfers to ${bytes} bytes.`;
      const details = { before, after: bytes };
      return { result: bytes, entry: { action: 'UPDATE_OFFLINE_LIMIT', ...target, summary, details } };
    });
  }
}

/** What new accounts get, as administrators see it. */
export function toDefaultsRecord(defaults: DefaultsOfAccounts): AccountDefaultsRecord {
  return {
    defaultStorageQuotaBytes: defaults.quotaBytes,
    defaultMaxUploadSizeBytes: defaults.maxUploadBytes,
    defaultMaxEntries: defaults.maxEntries,
    defaultDirectories: [...defaults.directories],
  };
}

/** The target in audit entries. They never contain the code itself. */
const INVITE_CODE = {
  targetType: 'SETTING',
  targetId: null,
  target: 'invite code',
  details: {},
} as const;

/** @throws Failure `invalid` */
function toDirectoryNames(texts: readonly string[]): readonly FileName[] {
  const names = new Set<FileName>();
  for (const text of texts) {
    const name = toDirectoryName(text);
    if (names.has(name)) throw invalidDirectories(`The folder “${name}” is named twice.`);
    names.add(name);
  }
  return [...names];
}

function toDirectoryName(text: string): FileName {
  try {
    return toFileName(text.trim());
  } catch (error) {
    throw error instanceof Failure ? invalidDirectories(error.message) : error;
  }
}

function invalidDirectories(message: string): Failure {
  return new Failure('invalid', message, { field: 'defaultDirectories' });
}

function toInviteCode(text: string): string {
  const code = text.trim();
  const length = [...code].length;
  const isLong = length >= MIN_INVITE_CODE_LENGTH && length <= MAX_INVITE_CODE_LENGTH;
  if (!isLong || /\p{Cc}/u.test(code) || !code.isWellFormed()) {
    throw new Failure(
      'invalid',
      `The invite code must be ${MIN_INVITE_CODE_LENGTH} to ${MAX_INVITE_CODE_LENGTH} characters.`,
    );
  }
  return code;
}
