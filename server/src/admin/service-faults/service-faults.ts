import { type Clock, DAY, HOUR } from '../../base/clock.ts';
import type { NotificationData } from '../../base/domain/notifications.ts';
import type { Database, Tx } from '../../database/database.ts';
import { BACKUP_RUN, OPERATOR_RUNS } from '../../job-runs/job-runs.ts';
import { MAX_RECIPIENTS, type Notifications } from '../../notifications/notifications.ts';
import { deleteOldFaults, endFault, findAdmins, putFault } from './queries.ts';

/**
 * Administrators are told at most once a day about a fault that lasts or comes and goes. The time is shorter
 * than a day, because a backup that runs every night does not always take as long.
 */
const REPEATED_AFTER_MS = 23 * HOUR;

/** A fault that lasts is told at least this often. */
const KEPT_MS = 2 * DAY;

type ServiceFault = NotificationData['SERVICE_FAULT'];

interface ServiceFaultsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly notifications: Notifications;
}

/**
 * Tells all administrators when a fault of the service begins, and again once a day while it lasts. A fault
 * that begins again within a day of the last notification is not told until the day is over.
 */
export class ServiceFaults {
  readonly #parts: ServiceFaultsParts;

  constructor(parts: ServiceFaultsParts) {
    this.#parts = parts;
  }

  /** Notes how a job ended, in the transaction that records it. */
  async noteRun(tx: Tx, { name, error }: { name: string; error: string | null }): Promise<void> {
    const fault = kindOf(name);
    if (error === null) await endFault(tx, keyOf({ fault, name }), this.#parts.clock.now());
    else await this.#begin(tx, { fault, name, message: error });
  }

  /**
   * Notes whether a disk has too little space.
   * @param name a directory on it
   * @param message says so; undefined if it has enough
   */
  async noteDisk(name: string, message: string | undefined): Promise<void> {
    const { database, clock } = this.#parts;
    await database.transact(async (tx) => {
      if (message === undefined) await endFault(tx, keyOf({ fault: 'DISK', name }), clock.now());
      else await this.#begin(tx, { fault: 'DISK', name, message });
    });
  }

  /** Deletes faults that have ended, or whose job or disk is gone. */
  async deleteOld(): Promise<void> {
    const { database, clock } = this.#parts;
    await database.transact((tx) => deleteOldFaults(tx, clock.now() - KEPT_MS));
  }

  async #begin(tx: Tx, data: ServiceFault): Promise<void> {
    const { clock, notifications } = this.#parts;
    const now = clock.now();
    const put = { name: keyOf(data), now, notifiedUntil: now - REPEATED_AFTER_MS };
    if (!(await putFault(tx, put))) return;
    await notifications.notify(tx, await findAdmins(tx, MAX_RECIPIENTS), { kind: 'SERVICE_FAULT', data });
  }
}

function kindOf(job: string): ServiceFault['fault'] {
  if (job === BACKUP_RUN) return 'BACKUP';
  return OPERATOR_RUNS.includes(job) ? 'DOCTOR' : 'JOB';
}

function keyOf({ fault, name }: Pick<ServiceFault, 'fault' | 'name'>): string {
  return `${fault} ${name}`;
}
