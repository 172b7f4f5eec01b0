import type { Instant } from '../../base/clock.ts';
import { toTimestamp } from '../../base/dates.ts';
import type { Caller } from '../../http/caller.ts';
import type { Mail } from '../../mail/mail.ts';
import type { AuditedActions } from '../audited-actions.ts';
import type { MailOverview } from './contract.ts';

interface AdminMailParts {
  readonly mail: Mail;
  readonly actions: AuditedActions;
}

/** The outbox, for administrators. */
export class AdminMail {
  readonly #parts: AdminMailParts;

  constructor(parts: AdminMailParts) {
    this.#parts = parts;
  }

  async describe(): Promise<MailOverview> {
    const { mail } = this.#parts;
    const { from, waiting, oldestAt, failed, lastError, lastSentAt } = await mail.describe();
    return {
      ...{ isOn: mail.isOn, from, waiting, lastError },
      oldestAt: toTimestampOrNull(oldestAt),
      failed: failed.map(({ failedAt, ...failure }) => ({ ...failure, at: toTimestamp(failedAt) })),
      lastSentAt: toTimestampOrNull(lastSentAt),
    };
  }

  clearFailed(caller: Caller): Promise<void> {
    return this.#parts.actions.perform(caller, async (tx) => {
      const cleared = await this.#parts.mail.clearFailed(tx);
      const entry = {
        action: 'CLEAR_FAILED_MAILS',
        targetType: 'SETTING',
        targetId: null,
        target: 'failed mails',
        summary: `Cleared ${cleared} failed ${cleared === 1 ? 'mail' : 'mails'} from the list.`,
        details: { cleared },
      } as const;
      return { result: undefined, entry: cleared === 0 ? undefined : entry };
    });
  }
}

function toTimestampOrNull(instant: Instant | null): string | null {
  return instant === null ? null : toTimestamp(instant);
}
