import path from 'node:path';
import { type Logger, pino } from 'pino';
import { type Clock, systemClock } from './base/clock.ts';
import { type Ids, systemIds } from './base/ids.ts';
import type { Config } from './config/config.ts';
import { Database } from './database/database.ts';
import { migrate } from './database/migrator.ts';
import { openPostgres } from './database/postgres.ts';
import { openSqlite } from './database/sqlite.ts';
import { createServer, type Server } from './http/server.ts';
import { Settings } from './settings/settings.ts';
import { siteRoutes } from './site/routes.ts';
import { VERSION } from './version.ts';

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
  /** Starts to listen; gives the address, such as `http://127.0.0.1:8080`. */
  listen(): Promise<string>;
  /** Stops accepting, lets what runs end, closes what was opened. */
  close(): Promise<void>;
}

/** Builds the application: the one place where parts meet. Nothing listens yet. */
export async function createApp(config: Config, surroundings: Surroundings = {}): Promise<App> {
  const { clock = systemClock, ids = systemIds, logger = pino({ level: config.logLevel }) } = surroundings;
  const database = new Database(openEngine(config, logger));
  try {
    await migrate(database);
    const settings = new Settings(clock, ids);
    const server = await createServer({
      ...config,
      logger,
      clock,
      ids,
      version: VERSION,
      findCaller: async () => undefined,
      translateError: (error) => database.translate(error),
    });
    siteRoutes(server, VERSION, async () => {});
    return {
      server,
      database,
      settings,
      listen: () => server.listen({ host: config.host, port: config.port }),
      close: async () => {
        await server.close();
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
