import { isMissingRecorded } from '../../base/bytes/recorded-object.ts';
import { type Clock, DAY, HOUR, MINUTE } from '../../base/clock.ts';
import { toError, toRecordedMessage } from '../../base/errors.ts';
import { Failure, isNotFound } from '../../base/failure.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database, Tx } from '../../database/database.ts';
import { ChildKilled, type Extraction, SourceError, type TextExtraction } from '../../texts/texts.ts';
import { analyseText } from '../analysis/terms.ts';
import { compressText } from '../text-codec.ts';
import { type ClaimedText, giveBack, giveUp, isInPlace, putNoText, putText } from './queue-queries.ts';
import { putLastError } from './scan-queries.ts';

/** The delays after failed attempts. After the last attempt, the file is given up. */
const RETRY_DELAYS_MS: readonly number[] = [MINUTE, 10 * MINUTE, HOUR, DAY];
const MAX_ATTEMPTS = RETRY_DELAYS_MS.length + 1;

/** The delay while a store cannot be reached, which does not count as an attempt. */
const OUTAGE_DELAY_MS = MINUTE;
/** The delay after other errors of a store, such as rejected credentials. They do not count either. */
const STORE_FAULT_DELAY_MS = 10 * MINUTE;

/** How an attempt ended, as it is written. */
export interface Outcome {
  readonly claimed: ClaimedText;
  /** The number of terms that are written. */
  readonly terms: number;
  readonly write: (tx: Tx) => Promise<void>;
  /** Why the bytes could not be read, which is no fault of the file. */
  readonly outage?: Error;
}

export interface TextAttemptsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly blobs: Pick<Blobs, 'open'>;
  readonly extraction: Pick<TextExtraction, 'extract'>;
  readonly onFault: (error: unknown, doing: string) => void;
  /** Another analysis; only tests set it. */
  readonly analyse?: typeof analyseText;
}

/** Attempts to index the text of a file. */
export class TextAttempts {
  readonly #parts: TextAttemptsParts;

  constructor(parts: TextAttemptsParts) {
    this.#parts = parts;
  }

  /** @throws the reason of the signal; Failure `unavailable` if the database is unavailable */
  async run(claimed: ClaimedText, signal: AbortSignal): Promise<Outcome> {
    const { blobs, extraction } = this.#parts;
    // The service ended during each attempt.
    if (claimed.attempt > MAX_ATTEMPTS) {
      return { claimed, terms: 0, write: (tx) => giveUp(tx, claimed, 'interrupted') };
    }
    let extracted: Extraction;
    try {
      extracted = await extraction.extract(() => blobs.open(claimed), claimed, signal);
    } catch (error) {
      signal.throwIfAborted();
      return error instanceof SourceError
        ? this.#unreadOutcome(claimed, error)
        : this.failedOutcome(claimed, error);
    }
    try {
      return await this.#indexedOutcome(claimed, extracted);
    } catch (error) {
      signal.throwIfAborted();
      return this.failedOutcome(claimed, error);
    }
  }

  async #indexedOutcome(claimed: ClaimedText, extracted: Extraction): Promise<Outcome> {
    const { database, analyse = analyseText } = this.#parts;
    const { engine } = database;
    if ('cause' in extracted) return this.failedOutcome(claimed, extracted.cause);
    const reason = 'text' in extracted ? 'empty' : extracted.reason;
    if (!('text' in extracted) || extracted.text === '') {
      return { claimed, terms: 0, write: (tx) => putNoText(tx, engine, claimed, reason) };
    }
    const { text } = extracted;
    const indexed = {
      ...(await analyse(text)),
      bytes: Buffer.byteLength(text),
      compressed: await compressText(text),
    };
    return { claimed, terms: indexed.terms.length, write: (tx) => putText(tx, engine, claimed, indexed) };
  }

  /** An attempt that counts. */
  failedOutcome(claimed: ClaimedText, error: unknown): Outcome {
    const cause = toError(error);
    const now = this.#parts.clock.now();
    this.#parts.onFault(cause, `take the text of ${claimed.objectKey}`);
    const delayMs = RETRY_DELAYS_MS[claimed.attempt - 1];
    const isSuspect = cause instanceof ChildKilled;
    const write = async (tx: Tx) => {
      await putLastError(tx, toRecordedMessage(cause, cause.name), now);
      if (delayMs === undefined) await giveUp(tx, claimed, 'try-again');
      else await giveBack(tx, claimed, { dueAt: now + delayMs, isCounted: true, isSuspect });
    };
    return { claimed, terms: 0, write };
  }

  async #unreadOutcome(claimed: ClaimedText, { cause }: SourceError): Promise<Outcome> {
    if (!isNotFound(cause) && !isMissingRecorded(cause))
      return this.#postponedOutcome(claimed, toError(cause));
    // A deleted or migrated file has no lost bytes.
    if (await isInPlace(this.#parts.database.db, claimed)) return this.failedOutcome(claimed, cause);
    const dueAt = this.#parts.clock.now();
    return { claimed, terms: 0, write: (tx) => giveBack(tx, claimed, { dueAt, isCounted: false }) };
  }

  #postponedOutcome(claimed: ClaimedText, outage: Error): Outcome {
    const isUnavailable = outage instanceof Failure && outage.kind === 'unavailable';
    if (!isUnavailable) this.#parts.onFault(outage, `read ${claimed.objectKey} for its text`);
    const now = this.#parts.clock.now();
    const dueAt = now + (isUnavailable ? OUTAGE_DELAY_MS : STORE_FAULT_DELAY_MS);
    const write = async (tx: Tx) => {
      await putLastError(tx, toRecordedMessage(outage, outage.name), now);
      await giveBack(tx, claimed, { dueAt, isCounted: false });
    };
    return { claimed, terms: 0, outage, write };
  }
}
