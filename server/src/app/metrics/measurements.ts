import { LOGIN_METHODS } from '../../accounts/accounts.ts';
import { DurationHistogram } from '../../base/metrics/duration-histogram.ts';
import { REQUESTS_WITHOUT_LOGIN } from '../../http/limits/flood-limiter.ts';
import { REQUESTS_AT_ONCE } from '../../http/limits/request-concurrency.ts';
import * as credentialLimits from '../../limits/rules.ts';
import type { MailOutcome } from '../../mail/mail.ts';
import type { PushOutcome } from '../../notifications/push/push.ts';

/** Counts events by one label, such as rejected requests by the limit that they exceeded. */
class EventCounts {
  readonly #counts: Map<string, number>;

  /**
   * @param labels labels that are listed with 0 before their first event, so that alerts see the step to 1
   */
  constructor(labels: readonly string[]) {
    this.#counts = new Map(labels.map((label) => [label, 0]));
  }

  /** @param label one of a small fixed set, because each one is kept forever */
  count(label: string): void {
    this.#counts.set(label, (this.#counts.get(label) ?? 0) + 1);
  }

  list(): readonly (readonly [label: string, count: number])[] {
    return [...this.#counts];
  }
}

const LIMITS = [
  ...Object.values(credentialLimits).map(({ name }) => name),
  REQUESTS_WITHOUT_LOGIN,
  REQUESTS_AT_ONCE,
];

const MAIL_OUTCOMES: readonly MailOutcome[] = ['sent', 'postponed', 'failed'];
const PUSH_OUTCOMES: readonly PushOutcome[] = ['sent', 'postponed', 'failed', 'gone'];

/** What is counted while it happens. Everything else is read when the metrics are collected. */
export class Measurements {
  readonly failedLogins = new EventCounts(LOGIN_METHODS);
  /** Requests and credentials that were rejected because of a limit, by the name of the limit. */
  readonly limitRefusals = new EventCounts(LIMITS);
  /** Attempts to send a mail, by how they ended. */
  readonly mails = new EventCounts(MAIL_OUTCOMES);
  /** Attempts to send a push message, by how they ended. */
  readonly pushes = new EventCounts(PUSH_OUTCOMES);
  readonly #transactions = new DurationHistogram(
    'holdall_database_transaction_duration_seconds',
    'Time of transactions that write, with the wait for their turn and for their flush. failed: the ' +
      'database did not do its part.',
    ['result'],
  );
  readonly #s3Calls = new DurationHistogram(
    'holdall_s3_call_duration_seconds',
    'Time of requests to the S3 store until the head of the response, each attempt by itself. failed: the ' +
      'store did not do its part.',
    ['operation', 'result'],
  );

  get histograms(): readonly DurationHistogram[] {
    return [this.#transactions, this.#s3Calls];
  }

  readonly onTransaction = (isOk: boolean, seconds: number): void =>
    this.#transactions.observe(seconds, toResult(isOk));

  readonly onS3Call = (operation: string, isOk: boolean, seconds: number): void =>
    this.#s3Calls.observe(seconds, operation, toResult(isOk));
}

function toResult(isOk: boolean): string {
  return isOk ? 'ok' : 'failed';
}
