import { type DriveKind, noDrive } from '../../base/domain/drives.ts';
import type { Tx } from '../../database/database.ts';
import { MAX_RECIPIENTS, type Notifications } from '../../notifications/notifications.ts';
import type { DriveLimits } from '../queries.ts';
import { hasBecomeNearlyFull, noteEmptier } from './fullness.ts';
import {
  changeUsage,
  type Fullness,
  findThoseInCharge,
  setLimits,
  setNearlyFull,
  type Usage,
} from './queries.ts';
import { toChargeFailure } from './usage.ts';

/** What can make a drive full. Those in charge of it are told, once, when it is nearly full. */
export class DriveUsage {
  readonly #notifications: Notifications;

  constructor(notifications: Notifications) {
    this.#notifications = notifications;
  }

  /**
   * Charges files and directories to the drive, and locks the drive like {@link lockDrive}.
   * @throws Failure `over-limit` if their bytes exceed the quota, or if they are too many entries
   */
  async charge(tx: Tx, driveId: number, usage: Usage): Promise<DriveKind> {
    const changed = await changeUsage(tx, driveId, usage);
    if (changed === undefined) throw await toChargeFailure(tx, driveId, usage);
    await this.#note(tx, driveId, changed);
    return changed.kind;
  }

  /**
   * Changes the given limits of a drive. Missing ones stay the same.
   * @throws Failure `not-found`
   */
  async setLimits(tx: Tx, driveId: number, limits: Partial<DriveLimits>): Promise<void> {
    const changed = await setLimits(tx, driveId, limits);
    if (changed === undefined) throw noDrive();
    await this.#note(tx, driveId, changed);
  }

  /** Usually runs no statement. */
  async #note(tx: Tx, driveId: number, fullness: Fullness): Promise<void> {
    await noteEmptier(tx, driveId, fullness);
    if (!hasBecomeNearlyFull(fullness)) return;
    await setNearlyFull(tx, driveId, 1);
    const { driveName, accountIds } = await findThoseInCharge(tx, driveId, MAX_RECIPIENTS);
    const { usedBytes, quotaBytes } = fullness;
    await this.#notifications.notify(tx, accountIds, {
      kind: 'DRIVE_FULL',
      data: { driveId, driveName, usedBytes, quotaBytes },
    });
  }
}
