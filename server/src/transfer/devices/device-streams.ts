import type { Accounts } from '../../accounts/accounts.ts';
import { type Clock, SECOND } from '../../base/clock.ts';
import { toTimestamp } from '../../base/dates.ts';
import type { Ids } from '../../base/ids.ts';
import type { Database } from '../../database/database.ts';
import type { MessageWriter } from '../../events/events.ts';
import type { DevicesMessage } from './contract.ts';
import type { Device, DeviceOffers } from './device-offers.ts';
import type { StoredOffer } from './queries.ts';

/**
 * A device counts as away only after this time. Until then it can reopen its stream, which it does with each
 * new token.
 */
const GRACE_MS = 5 * SECOND;

/**
 * The minimum time between two reads. Each change of an account wakes all of its streams, so changes in
 * between are read together.
 */
const MIN_READ_GAP_MS = SECOND / 2;

interface DeviceStreamsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly accounts: Accounts;
  readonly offers: DeviceOffers;
  readonly onFault: (error: unknown) => void;
}

/**
 * Sends a device its offers whenever its offers or the account's present devices change. A device counts as
 * present while its event stream is open.
 *
 * Each message contains the whole state. So no message has to be stored for an absent device, and lost or
 * duplicate messages do no harm.
 */
export class DeviceStreams {
  readonly #parts: DeviceStreamsParts;

  constructor(parts: DeviceStreamsParts) {
    this.#parts = parts;
  }

  /**
   * Returns the writer for one stream of the device. It runs until the stream ends. It never throws: if it
   * fails, the stream continues without it.
   */
  writerFor(device: Device): MessageWriter {
    return async ({ closed, isOpen, send }) => {
      const { presence } = this.#parts.accounts.sessions;
      const stream = { ...device, streamId: this.#parts.ids.uuid() };
      const ended = new AbortController();
      void closed().then(() => ended.abort());
      let renewAt = 0;
      let isChanged = true;
      let readAtMs = Number.NEGATIVE_INFINITY;
      while (isOpen()) {
        // Subscribes before it reads, so that no change in between is missed.
        const woken = this.#parts.database.wakeups.wait(
          presence.keyOf(device.accountId),
          ended.signal,
          presence.renewMs,
        );
        await this.#report(async () => {
          const now = this.#parts.clock.now();
          if (now >= renewAt || (await presence.isAbsent(device.sessionId))) {
            await presence.markPresent(stream);
            renewAt = now + presence.renewMs;
          }
          if (isChanged) {
            readAtMs = performance.now();
            await send('DEVICES', JSON.stringify(await this.#readMessage(device)));
          }
          isChanged = false;
        });
        // If sending has failed, the next round tries again after the wait.
        if (await woken) {
          isChanged = true;
          await this.#pause(stream.streamId, MIN_READ_GAP_MS - (performance.now() - readAtMs), ended.signal);
        }
      }
      await this.#pause(stream.streamId, GRACE_MS);
      await this.#report(() => presence.markAbsent(stream));
    };
  }

  /** Waits, or returns immediately once the service stops. */
  async #pause(streamId: string, ms: number, signal = new AbortController().signal): Promise<void> {
    // Nothing ever wakes this key, so this is a plain timer that ends when the service stops.
    if (ms > 0) await this.#parts.database.wakeups.wait(`pause:${streamId}`, signal, ms);
  }

  async #readMessage({ sessionId }: Device): Promise<DevicesMessage> {
    const offers = await this.#parts.offers.list(sessionId);
    return {
      eventType: 'DEVICES',
      offers: offers.map(toRecord),
      createdAt: toTimestamp(this.#parts.clock.now()),
    };
  }

  async #report(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#parts.onFault(error);
    }
  }
}

function toRecord({ client, userAgent, ...offer }: StoredOffer): DevicesMessage['offers'][number] {
  return {
    sessionId: offer.sessionId,
    pickupCode: offer.pickupCode,
    from: { client, userAgent },
    fileCount: offer.fileCount,
    totalBytes: offer.totalBytes,
    encrypted: offer.isEncrypted,
    expiresAt: toTimestamp(offer.expiresAt),
  };
}
