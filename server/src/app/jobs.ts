import { deleteExpiredLoginTickets } from '../accounts/accounts.ts';
import type { Parts } from './parts.ts';
import type { MaintenanceJob } from './schedule.ts';

/**
 * All maintenance jobs, in the order they run. Jobs that end things come before jobs that remove their
 * leftovers.
 */
export function listMaintenanceJobs(parts: Parts): readonly MaintenanceJob[] {
  return [
    { name: 'delete accounts', runOnce: (signal) => parts.accountRemoval.run(signal) },
    { name: 'purge deleted drives', runOnce: (signal) => parts.drivePurge.run(signal) },
    { name: 'finish large purges', runOnce: (signal) => parts.drive.bin.finishPurges(signal) },
    { name: 'purge the recycle bin', runOnce: (signal) => parts.drive.bin.purgeExpired(signal) },
    { name: 'delete old file versions', runOnce: (signal) => parts.drive.versions.deleteExpired(signal) },
    {
      name: 'delete expired login sessions',
      runOnce: (signal) => parts.accounts.sessions.deleteExpired(signal),
    },
    {
      name: 'delete used login tickets',
      runOnce: (signal) => deleteExpiredLoginTickets(parts, signal),
    },
    {
      name: 'delete expired mailed links',
      runOnce: (signal) => parts.accounts.mailedTokens.deleteExpired(signal),
    },
    {
      name: 'delete expired upload reservations',
      runOnce: (signal) => parts.drives.reservations.deleteExpired(signal),
    },
    {
      name: 'end uploads through ended folder links',
      runOnce: (signal) => parts.folderLinks.endOrphanedUploads(signal),
    },
    { name: 'end unfinished uploads', runOnce: (signal) => parts.uploads.sessions.expire(signal) },
    { name: 'delete expired transfers', runOnce: (signal) => parts.transfers.deleteExpired(signal) },
    {
      name: 'delete expired downloads of archives',
      runOnce: (signal) => parts.drive.zipTickets.deleteExpired(signal),
    },
    { name: 'delete ended tasks', runOnce: (signal) => parts.tasks.deleteExpired(signal) },
    { name: 'delete unfinished avatars', runOnce: () => parts.avatars.removeExpired() },
    { name: 'delete expired WebDAV locks', runOnce: (signal) => parts.dav.locks.deleteExpired(signal) },
    { name: 'delete expired leases', runOnce: (signal) => parts.leases.deleteExpired(signal) },
    { name: 'delete old login attempts', runOnce: (signal) => parts.limiter.deleteExpired(signal) },
    {
      name: 'tell about links that expire soon',
      runOnce: async (signal) => {
        await parts.shareEndings.tellExpiring(signal);
        await parts.folderLinkEndings.tellExpiring(signal);
      },
    },
    {
      name: 'tell about received files',
      isTrigger: true,
      runOnce: async () => parts.receivedFilesJob.trigger(),
    },
    { name: 'delete failed mails', runOnce: (signal) => parts.mail.deleteOldFailures(signal) },
    {
      name: 'delete old notifications',
      runOnce: (signal) => parts.notifications.deleteOld(signal),
    },
    { name: 'delete old service faults', runOnce: () => parts.serviceFaults.deleteOld() },
    { name: 'delete old events', runOnce: (signal) => parts.events.deleteExpired(signal) },
    { name: 'delete old activity', runOnce: () => parts.activity.deleteExpired() },
    { name: 'sum up stored objects', runOnce: (signal) => parts.blobTotal.update(signal) },
    {
      name: 'take checksums',
      isTrigger: true,
      runOnce: async () => {
        parts.checksums.clearFaults();
        parts.checksumJob.trigger();
      },
    },
    {
      name: 'clean up after policy migrations',
      runOnce: (signal) => parts.migrations.removeLeftovers(signal),
    },
    { name: 'sweep the store', runOnce: (signal) => parts.sweeper.sweep(signal) },
  ];
}
