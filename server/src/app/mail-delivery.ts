import type { Logger } from 'pino';
import { SECOND } from '../base/clock.ts';
import type { JobRuns } from '../job-runs/job-runs.ts';
import type { Leases } from '../leases/leases.ts';
import type { Mail, Outbox } from '../mail/mail.ts';
import { TriggeredJob } from './triggered-job.ts';

/** How often each instance looks for mails that are due. */
const CHECK_MS = 5 * SECOND;
/** Short, so that another instance soon sends the mails of one that crashed. */
const LEASE_MS = 30 * SECOND;

interface MailDeliveryParts {
  readonly mail: Mail;
  readonly leases: Leases;
  readonly runs: JobRuns;
  readonly logger: Logger;
}

/**
 * Sends mails soon after they were queued, and again when a further attempt is due. One instance sends at a
 * time. Does nothing until it is started, so that commands leave the mails that they queue to the service.
 */
export class MailDelivery {
  readonly #outbox: Outbox | undefined;
  readonly #job: TriggeredJob;
  readonly #logger: Logger;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> = Promise.resolve();
  #isStarted = false;

  constructor({ mail, ...parts }: MailDeliveryParts) {
    this.#outbox = mail.outbox;
    this.#logger = parts.logger;
    this.#job = new TriggeredJob({
      ...parts,
      name: 'send mail',
      leaseMs: LEASE_MS,
      work: async (signal) => this.#outbox?.sendDue(signal),
    });
    mail.onQueued(() => this.#trigger());
  }

  start(): void {
    if (this.#outbox === undefined) return;
    this.#isStarted = true;
    this.#check();
    this.#timer = setInterval(() => this.#check(), CHECK_MS);
  }

  /** Sends the mails that are due now, and waits for that. */
  async runOnce(): Promise<void> {
    if (this.#outbox === undefined) return;
    this.#job.trigger();
    await this.#job.settle();
  }

  /** Waits until the mails that are being sent have been sent or given back. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#isStarted = false;
    await Promise.all([this.#checking, this.#job.stop()]);
  }

  #trigger(): void {
    if (this.#isStarted) this.#job.trigger();
  }

  #check(): void {
    this.#checking = this.#triggerIfDue().catch((error: unknown) => {
      this.#logger.error({ err: error }, 'the queued mails could not be read; retrying');
    });
  }

  async #triggerIfDue(): Promise<void> {
    if (await this.#outbox?.hasDueMails()) this.#trigger();
  }
}
