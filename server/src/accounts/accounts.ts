import type { Db, Tx } from '../database/database.ts';
import { chargeBytes, getUploadLimit, holdDrive, releaseBytes, type UploadLimit } from './usage.ts';

export type { UploadLimit };

export class Accounts {
  onCreated(_hook: (tx: Tx, accountId: number) => Promise<void>): void {}
  getUploadLimit(db: Db, ownerId: number): Promise<UploadLimit> {
    return getUploadLimit(db, ownerId);
  }
  holdDrive(tx: Tx, ownerId: number): Promise<void> {
    return holdDrive(tx, ownerId);
  }
  chargeBytes(tx: Tx, ownerId: number, bytes: number): Promise<void> {
    return chargeBytes(tx, ownerId, bytes);
  }
  releaseBytes(tx: Tx, ownerId: number, bytes: number): Promise<void> {
    return releaseBytes(tx, ownerId, bytes);
  }
}
