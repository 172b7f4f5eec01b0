import path from 'node:path';
import { type Logger, pino } from 'pino';
import { Accounts } from '../accounts/accounts.ts';
import { Avatars } from '../accounts/avatar/avatar.ts';
import { avatarRoutes } from '../accounts/avatar/routes.ts';
import type { FirstStart } from '../accounts/registration/first-start.ts';
import { accountRoutes } from '../accounts/routes.ts';
import { Activity } from '../activity/activity.ts';
import { adminRoutes } from '../admin/admin-routes.ts';
import { Audit } from '../audit/audit.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { type Ids, systemIds } from '../base/ids.ts';
import { Blobs, BlobTotal } from '../blobs/blobs.ts';
import { ChecksumPass } from '../blobs/checksums.ts';
import { PolicyMigrations } from '../blobs/migration/policy-migrations.ts';
import { StoreOwnership } from '../blobs/store-ownership.ts';
import { BlobSweeper } from '../blobs/sweep/sweeper.ts';
import type { Config } from '../config/config.ts';
import { Database, type OnQuery } from '../database/database.ts';
import { createDurableDirectory } from '../database/durable-directory.ts';
import { migrate } from '../database/migrator.ts';
import { downloadRoutes } from '../drive/download/routes.ts';
import { Drive } from '../drive/drive.ts';
import { uploadRoutes } from '../drive/intake/upload-routes.ts';
import { driveRoutes } from '../drive/routes.ts';
import { searchRoutes } from '../drive/search/routes.ts';
import { Events } from '../events/events.ts';
import { EventHub } from '../events/hub.ts';
import { eventRoutes } from '../events/routes.ts';
import { EventStreams } from '../events/streams.ts';
import { createServer, type Server } from '../http/server.ts';
import { UrlSigner } from '../http/signed-url.ts';
import { Leases } from '../leases/leases.ts';
import { CredentialLimiter } from '../limits/limits.ts';
import { originOf } from '../policies/open-store.ts';
import type { Policies } from '../policies/policies.ts';
import { Releases } from '../releases/releases.ts';
import { releaseRoutes } from '../releases/routes.ts';
import { Settings } from '../settings/settings.ts';
import { SharedDownloads } from '../shares/download-routes.ts';
import { shareLinkRoutes } from '../shares/link-routes.ts';
import { shareRoutes } from '../shares/routes.ts';
import { ShareCookie } from '../shares/share-cookie.ts';
import { ShareCounters } from '../shares/share-counters.ts';
import { ShareLinks } from '../shares/share-links.ts';
import { ShareSummaries } from '../shares/share-summaries.ts';
import { Shares } from '../shares/shares.ts';
import { siteRoutes } from '../site/routes.ts';
import { findWebClient, serveWebClient } from '../site/web-client-routes.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { ArchiveJob } from '../tasks/archive/archive.ts';
import type { Job } from '../tasks/engine/job.ts';
import { ExtractJob } from '../tasks/extract/extract.ts';
import { MediaJob } from '../tasks/media/media.ts';
import { MigrationJob } from '../tasks/migration/migration.ts';
import { taskRoutes } from '../tasks/routes.ts';
import { Tasks } from '../tasks/tasks.ts';
import { UploadTickets } from '../tickets/tickets.ts';
import { offlineRoutes } from '../transfer/offline/routes.ts';
import { transferRoutes } from '../transfer/routes.ts';
import { signalRoutes } from '../transfer/signals/routes.ts';
import { Transfers } from '../transfer/transfer.ts';
import { legacyUploadRoutes } from '../uploads/legacy-routes.ts';
import { uploadSessionRoutes } from '../uploads/sessions/routes.ts';
import { tusRoutes } from '../uploads/tus/routes.ts';
import { Uploads } from '../uploads/uploads.ts';
import { Errand } from './errand.ts';
import {
  connectStorage,
  OBJECT_CLAIMS,
  openEngine,
  REMOVAL_LEASE,
  REMOVAL_LEASE_MS,
  storeSettingsOf,
} from './ground.ts';
import { listChores } from './jobs.ts';
import { Schedule } from './schedule.ts';
import { VERSION } from './version.ts';

/** Where `npm run build` puts it. */
const WEB_CLIENT = path.join(import.meta.dirname, '..', '..', '..', 'web', 'dist');

/** How long requests that run may go on once the service is closing; then their connections are cut. */
const CLOSING_MS = 7_000;

const TIDY_MS = 50;

/** What a test replaces. */
export interface Surroundings {
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly logger?: Logger;
  readonly onQuery?: OnQuery;
  /** In place of the jobs of the same types. */
  readonly jobs?: readonly Job[];
  /** Between two heartbeats of an event stream. */
  readonly eventBeatMs?: number;
}

export interface App {
  readonly server: Server;
  readonly database: Database;
  /** Of the default policy. */
  readonly store: ObjectStore;
  readonly policies: Policies;
  readonly settings: Settings;
  readonly accounts: Accounts;
  readonly drive: Drive;
  readonly uploads: Uploads;
  readonly transfers: Transfers;
  readonly tasks: Tasks;
  readonly streams: EventStreams;
  readonly activity: Activity;
  readonly releases: Releases;
  /** Set when this start created the first account. */
  readonly firstStart: FirstStart | undefined;
  /** Whether there is a web client to serve. */
  readonly hasWebClient: boolean;
  /** Starts to listen and to do the chores; gives the address, such as `http://127.0.0.1:8080`. */
  listen(): Promise<string>;
  /** Does the chores of the schedule now. */
  cleanUp(): Promise<void>;
  /** Stops accepting, lets what runs end, closes what was opened. */
  close(): Promise<void>;
}

/** Builds the application: the one place where parts meet. Nothing listens yet. */
export async function createApp(config: Config, surroundings: Surroundings = {}): Promise<App> {
  const { logger = pino({ level: config.logLevel }) } = surroundings;
  createDurableDirectory(config.dataDir);
  const onIdleError = (error: Error) => logger.warn({ err: error }, 'an idle database connection broke');
  const database = new Database(await openEngine(config, onIdleError), surroundings.onQuery);
  try {
    await migrate(database);
    return await assemble(config, database, { ...surroundings, logger });
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function assemble(
  config: Config,
  database: Database,
  surroundings: Surroundings & { logger: Logger },
): Promise<App> {
  const { clock = systemClock, ids = systemIds, logger } = surroundings;
  const settings = new Settings(clock, ids);
  const { policies, store } = await connectStorage(config, { database, settings, clock, ids });
  const storeOwnership = new StoreOwnership({ database, settings, policies });
  const limiter = new CredentialLimiter(database, clock, config.rateLimits);
  const blobs = new Blobs({ clock, ids, policies });
  const tickets = new UploadTickets(clock, config.uploadSessionTtlMs);
  const events = new Events({ database, clock });
  const activity = new Activity({
    ...{ database, clock, timeZone: config.timeZone },
    onFault: (error) => logger.error({ err: error }, 'what was counted could not be written yet'),
  });
  const blobTotal = new BlobTotal(database, clock);
  const { jwtSecret, downloadSecret } = await keepSecrets(config, database, settings);
  const shared = {
    ...config,
    database,
    settings,
    limiter,
    policies,
    storeOwnership,
    blobs,
    tickets,
    events,
    clock,
    ids,
  };

  const accounts = new Accounts({ ...shared, jwtSecret });
  const drive = new Drive({ ...shared, accounts, signer: new UrlSigner(downloadSecret) });
  const leases = new Leases(database, clock, ids.uuid());
  const checksums = new ChecksumPass({
    database,
    open: (blob) => blobs.open(blob),
    onFault: (error, doing) =>
      logger.error({ err: error, doing }, 'the checksum downloadCookie went past a fault'),
  });
  const checking = new Errand({
    name: 'take checksums',
    leases,
    logger,
    work: (signal) => checksums.run(signal),
  });
  const uploads = new Uploads({ ...shared, accounts, drive, leases, onUnchecked: () => checking.ask() });
  const avatars = new Avatars(shared);
  const counters = new ShareCounters(shared);
  const shares = new Shares({ ...shared, accounts, drive, counters });
  const transfers = new Transfers({ ...shared, accounts, drive });
  const policyMigrations = new PolicyMigrations({
    ...shared,
    // Whoever was told an address of the old object may use it as long as that is good.
    graceMs: Math.max(config.sweepGraceMs, config.downloadUrlTtlMs),
    onFault: (error, doing) =>
      logger.error({ err: error, doing }, 'the removal of what was moved went past a fault'),
  });
  const migrations = new MigrationJob({
    ...shared,
    policyMigrations,
    onLeftovers: () => tidying.ask(),
  });
  const tidying = new Errand({
    name: 'tidy up migrations',
    leases,
    logger,
    work: (signal) => migrations.removeLeftovers(signal),
  });
  const worked = { ...shared, accounts, drive };
  const tasks = new Tasks({
    ...shared,
    drive,
    jobs: [
      ...[new MediaJob(worked), new ArchiveJob(worked), new ExtractJob(worked), migrations],
      // Of two jobs of a type the last one counts.
      ...(surroundings.jobs ?? []),
    ],
    onFault: (error, doing) => logger.error({ err: error, doing }, 'a background task met a fault'),
  });
  const releases = new Releases(shared);
  const firstStart = await accounts.runFirstStart(config);
  const sweeper = new BlobSweeper({
    ...shared,
    graceMs: config.sweepGraceMs,
    claims: OBJECT_CLAIMS,
    removalLease: leases.forName(REMOVAL_LEASE, REMOVAL_LEASE_MS),
    onFault: (error, doing) =>
      logger.error({ err: error, doing }, 'the sweep of the store went past a fault'),
  });
  const hub = new EventHub({
    database,
    events,
    onFault: (error) => logger.warn({ err: error }, 'events could not be read; they are asked for again'),
  });
  const streams = new EventStreams({
    ...shared,
    hub,
    findLiveSessions: (sessionIds) => accounts.findLiveSessions(sessionIds),
    beatMs: surroundings.eventBeatMs,
  });
  const schedule = new Schedule({
    leases,
    logger,
    intervalMs: config.cleanupIntervalMs,
    chores: listChores({
      ...shared,
      accounts,
      activity,
      avatars,
      blobTotal,
      drive,
      uploads,
      transfers,
      tasks,
      leases,
      checking,
      checksums,
      migrations,
      sweeper,
    }),
  });

  const server = await createServer({
    ...shared,
    logger,
    version: VERSION,
    findCaller: (token) => accounts.findCaller(token),
    traffic: activity,
    translateError: (error) => database.translate(error),
  });
  const baseUrl = () => config.publicUrl ?? server.listeningOrigin;
  const webClient = findWebClient(WEB_CLIENT);
  const sendPage =
    webClient &&
    (await serveWebClient(server, webClient, {
      ids,
      storeOrigins: () => listStoreOrigins(config, policies),
    }));
  const checkReady = async () => {
    await database.check();
    await store.check();
  };
  siteRoutes(server, VERSION, checkReady, sendPage);
  accountRoutes(server, accounts, config);
  avatarRoutes(server, avatars, baseUrl);
  driveRoutes(server, drive);
  searchRoutes(server, drive.search);
  uploadRoutes(server, drive);
  legacyUploadRoutes(server, uploads, baseUrl);
  uploadSessionRoutes(server, uploads, clock);
  tusRoutes(server, uploads, clock, config.publicUrl ?? '');
  downloadRoutes(server, drive, { baseUrl, accelRedirect: config.accelRedirect });
  shareLinkRoutes(server, new ShareLinks({ ...shared, accounts, drive, counters }), {
    baseUrl,
    hasPages: webClient !== undefined,
  });
  const downloadCookie = new ShareCookie(downloadSecret, 'download');
  const passwordCookie = new ShareCookie(downloadSecret, 'password');
  shareRoutes(server, {
    ...{ shares, passwordCookie, clock },
    summaries: new ShareSummaries({ drive, clock }),
    downloads: new SharedDownloads({ ...shared, shares, drive, downloadCookie, passwordCookie }),
  });
  releaseRoutes(server, releases, baseUrl);
  transferRoutes(server, { ...shared, transfers });
  signalRoutes(server, transfers.signals);
  offlineRoutes(server, { ...shared, offline: transfers.offline });
  taskRoutes(server, tasks);
  eventRoutes(server, { events, streams });
  adminRoutes(server, {
    ...{ ...shared, config, version: VERSION, accounts, drive, shares, tasks, activity, blobTotal },
    audit: new Audit(clock),
    offlineLimit: transfers.storage,
  });

  return {
    server,
    database,
    store,
    policies,
    settings,
    accounts,
    drive,
    uploads,
    transfers,
    tasks,
    streams,
    activity,
    releases,
    firstStart,
    hasWebClient: webClient !== undefined,
    listen: async () => {
      const address = await server.listen({ host: config.host, port: config.port });
      schedule.start();
      tasks.start();
      activity.start();
      return address;
    },
    cleanUp: async () => {
      await schedule.runOnce();
      await checking.settle();
    },
    close: async () => {
      const cut = setTimeout(() => server.server.closeAllConnections(), CLOSING_MS);
      // A connection that had a request when the closing began is kept open behind its answer.
      const tidy = setInterval(() => server.server.closeIdleConnections(), TIDY_MS);
      // First, so that others can begin them, and nobody who waits for a change holds up the end.
      const handedBack = tasks.stop();
      database.wakeups.close();
      streams.close();
      await Promise.all([handedBack, server.close(), schedule.stop(), checking.stop(), tidying.stop()]);
      clearInterval(tidy);
      clearTimeout(cut);
      await activity.stop();
      await policies.close();
      await database.close();
    },
  };
}

/** Where browsers put bytes and get them from without us. */
async function listStoreOrigins(config: Config, policies: Policies): Promise<readonly string[]> {
  const storage = storeSettingsOf(config);
  const origins = (await policies.listLocations()).map((place) => originOf(place, storage));
  return [...new Set(origins.filter((origin) => origin !== undefined))];
}

/** As configured, or else made once for this database, so that all instances agree. */
async function keepSecrets(config: Config, database: Database, settings: Settings) {
  return database.transact(async (tx) => ({
    jwtSecret: config.jwtSecret ?? (await settings.getOrCreateSecret(tx, 'jwt-secret')),
    downloadSecret: config.downloadSecret ?? (await settings.getOrCreateSecret(tx, 'download-secret')),
  }));
}
