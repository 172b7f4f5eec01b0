// The signals of an ONLINE session: how the two pages communicate before they have a line, and after it
// broke.

import { ApiError, isPassing } from '../../../api/api-error.ts';
import type { ask } from '../../../api/ask.ts';
import type { SignalPage, SignalRecord } from '../../../api/contract.ts';
import { pause } from '../../../common/pause.ts';
import { SerialQueue } from '../../../common/serial-queue.ts';

const WAIT_SECONDS = 25;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
const MOST_TRIES = 6;

export interface MeetingPlace {
  readonly sessionId: string;
  readonly peerToken: string;
}

export class Rendezvous {
  readonly sessionId: string;
  readonly #ask: typeof ask;
  readonly #address: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #messages = new SerialQueue();

  constructor(place: MeetingPlace, asking: typeof ask) {
    this.sessionId = place.sessionId;
    this.#ask = asking;
    this.#address = `/api/transfer/sessions/${place.sessionId}/signals`;
    this.#headers = { 'x-transfer-token': place.peerToken };
  }

  /**
   * Sends signals one after another, because a candidate is useless before its description. Gives up
   * silently.
   */
  tell(type: string, payload: unknown = null): Promise<void> {
    return this.#messages.run(() => this.#send(type, payload));
  }

  /** Reads the other page's signals from the start, until `signal` aborts or the session ends. */
  async follow(listener: (signal: SignalRecord) => void, signal: AbortSignal): Promise<'stopped' | 'gone'> {
    for (let after = 0, failures = 0; !signal.aborted; ) {
      try {
        const query = { after, waitSeconds: WAIT_SECONDS };
        const options = { query, headers: this.#headers, signal };
        const page = await this.#ask<SignalPage>('GET', this.#address, options);
        failures = 0;
        after = page.nextCursor;
        for (const heard of page.items) if (!signal.aborted) listener(heard);
      } catch (error) {
        if (signal.aborted) break;
        if (isForGood(error)) return 'gone';
        failures += 1;
        await pause(pauseBehind(failures, error), signal);
      }
    }
    return 'stopped';
  }

  async #send(type: string, payload: unknown): Promise<void> {
    for (let failures = 1; failures <= MOST_TRIES; failures += 1) {
      try {
        await this.#ask('POST', this.#address, { body: { type, payload }, headers: this.#headers });
        return;
      } catch (error) {
        if (!isPassing(error)) return;
        await pause(pauseBehind(failures, error));
      }
    }
  }
}

function isForGood(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 403);
}

function pauseBehind(failures: number, error: unknown): number {
  const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0;
  return Math.max(asked, Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1)));
}
