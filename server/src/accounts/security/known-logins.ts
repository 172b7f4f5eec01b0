import type { Clock } from '../../base/clock.ts';
import { addressKeyOf } from '../../base/network/address-key.ts';
import { hashToken } from '../../base/text/hash-token.ts';
import type { Tx } from '../../database/database.ts';
import type { Notifications } from '../../notifications/notifications.ts';
import {
  deleteOldestKnownLogins,
  hasKnownLogin,
  insertKnownLogin,
  useKnownLogin,
} from './known-login-queries.ts';

/** If an account has more, those that were not used for the longest are forgotten. */
const MAX_KNOWN = 200;

/** Where a login comes from. */
interface LoginOrigin {
  readonly address: string | null;
  /** The UUID of the device; null if the client names none. */
  readonly device: string | null;
  readonly userAgent: string | null;
}

/**
 * Which logins from somewhere new the owner is told about: all, all but the very first of the account, which
 * belongs to its registration, or none.
 */
export type ToldLogins = 'all' | 'all-but-first' | 'none';

interface KnownLoginsParts {
  readonly clock: Clock;
  readonly notifications: Notifications;
}

/** Remembers what each account has logged in from, and tells its owner about logins from anything else. */
export class KnownLogins {
  readonly #parts: KnownLoginsParts;

  constructor(parts: KnownLoginsParts) {
    this.#parts = parts;
  }

  /** Notes a login, in a transaction that has locked the account. */
  async note(tx: Tx, accountId: number, origin: LoginOrigin, told: ToldLogins): Promise<void> {
    const known = { accountId, key: keyOf(origin), now: this.#parts.clock.now() };
    if (await useKnownLogin(tx, known)) return;
    const isTold = told === 'all' || (told === 'all-but-first' && (await hasKnownLogin(tx, accountId)));
    await insertKnownLogin(tx, known);
    await deleteOldestKnownLogins(tx, { ...known, others: MAX_KNOWN - 1 });
    if (!isTold) return;
    const { userAgent: program, address } = origin;
    await this.#parts.notifications.notify(tx, [accountId], {
      kind: 'SECURITY',
      data: { event: 'NEW_LOGIN', program, address },
    });
  }
}

/**
 * The device, or the program and its network if the client names no device. IPv6 addresses within a network
 * change daily.
 */
function keyOf({ device, userAgent, address }: LoginOrigin): string {
  return hashToken(
    device === null
      ? `${userAgent ?? ''}\n${address === null ? '' : addressKeyOf(address)}`
      : device.toLowerCase(),
  );
}
