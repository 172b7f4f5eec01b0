import path from 'node:path';
import { Activity } from '../activity/activity.ts';
import { Audit } from '../audit/audit.ts';
import { MINUTE } from '../base/clock.ts';
import { Blobs, BlobTotal } from '../blobs/blobs.ts';
import { StoreOwnership } from '../blobs/store-ownership.ts';
import { ContentSearch, MachinePressure } from '../content-search/content-search.ts';
import { Events } from '../events/events.ts';
import { JobRuns } from '../job-runs/job-runs.ts';
import { Leases, type NamedLease } from '../leases/leases.ts';
import { CredentialLimiter } from '../limits/limits.ts';
import { Mail } from '../mail/mail.ts';
import { Notifications } from '../notifications/notifications.ts';
import { newVapidKey, Push } from '../notifications/push/push.ts';
import type { Policies } from '../policies/policies.ts';
import { Settings } from '../settings/settings.ts';
import { FreeSpace } from '../storage/disk/file-system/free-space.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { TextExtraction } from '../texts/texts.ts';
import { PdfPages, Thumbnails, VideoFrames } from '../thumbnails/thumbnails.ts';
import { connectStorage, thumbnailDirectoryOf } from './connections.ts';
import type { PartsContext } from './parts-context.ts';

/** The lease for removing objects that nothing refers to. A backup holds it to keep such objects in place. */
export const REMOVAL_LEASE = 'remove objects';
export const REMOVAL_LEASE_MS = 2 * MINUTE;

/** The parts that all features build on, such as settings, storage, leases and limits. */
export async function buildFoundation(context: PartsContext) {
  const { config, database, clock, ids, logger, measurements } = context;
  const settings = new Settings(clock, ids);
  const storage: { policies: Policies; store: ObjectStore } = await connectStorage(config, {
    database,
    settings,
    clock,
    ids,
    onS3Call: measurements.onS3Call,
  });
  const { policies } = storage;
  const blobs = new Blobs({ database, clock, ids, policies, sweepGraceMs: config.sweepGraceMs });
  const leases = new Leases(database, clock, ids.uuid());
  const removalLease: NamedLease = leases.forName(REMOVAL_LEASE, REMOVAL_LEASE_MS);
  const secrets = await getOrCreateSecrets(context, settings);
  const mail = new Mail({
    ...{ database, clock, ids, settings },
    serviceSecret: secrets.jwtSecret,
    server: config.mail,
    publicUrl: config.publicUrl,
    backoffScale: config.taskBackoffScale,
    onDropped: (reason, dropped) => logger.warn({ ...dropped, reason }, 'a mail was not queued'),
    onOutcome: (outcome, sent) => {
      measurements.mails.count(outcome);
      if (outcome !== 'sent') logger.warn({ ...sent, outcome }, 'a mail was not sent');
    },
  });
  const notifications = new Notifications({ database, clock, mail });
  const push = buildPush(context, settings, secrets.vapidKey);
  notifications.onNotified((tx, told) => push.queue(tx, told));
  return {
    settings,
    policies,
    /** The store of the default policy. */
    store: storage.store,
    secrets,
    mail,
    notifications,
    push,
    storeOwnership: new StoreOwnership({ database, settings, policies }),
    limiter: new CredentialLimiter({
      database,
      clock,
      enabled: config.rateLimits,
      onRefused: ({ limit, address, isBlocked }) => {
        if (isBlocked) measurements.limitRefusals.count(limit);
        if (config.logAddresses === 'off') return;
        logger.warn({ address, limit, ...(isBlocked && { blocked: true }) }, 'a credential was refused');
      },
    }),
    blobs,
    ...buildContentSearch(context, blobs),
    thumbnails: await buildThumbnails(context, blobs),
    blobTotal: new BlobTotal(database, clock),
    events: new Events({ database, clock }),
    audit: new Audit(clock),
    leases,
    removalLease,
    jobRuns: new JobRuns(database, clock, (error) =>
      logger.warn({ err: error }, 'the result of a job could not be recorded'),
    ),
    activity: new Activity({
      database,
      clock,
      timeZone: config.timeZone,
      onFault: (error) => logger.error({ err: error }, 'request counts could not be written; retrying later'),
    }),
  };
}

/**
 * Secrets from the configuration, or secrets created once and stored in the database so that all instances
 * agree.
 */
async function getOrCreateSecrets({ config, database }: PartsContext, settings: Settings) {
  return database.transact(async (tx) => ({
    jwtSecret: config.jwtSecret ?? (await settings.getOrCreateSecret(tx, 'jwt-secret')),
    downloadSecret: config.downloadSecret ?? (await settings.getOrCreateSecret(tx, 'download-secret')),
    /** Undefined if no push messages are sent. */
    vapidKey:
      config.webPush && config.publicUrl !== undefined
        ? await settings.getOrCreateSecret(tx, 'vapid-key', newVapidKey())
        : undefined,
  }));
}

function buildPush(
  { config, database, clock, logger, measurements, overrides }: PartsContext,
  settings: Settings,
  vapidKey: string | undefined,
): Push {
  return new Push({
    ...{ database, clock, settings, vapidKey },
    publicUrl: config.publicUrl,
    network: overrides.pushNetwork,
    backoffScale: config.taskBackoffScale,
    onOutcome: (outcome, attempt) => {
      measurements.pushes.count(outcome);
      if (outcome === 'failed') logger.warn({ ...attempt, outcome }, 'a push message was not sent');
      else if (outcome === 'postponed') logger.info({ ...attempt, outcome }, 'a push message was not sent');
    },
  });
}

function buildContentSearch({ config, database, clock, logger, overrides }: PartsContext, blobs: Blobs) {
  const extraction = overrides.extraction ?? new TextExtraction();
  const contentSearch = new ContentSearch({
    ...{ database, clock, blobs, extraction },
    isOn: config.contentSearch,
    pressure: overrides.pressure ?? new MachinePressure(config.dataDir, config.minFreeDiskBytes),
    onFault: (error, doing) => logger.warn({ err: error, doing }, 'a text could not be taken; retrying'),
  });
  return { extraction, contentSearch };
}

async function buildThumbnails(
  { config, clock, ids, logger, overrides }: PartsContext,
  blobs: Blobs,
): Promise<Thumbnails> {
  const directory = thumbnailDirectoryOf(config);
  const { minFreeDiskBytes: minBytes, thumbnailCacheBytes: maxCacheBytes } = config;
  const videos = config.videoThumbnails
    ? await VideoFrames.find(process.env.PATH, path.join(directory, 'videos'))
    : undefined;
  if (config.videoThumbnails && videos === undefined) {
    logger.warn(
      'HOLDALL_VIDEO_THUMBNAILS is on, but there is no ffmpeg on the path: videos have no thumbnails',
    );
  }
  if (videos?.isLimited === false) {
    logger.warn(
      'there is no prlimit on the path: only time and output of ffmpeg are limited, not its memory',
    );
  }
  const pages = PdfPages.find();
  if (pages === undefined) {
    logger.warn('the optional package @napi-rs/canvas is not installed: PDFs have no thumbnails');
  }
  return new Thumbnails({
    blobs,
    clock,
    ids,
    directory,
    maxCacheBytes,
    videos,
    pages,
    freeSpace: minBytes === 0 ? undefined : new FreeSpace({ directory, minBytes, clock }),
    onFault: (error) => logger.warn({ err: error }, 'a thumbnail could not be cached'),
    decodingMs: overrides.decodingMs,
  });
}
