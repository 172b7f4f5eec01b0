import path from 'node:path';
import type { Logger } from 'pino';
import type { FirstStart } from '../accounts/registration/first-start.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { type Ids, systemIds } from '../base/ids.ts';
import type { Config } from '../config/config.ts';
import { Database, type OnQuery } from '../database/database.ts';
import { createDurableDirectory } from '../database/durable-directory.ts';
import type { Migration } from '../database/migration.ts';
import {
  type BegunMigration,
  findPendingMigrations,
  MIGRATIONS,
  migrateWithCopy,
} from '../database/migrator.ts';
import type { PostgresOptions } from '../database/postgres/postgres.ts';
import { createServer, type Server } from '../http/server.ts';
import { Readiness } from '../site/readiness.ts';
import { findWebClient } from '../site/web-client-routes.ts';
import { describeDatabase, openEngine, waitForDatabase } from './connections.ts';
import { listMaintenanceJobs } from './jobs.ts';
import { Measurements } from './metrics/measurements.ts';
import { listServiceMetrics } from './metrics/service-metrics.ts';
import { buildParts, type Parts } from './parts.ts';
import type { PartsOverrides } from './parts-context.ts';
import { openLog } from './process/log.ts';
import { mountRoutes } from './routes.ts';
import { MaintenanceSchedule } from './schedule.ts';
import { VERSION } from './version.ts';

/** The output folder of `npm run build`. */
const WEB_CLIENT = path.join(import.meta.dirname, '..', '..', '..', 'web', 'dist');

/** How long running requests may continue after close() begins; then their connections are closed. */
const CLOSING_MS = 7_000;

const IDLE_CONNECTIONS_CHECK_MS = 50;

/** What tests can replace. */
export interface AppOverrides extends PartsOverrides {
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly logger?: Logger;
  /** Called with every SQL statement. */
  readonly onQuery?: OnQuery;
  /** Defaults to all migrations of this version. */
  readonly migrations?: readonly Migration[];
  /** How the connections to PostgreSQL are watched. */
  readonly postgres?: PostgresOptions | undefined;
  /** How often the server looks for slow request bodies. */
  readonly bodyTickMs?: number;
  /** Defaults to true. If false, maintenance runs only when `cleanUp` is called. */
  readonly isMaintained?: boolean;
}

export interface App extends Parts {
  readonly server: Server;
  /** Set when this start created the first account. */
  readonly firstStart: FirstStart | undefined;
  /** Whether the web client is built and therefore served. */
  readonly hasWebClient: boolean;
  /**
   * Starts the server, the task workers and the maintenance; returns the address, such as
   * `http://127.0.0.1:8080`.
   */
  listen(): Promise<string>;
  /** Runs all maintenance jobs now. */
  cleanUp(): Promise<void>;
  /** Stops accepting connections, lets running requests end, and closes everything that was opened. */
  close(): Promise<void>;
}

/** Opens and migrates the database, builds the parts and mounts the routes. Nothing listens or runs yet. */
export async function createApp(config: Config, overrides: AppOverrides = {}): Promise<App> {
  const {
    logger = openLog(config.logLevel, config.logFormat),
    clock = systemClock,
    ids = systemIds,
    migrations = MIGRATIONS,
  } = overrides;
  createDurableDirectory(config.dataDir);
  const onIdleError = (error: Error) => logger.warn({ err: error }, 'an idle database connection broke');
  const engine = await openEngine(config, onIdleError, overrides.postgres);
  const measurements = new Measurements();
  const database = new Database(engine, overrides.onQuery, measurements.onTransaction);
  try {
    const onWait = (sentence: string) => logger.warn(sentence);
    await waitForDatabase(config, database, onWait);
    if (!config.migrate) await rejectPendingMigrations(config, database, migrations);
    await migrateWithCopy(database, (begun) => reportMigration(begun, logger), { onWait, migrations });
    const parts = await buildParts({ config, database, clock, ids, logger, measurements, overrides });
    const readiness = new Readiness([
      { name: 'The database', check: () => database.check() },
      { name: 'The store', check: () => parts.store.check() },
    ]);
    const firstStart = await parts.accounts.runFirstStart(config);
    const server = await createServer({
      logger,
      clock,
      ids,
      version: VERSION,
      trustProxy: config.trustProxy,
      corsOrigins: config.corsOrigins,
      rateLimits: config.rateLimits,
      maxRequestsPerAddress: config.maxRequestsPerAddress,
      slowRequestMs: config.slowRequestMs,
      logsAddresses: config.logAddresses === 'all',
      bodyTickMs: overrides.bodyTickMs,
      metrics: {
        list: listServiceMetrics(parts, measurements, readiness),
        histograms: measurements.histograms,
        token: config.metricsToken,
        address: config.metricsAddress,
      },
      onLimited: (limit) => measurements.limitRefusals.count(limit),
      findCaller: (credentials, address) => parts.accounts.findCaller(credentials, address),
      findDriveRole: (membership) => parts.drives.findRole(membership),
      explainRefusal: (credentials) => parts.accounts.explainRefusal(credentials),
      traffic: parts.activity,
      translateError: (error) => database.translate(error),
    });
    const webClient = findWebClient(WEB_CLIENT);
    await mountRoutes(server, parts, { webClient, readiness });
    const schedule = new MaintenanceSchedule({
      leases: parts.leases,
      runs: parts.jobRuns,
      logger,
      intervalMs: config.cleanupIntervalMs,
      jobs: listMaintenanceJobs(parts),
    });
    return {
      ...parts,
      server,
      firstStart,
      hasWebClient: webClient !== undefined,
      ...lifecycleOf(parts, server, schedule, overrides.isMaintained ?? true),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** @throws Error with a sentence for the operator */
async function rejectPendingMigrations(
  config: Config,
  database: Database,
  migrations: readonly Migration[],
): Promise<void> {
  const pending = await findPendingMigrations(database.db, migrations);
  if (pending.length === 0) return;
  if (pending.length === migrations.length) {
    throw new Error(
      `${describeDatabase(config)} has no schema yet, and HOLDALL_MIGRATE is off. Run "holdall migrate".`,
    );
  }
  throw new Error(
    `${describeDatabase(config)} has not all schema steps of this version, and HOLDALL_MIGRATE is off. ` +
      'Take a backup, stop all instances, and run "holdall migrate".',
  );
}

function reportMigration({ steps, copy }: BegunMigration, logger: Logger): void {
  if (copy !== undefined)
    logger.warn({ steps, copy }, 'the schema is migrated; the database as it was is copied');
  else logger.warn({ steps }, 'the schema is migrated now, which only a backup taken before can undo');
}

function lifecycleOf(
  parts: Parts,
  server: Server,
  schedule: MaintenanceSchedule,
  isMaintained: boolean,
): Pick<App, 'listen' | 'cleanUp' | 'close'> {
  const { config, database, tasks, activity, streams } = parts;
  const { receivedFilesJob, indexingJob } = parts;
  const periodicChecks = [...parts.periodicChecks, parts.indexingCheck];
  const deliveries = [parts.mailDelivery, parts.pushDelivery];
  const { checksumJob, migrationCleanup, accountRemovalJob, drivePurgeJob } = parts;
  return {
    listen: async () => {
      const address = await server.listen({ host: config.host, port: config.port });
      if (isMaintained) schedule.start();
      tasks.runner.start();
      activity.start();
      if (isMaintained) for (const delivery of deliveries) delivery.start();
      if (isMaintained) for (const check of periodicChecks) check.start();
      return address;
    },
    cleanUp: async () => {
      await schedule.runOnce();
      await accountRemovalJob.settle();
      await drivePurgeJob.settle();
      await checksumJob.settle();
      await receivedFilesJob.settle();
      for (const delivery of deliveries) await delivery.runOnce();
    },
    close: async () => {
      const cutConnections = setTimeout(() => server.server.closeAllConnections(), CLOSING_MS);
      // A connection whose request was running when the close began stays open after its answer.
      const closeIdle = setInterval(() => server.server.closeIdleConnections(), IDLE_CONNECTIONS_CHECK_MS);
      // Tasks first, so that other instances can take them; then waiting readers, which would delay the end.
      const handedBack = tasks.runner.stop();
      database.wakeups.close();
      streams.close();
      await Promise.all([
        handedBack,
        server.close(),
        schedule.stop(),
        checksumJob.stop(),
        migrationCleanup.stop(),
        accountRemovalJob.stop(),
        drivePurgeJob.stop(),
        ...deliveries.map((delivery) => delivery.stop()),
        ...periodicChecks.map((check) => check.stop()),
        receivedFilesJob.stop(),
        indexingJob.stop(),
      ]);
      clearInterval(closeIdle);
      clearTimeout(cutConnections);
      await activity.stop();
      await parts.close();
    },
  };
}
