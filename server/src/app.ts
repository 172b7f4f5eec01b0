import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type Logger, pino } from 'pino';
import { Accounts } from './accounts/accounts.ts';
import { Avatars } from './accounts/avatar.ts';
import { avatarRoutes } from './accounts/avatar-routes.ts';
import type { FirstStart } from './accounts/first-start.ts';
import { accountRoutes } from './accounts/routes.ts';
import { type Clock, systemClock } from './base/clock.ts';
import { type Ids, systemIds } from './base/ids.ts';
import { Blobs } from './blobs/blobs.ts';
import type { Config } from './config/config.ts';
import { Database } from './database/database.ts';
import { migrate } from './database/migrator.ts';
import { openPostgres } from './database/postgres.ts';
import { openSqlite } from './database/sqlite.ts';
import { downloadRoutes } from './drive/download-routes.ts';
import { Drive } from './drive/drive.ts';
import { driveRoutes } from './drive/routes.ts';
import { uploadRoutes } from './drive/upload-routes.ts';
import { Events } from './events/events.ts';
import { createServer, type Server } from './http/server.ts';
import { UrlSigner } from './http/signed-url.ts';
import { CredentialLimiter } from './limits/limits.ts';
import { Settings } from './settings/settings.ts';
import { siteRoutes } from './site/routes.ts';
import { LocalDiskStore } from './storage/local-disk.ts';
import { UploadTickets } from './tickets/tickets.ts';
import { VERSION } from './version.ts';

/** How long requests that run may go on once the service is closing; then their connections are cut. */
const CLOSING_MS = 7_000;

/** What a test replaces. */
export interface Surroundings {
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly logger?: Logger;
}

export interface App {
  readonly server: Server;
  readonly database: Database;
  readonly settings: Settings;
  readonly accounts: Accounts;
  /** Set when this start created the first account. */
  readonly firstStart: FirstStart | undefined;
  /** Starts to listen; gives the address, such as `http://127.0.0.1:8080`. */
  listen(): Promise<string>;
  /** Stops accepting, lets what runs end, closes what was opened. */
  close(): Promise<void>;
}

/** Builds the application: the one place where parts meet. Nothing listens yet. */
export async function createApp(config: Config, surroundings: Surroundings = {}): Promise<App> {
  const { clock = systemClock, ids = systemIds, logger = pino({ level: config.logLevel }) } = surroundings;
  const store = new LocalDiskStore(path.join(config.dataDir, 'objects'), ids);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const database = new Database(openEngine(config, logger));
  try {
    await migrate(database);
    const settings = new Settings(clock, ids);
    const limiter = new CredentialLimiter(database, clock, config.rateLimits);
    const blobs = new Blobs(clock, ids);
    const tickets = new UploadTickets(clock, config.uploadSessionTtlMs);
    const jwtSecret =
      config.jwtSecret ?? (await database.transact((tx) => settings.keepSecret(tx, 'jwt-secret')));
    const accounts = new Accounts({ ...config, database, settings, limiter, clock, ids, jwtSecret });
    const downloadSecret =
      config.downloadSecret ?? (await database.transact((tx) => settings.keepSecret(tx, 'download-secret')));
    const drive = new Drive({
      database,
      accounts,
      blobs,
      events: new Events(clock),
      store,
      tickets,
      clock,
      signer: new UrlSigner(downloadSecret),
      urlTtlMs: config.downloadUrlTtlMs,
      retentionMs: config.recycleRetentionMs,
      defaultDirectories: config.defaultDirectories,
    });
    const avatars = new Avatars({ database, clock, store, blobs, tickets });
    const firstStart = await accounts.makeFirstStart(config);

    const server = await createServer({
      ...config,
      logger,
      clock,
      ids,
      version: VERSION,
      findCaller: (token) => accounts.findCaller(token),
      translateError: (error) => database.translate(error),
    });
    const baseUrl = () => config.publicUrl ?? server.listeningOrigin;
    siteRoutes(server, VERSION, async () => {});
    accountRoutes(server, accounts, config);
    avatarRoutes(server, avatars, baseUrl);
    driveRoutes(server, drive);
    uploadRoutes(server, drive, baseUrl);
    downloadRoutes(server, drive, { baseUrl, accelRedirect: config.accelRedirect });
    return {
      server,
      database,
      settings,
      accounts,
      firstStart,
      listen: () => server.listen({ host: config.host, port: config.port }),
      close: async () => {
        const cut = setTimeout(() => server.server.closeAllConnections(), CLOSING_MS);
        await server.close();
        clearTimeout(cut);
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function openEngine(config: Config, logger: Logger) {
  if (config.databaseUrl === undefined) return openSqlite(path.join(config.dataDir, 'holdall.db'));
  return openPostgres(config.databaseUrl, (error) =>
    logger.warn({ err: error }, 'an idle database connection broke'),
  );
}
