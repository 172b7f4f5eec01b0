import type { Accounts } from '../accounts/accounts.ts';
import type { Avatars } from '../accounts/avatar/avatar.ts';
import type { Activity } from '../activity/activity.ts';
import type { BlobTotal } from '../blobs/blobs.ts';
import type { ChecksumPass } from '../blobs/checksums.ts';
import type { BlobSweeper } from '../blobs/sweep/sweeper.ts';
import type { Drive } from '../drive/drive.ts';
import type { Events } from '../events/events.ts';
import type { Leases } from '../leases/leases.ts';
import type { CredentialLimiter } from '../limits/limits.ts';
import type { MigrationJob } from '../tasks/migration/migration.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { Transfers } from '../transfer/transfer.ts';
import type { Uploads } from '../uploads/uploads.ts';
import type { Errand } from './errand.ts';
import type { Chore } from './schedule.ts';

/** What every clean-up does, in this order: what ends first, then what it leaves behind. */
export function listChores(parts: {
  accounts: Accounts;
  activity: Activity;
  blobTotal: BlobTotal;
  avatars: Avatars;
  drive: Drive;
  uploads: Uploads;
  transfers: Transfers;
  tasks: Tasks;
  leases: Leases;
  limiter: CredentialLimiter;
  events: Events;
  checksums: ChecksumPass;
  /** Runs the checksum pass. */
  checking: Errand;
  migrations: MigrationJob;
  sweeper: BlobSweeper;
}): readonly Chore[] {
  return [
    { name: 'purge the recycle bin', run: (signal) => parts.drive.bin.purgeExpired(signal) },
    { name: 'forget expired sessions', run: () => parts.accounts.deleteExpiredSessions() },
    { name: 'end unfinished uploads', run: (signal) => parts.uploads.sessions.expire(signal) },
    { name: 'remove ended transfers', run: (signal) => parts.transfers.removeExpired(signal) },
    { name: 'forget ended tasks', run: (signal) => parts.tasks.deleteExpired(signal) },
    { name: 'forget unfinished pictures', run: () => parts.avatars.removeExpired() },
    { name: 'forget ended leases', run: () => parts.leases.deleteExpired() },
    { name: 'forget old attempts', run: () => parts.limiter.deleteExpired() },
    { name: 'forget old events', run: (signal) => parts.events.deleteExpired(signal) },
    { name: 'forget old activity', run: () => parts.activity.deleteExpired() },
    { name: 'sum up stored objects', run: (signal) => parts.blobTotal.update(signal) },
    {
      name: 'take checksums',
      run: async () => {
        parts.checksums.clearFaults();
        parts.checking.ask();
      },
    },
    { name: 'remove what was moved', run: (signal) => parts.migrations.removeLeftovers(signal) },
    { name: 'sweep the store', run: (signal) => parts.sweeper.sweep(signal) },
  ];
}
