import { isIP } from 'node:net';
import { Accounts } from '../accounts/accounts.ts';
import { Avatars } from '../accounts/avatar/avatar.ts';
import { ticketClaims } from '../accounts/avatar/queries.ts';
import { AccountRemoval, ofAccount, ofDrive } from '../admin/users/account-removal.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import { type ObjectClaims, OrphanSearch } from '../blobs/blobs.ts';
import { ChecksumPass } from '../blobs/checksums.ts';
import { migrationClaims, PolicyMigrations } from '../blobs/migration/policy-migrations.ts';
import { BlobSweeper } from '../blobs/sweep/sweeper.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { Dav } from '../dav/dav.ts';
import { Drive } from '../drive/drive.ts';
import { type DriveRecords, Drives } from '../drives/drives.ts';
import { DrivePurge } from '../drives/lifecycle/drive-purge.ts';
import { EventHub } from '../events/hub.ts';
import { EventStreams } from '../events/streams.ts';
import { UrlSigner } from '../http/signed-url.ts';
import { InstanceIdentity } from '../instance/instance.ts';
import { Releases } from '../releases/releases.ts';
import { ArchiveJob } from '../tasks/archive/archive.ts';
import { attemptClaims } from '../tasks/engine/attempt-claims.ts';
import { ArchiveListing } from '../tasks/extract/archive-contents.ts';
import { ExtractJob } from '../tasks/extract/extract.ts';
import { MediaJob } from '../tasks/media/media.ts';
import { MigrationJob } from '../tasks/migration/migration.ts';
import { Tasks } from '../tasks/tasks.ts';
import { Transfers } from '../transfer/transfer.ts';
import { sessionClaims } from '../uploads/sessions/claim-queries.ts';
import { sumAnnounced } from '../uploads/sessions/unfinished-queries.ts';
import { Uploads } from '../uploads/uploads.ts';
import { buildDeliveries } from './deliveries.ts';
import { buildFoundation } from './foundation-parts.ts';
import { buildIndexing } from './indexing.ts';
import { buildLinkParts } from './link-parts.ts';
import { buildNotificationCauses } from './notification-causes.ts';
import type { PartsContext } from './parts-context.ts';
import { TriggeredJob } from './triggered-job.ts';

/**
 * Everything in the database that claims objects besides blobs. The sweeper and the doctor share this list: the objects of a
 * claimant that is missing here are taken for orphans and removed.
 */
export const OBJECT_CLAIMS: readonly ObjectClaims[] = [
  ticketClaims,
  sessionClaims,
  attemptClaims,
  migrationClaims,
];

type Foundation = Awaited<ReturnType<typeof buildFoundation>>;
type People = ReturnType<typeof buildPeople>;
type Features = ReturnType<typeof buildFeatures>;
type BackgroundWork = ReturnType<typeof buildBackgroundWork>;
type Removals = ReturnType<typeof buildRemovals>;

/** The parts of the domain, each built once. They neither listen nor run anything until they are started. */
export interface Parts extends Foundation, People, Features, BackgroundWork, Removals {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Closes the stores and the database. */
  close(): Promise<void>;
}

/**
 * Builds all parts of the domain. The service and every command build them here, and nowhere else. When it
 * fails, the caller closes the database.
 */
export async function buildParts(context: PartsContext): Promise<Parts> {
  const { config, database, clock, ids } = context;
  const foundation = await buildFoundation(context);
  const people = buildPeople(context, foundation);
  const features = buildFeatures(context, foundation, people);
  const backgroundWork = buildBackgroundWork(context, { ...foundation, ...people, ...features });
  endWorkOfFormerMembers({ ...people, ...features, ...backgroundWork });
  const removals = buildRemovals(context, {
    ...foundation,
    ...people,
    ...features,
    ...backgroundWork,
  });
  const close = async () => {
    await foundation.thumbnails.close();
    await foundation.extraction.close();
    await foundation.policies.close();
    await database.close();
  };
  return {
    ...{ config, database, clock, ids },
    ...foundation,
    ...people,
    ...features,
    ...backgroundWork,
    ...removals,
    close,
  };
}

/** Accounts, their drives and what is in them. */
function buildPeople(
  { config, database, clock, ids, logger, measurements, overrides }: PartsContext,
  foundation: Foundation,
) {
  const { settings, limiter, blobs, events, audit, secrets, mail, notifications } = foundation;
  const { contentSearch } = foundation;
  const accounts = new Accounts({
    ...{ database, settings, limiter, mail, notifications, clock, ids },
    jwtSecret: secrets.jwtSecret,
    accessTokenTtlMs: config.accessTokenTtlMs,
    refreshTokenTtlMs: config.refreshTokenTtlMs,
    requireSecondFactor: config.requireSecondFactor,
    address: config.publicUrl ?? `http://${isIP(config.host) === 6 ? `[${config.host}]` : config.host}`,
    singleSignOn: config.singleSignOn,
    audit,
    defaultQuotaBytes: config.defaultQuotaBytes,
    defaultMaxUploadBytes: config.defaultMaxUploadBytes,
    defaultMaxEntries: config.defaultMaxEntries,
    defaultDirectories: config.defaultDirectories,
    dataDir: config.dataDir,
    onProviderFault: (error) => logger.warn({ err: error }, 'the provider of single sign-on cannot be used'),
    onFailedLogin: ({ address, ...login }) => {
      measurements.failedLogins.count(login.method);
      logger.warn({ ...login, ...(config.logAddresses !== 'off' && { address }) }, 'a login failed');
    },
    onUnreadableSecret: (accountId) =>
      logger.warn(
        { accountId },
        'a code was rejected: the authenticator app was set up with another JWT secret',
      ),
  });
  const drives = new Drives({
    ...{ database, clock, ids, accounts, audit, limiter, notifications },
    creators: config.sharedDrives,
    maxSharedDrives: config.maxSharedDrives,
    findsContent: config.contentSearch,
    peopleSearch: config.peopleSearch,
    sumAnnouncedBytes: sumAnnounced,
  });
  accounts.administration.beforeBan((tx, accountId) => drives.members.lockAllOf(tx, accountId));
  accounts.administration.onBanned((tx, accountId) => drives.members.suspendAllOf(tx, accountId));
  accounts.administration.onDeletion((tx, accountId) => drives.members.endAllOf(tx, accountId));
  const drive = new Drive({
    ...{ database, accounts, drives, blobs, contentSearch, events, clock },
    signer: new UrlSigner(secrets.downloadSecret),
    downloadUrlTtlMs: config.downloadUrlTtlMs,
    recycleRetentionMs: config.recycleRetentionMs,
    versionRetentionMs: config.versionRetentionMs,
    maxTreeEntries: overrides.maxTreeEntries,
  });
  drives.creation.moveDirectoriesWith(drive.betweenDrives);
  return {
    accounts,
    drives,
    avatars: new Avatars({ database, clock, blobs, uploadTtlMs: config.uploadSessionTtlMs }),
    releases: new Releases({ database, blobs, settings, clock }),
    identity: new InstanceIdentity({ database, settings, thumbnails: foundation.thumbnails }),
    drive,
  };
}

/** Uploads, shares, transfers, event streams, WebDAV. */
function buildFeatures(
  { config, database, clock, ids, logger, overrides }: PartsContext,
  foundation: Foundation,
  { accounts, drives, drive }: People,
) {
  const { settings, policies, limiter, blobs, events, leases, jobRuns, secrets, notifications } = foundation;
  const checksums = new ChecksumPass({
    database,
    open: (blob) => blobs.open(blob),
    onFault: (error, doing) => {
      jobRuns.noteFault('take checksums', error);
      logger.error({ err: error, doing }, 'the checksum pass skipped a fault');
    },
  });
  const checksumJob = new TriggeredJob({
    name: 'take checksums',
    leases,
    runs: jobRuns,
    logger,
    work: (signal) => checksums.run(signal),
  });
  const hub = new EventHub({
    database,
    events,
    onFault: (error) => logger.warn({ err: error }, 'events could not be read; retrying'),
  });
  const uploads = new Uploads({
    database,
    drives,
    blobs,
    policies,
    drive,
    leases,
    clock,
    ids,
    uploadSessionTtlMs: config.uploadSessionTtlMs,
    onUnchecked: () => checksumJob.trigger(),
  });
  const links = buildLinkParts({
    ...{ database, drives, drive, limiter, notifications, uploads, clock, ids, secrets },
  });
  return {
    checksums,
    checksumJob,
    uploads,
    ...links,
    transfers: new Transfers({
      database,
      settings,
      limiter,
      clock,
      ids,
      blobs,
      accounts,
      drives,
      drive,
      uploads: uploads.sessions,
      notifications,
      rateLimits: config.rateLimits,
      onlineTransferTtlMs: config.onlineTransferTtlMs,
      offlineTransferTtlMs: config.offlineTransferTtlMs,
      offlineStorageLimitBytes: config.offlineStorageLimitBytes,
      onDevicesFault: (error) =>
        logger.warn({ err: error }, 'a stream was not told about the devices of its account'),
      onFetchFault: (error) => logger.warn({ err: error }, 'the fetch of a transfer could not be noted'),
    }),
    dav: new Dav({ database, drives, drive, clock, ids }),
    streams: new EventStreams({
      database,
      events,
      hub,
      clock,
      findLiveSessions: (sessionIds) => accounts.findLiveSessions(sessionIds),
      findMembers: (memberships) => drives.members.areMembers(memberships),
      onFault: (error) => logger.error({ err: error }, 'the logins of event streams cannot be checked'),
      rateLimits: config.rateLimits,
      beatMs: overrides.eventBeatMs,
    }),
  };
}

/** Background tasks, policy migrations, and the removal of what nothing refers to. */
function buildBackgroundWork(context: PartsContext, parts: Foundation & People & Features) {
  const { config, database, clock, ids, logger, overrides } = context;
  const { settings, policies, storeOwnership, blobs, leases, removalLease, jobRuns, drives, drive } = parts;
  const migrations = new MigrationJob({
    database,
    policies,
    storeOwnership,
    policyMigrations: new PolicyMigrations({
      database,
      policies,
      clock,
      ids,
      // Signed URLs of an old object stay valid until they expire, so the object must outlive them.
      graceMs: Math.max(config.sweepGraceMs, config.downloadUrlTtlMs),
      onFault: (error, doing) => {
        jobRuns.noteFault('clean up after policy migrations', error);
        logger.error({ err: error, doing }, 'the removal of migrated objects skipped a fault');
      },
    }),
  });
  const migrationCleanup = new TriggeredJob({
    name: 'clean up after policy migrations',
    leases,
    runs: jobRuns,
    logger,
    work: (signal) => migrations.removeLeftovers(signal),
  });
  migrations.onLeftovers(() => migrationCleanup.trigger());
  const claims = [blobs.pending, ...OBJECT_CLAIMS, ...(overrides.objectClaims ?? [])];
  const { uploadSessionTtlMs } = config;
  return {
    migrations,
    migrationCleanup,
    ...buildNotificationCauses(context, parts),
    ...buildDeliveries(parts, logger),
    ...buildIndexing(parts, logger),
    tasks: new Tasks({
      database,
      drives,
      drive,
      archives: new ArchiveListing({ drive, blobs }),
      notifications: parts.notifications,
      clock,
      ids,
      jobs: [
        new MediaJob({ drives, drive }),
        new ArchiveJob({ drives, drive, blobs }),
        new ExtractJob({ database, drives, drive, blobs }),
        migrations,
        // Of two jobs of the same type, the last one counts.
        ...(overrides.jobs ?? []),
      ],
      workerConcurrency: config.workerConcurrency,
      taskLeaseMs: config.taskLeaseMs,
      taskBackoffScale: config.taskBackoffScale,
      onFault: (error, doing) => logger.error({ err: error, doing }, 'a background task met a fault'),
    }),
    orphans: new OrphanSearch({ database, uploadSessionTtlMs, claims }),
    sweeper: new BlobSweeper({
      database,
      policies,
      settings,
      clock,
      graceMs: config.sweepGraceMs,
      uploadSessionTtlMs,
      claims,
      removalLease,
      onFault: (error, doing) => {
        jobRuns.noteFault('sweep the store', error);
        logger.error({ err: error, doing }, 'the sweep of the store skipped a fault');
      },
    }),
  };
}

/** Ends what members of shared drives have begun, once they may no longer finish it. */
function endWorkOfFormerMembers(parts: People & Features & BackgroundWork): void {
  const { drives, drive, uploads, tasks, dav } = parts;
  drives.members.onReduced(async (tx, reduction) => {
    await uploads.sessions.cancelAllOfMember(tx, reduction);
    await tasks.failAllOf(tx, reduction);
    await dav.locks.deleteOfMember(tx, reduction);
    if (reduction.role !== undefined) return;
    await drive.zipTickets.deleteOfMember(tx, reduction);
    await drive.stars.deleteOfMember(tx, reduction);
    await drive.timelineExclusions.deleteOfMember(tx, reduction);
  });
}

/** The deletion of accounts and of shared drives, with everything that belongs to them. */
function buildRemovals(
  { database, clock, logger }: PartsContext,
  parts: Foundation & People & Features & BackgroundWork,
) {
  const { accounts, avatars, drives, drive, uploads, transfers, tasks, dav } = parts;
  const { events, activity, audit, leases, jobRuns, mail, notifications } = parts;
  /** Everything that belongs to a drive, in the order of deletion. */
  const driveRecords: readonly DriveRecords[] = [
    // These come first, because they add files to the drive.
    ...[tasks, uploads.sessions],
    ...[drive.zipTickets, dav.locks, drive.removal],
    // These come after the drive, because changes to it add events.
    ...[events, drives.reservations],
  ];
  const accountRemoval = new AccountRemoval({
    accounts,
    drives,
    drive,
    database,
    records: [
      ofAccount(drives.members),
      // These come first, because they add files to the drive.
      ofAccount(transfers),
      ...driveRecords.map(ofDrive),
      ...[
        ofAccount(drive.stars),
        ofAccount(drive.timelineExclusions),
        ofAccount(avatars),
        ofAccount(activity),
      ],
      ...[ofAccount(mail), ofAccount(notifications)],
      ({ accountId }) => audit.removeActor(database, accountId),
      ({ accountId }, signal) => events.removeActor(accountId, signal),
      ofAccount(accounts.deletion),
    ],
  });
  const accountRemovalJob = new TriggeredJob({
    name: 'delete accounts',
    leases,
    runs: jobRuns,
    logger,
    work: (signal) => accountRemoval.run(signal),
  });
  const { sharedDrives } = drives;
  const drivePurge = new DrivePurge({
    ...{ database, clock, sharedDrives, records: driveRecords },
    withDriveLock: (user, work) => drives.withDriveLock(user, 0, work, async () => true),
    deleteRoot: (tx, driveId) => drive.removal.deleteRoot(tx, driveId),
  });
  const drivePurgeJob = new TriggeredJob({
    name: 'purge deleted drives',
    leases,
    runs: jobRuns,
    logger,
    work: (signal) => drivePurge.run(signal),
  });
  sharedDrives.onEndWork((...deleted) => tasks.cancelAllIn(...deleted));
  sharedDrives.onEndWork((...deleted) => uploads.sessions.cancelAllIn(...deleted));
  sharedDrives.onDeleted(() => drivePurgeJob.trigger());
  return { accountRemoval, accountRemovalJob, drivePurge, drivePurgeJob };
}
