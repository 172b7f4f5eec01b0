import type { Accounts } from '../../accounts/accounts.ts';
import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Database } from '../../database/database.ts';
import { findSession } from '../queries.ts';
import type { Signals } from '../signals/signals.ts';
import { noSuchTransfer, type TransferSession } from '../transfer-session.ts';
import { clearOffer, findOffers, type StoredOffer, setOffer } from './queries.ts';

/** The maximum number of offers that a device shows. An account may have far more transfers. */
const MAX_OFFERS = 5;

/** A login session. It represents the device that logged in. */
export interface Device {
  readonly accountId: number;
  /** The id of the login session. */
  readonly sessionId: string;
}

interface DeviceOffersParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly signals: Signals;
}

/**
 * Offers of transfers from one device of an account to another. They need no pickup code. An offer is stored
 * in the row of its transfer, and ends when someone joins or the transfer ends.
 */
export class DeviceOffers {
  readonly #parts: DeviceOffersParts;

  constructor(parts: DeviceOffersParts) {
    this.#parts = parts;
  }

  /**
   * Asks another device of the sender's account to receive an ONLINE transfer.
   * @param to a login session of that account
   * @throws Failure `not-found` if the transfer has ended, or the device is not present or belongs to another
   *   account; `forbidden` unless the caller's account created the transfer; `conflict` if someone has
   *   joined; `rejected` if the transfer is not ONLINE, or the device is the caller's own
   */
  async offer(transferId: string, from: Device, to: string): Promise<void> {
    if (to === from.sessionId) throw new Failure('rejected', 'This is the device that sends.');
    const offer = { transferId, accountId: from.accountId, from: from.sessionId, to };
    await this.#parts.database.transact(async (tx) => {
      const now = this.#parts.clock.now();
      if (!(await setOffer(tx, offer, now))) {
        throw findRefusal(await findSession(tx, transferId, now), from.accountId);
      }
      await this.#parts.database.notifyOnCommit(
        tx,
        this.#parts.accounts.sessions.presence.keyOf(from.accountId),
      );
    });
  }

  /**
   * Declines an offer to this device. The sender gets a signal `declined`.
   * @throws Failure `not-found` if this device no longer has such an offer
   */
  async decline(transferId: string, device: Device): Promise<void> {
    await this.#parts.database.transact(async (tx) => {
      const offer = { transferId, to: device.sessionId };
      if (!(await clearOffer(tx, offer, this.#parts.clock.now()))) {
        throw new Failure('not-found', 'This transfer is not offered to you any more.');
      }
      await this.#parts.signals.tryAdd(tx, transferId, { from: 'receiver', type: 'declined' });
      await this.#parts.database.notifyOnCommit(
        tx,
        this.#parts.accounts.sessions.presence.keyOf(device.accountId),
      );
    });
  }

  /** The offers to a device, newest first. */
  list(sessionId: string): Promise<readonly StoredOffer[]> {
    return findOffers(this.#parts.database.db, sessionId, this.#parts.clock.now(), MAX_OFFERS);
  }
}

/** The reason why a session cannot be offered to the device. */
function findRefusal(session: TransferSession | undefined, accountId: number): Failure {
  if (session === undefined) return noSuchTransfer();
  if (session.accountId !== accountId)
    return new Failure('forbidden', 'Only the sender may offer this transfer.');
  if (session.mode !== 'ONLINE') return new Failure('rejected', 'Only ONLINE transfers can be offered.');
  if (session.status !== 'WAITING') {
    return new Failure('conflict', 'Somebody has joined this transfer already.');
  }
  return new Failure('not-found', 'This device is not connected now.');
}
