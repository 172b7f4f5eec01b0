import type { Logger } from 'pino';
import { SECOND } from '../base/clock.ts';
import type { Leases } from '../leases/leases.ts';
import { PeriodicCheck } from './periodic-check.ts';
import { TriggeredJob } from './triggered-job.ts';

/** How often each instance looks for messages that are due. */
const CHECK_MS = 5 * SECOND;
/**
 * A request that queued a message has its answer by then. Otherwise it would be slower than one that queued
 * none, so the time of the answer to a password reset would reveal whether the account exists.
 */
const DELAY_MS = SECOND;
/** Short, so another instance soon sends the messages of one that crashed. */
const LEASE_MS = 5 * SECOND;

/** Messages in the database that wait to be sent. */
interface MessageQueue {
  hasDue(): Promise<boolean>;
  /** Sends what is due. Messages that the signal interrupts stay due. */
  sendDue(signal: AbortSignal): Promise<void>;
}

interface DeliveryParts {
  /** Names the job and its lease. */
  readonly name: string;
  /** Undefined if such messages are not sent. */
  readonly queue: MessageQueue | undefined;
  /** Registers what is called after each commit that has queued a message. */
  readonly onQueued: (listener: () => void) => void;
  readonly leases: Leases;
  readonly logger: Logger;
}

/**
 * Sends messages soon after they were queued, and again when a further attempt is due. One instance sends at
 * a time. Does nothing until it is started, so that commands leave what they queue to the service.
 */
export class Delivery {
  readonly #queue: MessageQueue | undefined;
  readonly #job: TriggeredJob;
  readonly #check: PeriodicCheck;
  /** Runs from the first message that was queued since the last run. */
  #delay: NodeJS.Timeout | undefined;
  #isStarted = false;

  constructor({ queue, onQueued, ...parts }: DeliveryParts) {
    const { name: job, logger } = parts;
    this.#queue = queue;
    this.#job = new TriggeredJob({
      ...parts,
      leaseMs: LEASE_MS,
      work: async (signal) => this.#queue?.sendDue(signal),
    });
    this.#check = new PeriodicCheck({
      everyMs: CHECK_MS,
      check: () => this.#triggerIfDue(),
      onFault: (error) => logger.error({ err: error, job }, 'queued messages could not be read; retrying'),
    });
    onQueued(() => this.#triggerLater());
  }

  start(): void {
    if (this.#queue === undefined) return;
    this.#isStarted = true;
    this.#check.start();
  }

  /** Sends the messages that are due now, and waits for that. */
  async runOnce(): Promise<void> {
    if (this.#queue === undefined) return;
    this.#job.trigger();
    await this.#job.settle();
  }

  /** Waits until the messages that are being sent have been sent or given back. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    clearTimeout(this.#delay);
    await Promise.all([this.#check.stop(), this.#job.stop()]);
  }

  #triggerLater(): void {
    if (!this.#isStarted) return;
    this.#delay ??= setTimeout(() => {
      this.#delay = undefined;
      this.#job.trigger();
    }, DELAY_MS).unref();
  }

  async #triggerIfDue(): Promise<void> {
    if ((await this.#queue?.hasDue()) && this.#isStarted) this.#job.trigger();
  }
}
