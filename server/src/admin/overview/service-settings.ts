import { Failure } from '../../base/failure.ts';
import type { Caller } from '../../http/caller.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Acts } from '../acts.ts';
import type { OfflineLimitHook } from './overview.ts';

const MAX_CODE = 64;

/** What of the service admins can set while it runs. */
export class ServiceSettings {
  readonly #settings: Settings;
  readonly #acts: Acts;
  readonly #offlineLimit: OfflineLimitHook;

  constructor(parts: { settings: Settings; acts: Acts; offlineLimit: OfflineLimitHook }) {
    this.#settings = parts.settings;
    this.#acts = parts.acts;
    this.#offlineLimit = parts.offlineLimit;
  }

  /** Gives the code as it counts from now on. @throws Failure `invalid` */
  setInviteCode(caller: Caller, text: string): Promise<string> {
    const code = toInviteCode(text);
    return this.#acts.perform(caller, async (tx) => {
      await this.#settings.putInviteCode(tx, code);
      const summary = 'Set the invite code.';
      return { result: code, entry: { action: 'UPDATE_INVITE_CODE', ...INVITE_CODE, summary } };
    });
  }

  /** Gives the new code. */
  rotateInviteCode(caller: Caller): Promise<string> {
    return this.#acts.perform(caller, async (tx) => {
      const code = await this.#settings.rotateInviteCode(tx);
      const summary = 'Replaced the invite code by a random one.';
      return { result: code, entry: { action: 'ROTATE_INVITE_CODE', ...INVITE_CODE, summary } };
    });
  }

  setOfflineLimit(caller: Caller, bytes: number): Promise<number> {
    return this.#acts.perform(caller, async (tx) => {
      const before = await this.#offlineLimit.getOfflineLimit(tx);
      await this.#offlineLimit.setOfflineLimit(tx, bytes);
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

/** Nothing is said of the code itself. */
const INVITE_CODE = {
  targetType: 'SETTING',
  targetId: null,
  target: 'invite code',
  details: {},
} as const;

function toInviteCode(text: string): string {
  const code = text.trim();
  const length = [...code].length;
  if (length < 1 || length > MAX_CODE || /\p{Cc}/u.test(code) || !code.isWellFormed()) {
    throw new Failure('invalid', `The invite code must be 1 to ${MAX_CODE} characters.`);
  }
  return code;
}
