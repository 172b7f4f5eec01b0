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
 * A device counts as away only after this time, so that its stream can be reopened, as with each new token.
 */
const GRACE_MS = 5 * SECOND;

/**
 * The minimum time between two reads. Changes in between are read together, because each change of an account
 * wakes all of its streams.
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
 * Sends a device its offers whenever its offers or the account's present devices change. While its event
 * stream is open, a device counts as present.
 *
 * Each message contains the whole state. So no message has to be stored for a device that is away, and a
 * message that is lost or arrives twice does no harm.
 */
export class DeviceStreams {
  readonly #parts: DeviceStreamsParts;

  constructor(parts: DeviceStreamsParts) {
    this.#parts = parts;
  }

  /**
   * The writer for one stream of the device, which runs until the stream ends. It never throws: if it fails,
   * the stream goes on without it.
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
        // Subscribes before the read, so that no change in between is missed.
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
        // If sending failed, it is tried again after the wait.
        if (await woken) {
          isChanged = true;
          await this.#pause(stream.streamId, MIN_READ_GAP_MS - (performance.now() - readAtMs), ended.signal);
        }
      }
      await this.#pause(stream.streamId, GRACE_MS);
      await this.#report(() => presence.markAbsent(stream));
    };
  }

  /** Waits, but not while the service stops. */
  async #pause(streamId: string, ms: number, signal = new AbortController().signal): Promise<void> {
    // No message ever wakes this key.
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
